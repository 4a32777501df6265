"""What an import or an export asks of a store, beyond what the engine asks.

Knows: a turn by what its source calls it, a turn's words replaced, and the marks that use has left on a segment. The SQL stands
in duckdb/exchange.py; formats in pmg/importers and pmg/exporters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from pmg.base.model import Edge, Line, Segment, Session, State
from pmg.store.sealed import SealedText


@dataclass(frozen=True, slots=True)
class ImportedTurn:
    """A stored turn of a conversation."""

    number: int
    session_id: str
    content_hash: str
    sealed_hash: str = ""  # where a redaction was restored: as it comes in again, with every mark

    def says(self, digest: str) -> bool:
        """Whether words of this hash are its own."""
        return digest in (self.content_hash, self.sealed_hash)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Other words for a stored segment; `before` are those that it has now."""

    number: int
    segment_id: str
    before: tuple[Line, ...]
    lines: tuple[Line, ...]
    quality: float
    meta: Mapping[str, str] = field(default_factory=dict)
    sealed: tuple[SealedText, ...] = ()  # what was taken out of the new words, if the person wants that kept


@dataclass(frozen=True, slots=True)
class LineTime:
    """When a line of a stored segment was said; `index` is its place in the segment."""

    number: int
    index: int
    at: datetime


@dataclass(frozen=True, slots=True)
class SegmentUse:
    """What use has left on a segment; `stands_for` is the number of the one it gave way to, else 0."""

    number: int
    state: State = State.ACTIVE
    stands_for: int = 0
    hits: int = 0
    last_hit: datetime | None = None
    pinned: bool = False
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment with what its source calls it: all that a copy of it needs."""

    segment: Segment
    origin_id: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class ExportFilter:
    """Which sessions go out, each whole: with a turn of the time, a speaker of the name, a turn of the topic."""

    namespace: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    person: str = ""
    topic: str = ""


class ExchangeReads(Protocol):
    # coming in
    def turns_of(self, namespace: str, conversations: Sequence[str]) -> dict[str, dict[str, ImportedTurn]]: ...
    def sessions_of(self, namespace: str, conversations: Sequence[str]) -> dict[str, list[Session]]: ...
    def missing_edges(self, edges: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]: ...

    # going out
    def chosen(self, filters: ExportFilter) -> list[Session]: ...
    def stored_segments(self, session_id: str) -> list[StoredSegment]: ...
    def lasting_edges(self) -> Iterator[Edge]: ...
    def edges_between(self, session_id: str) -> list[Edge]: ...


class Exchange(ExchangeReads, Protocol):
    """Writes join the transaction of `Store.writing()`."""

    def rewrite(self, rewrites: Sequence[Rewrite]) -> None: ...
    def set_line_times(self, times: Sequence[LineTime]) -> int: ...
    def put_segment_use(self, marks: Sequence[SegmentUse]) -> None: ...
