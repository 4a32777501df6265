"""Which excerpt answers, and how sure that is: weights and the chance of being right, as measured.

    score = Σ weight · signal                             ranks the excerpts of one question
    chance = logistic(bias + Σ coefficient · trait)       that the best of them answers

Knows: the numbers of `weights.json`, which `python -m benchmarks answers --fit` writes, and what it says of their origin. Pure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from pmg.answer.answer_type import AnswerType
from pmg.answer.signals import AnswerSignals, AskedQuestion

FILE = "weights.json"
MAX_LEAD = 3.0  # before the next excerpt: more says nothing more
MANY_LINES, FEW_LINES = 200, 5  # of a memory: beyond these its size says nothing more
SIGNALS = tuple(field.name for field in fields(AnswerSignals))
_OPEN = (AnswerType.ANYTHING, AnswerType.YES_NO, AnswerType.LIST)

# What is shown at which chance. Below UNSURE it is said that nothing was found, with the nearest line from NEAR on.
SURE, UNSURE, NEAR = 0.7, 0.27, 0.23


@dataclass(frozen=True, slots=True)
class Traits:
    """What the chance is read from: of the best excerpt, but for the last three."""

    score: float
    lead: float  # before the next one that says something else
    meaning: float
    words: float
    held: float
    unknown: float  # share of the question's terms, by rarity, that this memory has never seen
    open: float  # 1 where the question wants something that has no look of its own
    few: float  # how small the memory is: in a few lines most words of any question are unknown, and nothing lies near by chance


TRAITS = tuple(field.name for field in fields(Traits))
BIAS = "bias"


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """All that was fitted. `origin` says on what."""

    origin: str
    weights: Mapping[str, float]
    chance: Mapping[str, float]


def read_weights(text: str) -> AnswerWeights:
    """A number for every signal and trait, and for nothing else."""
    table = json.loads(text)
    found = AnswerWeights(table["origin"], table["weights"], table["chance"])
    for name, keys in {"weights": SIGNALS, "chance": (BIAS, *TRAITS)}.items():
        if list(getattr(found, name)) != list(keys):
            raise ValueError(
                f"{FILE}: {name} has {list(getattr(found, name))}, not {list(keys)}. Fit it again: python -m benchmarks answers --fit"
            )
    return found


FITTED = read_weights(files("pmg.answer").joinpath(FILE).read_text(encoding="utf-8"))


def matrix(signals: Sequence[AnswerSignals]) -> NDArray[np.float64]:
    return np.array([astuple(one) for one in signals], dtype=np.float64).reshape(len(signals), len(SIGNALS))


def scores(signals: Sequence[AnswerSignals], weights: Mapping[str, float] = FITTED.weights) -> list[float]:
    found: list[float] = (matrix(signals) @ np.array([weights[name] for name in SIGNALS])).tolist()
    return found


def traits(asked: AskedQuestion, best: Sequence[tuple[AnswerSignals, float]]) -> Traits:
    """Of the best excerpt and the next that says something else, each with its score."""
    first, score = best[0]
    lead = min(MAX_LEAD, score - best[1][1]) if len(best) > 1 else MAX_LEAD
    is_open = float(all(kind in _OPEN for kind in asked.kinds))
    few = max(0.0, math.log10(MANY_LINES / max(FEW_LINES, asked.lines)))
    return Traits(score, lead, first.meaning, first.words, first.held, asked.unknown, is_open, few)


def chance(one: Traits, coefficients: Mapping[str, float] = FITTED.chance) -> float:
    total = coefficients[BIAS] + sum(
        coefficients[name] * number for name, number in zip(TRAITS, astuple(one), strict=True)
    )
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))
