"""What each part of recall is worth: the same questions with one part switched at a time.

Knows: which knobs switch which part off and on, and how a difference is reported.
A part that is on by default is switched off, and what is lost is its worth; one that is off by default is switched on, and
what is won is what it would be worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.bootstrap import Interval, paired
from benchmarks.cases import RAW
from benchmarks.metrics import Metric
from benchmarks.rankings import OURS, Knobs, Ranker, by_recall
from benchmarks.run import BenchRun, RankedAnswer
from pmg.config import RecallConfig


@dataclass(frozen=True, slots=True)
class Switch:
    """The knobs that take a part out, and those that put it in where the default leaves it out (none: it cannot be tried)."""

    off: Knobs
    on: Knobs


ABLATIONS: Mapping[str, Switch] = {
    "lexical": Switch({"lexical": False}, {"lexical": True}),
    "kindred words": Switch({"kindred": 0.0}, {"kindred": 1.0}),
    "rephrasing": Switch({"rephrase": False}, {"rephrase": True}),
    "chain": Switch({"chain": 0.0}, {"chain": 1.0}),
    "semantic edges": Switch({"semantic": 0.0}, {"semantic": 1.0}),
    "speaker": Switch({"speaker": 0.0}, {"speaker": 1.0}),
    "dates": Switch({"dates": 0.0}, {"dates": 1.0}),
    "diversity": Switch({"diversity": 1.0}, {"diversity": 0.7}),
}
BUDGET = 1_000
SHOWN = (
    Metric("turn", "R@10"),
    Metric("turn", "R@20"),
    Metric("segment", "R@5"),
    Metric("session", "all@5"),
    Metric("context", str(BUDGET)),
)
PREFIX = "switched "


@dataclass(frozen=True, slots=True)
class Worth:
    """What a part adds, in points: with it minus without it. Empty where it could not be tried."""

    part: str
    default: bool  # whether it is on by default
    knobs: Knobs  # what was switched
    added: Mapping[Metric, Interval]

    def to_dict(self) -> dict[str, Any]:
        worth = {
            str(metric): {
                "points": round(100 * i.mean, 2),
                "low": round(100 * i.low, 2),
                "high": round(100 * i.high, 2),
                "pairs": i.pairs,
            }
            for metric, i in self.added.items()
            if i.pairs
        }
        return {"part": self.part, "on_by_default": self.default, "switched": dict(self.knobs), "worth": worth}


def is_on(switch: Switch, settings: RecallConfig) -> bool:
    return any(getattr(settings, name) != value for name, value in switch.off.items())


def other(switch: Switch, settings: RecallConfig) -> Knobs:
    """The knobs that change the part from what it is."""
    return switch.off if is_on(switch, settings) else switch.on


def rankers(settings: RecallConfig, knobs: Knobs) -> dict[str, Ranker]:
    """A ranking with each part switched, to be run beside the others."""
    return {
        PREFIX + part: by_recall({**knobs, **changed}, (BUDGET,))
        for part, switch in ABLATIONS.items()
        if (changed := other(switch, settings))
    }


def worths(run: BenchRun, settings: RecallConfig, headline: Sequence[str]) -> list[Worth]:
    """Every part in the order of the table."""
    return [
        Worth(
            part, is_on(switch, settings), other(switch, settings), _added(run, part, is_on(switch, settings), headline)
        )
        for part, switch in ABLATIONS.items()
    ]


def _added(run: BenchRun, part: str, default: bool, headline: Sequence[str]) -> dict[Metric, Interval]:
    switched = run.answers.get(PREFIX + part)
    if switched is None:
        return {}
    with_it, without = (run.answers[OURS], switched) if default else (switched, run.answers[OURS])
    return {m: paired(_figures(with_it, m, headline), _figures(without, m, headline)) for m in SHOWN}


def _figures(answers: Sequence[RankedAnswer], metric: Metric, headline: Sequence[str]) -> list[float]:
    return [a.figures[RAW][metric] for a in answers if RAW in a.figures and a.category in headline]
