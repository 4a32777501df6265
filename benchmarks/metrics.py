"""The figures of one question: how much of its gold a ranking has found.

Knows: recall at k, any at k, all at k, evidence in a context. Pure; a figure that has no gold to measure is NaN and stays out of means.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from benchmarks.cases import Gold, LineRef

Level = Literal["turn", "segment", "session", "context"]
LEVELS: tuple[Level, ...] = ("turn", "segment", "session", "context")
RECALL_AT = (5, 10, 20)
SESSIONS_AT = (5, 10)
BUDGETS = (500, 1_000, 2_000)

Item = TypeVar("Item")


class Metric(NamedTuple):
    """A figure's place in the tables: `turn R@10`."""

    level: Level
    name: str

    def __str__(self) -> str:
        return f"{self.level} {self.name}"


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one ranking answered to one question, best first. `contexts` are the lines that stand in a block of so many tokens."""

    lines: Sequence[LineRef]
    segments: Sequence[str]
    sessions: Sequence[str]
    contexts: Mapping[int, frozenset[LineRef]] = field(default_factory=dict)
    milliseconds: tuple[float, ...] = ()


def recall_at(ranked: Sequence[Item], gold: Collection[Item], k: int) -> float:
    """The fraction of the gold among the first k."""
    return len(set(ranked[:k]) & set(gold)) / len(gold) if gold else math.nan


def any_at(ranked: Sequence[Item], gold: Collection[Item], k: int) -> float:
    return float(not set(ranked[:k]).isdisjoint(gold)) if gold else math.nan


def all_at(ranked: Sequence[Item], gold: Collection[Item], k: int) -> float:
    return float(set(gold) <= set(ranked[:k])) if gold else math.nan


def measure(ranked: Ranked, gold: Gold) -> dict[Metric, float]:
    """Every figure of one question."""
    found = {Metric("turn", f"R@{k}"): recall_at(ranked.lines, gold.lines, k) for k in RECALL_AT}
    found |= {Metric("segment", f"R@{k}"): recall_at(ranked.segments, gold.segments, k) for k in RECALL_AT}
    for k in SESSIONS_AT:
        found[Metric("session", f"any@{k}")] = any_at(ranked.sessions, gold.sessions, k)
        found[Metric("session", f"all@{k}")] = all_at(ranked.sessions, gold.sessions, k)
    for budget, shown in sorted(ranked.contexts.items()):
        found[Metric("context", str(budget))] = recall_at(list(shown), gold.lines, len(shown))
    return found


def mean(values: Iterable[float]) -> float:
    """The mean of what could be measured."""
    real = [value for value in values if not math.isnan(value)]
    return math.fsum(real) / len(real) if real else math.nan


def firsts(items: Iterable[Item]) -> list[Item]:
    """Each item once, where it was first seen: a session stands where its best segment stands."""
    return list(dict.fromkeys(items))


def percentile(values: Sequence[float], share: float) -> float:
    return float(np.percentile(values, share)) if values else math.nan
