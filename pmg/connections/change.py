"""What connecting a tool changes in its settings: what it would be, carrying it out, and undoing it.

Knows: that a copy is kept beside the memory before anything is written, and that a file which nobody touched since comes back byte for
byte. A memory can be moved and its copies can be deleted: then our entry alone is taken out, and a file goes only where the record says
that we made it. How an entry is put into a text stands in jsonc.py, toml_file.py and, for hooks, hook_entries.py.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from pmg.base.atomic_files import make_private_folder, write_atomically
from pmg.base.errors import InputError
from pmg.base.filesystem import write_in_place
from pmg.base.times import now
from pmg.connections import jsonc, toml_file
from pmg.connections.hook_entries import has_hooks, remove_hooks, set_hooks
from pmg.connections.hook_tools import HookTool, hook_tool
from pmg.connections.known_tools import JSON, NAME, ConfigPlaces, KnownTool, ToolCommand
from pmg.connections.own_entry import has_entry, has_own_entry

RECORD = "connections.json"
COPIES = "connections"
_UNIX_END = re.compile(r"(?<!\r)\n")
Edit = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class FileChange:
    file: Path
    before: str
    after: str
    there: bool  # the file exists
    is_ours: bool = False  # undoing: we made the file, and nobody added to it

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
    copy: str  # the name of the copy among those of the memory; empty: there was no file
    written: str  # the hash of what we wrote
    before_us: bool = False  # the copy is older than our first entry: one of our name may be another program's


Records = dict[tuple[str, str], Connected]  # by tool and file


def connecting(tool: KnownTool, places: ConfigPlaces, command: ToolCommand, hooks: bool = True) -> list[FileChange]:
    """The files that would change, each with everything that changes in it."""
    edits: dict[Path, list[Edit]] = {tool.file(places): [lambda text: _with_entry(text, tool, command.mcp)]}
    caller = hook_tool(tool.name)
    if caller is not None:
        edits.setdefault(caller.settings(places), []).append(
            lambda text: _with_hooks(text, caller, command, places.system) if hooks else remove_hooks(text, caller)
        )
    return [one for file, wanted in edits.items() if (one := _change(file, _text(file), wanted))]


def disconnecting(tool: KnownTool, places: ConfigPlaces, home: Path) -> list[FileChange]:
    hooks: dict[Path, list[Edit]] = {tool.file(places): []}
    caller = hook_tool(tool.name)
    if caller is not None:
        hooks.setdefault(caller.settings(places), []).append(lambda text: remove_hooks(text, caller))
    known = records(home)
    found = [
        _undoing(file, tool if file == tool.file(places) else None, edits, known.get((tool.name, str(file))), home)
        for file, edits in hooks.items()
    ]
    return [one for one in found if one is not None]


def _undoing(
    file: Path, tool: KnownTool | None, hooks: Sequence[Edit], record: Connected | None, home: Path
) -> FileChange | None:
    """Where nobody touched the file since, it comes back byte for byte; else our entries alone go, and one that ours replaced comes back.

    What another memory of PMG put in is ours too: the tool is to be without it. `tool` is None where the file has hooks alone.
    """
    text = _text(file)
    copy = None if record is None else _kept_copy(record, home)
    before = copy if copy is not None and record is not None and record.before_us else ""
    ours: list[Edit] = [*hooks] if tool is None else [partial(_without_entry, tool), *hooks]
    theirs = tool is not None and _is_anothers(tool, before)
    if record is None or record.written != _hash(text):
        back = [partial(_with_earlier, tool, before)] if tool is not None and theirs else []
        return _change(file, text, [*ours, *back])
    if record.copy:
        return _change(file, text if copy is None else copy, hooks if theirs else ours)
    if file.is_symlink():  # the file was ours; that it lies elsewhere now was somebody's doing
        return _change(file, text, ours)
    return FileChange(file, text, "", True, is_ours=True)


def _change(file: Path, begin: str, edits: Sequence[Edit]) -> FileChange | None:
    after = begin
    for edit in edits:
        after = _with_line_ends_of(begin, _edited(file, edit, after))
    before = _text(file)
    return FileChange(file, before, after, file.exists()) if after != before else None


def _with_line_ends_of(begin: str, after: str) -> str:
    """Where every line ended as on Windows, what an edit added does so too. A file with both kinds has no rule to follow."""
    if "\r\n" not in begin or _UNIX_END.search(begin):
        return after
    return _UNIX_END.sub("\r\n", after)


def _edited(file: Path, edit: Edit, text: str) -> str:
    """An edit knows the text alone: where it cannot be read, the person is told which file to mend."""
    try:
        return edit(text)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _kept_copy(record: Connected, home: Path) -> str | None:
    """What the file was before us; None where that copy is gone. By its name: the memory may have been moved."""
    copy = home / COPIES / Path(record.copy).name
    return _text(copy) if copy.is_file() else None


def _with_hooks(text: str, caller: HookTool, command: ToolCommand, system: str) -> str:
    return set_hooks(text, caller, command.words, system, tells=not command.read_only)


def _with_entry(text: str, tool: KnownTool, command: Sequence[str]) -> str:
    if _is_anothers(tool, text):
        raise InputError(
            f"The entry {NAME!r} under {tool.key!r} is another program's, which would be lost: give it another name "
            f"there, or take it out, then run `pmg connect {tool.name}` again."
        )
    put = jsonc.set_entry if tool.form == JSON else toml_file.set_entry
    return put(text, tool.path, tool.entry(command))


def _without_entry(tool: KnownTool, text: str) -> str:
    if not has_own_entry(tool, text):
        return text
    return (jsonc.remove_entry if tool.form == JSON else toml_file.remove_entry)(text, tool.path)


def _with_earlier(tool: KnownTool, before: str, text: str) -> str:
    """The text with the entry of our name that was there before us, unless somebody put one there meanwhile."""
    if has_entry(tool, text):
        return text
    if tool.form == JSON:
        held = jsonc.get_entry(before, tool.path)
        try:
            return text if held is None else jsonc.set_entry(text, tool.path, json.loads(held))
        except ValueError:  # comments in it: the copy has them
            return text
    table = toml_file.value_of(before, tool.path)
    return text if table is None else toml_file.set_entry(text, tool.path, table)


def is_connected(tool: KnownTool, places: ConfigPlaces) -> bool:
    return has_own_entry(tool, _text(tool.file(places)))


def is_taken(tool: KnownTool, places: ConfigPlaces) -> bool:
    """Whether another program has an entry of our name there."""
    return _is_anothers(tool, _text(tool.file(places)))


def _is_anothers(tool: KnownTool, text: str) -> bool:
    return has_entry(tool, text) and not has_own_entry(tool, text)


def is_hooked(tool: KnownTool, places: ConfigPlaces) -> bool:
    caller = hook_tool(tool.name)
    return caller is not None and has_hooks(_text(caller.settings(places)), caller)


def carry_out(change: FileChange, tool: KnownTool, home: Path) -> Path | None:
    """Writes it; the copy of what was there, where something was. The tool itself may have written since the change was shown: then nobody does."""
    _refuse_changed(change)
    copy = _copied(change, tool, home) if change.there else None
    _write(change.file, change.after)
    kept = records(home)
    earlier = kept.get((tool.name, str(change.file)))
    # Connected again, and nobody touched the file since: what was there before us is still the first copy.
    ours = earlier is not None and earlier.written == _hash(change.before)
    first = earlier.copy if earlier and ours else copy.name if copy else ""
    before_us = earlier.before_us if earlier and ours else earlier is None
    made = Connected(tool.name, str(change.file), first, _hash(change.after), before_us)
    _keep(home, kept | {(tool.name, made.file): made})
    return copy


def undo(change: FileChange, tool: KnownTool, home: Path) -> Path | None:
    """Writes the file without us; one that we made ourselves goes."""
    _refuse_changed(change)
    copy = _copied(change, tool, home)
    if change.is_ours:
        change.file.unlink(missing_ok=True)
    else:
        _write(change.file, change.after)
    kept = records(home)
    kept.pop((tool.name, str(change.file)), None)
    _keep(home, kept)
    return copy


def _refuse_changed(change: FileChange) -> None:
    if _text(change.file) != change.before:
        raise InputError(f"{change.file} was changed meanwhile. Nothing was written to it: do the same again.")


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
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_in_place(file, text.encode())
    except OSError as error:
        raise InputError(f"{file} cannot be written ({error}): mend that first.") from None


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        if file.is_symlink():
            raise InputError(f"{file} is a link to {file.readlink()}, where no file is: mend the link first.") from None
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read ({error}): mend it by hand first.") from None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
