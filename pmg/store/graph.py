"""What the graph tab asks of a store: any set of nodes, what each holds and what is between them.

Knows: that every node (a topic, a person, a session, a period, one memory) is a set of active segments of one namespace. So one rule gives
every link: two nodes share segments, or edges lead from the segments of one to those of the other. The SQL stands in duckdb/graph.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

TOPIC, PERSON, SESSION, PERIOD, MEMORY = "topic", "person", "session", "period", "memory"
NODE_KINDS = (TOPIC, PERSON, SESSION, PERIOD, MEMORY)


@dataclass(frozen=True, slots=True, order=True)
class NodeKey:
    """`name` is a topic's number, a speaker, a session's id, a year or month (2026 or 2026-03), a segment's id."""

    kind: str
    name: str

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> NodeKey | None:
        """None for what is no node."""
        kind, mark, name = text.partition(":")
        return cls(kind, name) if mark and name and kind in NODE_KINDS else None


@dataclass(frozen=True, slots=True)
class NodeSummary:
    """What a node holds. `periods` counts days or months since 1970; `label` is its stored name or the beginning of its text."""

    key: NodeKey
    label: str
    segments: int
    first: str  # id of the earliest segment
    best: str  # id of the one that says most
    since: datetime
    until: datetime
    periods: tuple[int, ...]
    topic: int  # the one most of it belongs to, 0 for none


@dataclass(frozen=True, slots=True)
class NodeLink:
    """`kind` is that of an edge between two memories, `shared` for common segments, `linked` for edges between larger nodes."""

    a: NodeKey
    b: NodeKey
    kind: str
    count: int
    weight: float


class GraphQueries(Protocol):
    def topics(self, namespace: str, limit: int) -> list[NodeKey]: ...
    def topic_names(self, namespace: str) -> dict[str, str]: ...
    def periods(self, namespace: str, unit: str) -> list[NodeKey]: ...
    def sessions(self, namespace: str, inside: NodeKey | None, limit: int) -> list[NodeKey]: ...
    def memories(self, namespace: str, inside: NodeKey | None, limit: int) -> list[NodeKey]: ...
    def people(self, namespace: str, inside: NodeKey | None, limit: int) -> list[NodeKey]: ...
    def topics_of(self, namespace: str, inside: NodeKey, limit: int) -> list[NodeKey]: ...
    def summaries(self, namespace: str, keys: Sequence[NodeKey], unit: str) -> list[NodeSummary]: ...
    def links(self, namespace: str, keys: Sequence[NodeKey]) -> list[NodeLink]: ...
