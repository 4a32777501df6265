"""Which excerpt answers, and how sure that is: weights and the chance of being right, as measured.

    score = Σ weight · signal                             ranks the excerpts of one question
    chance = logistic(bias + Σ coefficient · trait)       that the best of them holds the answer
    presence = logistic(bias + Σ coefficient · trait)     that memory holds anything about it at all

Knows: the numbers of `answer_weights.json`, which `python -m benchmarks answers --fit` writes, and what it says of their origin. Pure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from pmg.chat.answer_signals import AnswerSignals, AskedQuestion
from pmg.chat.answer_type import AnswerType

FILE = "answer_weights.json"
MAX_LEAD = 3.0  # before the next excerpt: more says nothing more
MANY_LINES = 200  # of a memory: of 200, 500 and 1,000 the best on held-out memories (docs/benchmarks.md)
FEW_LINES = 5  # a memory with fewer counts as one of so many: less was not measured
SIGNALS = tuple(field.name for field in fields(AnswerSignals))
_OPEN = (AnswerType.ANYTHING, AnswerType.YES_NO, AnswerType.LIST)

# From SURE on, nine of ten sure answers of held-out memories begin with the evidence: at 0.7 four of ten were wrong on the sample's own questions.
SURE = 0.75
# Below PRESENT stand few of the questions that memory answers and most of those asked of the wrong memory; from NEAR on one excerpt is shown.
PRESENT, NEAR = 0.5, 0.3
# … from this on in a memory of fewer than MANY_LINES, if its cosine is NEAR_IN_MEANING, and a second one whose score is no more than ABOUT_AS_NEAR behind: of the
# questions of the dialogues that are declined there, 67 of the 102 that have an answer then show it, and 51 of the 138 that have none show something (docs/benchmarks.md).
NEAR_AMONG_FEW, NEAR_IN_MEANING, ABOUT_AS_NEAR = 0.03, 0.2, 1.0
# A single word that memory has never seen makes a question look foreign to a small one; an excerpt that answers as likely as not is shown all the same.
# None of the sample's twenty questions about nothing reaches it.
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class Traits:
    """What the chance is read from."""

    score: float  # of the best excerpt
    lead: float  # before the next one that says something else
    by_another: float  # said by somebody else than the one asked about
    unknown: float  # share of the question's terms, by rarity, that this memory has never seen
    open: float  # 1 where the question wants something that has no look of its own


@dataclass(frozen=True, slots=True)
class PresenceTraits:
    """What the presence is read from: of the nearest of the excerpts."""

    meaning: float
    words: float
    unknown: float
    few: float  # how small the memory is: in a few lines most words of any question are unknown, and nothing lies near by chance


TRAITS = tuple(field.name for field in fields(Traits))
PRESENCE_TRAITS = tuple(field.name for field in fields(PresenceTraits))
BIAS = "bias"


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """All that was fitted. `origin` says on what."""

    origin: str
    weights: Mapping[str, float]
    chance: Mapping[str, float]
    presence: Mapping[str, float]


def read_weights(text: str) -> AnswerWeights:
    """A number for every signal and trait, and for nothing else."""
    table = json.loads(text)
    found = AnswerWeights(table["origin"], table["weights"], table["chance"], table["presence"])
    wanted = {"weights": SIGNALS, "chance": (BIAS, *TRAITS), "presence": (BIAS, *PRESENCE_TRAITS)}
    for name, keys in wanted.items():
        if list(getattr(found, name)) != list(keys):
            raise ValueError(
                f"{FILE}: {name} has {list(getattr(found, name))}, not {list(keys)}. Fit it again: python -m benchmarks answers --fit"
            )
    return found


FITTED = read_weights(files("pmg.chat").joinpath(FILE).read_text(encoding="utf-8"))


def matrix(signals: Sequence[AnswerSignals]) -> NDArray[np.float64]:
    return np.array([astuple(one) for one in signals], dtype=np.float64).reshape(len(signals), len(SIGNALS))


def scores(signals: Sequence[AnswerSignals], weights: Mapping[str, float] = FITTED.weights) -> list[float]:
    found: list[float] = (matrix(signals) @ np.array([weights[name] for name in SIGNALS])).tolist()
    return found


def traits(asked: AskedQuestion, best: AnswerSignals, score: float, following: float | None) -> Traits:
    """`following` is the score of the next excerpt that says something else, if there is one."""
    lead = min(MAX_LEAD, score - following) if following is not None else MAX_LEAD
    return Traits(score, lead, best.by_another, asked.unknown, float(all(kind in _OPEN for kind in asked.kinds)))


def presence_traits(asked: AskedQuestion, best: Sequence[AnswerSignals]) -> PresenceTraits:
    few = max(0.0, math.log10(MANY_LINES / max(FEW_LINES, asked.lines))) if asked.in_english else 0.0
    return PresenceTraits(max(one.meaning for one in best), max(one.words for one in best), asked.unknown, few)


def chance(one: Traits) -> float:
    return _logistic(FITTED.chance, dict(zip(TRAITS, astuple(one), strict=True)))


def presence(one: PresenceTraits) -> float:
    """Without an embedding model nothing has a meaning, and the words alone must do."""
    if one.meaning == 0:
        return one.words
    return _logistic(FITTED.presence, dict(zip(PRESENCE_TRAITS, astuple(one), strict=True)))


def _logistic(coefficients: Mapping[str, float], values: Mapping[str, float]) -> float:
    total = coefficients[BIAS] + sum(coefficients[name] * number for name, number in values.items())
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))
