"""From answers to the figures that are printed and saved.

Knows: means over questions, by category, and the shape of the JSON file.
Every share is in per cent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from benchmarks.ablate import PREFIX, Worth
from benchmarks.cases import RAW, Dataset
from benchmarks.floors import FloorGap, gaps
from benchmarks.folds import FoldResult
from benchmarks.metrics import LEVELS, Metric, mean, percentile
from benchmarks.run import BenchRun, RankedAnswer, machine
from pmg.config import Config
from pmg.embed.embedder import Embedder

Figures = Mapping[Metric, float]


@dataclass(frozen=True, slots=True)
class Summary:
    """One ranking under one label set."""

    questions: int
    figures: Figures
    by_category: Mapping[str, tuple[int, Figures]]
    latency: tuple[float, float] | None  # p50 and p95 in milliseconds, without the embedding of the question


@dataclass(frozen=True, slots=True)
class BenchReport:
    """All rankings of one run under all label sets."""

    dataset: Dataset
    model: Embedder
    settings: Mapping[str, Any]
    run: BenchRun
    labels: Mapping[str, Mapping[str, Summary]]  # label set → ranking → its figures
    ablations: Sequence[Worth] = ()
    command: str = ""
    folds: Sequence[FoldResult] = ()

    @property
    def gaps(self) -> list[FloorGap]:
        return gaps(self.run, self.dataset.headline, self.dataset.one_line)


def make(
    dataset: Dataset,
    model: Embedder,
    config: Config,
    run: BenchRun,
    ablations: Sequence[Worth] = (),
    command: str = "",
    folds: Sequence[FoldResult] = (),
) -> BenchReport:
    shown = {name: answers for name, answers in run.answers.items() if not name.startswith(PREFIX)}
    labels = {
        label: {name: summarise(answers, label, dataset.headline) for name, answers in shown.items()}
        for label in dataset.notes
    }
    return BenchReport(dataset, model, asdict(config.recall), run, labels, ablations, command, folds)


def summarise(answers: Sequence[RankedAnswer], label: str, headline: Sequence[str]) -> Summary:
    counted = [answer for answer in answers if label in answer.figures]
    main = [answer for answer in counted if answer.category in headline]
    categories = sorted({a.category for a in counted}, key=lambda c: (c not in headline, _place(c, headline), c))
    groups = {category: [a for a in counted if a.category == category] for category in categories}
    times = sorted(chain.from_iterable(answer.milliseconds for answer in answers))
    return Summary(
        len(main),
        means(main, label),
        {category: (len(group), means(group, label)) for category, group in groups.items()},
        (percentile(times, 50), percentile(times, 95)) if times else None,
    )


def _place(category: str, headline: Sequence[str]) -> int:
    return list(headline).index(category) if category in headline else 0


def means(answers: Sequence[RankedAnswer], label: str) -> dict[Metric, float]:
    """The mean of every figure, in per cent."""
    metrics = answers[0].figures[label] if answers else {}
    return {metric: 100 * mean(answer.figures[label][metric] for answer in answers) for metric in metrics}


def to_dict(report: BenchReport) -> dict[str, Any]:
    """The JSON file: `rankings` with the labels as published, and again under each other label set."""
    dataset = report.dataset
    others = [label for label in report.labels if label != RAW]
    return {
        "benchmark": dataset.name,
        "command": report.command,
        "unit": "per cent; latency in milliseconds without the embedding of the question",
        "headline": dataset.headline_name,
        "label_set": RAW,
        "label_rules": dict(dataset.notes),
        "model": {
            "name": report.model.name,
            "fingerprint": report.model.fingerprint,
            "dimension": report.model.dimension,
        },
        "machine": machine(),
        "settings": {name: _plain(value) for name, value in report.settings.items()},
        "counts": dict(sorted(report.run.counts.items())) | {"skipped": dict(sorted(dataset.skipped.items()))},
        "rankings": _rankings(report.labels[RAW]),
        **{label: {"label_set": label, "rankings": _rankings(report.labels[label])} for label in others},
        "ablations": [worth.to_dict() for worth in report.ablations],
        "against_floors": [gap.to_dict() for gap in report.gaps],
        "folds": [fold.to_dict() for fold in report.folds],
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _rankings(summaries: Mapping[str, Summary]) -> dict[str, Any]:
    return {name: _ranking(summary) for name, summary in summaries.items()}


def _ranking(summary: Summary) -> dict[str, Any]:
    latency = summary.latency
    return {
        "questions": summary.questions,
        **_levels(summary.figures),
        "by_category": {
            name: {"questions": n, **_levels(figures)} for name, (n, figures) in summary.by_category.items()
        },
        "latency_ms": {"p50": rounded(latency[0]), "p95": rounded(latency[1])} if latency else None,
    }


def _levels(figures: Figures) -> dict[str, dict[str, float | None]]:
    return {
        level: {m.name: rounded(value) for m, value in figures.items() if m.level == level}
        for level in LEVELS
        if any(m.level == level for m in figures)
    }


def rounded(value: float) -> float | None:
    """Two places; None where there was nothing to measure, because JSON has no NaN."""
    return None if math.isnan(value) else round(value, 2)


def columns(summaries: Iterable[Summary]) -> list[Metric]:
    """Every figure that any of the rankings has, level by level."""
    seen = dict.fromkeys(metric for summary in summaries for metric in summary.figures)
    return sorted(seen, key=lambda metric: LEVELS.index(metric.level))
