"""What the pages that show a memory ask of a store: time by time, and link by link.

Knows: the small types of those views, and that every one of them stays inside one namespace. The SQL stands in duckdb/browse.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Protocol

from pmg.base.model import State
from pmg.store.maintenance import EdgeRow

UNITS = ("year", "month", "day", "hour")
GROUPINGS = ("topic", "source", "person", "quality", "state")


@dataclass(frozen=True, slots=True)
class BrowseFilter:
    """Which segments are looked at; an empty field lets everything through. A time without a zone is on the clock of whoever spoke."""

    namespace: str
    text: str = ""
    person: str = ""  # a name as the lines have it; `YOU` for the owner of the memory under every name
    tag: str = ""
    state: State | None = None
    since: datetime | None = None
    until: datetime | None = None  # not included
    before: str = ""  # a segment's id: only what comes before it in order of time
    sessions: tuple[str, ...] | None = None  # ids: only what was said in these


@dataclass(frozen=True, slots=True)
class TimeBucket:
    """How many segments of one group were said in one unit of time."""

    start: datetime
    group: str
    segments: int
    sessions: int


@dataclass(frozen=True, slots=True)
class LaneBucket:
    """The same inside one lane: a person's, or "" for what none of the lanes' people speaks in."""

    lane: str
    start: datetime
    group: str
    segments: int
    sessions: int


@dataclass(frozen=True, slots=True)
class SpeakerCount:
    name: str
    segments: int


@dataclass(frozen=True, slots=True)
class TimelinePoint:
    """One segment as a point in time. `words` is the beginning of its text, `title` its session's name as it is shown.

    `at` is on the clock of whoever spoke, `moment` the same with the zone."""

    number: int
    id: str
    session: str
    title: str
    at: datetime
    group: str
    state: State
    words: str
    people: tuple[str, ...] = ()  # who speaks in it, in order; the owner of the memory as `YOU`
    speaker: str = ""  # of its first line, as `words` begins with it
    offset: int = 0  # seconds of that clock ahead of UTC

    @property
    def moment(self) -> datetime:
        return self.at.replace(tzinfo=timezone(timedelta(seconds=self.offset)) if self.offset else UTC)


@dataclass(frozen=True, slots=True)
class SessionSpan:
    """A session, by those of its segments that a filter lets through; `title` is its name as it is shown."""

    session: str
    title: str
    source: str
    first: str  # the id of the first of them
    at: datetime
    segments: int
    until: datetime
    group: str  # of most of them
    people: tuple[str, ...]  # who speaks in them, the most talkative first; the owner of the memory as `YOU`


@dataclass(frozen=True, slots=True)
class TimeExtent:
    """From the first to the last segment that a filter lets through."""

    first: datetime | None
    last: datetime | None
    segments: int
    sessions: int


class Browse(Protocol):
    def extent(self, browse_filter: BrowseFilter) -> TimeExtent: ...
    def buckets(self, browse_filter: BrowseFilter, unit: str, group_by: str) -> list[TimeBucket]: ...
    def points(self, browse_filter: BrowseFilter, group_by: str, limit: int) -> list[TimelinePoint]: ...
    def session_spans(self, browse_filter: BrowseFilter, limit: int, group_by: str = "topic") -> list[SessionSpan]: ...
    def lane_buckets(
        self, browse_filter: BrowseFilter, unit: str, group_by: str, lanes: Sequence[str]
    ) -> list[LaneBucket]: ...
    def speakers(self, browse_filter: BrowseFilter, limit: int) -> list[SpeakerCount]: ...
    def among(self, browse_filter: BrowseFilter, numbers: Iterable[int]) -> set[int]: ...
    def people(self, namespace: str, limit: int = 200) -> list[str]: ...
    def persons(self, namespace: str, limit: int = 200) -> list[str]: ...
    def owner_names(self, namespace: str) -> list[str]: ...
    def owner_lines(self, numbers: Iterable[int]) -> set[tuple[int, int]]: ...
    def first_words(self, sessions: Sequence[str]) -> dict[str, str]: ...
    def tags(self, namespace: str) -> list[str]: ...
    def edges_at(self, numbers: Iterable[int]) -> list[EdgeRow]: ...
