"""What a recall returns: the block, the memories in it, and why each is there or is not.

Knows: the types of the result.
The receipt holds no times of day and no durations: the same store and the same query give the same receipt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pmg.base.model import Passage


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason in numbers: `share` is its part of the final score, `rank` its place in that search (0: not searched)."""

    name: str  # meaning, words, kindred, neighbour, link, speaker, date, …
    score: float
    share: float = 0.0
    rank: int = 0
    via: str = ""  # the segment it came through, where there is one


@dataclass(frozen=True, slots=True)
class Found:
    """One memory in the result and its path: which entry led to it, along which edge."""

    segment: str
    role: str  # entry, lateral or vertical
    score: float
    via: str
    edge: str
    signals: tuple[Signal, ...]
    why: str
    in_context: bool
    tokens: int
    trust: str  # "quoted", or "instruction-like" where the text reads like an order to a model
    heading: int = 0  # the number in its heading in the block, which turns of one sitting share; 0: it is not in it


@dataclass(frozen=True, slots=True)
class Dropped:
    segment: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Receipt:
    query: str
    namespace: str
    mode: str
    note: str  # what was missing, such as the embedding model; empty when nothing was
    cues: tuple[str, ...]  # what the query was understood to ask for: a person, a time, parts
    found: tuple[Found, ...]
    dropped: tuple[Dropped, ...]
    budget_tokens: int
    used_tokens: int
    settings: Mapping[str, object]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RankedLine:
    """One speaker's words with their own score: what to quote first. `shown` is the share of it that stands in the block, `ranges` are
    its characters that do."""

    segment: str
    line: int
    score: float
    shown: float
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """The result. `context` is ready to be put before a model as quoted data; `segments` and `lines` are in order of rank."""

    context: str
    segments: tuple[Passage, ...]
    lines: tuple[RankedLine, ...]
    receipt: Receipt
    milliseconds: float
