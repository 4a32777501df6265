"""What connecting a tool changes in its settings: what it would be, carrying it out, and undoing it.

Knows: that a copy is kept beside the memory before anything is written, and that a file which nobody touched since comes back byte for
byte. How an entry is put into a text stands in jsonc.py, toml_file.py and, for hooks, hook_entries.py.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pmg.atomic_files import make_private_folder, write_atomically
from pmg.connections import jsonc, toml_file
from pmg.connections.hook_entries import has_hooks, remove_hooks, set_hooks
from pmg.connections.hook_tools import hook_tool
from pmg.connections.known_tools import JSON, ConfigPlaces, KnownTool, ToolCommand
from pmg.errors import InputError
from pmg.filesystem import write_in_place
from pmg.times import now

RECORD = "connections.json"
COPIES = "connections"
Edit = Callable[[str], str]


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
    """What was done to a file of a tool, so that it can be undone."""

    tool: str
    file: str
    copy: str  # empty: there was no file
    written: str  # the hash of what we wrote


Records = dict[tuple[str, str], Connected]  # by tool and file


def connecting(tool: KnownTool, places: ConfigPlaces, command: ToolCommand, hooks: bool = True) -> list[FileChange]:
    """The files that would change, each with everything that changes in it."""
    edits: dict[Path, list[Edit]] = {tool.file(places): [lambda text: _with_entry(text, tool, command.mcp)]}
    caller = hook_tool(tool.name)
    if caller is not None and hooks:
        edit: Edit = lambda text: set_hooks(text, caller, command.words, places.system, tells=not command.read_only)  # noqa: E731
        edits.setdefault(caller.settings(places), []).append(edit)
    return _changes(edits)


def disconnecting(tool: KnownTool, places: ConfigPlaces, home: Path) -> list[FileChange]:
    edits: dict[Path, list[Edit]] = {tool.file(places): [lambda text: _without_entry(text, tool)]}
    caller = hook_tool(tool.name)
    if caller is not None:
        edits.setdefault(caller.settings(places), []).append(lambda text: remove_hooks(text, caller))
    known = records(home)
    return _changes(edits, {file: known[tool.name, str(file)] for file in edits if (tool.name, str(file)) in known})


def _changes(edits: dict[Path, list[Edit]], known: Mapping[Path, Connected] | None = None) -> list[FileChange]:
    found = []
    for file, wanted in edits.items():
        before = _text(file)
        after = _as_it_was(before, (known or {}).get(file))
        for edit in wanted:
            after = _edited(file, edit, after)
        if after != before:
            found.append(FileChange(file, before, after, file.exists()))
    return found


def _edited(file: Path, edit: Edit, text: str) -> str:
    """An edit knows the text alone: where it cannot be read, the person is told which file to mend."""
    try:
        return edit(text)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _as_it_was(text: str, record: Connected | None) -> str:
    """Where nobody touched the file since, it comes back byte for byte."""
    if record is None or record.written != _hash(text):
        return text
    return _text(Path(record.copy)) if record.copy else ""


def _with_entry(text: str, tool: KnownTool, command: Sequence[str]) -> str:
    put = jsonc.set_entry if tool.form == JSON else toml_file.set_entry
    return put(text, tool.path, tool.entry(command))


def _without_entry(text: str, tool: KnownTool) -> str:
    if not text.strip():
        return text
    return (jsonc.remove_entry if tool.form == JSON else toml_file.remove_entry)(text, tool.path)


def is_connected(tool: KnownTool, places: ConfigPlaces) -> bool:
    text = _text(tool.file(places))
    if not text.strip():
        return False
    return (jsonc if tool.form == JSON else toml_file).get_entry(text, tool.path) is not None


def is_hooked(tool: KnownTool, places: ConfigPlaces) -> bool:
    caller = hook_tool(tool.name)
    return caller is not None and has_hooks(_text(caller.settings(places)), caller)


def carry_out(change: FileChange, tool: KnownTool, home: Path) -> Path | None:
    """Writes it; the copy of what was there, where something was."""
    copy = _copied(change, tool, home) if change.there else None
    _write(change.file, change.after)
    kept = records(home)
    earlier = kept.get((tool.name, str(change.file)))
    # Connected again, and nobody touched the file since: what was there before us is still the first copy.
    ours = earlier is not None and earlier.written == _hash(change.before)
    made = Connected(tool.name, str(change.file), earlier.copy if earlier and ours else str(copy or ""), _hash(change.after))  # fmt: skip
    _keep(home, kept | {(tool.name, made.file): made})
    return copy


def undo(change: FileChange, tool: KnownTool, home: Path) -> Path | None:
    """Writes the file without us; one that we made ourselves goes."""
    copy = _copied(change, tool, home)
    if change.after.strip():
        _write(change.file, change.after)
    else:
        change.file.unlink(missing_ok=True)
    kept = records(home)
    kept.pop((tool.name, str(change.file)), None)
    _keep(home, kept)
    return copy


def records(home: Path) -> Records:
    try:
        told = json.loads((home / RECORD).read_text(encoding="utf-8"))
        return {(one["tool"], one["file"]): Connected(**one) for one in told}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def _keep(home: Path, kept: Records) -> None:
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
