"""Redactions that can be taken back: what was taken out of a line, sealed under the memory's key, if the person wants that.

Knows: what such a row says, and the arithmetic of places in a line that is changed. The SQL stands in duckdb/sealed.py; sealing in
seal.py; what is a secret is decided by pmg/ingest/redact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pmg.base.model import Line, content_hash
from pmg.base.text import redaction_mark

RESTORED = "restore redacted"  # the action of a journal entry, by which steward/put_back.py knows it


@dataclass(frozen=True, slots=True)
class SealedText:
    """What was taken out of a line. The line's place in its turn, and the place of the mark in the line, in characters."""

    place: int
    size: int  # characters that were taken out
    kind: str
    box: bytes = field(repr=False)
    line: int = 0


@dataclass(frozen=True, slots=True)
class SealedRedaction:
    """A stored one. `place` is where its mark begins, or its text once it is restored. It does not hold the box."""

    id: int
    segment: int
    segment_id: str
    session_id: str
    namespace: str
    line: int
    place: int
    size: int
    kind: str
    is_restored: bool
    digest: str  # of its segment, where something is restored in it: the hash of its words with every mark in place


class SealedReads(Protocol):
    def listed(self, namespace: str = "", segments: Sequence[int] | None = None) -> list[SealedRedaction]: ...
    def find(self, number: int) -> SealedRedaction | None: ...
    def restored_texts(self) -> Mapping[str, tuple[str, ...]]: ...


class SealedTexts(SealedReads, Protocol):
    """Writes join the transaction of `Store.writing()`."""

    def box(self, number: int) -> bytes: ...
    def replace(self, segment: int, texts: Sequence[SealedText]) -> None: ...
    def moved(self, row: SealedRedaction, is_restored: bool, by: int) -> None: ...


def place_after(place: int, taken: Sequence[SealedText]) -> int | None:
    """Where a place of a line is once these, in order, are taken out of it and have marks in their place.

    None where it was inside one of them.
    """
    shift = 0
    for text in taken:
        began = text.place - shift
        if place < began:
            break
        if place < began + text.size:
            return None
        shift += len(redaction_mark(text.kind)) - text.size
    return place + shift


def sealed_digest(lines: Sequence[Line], restored: Sequence[tuple[int, int, int, str]]) -> str:
    """The content hash of some lines with marks in place of what was restored: (line, place, size, mark) of each."""
    texts = [line.text for line in lines]
    for line, place, size, mark in sorted(restored, reverse=True):
        texts[line] = texts[line][:place] + mark + texts[line][place + size :]
    return content_hash(tuple(replace(line, text=text) for line, text in zip(lines, texts, strict=True)))
