"""How well a question about the wrong person is declined: LoCoMo's category 5 against 1 to 4.

Knows: the figures of a premise (pmg/people/premise.py), a small logistic regression, and that a conversation is judged by weights that were fitted on the others. The floor, in
the same run, is whoever speaks the best lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import Dataset, data_file, read_json
from pmg.index.lexical import LexicalDoc, LexicalIndex
from pmg.people.found_lines import POOL
from pmg.people.premise import FIGURES, MIN_TERMS, THRESHOLD, WEIGHTS, EvidenceLine, figures, telling
from pmg.people.route import asked_words, route

# Shares of the answerable questions that may be declined; which of them is best is found among the other conversations.
ALLOWED = (0.045, 0.05, 0.055, 0.06, 0.065, 0.07, 0.08)
APART = 1_000
LENGTH = FIGURES.index("length")
SPEAKER = FIGURES.index("best speaker")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AbstentionFigures:
    questions: int
    unanswerable: int
    auc: float
    f1: float
    false_abstention: float
    floor_auc: float
    floor_f1: float
    in_force_f1: float  # with the weights that the product has, which know these questions
    in_force_false: float


@dataclass(frozen=True, slots=True)
class _Questions:
    values: Floats  # row for row the figures of a premise; zeros where a question names nobody or several
    asked: NDArray[np.bool_]  # whether it names exactly one
    wrong: NDArray[np.bool_]
    group: NDArray[np.int64]


def run(dataset: Dataset, path: Path) -> AbstentionFigures:
    found = _questions(dataset, path)
    score, declined = _left_out(found, found.values)
    floor, floor_declined = _left_out(found, found.values[:, [SPEAKER]])
    forced = WEIGHTS[0] + found.values @ np.array(WEIGHTS[1:]) > np.log(THRESHOLD / (1 - THRESHOLD))
    forced &= found.asked & (found.values[:, LENGTH] >= MIN_TERMS)
    return AbstentionFigures(
        len(found.wrong),
        int(found.wrong.sum()),
        auc(found.wrong[found.asked], score[found.asked]),
        _f1(found.wrong, declined),
        float(declined[~found.wrong].mean()),
        auc(found.wrong[found.asked], floor[found.asked]),
        _f1(found.wrong, floor_declined),
        _f1(found.wrong, forced),
        float(forced[~found.wrong].mean()),
    )


def _questions(dataset: Dataset, path: Path) -> _Questions:
    file = data_file(path, ("locomo.json", "locomo.json.gz", "locomo[0-9]*.json", "locomo[0-9]*.json.gz"))
    values, asked, wrong, group = [], [], [], []
    for number, (row, case) in enumerate(zip(read_json(file), dataset.cases, strict=False)):
        lines = [
            (APART * at + place, line.speaker, line.text)
            for at, session in enumerate(case.sessions)
            for place, turn in enumerate(session.turns)
            for line in turn.lines
        ]
        people = sorted({speaker for _, speaker, _ in lines})
        index = LexicalIndex()
        index.add([LexicalDoc(i, i, text) for i, (_, _, text) in enumerate(lines)])
        for question in row.get("qa") or ():
            text = str(question.get("question") or "")
            named = route(text, people).people
            asked.append(len(named) == 1)
            values.append(_figures(index, lines, people, text, named[0]) if len(named) == 1 else (0.0,) * len(FIGURES))
            wrong.append(question.get("category") == 5)
            group.append(number)
    return _Questions(np.array(values), np.array(asked), np.array(wrong), np.array(group))


def _figures(
    index: LexicalIndex, lines: Sequence[tuple[int, str, str]], people: Sequence[str], text: str, person: str
) -> tuple[float, ...]:
    words = asked_words(text, people)
    terms = list(words)
    if not terms:
        return (0.0,) * len(FIGURES)
    weights: Mapping[str, float] = telling(terms, index.frequencies(terms), len(index))
    hits = sorted(index.search(" ".join(dict.fromkeys(words.values())), POOL, 0.0).ids.tolist())
    return figures(
        person,
        weights,
        [EvidenceLine.of(place, by, _other(people, by), said, weights) for place, by, said in (lines[i] for i in hits)],
    ).figures


def _other(people: Sequence[str], speaker: str) -> str:
    others = [name for name in people if name != speaker]
    return others[0] if len(others) == 1 else ""


def _left_out(found: _Questions, values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Each conversation's questions by the weights and the threshold of the others."""
    score, declined = np.full(len(values), -np.inf), np.zeros(len(values), dtype=np.bool_)
    for one in np.unique(found.group):
        mine, others = (found.group == one) & found.asked, found.group != one
        scores, cuts = _by_others(found, values, others)
        score[mine] = scores[mine]
        declined[mine] = scores[mine] > cuts[_best_share(found, values, others)]
    return score, declined


def _by_others(found: _Questions, values: Floats, others: NDArray[np.bool_]) -> tuple[Floats, list[float]]:
    """Every question's score by the weights of some conversations, and the score above which each share of their answerable questions lies."""
    rest = others & found.asked
    weights = fitted(values[rest], found.wrong[rest])
    scores = weights[0] + values @ weights[1:]
    right = np.sort(scores[rest & ~found.wrong])[::-1]
    count = int((others & ~found.wrong).sum())
    return scores, [float(right[min(int(share * count), len(right) - 1)]) for share in ALLOWED]


def _best_share(found: _Questions, values: Floats, inside: NDArray[np.bool_]) -> int:
    """Which share gives the best F1 among some conversations, each again judged by the rest of them."""
    groups = np.unique(found.group[inside])
    if len(groups) < 2:
        return 0
    declined = np.zeros((len(values), len(ALLOWED)), dtype=np.bool_)
    for one in groups:
        mine = (found.group == one) & found.asked
        scores, cuts = _by_others(found, values, inside & (found.group != one))
        declined[mine] = scores[mine, None] > np.array(cuts)
    return int(np.argmax([_f1(found.wrong[inside], column[inside]) for column in declined.T]))


def fitted(values: Floats, wrong: Any, ridge: float = 1.0, steps: int = 40) -> Floats:
    """Logistic regression by Newton's steps, on scaled figures; weights for the figures as they are, bias first."""
    mean, scale = values.mean(0), values.std(0) + 1e-9
    rows = np.c_[np.ones(len(values)), (values - mean) / scale]
    weights, kept = np.zeros(rows.shape[1]), ridge * np.diag(np.r_[0.0, np.ones(values.shape[1])])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-rows @ weights))
        weights = weights - np.linalg.solve(
            (rows * (p * (1 - p))[:, None]).T @ rows + kept, rows.T @ (p - wrong) + kept @ weights
        )
    plain = weights[1:] / scale
    return np.asarray(np.r_[weights[0] - plain @ mean, plain])


def _f1(wrong: NDArray[np.bool_], declined: NDArray[np.bool_]) -> float:
    return 2 * float((wrong & declined).sum()) / max(float(wrong.sum() + declined.sum()), 1.0)


def auc(wrong: NDArray[np.bool_], score: Floats) -> float:
    """The chance that a question that cannot be answered scores higher than one that can; ties count half."""
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]
    n = int(wrong.sum())
    return float((rank[wrong].sum() - n * (n + 1) / 2) / max(n * (len(wrong) - n), 1))
