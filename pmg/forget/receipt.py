"""The receipt of forgetting: what was removed, what a scan of every file found afterwards, what could not be reached.

Knows: how it reads. No word of what was forgotten is in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Residue:
    """A place where a piece of what was forgotten still stands."""

    place: str  # a file, or table and column of a database
    count: int


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    counts: Mapping[str, int] = field(default_factory=dict)  # removed, by kind
    rewritten: tuple[str, ...] = ()  # files written anew without it
    unreachable: tuple[str, ...] = ()  # copies that could not be cleaned, with the reason
    files_scanned: int = 0
    bytes_scanned: int = 0
    pieces: int = 0  # how many pieces of text and vectors were looked for
    residue: tuple[Residue, ...] = ()
    resumed: bool = False  # finished after an interruption

    @property
    def clean(self) -> bool:
        return not self.residue

    @property
    def text(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in self.counts.items()) or "nothing was left to remove"
        found = "no trace of it" if self.clean else "still " + ", ".join(f"{r.place} ({r.count})" for r in self.residue)
        scan = f"Looked for {self.pieces} pieces of it in {self.files_scanned} files ({self.bytes_scanned / 1e6:.1f} MB): {found}."
        rows = [f"Forgotten: {told}.", scan]
        rows += [f"Written anew: {', '.join(self.rewritten)}."] if self.rewritten else []
        rows += [f"Not reached, and may still hold it: {one}" for one in self.unreachable]
        return "\n".join(rows)
