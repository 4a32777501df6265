"""What the steward asks of a store, beyond what the engine asks.

Knows: rows as they stand (so that a journal can put them back exactly), scores, reviews, topics and the log of use. The SQL
stands in duckdb/maintenance.py; why anything is merged, archived or linked, in the package steward.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind, Origin, State
from pmg.store.rows import JournalEntry, Numbers

OPEN, MERGED, KEPT, LINKED = "open", "merged", "kept", "linked"


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """Everything of a segment that upkeep may change. Its text is not here: nothing in upkeep can touch it."""

    number: int
    state: State
    stands_for: int
    hits: int
    last_hit: int | None  # microseconds
    pinned: bool
    score: float | None  # None: never scored


@dataclass(frozen=True, slots=True, order=True)
class EdgeRow:
    source: int
    target: int
    kind: Kind
    weight: float
    origin: Origin
    created_at: int  # microseconds

    @property
    def place(self) -> tuple[int, int, Kind]:
        return (self.source, self.target, self.kind)

    @property
    def key(self) -> tuple[int, int, Kind, Origin, int]:
        """What stays the same while the weight is learnt."""
        return (self.source, self.target, self.kind, self.origin, self.created_at)


@dataclass(frozen=True, slots=True)
class Review:
    """A pair that sounds alike and differs: for a person's eye. `kinds` says in what; the words are read from the texts."""

    id: int
    a: int
    b: int
    cosine: float
    kinds: tuple[str, ...]
    state: str  # open, merged, kept or linked
    found_at: int  # microseconds


@dataclass(frozen=True, slots=True)
class Signals:
    """The active segments of closed sessions, column by column, by number."""

    number: Numbers
    namespace: Sequence[str]
    said_at: Numbers  # microseconds
    last_hit: Numbers  # microseconds; -1: never recalled
    hits: Numbers
    quality: NDArray[np.float64]
    pinned: NDArray[np.bool_]
    score: NDArray[np.float64]  # NaN: never scored


@dataclass(frozen=True, slots=True)
class Topic:
    """`id` stays with a topic from run to run, also when it is gone: no other topic is ever given it."""

    id: int
    namespace: str
    name: str
    terms: tuple[str, ...]
    members: tuple[int, ...]
    named: bool = False  # by a person: the name stays whatever its words
    pinned: bool = False  # by a person: its members stay together, and only what is new may join


@dataclass(frozen=True, slots=True)
class TopicNames:
    """The names and terms of the topics that a person's change touched, before it and after: words stay out of the journal."""

    before: Mapping[int, tuple[str, tuple[str, ...]]]
    after: Mapping[int, tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class EdgeUse:
    """How often an automatic edge could have been used since some recall, and how often it was."""

    edge: EdgeRow
    used: int
    unused: int


@dataclass(frozen=True, slots=True)
class Orphans:
    """Rows that belong to no segment, by table."""

    edges: int
    windows: int
    lines: int
    scores: int

    @property
    def total(self) -> int:
        return self.edges + self.windows + self.lines + self.scores


class MaintenanceReads(Protocol):
    # rows as they stand
    def segment_rows(self, numbers: Iterable[int]) -> list[SegmentRow]: ...
    def edge_rows(self, numbers: Iterable[int]) -> list[EdgeRow]: ...

    # scores
    def signals(self) -> Signals: ...
    def scores(self) -> tuple[Numbers, NDArray[np.float32]]: ...

    # journal
    def journal_entries(self, *, run: str = "", action: str = "", ids: Sequence[int] = ()) -> list[JournalEntry]: ...
    def later_entries(self, after: int, segments: Iterable[int]) -> list[JournalEntry]: ...

    # reviews
    def reviews(self, *, state: str | None = None, ids: Sequence[int] | None = None) -> list[Review]: ...
    def reviewed_pairs(self) -> set[tuple[int, int]]: ...
    def next_review(self) -> int: ...

    # links and topics
    def edges_beyond(self, cap: int) -> list[EdgeRow]: ...
    def edge_use(self, after: int) -> list[EdgeUse]: ...
    def last_recall(self) -> int: ...
    def topics(self) -> list[Topic]: ...
    def next_topic(self) -> int: ...
    def topic_names(self, entry: int) -> TopicNames | None: ...
    def texts(self, numbers: Sequence[int], *, own_answers: bool = True) -> Iterator[tuple[int, str]]: ...

    # checks
    def indexable_windows(self, generation: int) -> Numbers: ...
    def segments_of_windows(self, windows: Numbers) -> Numbers: ...
    def orphans(self) -> Orphans: ...
    def wrong_values(self) -> list[str]: ...
    def archived_vectors(self, namespace: str, generation: int) -> Iterator[tuple[Numbers, NDArray[np.float32]]]: ...
    def archived(self, namespace: str) -> list[int]: ...
    def archived_holding(self, namespace: str, letters: Sequence[str]) -> list[str]: ...


class Maintenance(MaintenanceReads, Protocol):
    """Writes join the transaction of `Store.writing()`. None of them touches a word of anybody's text."""

    def put_segment_rows(self, rows: Sequence[SegmentRow]) -> None: ...
    def put_tags(self, number: int, tags: Sequence[str]) -> None: ...
    def replace_edge_rows(self, old: Sequence[EdgeRow], new: Sequence[EdgeRow]) -> None: ...
    def touch(self, numbers: Sequence[int]) -> None: ...
    def put_scores(self, numbers: Numbers, scores: NDArray[np.float32]) -> None: ...
    def write_touched(self, pairs: Sequence[tuple[int, int]]) -> None: ...
    def mark_undone(self, ids: Sequence[int], at: datetime) -> None: ...
    def blank_before(self, action: str, keep: int) -> None: ...
    def replace_reviews(self, old: Sequence[Review], new: Sequence[Review]) -> None: ...
    def put_topics(self, topics: Sequence[Topic]) -> None: ...
    def put_topic_names(self, entry: int, names: TopicNames) -> None: ...
    def drop_orphans(self) -> None: ...
