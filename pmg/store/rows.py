"""The small types that go into a store and come out of it, row for row.

What a store must do with them stands in contract.py. Numbers are short names inside one store: a segment has a `number`, a line
and a window have ids; all grow and are never used twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind, Line, Origin, State
from pmg.store.sealed import SealedText

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StoreModel:
    """The embedding model whose vectors the store holds; a change of model makes the next generation."""

    name: str
    fingerprint: str
    dimension: int
    generation: int


@dataclass(frozen=True, slots=True)
class NewSegment:
    """A turn ready to be written: redacted, timed and placed in its session."""

    session_id: str
    index: int
    at: datetime
    lines: tuple[Line, ...]
    quality: float = 0.5
    origin_id: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""  # its content hash, where whoever made this has it already
    sealed: tuple[SealedText, ...] = ()  # what was taken out of its lines, if the person wants that kept


@dataclass(frozen=True, slots=True)
class PendingLine:
    """A line that still needs vectors."""

    id: int
    segment: int
    speaker: str
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class NewVectors:
    """Windows and their vectors, row for row."""

    segment: Numbers
    line: Numbers
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NewEdges:
    """Edges by segment number, row for row."""

    source: Numbers
    target: Numbers
    kind: Sequence[Kind]
    weight: NDArray[np.float32]
    origin: Origin = Origin.AUTO

    @classmethod
    def one(cls, source: int, target: int, kind: Kind, weight: float, origin: Origin) -> NewEdges:
        ends = np.array([[source], [target]], dtype=np.int64)
        return cls(ends[0], ends[1], [kind], np.array([weight], dtype=np.float32), origin)


@dataclass(frozen=True, slots=True)
class StateChange:
    segment: int
    state: State
    stands_for: int = 0


@dataclass(frozen=True, slots=True)
class Removed:
    """What was forgotten, row for row; 0 where a row names no line."""

    segment: Numbers
    line: Numbers


@dataclass(frozen=True, slots=True)
class IndexLine:
    """What the lexical index needs of a line."""

    id: int
    segment: int
    namespace: str
    speaker: str
    text: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn that was just written, as the feeds of the indexes would tell of it: `segment` and `lines` are tables of the catalogue."""

    number: int
    change: int
    segment: Any
    lines: Any
    index_lines: Sequence[IndexLine]
    project: str = ""  # of its session, by its key


@dataclass(frozen=True, slots=True)
class RecallRecord:
    """One recall, for the log: what was asked, what was used, how long it took."""

    at: datetime
    namespace: str
    query: str
    mode: str
    milliseconds: float
    used: Sequence[tuple[int, str, float]]  # segment number, role, score


@dataclass(frozen=True, slots=True)
class JournalEntry:
    id: int
    run: str
    at: datetime
    actor: str
    action: str
    reason: str
    before: str  # JSON
    after: str  # JSON
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    sessions: int  # in which something was said
    open_sessions: int
    segments: Mapping[State, int]
    lines: int
    windows: int
    pending: int
    links: Mapping[Kind, int]  # each once, a chain too, though it is stored both ways
    recalls: int
    text_bytes: int
    asked: int = 0  # of the segments, only questions to memory itself: history, out of recall
    memories: int = 0  # segments that recall may find: what the page counts
