"""Which excerpt answers, and how sure that is: weights and the chance of being right, as measured.

    score = Σ weight · signal                          ranks the excerpts of one question
    chance = logistic(bias + Σ coefficient · trait)    that the best of them holds the answer
    presence = logistic(…)                             that memory holds anything about it at all

Knows: numbers. Pure. The weights make the excerpts with the evidence likeliest (a conditional logit, signs held where
they have a meaning), the coefficients are a logistic regression; both were fitted on LoCoMo and on the development questions about the
sample, never on the sample's own 72. docs/answers.md has the folds and the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np
from numpy.typing import NDArray

from pmg.chat.answer_signals import AnswerSignals, AskedQuestion
from pmg.chat.answer_type import AnswerType

SIGNALS = tuple(field.name for field in fields(AnswerSignals))
WEIGHTS = {
    "relevance": 2.6,
    "first": 0.5,
    "meaning": 3.9,
    "meaning_title": 1.5,
    "words": 4.6,
    "held": 1.1,
    "held_around": 1.4,
    "by_named": 0.8,
    "by_another": -0.7,
    "named": 0.4,
    "introduces": 0.7,
    "timely": 1.6,
    "late": 2.0,  # set by hand after the fit: a question that says "now" wants the latest
    "long": -1.4,
}
MOST_LEAD = 3.0  # before the next excerpt: more says nothing more


@dataclass(frozen=True, slots=True)
class Traits:
    """What the chance is read from."""

    score: float  # of the best excerpt
    lead: float  # before the next one that says something else
    by_another: float  # said by somebody else than the one asked about
    unknown: float  # share of the question's terms, by rarity, that this memory has never seen
    open: float  # 1 where the question wants something that has no look of its own


TRAITS = tuple(field.name for field in fields(Traits))
BIAS = -3.24
COEFFICIENTS = {"score": 0.252, "lead": 0.422, "by_another": -1.29, "unknown": -0.80, "open": -0.36}
_OPEN = (AnswerType.ANYTHING, AnswerType.YES_NO, AnswerType.LIST)

# From SURE on, about four of five sure answers of held-out LoCoMo conversations quote the evidence.
SURE = 0.7

# That memory holds anything about the question, from the nearest of the excerpts: fitted on questions asked of the memory they belong to and
# of another. Below PRESENT stand 2 in 100 questions that memory answers and 9 in 10 of those asked of the wrong memory.
PRESENCE_BIAS, PRESENCE_MEANING, PRESENCE_WORDS, PRESENCE_UNKNOWN = -4.49, 10.99, 3.96, -1.68
PRESENT, NEAR = 0.5, 0.3


def matrix(signals: Sequence[AnswerSignals]) -> NDArray[np.float64]:
    return np.array([astuple(one) for one in signals], dtype=np.float64).reshape(len(signals), len(SIGNALS))


def scores(signals: Sequence[AnswerSignals]) -> list[float]:
    weights = np.array([WEIGHTS[name] for name in SIGNALS])
    found: list[float] = (matrix(signals) @ weights).tolist()
    return found


def traits(asked: AskedQuestion, best: AnswerSignals, score: float, following: float | None) -> Traits:
    """`following` is the score of the next excerpt that says something else, if there is one."""
    lead = min(MOST_LEAD, score - following) if following is not None else MOST_LEAD
    return Traits(score, lead, best.by_another, asked.unknown, float(asked.kind in _OPEN))


def chance(one: Traits) -> float:
    return _logistic(BIAS + sum(COEFFICIENTS[name] * number for name, number in zip(TRAITS, astuple(one), strict=True)))


def presence(asked: AskedQuestion, best: Sequence[AnswerSignals]) -> float:
    """Without an embedding model nothing has a meaning, and the words alone must do."""
    meaning, words = max(one.meaning for one in best), max(one.words for one in best)
    if not any(one.meaning for one in best):
        return words
    return _logistic(
        PRESENCE_BIAS + PRESENCE_MEANING * meaning + PRESENCE_WORDS * words + PRESENCE_UNKNOWN * asked.unknown
    )


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))
