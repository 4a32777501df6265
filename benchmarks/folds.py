"""Weights chosen by cross-validation: what is chosen on some memories is measured on the others.

Knows: the weights that are tried (today's, and each one of them halved, lessened, raised and doubled), the folds over whole memories, and
how a choice does on what it has not seen. Does not know: how signals were gathered (signals.py) or are combined (recall/scores.py).

A memory is never on both sides of a fold: questions of one conversation share their turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from benchmarks.metrics import Metric, firsts, mean, recall_at
from benchmarks.signals import QuestionSignals
from pmg.base.errors import InputError
from pmg.recall.scores import WEIGHTS, ScoreWeights

FACTORS = (0.0, 0.5, 0.7, 1.4, 2.0)
TODAY = "today's"
SHOWN = (
    Metric("turn", "R@5"),
    Metric("turn", "R@10"),
    Metric("turn", "R@20"),
    Metric("segment", "R@5"),
    Metric("segment", "R@10"),
)

Figures = Mapping[Metric, float]


@dataclass(frozen=True, slots=True)
class FoldResult:
    """One fold: which weights were best on the other memories, and what they and today's reach on both sides."""

    fold: int
    questions: int  # of the test side
    chosen: str
    train: Figures
    test: Figures
    today_train: Figures
    today_test: Figures

    def to_dict(self) -> dict[str, Any]:
        sides = {"train": self.train, "test": self.test, "today_train": self.today_train, "today_test": self.today_test}
        figures = {side: {str(m): round(100 * v, 2) for m, v in found.items()} for side, found in sides.items()}
        return {"fold": self.fold, "questions": self.questions, "chosen": self.chosen, **figures}


def variants() -> Iterator[tuple[str, ScoreWeights]]:
    """Today's weights, and each of them changed by itself."""
    yield TODAY, WEIGHTS
    for field in fields(WEIGHTS.flow):
        for factor in FACTORS:
            if factor or field.name not in ("half",):
                changed = replace(WEIGHTS.flow, **{field.name: factor * getattr(WEIGHTS.flow, field.name)})
                yield f"flow.{field.name} × {factor:g}", replace(WEIGHTS, flow=changed)
    for field in fields(WEIGHTS):
        for factor in FACTORS:
            if field.name != "flow" and (factor or field.name != "enough"):
                yield (
                    f"{field.name} × {factor:g}",
                    replace(WEIGHTS, **{field.name: factor * getattr(WEIGHTS, field.name)}),
                )


def cross_validated(memories: Sequence[Sequence[QuestionSignals]], folds: int) -> list[FoldResult]:
    """Memory i is tested in fold i mod `folds`; the figure that chooses is the mean of those shown."""
    if not 2 <= folds <= len(memories):
        raise InputError(f"--folds is {folds}; between 2 and the number of memories, here {len(memories)}.")
    asked = [(place % folds, question) for place, memory in enumerate(memories) for question in memory]
    reached = {name: [_figures(question, weights) for _, question in asked] for name, weights in variants()}
    return [_fold(number, [fold for fold, _ in asked], reached) for number in range(folds)]


def _fold(number: int, folds: Sequence[int], reached: Mapping[str, Sequence[Figures]]) -> FoldResult:
    sides = [[i for i, fold in enumerate(folds) if (fold == number) == test] for test in (False, True)]
    train = {name: _means(figures, sides[0]) for name, figures in reached.items()}
    chosen = max(train, key=lambda name: mean(train[name].values()))  # of equals the first, so today's
    test = {name: _means(reached[name], sides[1]) for name in (chosen, TODAY)}
    return FoldResult(number + 1, len(sides[1]), chosen, train[chosen], test[chosen], train[TODAY], test[TODAY])


def _figures(question: QuestionSignals, weights: ScoreWeights) -> Figures:
    scores = question.scores(weights)
    rows = [] if scores is None else question.order(scores)
    lines = [question.refs[row] for row in rows]
    segments = firsts(ref.segment for ref in lines)
    gold = question.gold
    return {
        m: recall_at(lines, gold.lines, int(m.name[2:])) if m.level == "turn" else recall_at(segments, gold.segments, int(m.name[2:]))
        for m in SHOWN
    }  # fmt: skip


def _means(figures: Sequence[Figures], rows: Sequence[int]) -> Figures:
    return {metric: mean(figures[row][metric] for row in rows) for metric in SHOWN}
