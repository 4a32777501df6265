"""The receipt of forgetting: what was removed, what a scan of every file found afterwards, what could not be reached.

Knows: how it reads. No word of what was forgotten is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pmg.base.text import counted

DELETED, WRITTEN_ANEW = "deleted", "written anew"  # what was done to a file, behind its path
_ANEW, _NOT_REACHED = "files written anew or deleted", "copies that could not be reached"
MAX_PATHS = 3  # paths told one by one; of more, how many in which folder
_ONE = {
    "segments": "segment",
    "sessions": "session",
    "sessions gone whole": "session gone whole",
    "sessions that lose some turns": "session that loses some turns",
    "titles": "title",
    "titles that named them": "title that named them",
    "titles that lose their name": "title that loses their name",
    "lines": "line",
    "bytes of text": "byte of text",
    "vectors": "vector",
    "windows": "window",
    "links": "link",
    "edges": "edge",
    "reviews": "review",
    "pairs for review": "pair for review",
    "recalls": "recall",
    "recalls in the log": "recall in the log",
    "topics": "topic",
    "journal texts": "journal text",
    "journal entries": "journal entry",
    "answers of the chat that named it": "answer of the chat that named it",
    "copies in other words, now on their own": "copy in other words, now on its own",
    "segments with other words": "segment with other words",
    "backups to write anew": "backup to write anew",
    "exported files to write anew": "exported file to write anew",
    "exported files to delete": "exported file to delete",
    _ANEW: "file written anew or deleted",
    _NOT_REACHED: "copy that could not be reached",
}


@dataclass(frozen=True, slots=True)
class Residue:
    """A place where a piece of what was forgotten still stands."""

    place: str  # a file, or table and column of a database
    count: int


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    counts: Mapping[str, int] = field(default_factory=dict)  # removed, by kind
    rewritten: tuple[str, ...] = ()  # files written anew without it, and files deleted, which say so
    unreachable: tuple[str, ...] = ()  # copies that could not be cleaned, with the reason
    files_scanned: int = 0
    bytes_scanned: int = 0
    pieces: int = 0  # how many pieces of text and vectors were looked for
    residue: tuple[Residue, ...] = ()
    resumed: bool = False  # finished after an interruption
    asked: int = 0  # own messages in the chat that say some of it too: these stay, and are no trace

    @property
    def clean(self) -> bool:
        return not self.residue

    @property
    def deleted(self) -> tuple[str, ...]:
        """Among the files written anew those that were deleted instead."""
        ending = f" ({DELETED})"
        return tuple(file.removesuffix(ending) for file in self.rewritten if file.endswith(ending))

    def for_one_namespace(self) -> ForgetReceipt:
        """As a client is told whose token opens one namespace: without the files of the machine, which may be of others, and without the number
        of pieces, which tells whether the same words stand in another."""
        left = Counter({_NOT_REACHED: len(self.unreachable), _ANEW: len(self.rewritten)})
        residue = (Residue("files", sum(one.count for one in self.residue)),) if self.residue else ()
        return ForgetReceipt({**self.counts, **+left}, residue=residue, resumed=self.resumed)

    @property
    def text(self) -> str:
        removed = ", ".join(f"{count} {worded(name, count)}" for name, count in self.counts.items())
        removed = removed or "nothing was left to remove"
        found = "no trace of it" if self.clean else "still " + ", ".join(f"{r.place} ({r.count})" for r in self.residue)
        rows = [f"Forgotten: {removed}.", self._looked(found)]
        anew = [
            file.removesuffix(f" ({WRITTEN_ANEW})") for file in self.rewritten if not file.endswith(f" ({DELETED})")
        ]
        rows += [f"Written anew: {_listed(anew)}."] if anew else []
        rows += [f"Deleted: {_listed(self.deleted)}."] if self.deleted else []
        if self.asked:
            one = self.asked == 1
            rows.append(
                f"{counted(self.asked, 'message')} of your own in the chat {'says' if one else 'say'} some of it too and {'stays' if one else 'stay'}: "
                f"forget {'it' if one else 'them'} by name if {'it' if one else 'they'} should go."
            )
        rows += [f"Not reached, and may still hold it: {one}" for one in self.unreachable]
        return "\n".join(rows)

    def _looked(self, found: str) -> str:
        if not self.files_scanned:
            return f"Looked for it in every file: {found}."
        files = f"{counted(self.files_scanned, 'file')} ({self.bytes_scanned / 1e6:.1f} MB)"
        if not self.pieces:
            return f"All of its words stand in what stays too: there was nothing to look for in {files}."
        return f"Looked for {counted(self.pieces, 'piece')} of it in {files}: {found}."


def worded(kind: str, count: int) -> str:
    """A kind of thing that is counted: "segments", or "segment" if it is one."""
    return _ONE.get(kind, kind) if count == 1 else kind


def _listed(files: Sequence[str]) -> str:
    """A few paths; of many how many they are, and in which folders. Folders of a year and a month are told as one."""
    if len(files) <= MAX_PATHS:
        return ", ".join(files)
    folders = Counter(_folder(Path(file)) for file in files).most_common()
    places = [f"{count} in {folder}" for folder, count in folders[:MAX_PATHS]]
    rest = sum(count for _, count in folders[MAX_PATHS:])
    return f"{counted(len(files), 'file')} ({', '.join(places)}{f', {rest} elsewhere' if rest else ''})"


def _folder(file: Path) -> Path:
    folder = file.parent
    while folder.name.isdigit():
        folder = folder.parent
    return folder
