"""What the pages that show a memory ask of a store: time by time, and link by link.

Knows: the small types of those views, and that every one of them stays inside one namespace. Does not know: SQL, or colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pmg.model import State
from pmg.store.upkeep import EdgeRow

UNITS = ("year", "month", "day", "hour")
SORTS = ("topic", "source", "person", "quality", "state")


@dataclass(frozen=True, slots=True)
class Sieve:
    """Which segments are looked at; an empty field lets everything through. Times are as they were said, without a zone."""

    namespace: str
    text: str = ""
    person: str = ""
    tag: str = ""
    state: State | None = None
    since: datetime | None = None
    until: datetime | None = None  # not included


@dataclass(frozen=True, slots=True)
class Bucket:
    """How many segments of one sort were said in one unit of time."""

    start: datetime
    sort: str
    segments: int
    sessions: int


@dataclass(frozen=True, slots=True)
class Mark:
    """One segment as a point in time. `words` is the beginning of its text."""

    number: int
    id: str
    session: str
    title: str
    at: datetime
    sort: str
    state: State
    words: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """A session, by those of its segments that a sieve lets through."""

    session: str
    title: str
    source: str
    first: str  # the id of the first of them
    at: datetime
    segments: int


@dataclass(frozen=True, slots=True)
class Extent:
    """From the first to the last segment that a sieve lets through."""

    first: datetime | None
    last: datetime | None
    segments: int
    sessions: int


@dataclass(frozen=True, slots=True)
class TopicLink:
    """How strongly two topics are linked; a is the smaller id."""

    a: int
    b: int
    links: int
    weight: float


class Looking(Protocol):
    def extent(self, sieve: Sieve) -> Extent: ...
    def buckets(self, sieve: Sieve, unit: str, sort: str) -> list[Bucket]: ...
    def marks(self, sieve: Sieve, sort: str, limit: int) -> list[Mark]: ...
    def sittings(self, sieve: Sieve, limit: int) -> list[Sitting]: ...
    def people(self, namespace: str, limit: int = 200) -> list[str]: ...
    def tags(self, namespace: str) -> list[str]: ...
    def edges_at(self, numbers: Iterable[int]) -> list[EdgeRow]: ...
    def topic_links(self, namespace: str) -> list[TopicLink]: ...
