"""Never below a floor: ours less the best plain search of the same run, at every cut-off, with its interval.

Knows: which floor is the best at a cut-off, and when a difference is sure.
A row whose whole interval lies under zero is a fault of recall; nothing is hidden by averaging, so every category with enough
questions has rows of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.bootstrap import Interval, paired
from benchmarks.cases import RAW
from benchmarks.metrics import Metric, mean
from benchmarks.rankings import OURS
from benchmarks.run import BenchRun, RankedAnswer

FLOORS = ("dense", "bm25", "rrf")
MIN_QUESTIONS = 20  # questions of a category: fewer say nothing by themselves
ALL = "all"


@dataclass(frozen=True, slots=True)
class FloorGap:
    """Ours less the best floor, in one category at one cut-off."""

    category: str
    questions: int
    metric: Metric
    ours: float
    floor: str
    reached: float  # by the floor
    gap: Interval

    @property
    def fault(self) -> bool:
        return self.gap.high < 0

    def to_dict(self) -> dict[str, Any]:
        return {
            "category": self.category, "questions": self.questions, "figure": str(self.metric), "pmg": round(100 * self.ours, 2),
            "floor": self.floor, "floor_reached": round(100 * self.reached, 2), "points": round(100 * self.gap.mean, 2),
            "low": round(100 * self.gap.low, 2), "high": round(100 * self.gap.high, 2), "fault": self.fault,
        }  # fmt: skip


def gaps(run: BenchRun, headline: Sequence[str], one_line: bool) -> list[FloorGap]:
    """All questions first, then every category with enough of them; nothing where a run has no floor or not ours."""
    floors = {name: run.answers[name] for name in FLOORS if name in run.answers}
    if OURS not in run.answers or not floors:
        return []
    ours = run.answers[OURS]
    metrics = [m for m in _metrics(ours) if m.level != "context" and not (one_line and m.level == "segment")]
    groups = {ALL: [i for i, a in enumerate(ours) if RAW in a.figures and a.category in headline]}
    for category in sorted({a.category for a in ours}):
        rows = [i for i, a in enumerate(ours) if RAW in a.figures and a.category == category]
        groups |= {category: rows} if len(rows) >= MIN_QUESTIONS else {}
    return [_gap(name, rows, metric, ours, floors) for name, rows in groups.items() for metric in metrics if rows]


def _metrics(answers: Sequence[RankedAnswer]) -> list[Metric]:
    return list(next((a.figures[RAW] for a in answers if RAW in a.figures), {}))


def _gap(
    category: str,
    rows: Sequence[int],
    metric: Metric,
    ours: Sequence[RankedAnswer],
    floors: Mapping[str, Sequence[RankedAnswer]],
) -> FloorGap:
    mine = _figures(ours, rows, metric)
    theirs = {name: _figures(answers, rows, metric) for name, answers in floors.items()}
    best = max(theirs, key=lambda name: mean(theirs[name]))
    return FloorGap(category, len(rows), metric, mean(mine), best, mean(theirs[best]), paired(mine, theirs[best]))


def _figures(answers: Sequence[RankedAnswer], rows: Sequence[int], metric: Metric) -> list[float]:
    return [answers[i].figures[RAW][metric] for i in rows]
