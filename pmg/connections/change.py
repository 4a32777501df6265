"""One change of one tool's settings: what it would be, carrying it out, and undoing it.

Knows: that a copy is kept beside the memory before anything is written, and that a file which nobody touched since comes back byte for
byte. How an entry is put into a text stands in jsonc.py and toml_file.py.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pmg.connections import jsonc, toml_file
from pmg.connections.known_tools import JSON, ConfigPlaces, KnownTool
from pmg.errors import InputError
from pmg.filesystem import write_in_place
from pmg.index.atomic import make_private_folder, write_atomically
from pmg.times import now

RECORD = "connections.json"
COPIES = "connections"


@dataclass(frozen=True, slots=True)
class FileChange:
    file: Path
    before: str
    after: str
    there: bool  # the file exists

    @property
    def diff(self) -> str:
        rows = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), str(self.file), str(self.file), n=2, lineterm=""
        )
        return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class Connected:
    """What was done for a tool, so that it can be undone."""

    tool: str
    file: str
    copy: str  # empty: there was no file
    written: str  # the hash of what we wrote


def connecting(tool: KnownTool, places: ConfigPlaces, command: Sequence[str]) -> FileChange:
    file = tool.file(places)
    before = _text(file)
    entry = tool.entry(command)
    after = (
        jsonc.set_entry(before, tool.path, entry)
        if tool.form == JSON
        else toml_file.set_entry(before, tool.path, entry)
    )
    return FileChange(file, before, after, file.exists())


def disconnecting(tool: KnownTool, places: ConfigPlaces, home: Path) -> FileChange:
    file = tool.file(places)
    before = _text(file)
    record = records(home).get(tool.name)
    if record is not None and record.file == str(file) and record.written == _hash(before):
        return FileChange(file, before, _text(Path(record.copy)) if record.copy else "", True)
    if not before.strip():
        return FileChange(file, before, before, file.exists())
    remove = jsonc.remove_entry if tool.form == JSON else toml_file.remove_entry
    return FileChange(file, before, remove(before, tool.path), True)


def is_connected(tool: KnownTool, places: ConfigPlaces) -> bool:
    text = _text(tool.file(places))
    if not text.strip():
        return False
    return (jsonc if tool.form == JSON else toml_file).get_entry(text, tool.path) is not None


def carry_out(change: FileChange, tool: KnownTool, home: Path) -> Path | None:
    """Writes it; the copy of what was there, where something was."""
    copy = _copied(change, tool, home) if change.there else None
    _write(change.file, change.after)
    kept = records(home)
    kept[tool.name] = Connected(tool.name, str(change.file), str(copy or ""), _hash(change.after))
    _keep(home, kept)
    return copy


def undo(change: FileChange, tool: KnownTool, home: Path) -> Path | None:
    """Writes the file without us; one that we made ourselves goes."""
    copy = _copied(change, tool, home)
    if change.after.strip():
        _write(change.file, change.after)
    else:
        change.file.unlink(missing_ok=True)
    kept = records(home)
    kept.pop(tool.name, None)
    _keep(home, kept)
    return copy


def records(home: Path) -> dict[str, Connected]:
    try:
        told = json.loads((home / RECORD).read_text(encoding="utf-8"))
        return {one["tool"]: Connected(**one) for one in told}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def _keep(home: Path, kept: dict[str, Connected]) -> None:
    write_atomically(home / RECORD, json.dumps([asdict(one) for one in kept.values()], indent=1).encode())


def _copied(change: FileChange, tool: KnownTool, home: Path) -> Path:
    folder = home / COPIES
    make_private_folder(folder)
    copy = folder / f"{tool.name}-{now():%Y%m%d-%H%M%S-%f}{change.file.suffix}"
    write_atomically(copy, change.before.encode())
    return copy


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_in_place(file, text.encode())


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read ({error}): mend it by hand first.") from None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
