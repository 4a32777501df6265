"""What REST answers beside the engine's own types. The server makes these and the client gives them out: one definition for both.

Knows: names and fields alone. A field may be added in any version; none is taken away or changes its meaning within /api/v1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pmg.base.model import Edge, Segment, Session, State
from pmg.recall.receipt import Recalled


@dataclass(frozen=True, slots=True)
class RecallResult(Recalled):
    """A recall, and the id under which its receipt can be read again for a while."""

    receipt_id: str = ""


@dataclass(frozen=True, slots=True)
class SearchHit:
    id: str
    title: str
    url: str
    text: str  # one line of it
    project: str = ""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Best first. `cursor` leads to the next page; empty: there is none."""

    results: tuple[SearchHit, ...]
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class FetchedText:
    """A segment with its neighbours, a session, a document or a receipt, as fenced text within a budget."""

    id: str
    title: str
    text: str
    url: str
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remembered:
    segment: str
    session: str


@dataclass(frozen=True, slots=True)
class SessionsPage:
    sessions: tuple[Session, ...]


@dataclass(frozen=True, slots=True)
class SessionSegments:
    """A session, or a document, with everything in it, in order."""

    session: Session
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class SegmentContext:
    """A segment, its links, and what was said just before and after it."""

    segment: Segment
    edges: tuple[Edge, ...]
    neighbours: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One segment at its time. `text` is the beginning of it on one line."""

    segment: str
    session: str
    title: str
    at: datetime
    state: State
    text: str
    project: str = ""


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """In order of time, to be gone through like its entries. `before`, given to the next call, leads to the older ones; empty: there are none."""

    entries: tuple[TimelineEntry, ...]
    before: str = ""

    def __iter__(self) -> Iterator[TimelineEntry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, place: int) -> TimelineEntry:
        return self.entries[place]


@dataclass(frozen=True, slots=True)
class Speakers:
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unlinked:
    removed: int


@dataclass(frozen=True, slots=True)
class ForgetPreview:
    """What would be forgotten. `token` agrees to exactly this, for ten minutes; empty where nothing is selected, and `nothing` says why."""

    token: str
    segments: tuple[str, ...]
    sessions: tuple[str, ...]  # that lose turns
    counts: Mapping[str, int]
    preview: tuple[str, ...]  # a few shortened lines
    nothing: str = ""  # why nothing is selected
    nearest: tuple[
        str, ...
    ] = ()  # where no turn holds the words of the query: what it may mean, with names; none of it is selected
    inside: int = 0  # turns that stay and have the query inside longer words


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """`home` and `pid` are told to the server's own token alone."""

    version: str
    namespace: str
    model: str  # loading, ready, …
    sessions: int
    segments: Mapping[State, int]
    lines: int
    pending: int  # lines that still wait for their vectors
    recalls: int
    upkeep: Mapping[str, datetime] = field(default_factory=dict)  # when each task comes next
    home: str = ""
    pid: int = 0


@dataclass(frozen=True, slots=True)
class SqlRows:
    rows: tuple[Mapping[str, Any], ...]
    more: bool  # the limit cut some off


@dataclass(frozen=True, slots=True)
class UpkeepPlan:
    tasks: Mapping[str, str]  # what each would do, in words


@dataclass(frozen=True, slots=True)
class UpkeepRun:
    """`asks` are questions that a person must answer first; those tasks did nothing."""

    run: str
    said: str
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UpkeepUndo:
    run: str
    undone: int


@dataclass(frozen=True, slots=True)
class UpkeepEntry:
    id: int
    run: str
    at: datetime
    actor: str
    action: str
    reason: str
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class UpkeepHistory:
    entries: tuple[UpkeepEntry, ...]


@dataclass(frozen=True, slots=True)
class UpkeepSchedule:
    next: Mapping[str, datetime]  # empty: upkeep is switched off


@dataclass(frozen=True, slots=True)
class ChangedSegments:
    changed: int


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class ReviewPair:
    """Two memories that sound alike. `review` is what a decision names."""

    review: int
    a: Segment
    b: Segment
    cosine: float
    why: tuple[str, ...]  # in which way they differ


@dataclass(frozen=True, slots=True)
class ReviewPage:
    pairs: tuple[ReviewPair, ...]
