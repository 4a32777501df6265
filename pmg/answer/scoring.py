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


@dataclass(frozen=True, slots=True)
class Levels:
    """What is shown at which chance. Below `unsure` it is said that nothing was found, with the nearest line from `near` on."""

    sure: float
    unsure: float
    near: float


RANKED, READ = Levels(0.7, 0.27, 0.23), Levels(0.7, 0.2, 0.15)  # without the reader and with it


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


@dataclass(frozen=True, slots=True)
class ReadTraits:
    """What the chance is read from where the reader has read: of the best excerpt and the next."""

    logit: float
    lead: float  # of both together before the next one that says something else
    few: float


READ_TRAITS = tuple(field.name for field in fields(ReadTraits))
BIAS = "bias"


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """All that was fitted. `origin` says on what."""

    origin: str
    weights: Mapping[str, float]
    chance: Mapping[str, float]
    reader: Mapping[str, float]  # the same where the reader has read; `score` is what the ranking counts beside it


def read_weights(text: str) -> AnswerWeights:
    """A number for every signal and trait, and for nothing else."""
    table = json.loads(text)
    found = AnswerWeights(table["origin"], table["weights"], table["chance"], table.get("reader", {}))
    for name, keys in {"weights": SIGNALS, "chance": (BIAS, *TRAITS), "reader": ("score", BIAS, *READ_TRAITS)}.items():
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
    return Traits(score, lead, first.meaning, first.words, first.held, asked.unknown, is_open, few_lines(asked))


def few_lines(asked: AskedQuestion) -> float:
    return max(0.0, math.log10(MANY_LINES / max(FEW_LINES, asked.lines)))


def read_traits(logit: float, best: Sequence[float], asked: AskedQuestion) -> ReadTraits:
    """Of the best excerpt, and of its lead before the next that says something else."""
    lead = min(MAX_LEAD, best[0] - best[1]) if len(best) > 1 else 0.0  # before nothing is no lead
    return ReadTraits(logit, lead, few_lines(asked))


def chance(one: Traits | ReadTraits, coefficients: Mapping[str, float] | None = None) -> float:
    fitted = FITTED.chance if isinstance(one, Traits) else FITTED.reader
    weights = fitted if coefficients is None else coefficients
    total = weights[BIAS] + sum(weights[field.name] * getattr(one, field.name) for field in fields(one))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))
