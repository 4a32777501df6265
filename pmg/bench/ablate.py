"""What each part of recall is worth: the same questions with one part switched off at a time.

Knows: which knobs switch which part off, and how a difference is reported. Does not know: what the parts do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pmg.bench.bootstrap import Interval, paired
from pmg.bench.case import RAW
from pmg.bench.metrics import Metric
from pmg.bench.rankings import OURS, Knobs, Ranker, by_recall
from pmg.bench.run import Answer, Run
from pmg.config import Recall

ABLATIONS: Mapping[str, Knobs] = {
    "lexical": {"lexical": False},
    "chain": {"chain": 0.0},
    "semantic edges": {"semantic": 0.0},
    "speaker": {"speaker": 0.0},
    "dates": {"dates": 0.0},
    "diversity": {"diversity": 1.0},
    "rerank": {"reranker": ""},
}
BUDGET = 1_000
SHOWN = (
    Metric("turn", "R@10"),
    Metric("turn", "R@20"),
    Metric("segment", "R@5"),
    Metric("session", "all@5"),
    Metric("context", str(BUDGET)),
)
PREFIX = "without "


@dataclass(frozen=True, slots=True)
class Worth:
    """What is lost, in points, when a part is off. `off` says why it was not measured, where it was not."""

    part: str
    knobs: Knobs
    lost: Mapping[Metric, Interval]
    off: str = ""

    def to_dict(self) -> dict[str, Any]:
        worth = {
            str(metric): {
                "points": round(100 * i.mean, 2),
                "low": round(100 * i.low, 2),
                "high": round(100 * i.high, 2),
                "pairs": i.pairs,
            }
            for metric, i in self.lost.items()
            if i.pairs
        }
        return {"part": self.part, "knobs": dict(self.knobs), "worth": worth} | ({"off": self.off} if self.off else {})


def why_not(knobs: Knobs, settings: Recall) -> str:
    """Why switching this off would change nothing, or "" if it would."""
    known = {f.name for f in fields(settings)}
    unknown = [name for name in knobs if name not in known]
    if unknown:
        return f"recall has no knob {unknown[0]}"
    return "off by default" if all(getattr(settings, name) == value for name, value in knobs.items()) else ""


def rankers(settings: Recall, knobs: Knobs) -> dict[str, Ranker]:
    """A ranking for each part that is on, to be run beside the others."""
    return {
        PREFIX + part: by_recall({**knobs, **switched}, (BUDGET,))
        for part, switched in ABLATIONS.items()
        if not why_not(switched, settings)
    }


def worths(run: Run, settings: Recall, headline: Sequence[str]) -> list[Worth]:
    """Every part in the order of the table."""
    return [
        Worth(part, knobs, _lost(run, part, headline), why_not(knobs, settings)) for part, knobs in ABLATIONS.items()
    ]


def _lost(run: Run, part: str, headline: Sequence[str]) -> dict[Metric, Interval]:
    without = run.answers.get(PREFIX + part)
    if without is None:
        return {}
    return {m: paired(_figures(run.answers[OURS], m, headline), _figures(without, m, headline)) for m in SHOWN}


def _figures(answers: Sequence[Answer], metric: Metric, headline: Sequence[str]) -> list[float]:
    return [a.figures[RAW][metric] for a in answers if RAW in a.figures and a.category in headline]
