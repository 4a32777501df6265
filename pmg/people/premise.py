"""Whether what a question takes for granted belongs to the person it names, or to somebody else.

"What did Caroline realize after her charity race?" – if the race was Melanie's, the question cannot be answered, and whose race it was is the answer. Knows: how the
terms of a question are spread over lines and over the people whose affair they are (ownership.py); eight figures of that, and one number made of them. The weights are
those of a logistic regression on LoCoMo's questions; leaving one conversation out at a time it reaches the figures in docs/people.md. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.people.ownership import Owned, owned

BEST = 5  # lines that count as the place where the answer would be
FIGURES = ("own", "flow", "best", "best speaker", "terms", "weakest term", "found", "length")
# bias first; the figures are taken as they are
WEIGHTS = (-1.082, 0.561, -2.948, -0.476, -1.109, 0.148, -0.538, -1.397, 0.107)
MIN_TERMS = 2  # of a question that can be held against it: where one word stands says too little to deny anything
THRESHOLD = 0.5  # 4 % of LoCoMo's answerable questions lie above it


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A line that shares a term with the question. `place` counts lines within all sessions, far apart between two sessions."""

    place: int
    speaker: str
    clauses: tuple[Owned, ...]

    @classmethod
    def of(cls, place: int, speaker: str, other: str, text: str, terms: Collection[str]) -> EvidenceLine:
        """`other` is whom it is spoken to; `terms` are the question's."""
        return cls(place, speaker, tuple(owned(text, speaker, other, terms)))


@dataclass(frozen=True, slots=True)
class Premise:
    """`doubt` grows with the probability that the premise is somebody else's; `owner` is whose it rather is."""

    doubt: float
    owner: str
    figures: tuple[float, ...]

    @property
    def is_doubted(self) -> bool:
        return self.doubt > THRESHOLD and bool(self.owner)


def telling(terms: Sequence[str], frequencies: Sequence[int], lines: int) -> dict[str, float]:
    """How telling each term is: rarer ones the more, with a power chosen like the weights."""
    return {t: math.log(1 + (lines - df + 0.5) / (df + 0.5)) ** 1.5 for t, df in zip(terms, frequencies, strict=True)}


def judged(person: str, weights: Mapping[str, float], lines: Sequence[EvidenceLine]) -> Premise:
    """`weights` are the question's terms without names, each with how telling it is."""
    found = figures(person, weights, lines)
    value = WEIGHTS[0] + sum(w * x for w, x in zip(WEIGHTS[1:], found.figures, strict=True))
    return Premise(1 / (1 + math.exp(-value)), found.owner, found.figures)


def figures(person: str, weights: Mapping[str, float], lines: Sequence[EvidenceLine]) -> Premise:
    total = sum(weights.values()) or 1.0
    base = np.zeros(len(lines))
    mine, spoken = np.zeros(len(lines)), np.zeros(len(lines))
    others: dict[str, NDArray[np.float64]] = {}
    shares: dict[str, list[float]] = {term: [0.0, 0.0] for term in weights}
    for row, line in enumerate(lines):
        there = {term for clause in line.clauses for term in clause.terms}
        base[row] = sum(weights[term] for term in there)
        spoken[row] = base[row] if line.speaker == person else -base[row]
        for clause in line.clauses:
            terms = clause.terms
            score = sum(weights[term] for term in terms)
            for who, share in clause.shares.items():
                into = mine if who == person else others.setdefault(who, np.zeros(len(lines)))
                into[row] += share * score
                for term in terms:
                    shares[term][who != person] += share * base[row] / total
    return _summed(total, base, mine, spoken, others, shares, weights, [line.place for line in lines])


def _summed(
    total: float,
    base: NDArray[np.float64],
    mine: NDArray[np.float64],
    spoken: NDArray[np.float64],
    others: Mapping[str, NDArray[np.float64]],
    shares: Mapping[str, Sequence[float]],
    weights: Mapping[str, float],
    places: Sequence[int],
) -> Premise:
    if not len(base):
        return Premise(0.0, "", (0.0,) * len(FIGURES))
    owner = max(others, key=lambda who: (float(others[who].max()), who), default="")
    theirs = others.get(owner, np.zeros(len(base)))
    best = np.argsort(-_flow(base, places), kind="stable")[:BEST]
    a, b = float(mine[best].sum()), float(theirs[best].sum())
    by = float(spoken[best].sum() / max(np.abs(spoken[best]).sum(), 1e-6))
    parts = [((x - y) / (x + y), weights[term]) for term, (x, y) in shares.items() if x + y]
    return Premise(
        0.0,
        owner,
        (
            float(mine.max() - theirs.max()) / total,
            float(_flow(mine, places).max() - _flow(theirs, places).max()) / total,
            (a - b) / max(a + b, 1e-6),
            by,
            sum(s * w for s, w in parts) / max(sum(w for _, w in parts), 1e-6),
            min((s for s, _ in parts), default=0.0),
            float(mine.max()) / total,
            float(len(weights)),  # the more a question says, the more there is to hold against it
        ),
    )


def _flow(scores: NDArray[np.float64], places: Sequence[int]) -> NDArray[np.float64]:
    """A line takes half of its neighbours' scores, and a quarter of theirs."""
    at = dict(zip(places, scores.tolist(), strict=True))
    near = ((-1, 0.5), (1, 0.5), (-2, 0.25), (2, 0.25))
    return np.array(
        [
            score + sum(w * at.get(place + d, 0.0) for d, w in near)
            for place, score in zip(places, scores.tolist(), strict=True)
        ]
    )
