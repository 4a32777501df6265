"""What every store must do, whichever database is underneath.

Knows: the verbs and the small types that pass through them. Numbers are short names inside one store: a segment has a
`number`, a line and a window have ids; all grow and are never used twice.
Does not know: SQL, files, embedding models, ranking.

`change` is the store's watermark. Every write that alters what an index should hold (a closed session, new vectors, a
changed state, a removal) stamps the rows it touches with the next change, so an index that remembers the last change it
saw can ask for exactly what it has missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pmg.model import Edge, Kind, Line, Origin, Segment, Session, State

if TYPE_CHECKING:
    from pmg.store.browse import Browse
    from pmg.store.exchange import Exchange
    from pmg.store.forget import Forgetting
    from pmg.store.maintenance import Maintenance
    from pmg.store.sql_result import SqlResult

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
    """What was forgotten, row for row; 0 where a row names no line or window."""

    segment: Numbers
    line: Numbers
    window: Numbers


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
    sessions: int
    open_sessions: int
    segments: Mapping[State, int]
    lines: int
    windows: int
    pending: int
    edges: Mapping[Kind, int]
    recalls: int
    text_bytes: int


class Store(Protocol):
    """The truth. Reads may run in any thread; writes happen one at a time inside `writing()`."""

    @property
    def path(self) -> Path: ...
    @property
    def store_id(self) -> str: ...
    @property
    def model(self) -> StoreModel | None: ...
    @property
    def next_model(self) -> StoreModel | None: ...

    @property
    def maintenance(self) -> Maintenance: ...
    @property
    def exchange(self) -> Exchange: ...
    @property
    def forgetting(self) -> Forgetting: ...
    @property
    def browse(self) -> Browse: ...

    def writing(self) -> AbstractContextManager[None]: ...
    def last_change(self) -> int: ...
    def announce(self, address: str) -> None: ...
    def release_pages(self) -> None: ...
    def close(self) -> None: ...

    # sessions and segments
    def put_session(self, session: Session) -> None: ...
    def put_sessions(self, new: Sequence[Session]) -> None: ...
    def append(self, segments: Sequence[NewSegment]) -> list[int]: ...
    def close_sessions(self, ids: Sequence[str], ended_at: Mapping[str, datetime] | None = None) -> None: ...
    def session(self, session_id: str) -> Session | None: ...
    def sessions(self, namespace: str | None = None, *, only_open: bool = False) -> list[Session]: ...
    def namespaces_of(self, session_ids: Sequence[str]) -> dict[str, str]: ...
    def segments(self, numbers: Sequence[int]) -> list[Segment]: ...
    def lines_of(self, numbers: Sequence[int]) -> dict[int, tuple[Line, ...]]: ...
    def ids_of(self, numbers: Sequence[int]) -> dict[int, str]: ...
    def segments_of(self, session_id: str) -> list[Segment]: ...
    def sessions_whole(self, ids: Sequence[str]) -> list[tuple[Session, list[Segment]]]: ...
    def numbers_of(self, ids: Sequence[str]) -> dict[str, int]: ...
    def next_index(self, session_id: str) -> int: ...
    def last_said(self, session_id: str) -> datetime | None: ...
    def known_turns(self, session_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]: ...
    def change_states(self, changes: Sequence[StateChange]) -> None: ...
    def touch(self, numbers: Sequence[int]) -> None: ...
    def add_hits(self, numbers: Sequence[int], at: datetime) -> None: ...

    # vectors and edges
    def use_model(self, name: str, fingerprint: str, dimension: int) -> StoreModel: ...
    def begin_next_model(self, name: str, fingerprint: str, dimension: int) -> StoreModel: ...
    def promote_next_model(self) -> None: ...
    def pending(self, generation: int) -> int: ...
    def pending_segments(self, generation: int) -> Numbers: ...
    def lines_to_embed(self, segments: Numbers) -> list[PendingLine]: ...
    def put_vectors(self, generation: int, new: NewVectors, segments: Sequence[int]) -> Numbers: ...
    def put_edges(self, new: NewEdges) -> None: ...
    def drop_edges(self, source: int, target: int, kind: Kind) -> int: ...
    def drop_auto_edges(self, kinds: Sequence[Kind]) -> None: ...
    def edges_of(self, segment_id: str) -> list[Edge]: ...

    # feeding the indexes
    def changed_segments(self, since: int) -> Numbers: ...
    def removed_since(self, since: int) -> Removed: ...
    def catalogue_rows(self, since: int) -> tuple[Any, Any]: ...
    def edge_rows(self) -> Any: ...
    def window_rows(self, after: int, generation: int) -> tuple[Numbers, Numbers]: ...
    def unindexed_windows(self, since: int, generation: int) -> Numbers: ...
    def index_lines(self, since: int) -> Iterator[list[IndexLine]]: ...
    def index_vectors(
        self, since: int, after: int, generation: int
    ) -> Iterator[tuple[Numbers, Numbers, NDArray[np.float32]]]: ...

    # questions in SQL
    def ask(
        self, statement: str, parameters: Sequence[Any] = (), *, limit: int | None = None, seconds: float = 60.0
    ) -> SqlResult: ...

    # notes, logs, backup
    def note(self, key: str) -> str | None: ...
    def put_note(self, key: str, value: str) -> None: ...
    def record_recalls(self, records: Sequence[RecallRecord]) -> None: ...
    def journal(self, limit: int = 100) -> list[JournalEntry]: ...
    def write_journal(self, entries: Iterable[JournalEntry]) -> int: ...
    def counts(self, namespace: str | None = None) -> Counts: ...
    def indexable_lines(self) -> int: ...
    def indexable_windows(self, generation: int) -> int: ...
    def orphan_edges(self) -> int: ...
    def said_after(self, at: datetime) -> int: ...
    def backup(self, file: Path) -> None: ...
