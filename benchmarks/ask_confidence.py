"""Whether the confidence beside a line of `ask` means what it says: of lines with 0.7, seven of ten should answer.

Knows: LoCoMo's questions with the lines that answer them, asked in whole conversations and in memories of a few sessions, without an embedding model; each conversation judged by weights of
the others. What a confidence is made of stands in pmg/people/confidence.py. The floor, in the same run, is the share of the question's words that a line holds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.abstention import fitted
from benchmarks.cases import AUDITED, RAW, BenchQuestion, Case, Dataset, LineRef
from pmg.config import Config
from pmg.engine import Engine
from pmg.people.confidence import LineTraits

UNANSWERABLE = "adversarial"  # the category in which the premise is somebody else's
SMALL_SESSIONS = 3  # sessions of a small memory
BINS = 10
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line that `ask` showed, and whether it is one of those that answer. `talk` is the conversation it is from."""

    traits: LineTraits
    confidence: float
    is_right: bool
    talk: int
    is_small: bool


@dataclass(frozen=True, slots=True)
class ConfidenceFigures:
    """Of one size of memories, first lines only: what was said of them and how many are right. `error` is the mean distance of both over ten bins."""

    lines: int
    right: float
    said: float
    error: float
    brier: float
    floor_said: float  # the share of words as a confidence
    floor_error: float
    floor_brier: float


@dataclass(frozen=True, slots=True)
class ConfidenceRun:
    small: ConfidenceFigures
    whole: ConfidenceFigures
    weights: tuple[float, ...]  # fitted on everything


def run(dataset: Dataset) -> ConfidenceRun:
    shown = [line for talk, case in enumerate(dataset.cases) for line in _shown(case, talk)]
    values = np.array([line.traits.values for line in shown])
    right = np.array([line.is_right for line in shown], dtype=np.bool_)
    talks = np.array([line.talk for line in shown])
    said = np.zeros(len(shown))
    for talk in np.unique(talks):
        weights = fitted(values[talks != talk], right[talks != talk])
        said[talks == talk] = 1 / (1 + np.exp(-(weights[0] + values[talks == talk] @ weights[1:])))
    return ConfidenceRun(
        _figures([line for line in shown if line.is_small], said[[line.is_small for line in shown]]),
        _figures([line for line in shown if not line.is_small], said[[not line.is_small for line in shown]]),
        tuple(round(float(one), 3) for one in fitted(values, right)),
    )


def _shown(case: Case, talk: int) -> Iterator[ShownLine]:
    few = replace(case, sessions=case.sessions[:SMALL_SESSIONS])
    inside = {session.id for session in few.sessions}
    asked = [one for one in case.questions if one.category != UNANSWERABLE and _gold(one)]
    yield from _asked(few, [one for one in asked if all(_session(ref) in inside for ref in _gold(one))], talk, True)
    yield from _asked(case, asked, talk, False)


def _asked(case: Case, questions: Sequence[BenchQuestion], talk: int, is_small: bool) -> Iterator[ShownLine]:
    with tempfile.TemporaryDirectory() as scratch, Engine.open(Config(home=Path(scratch)), load=False) as engine:
        engine.ingest(case.sessions)
        engine.extract()
        for question in questions:
            gold = _gold(question)
            for line in engine.ask(question.text).lines:
                if line.traits is not None:
                    is_right = LineRef(line.segment, line.line) in gold
                    yield ShownLine(line.traits, line.confidence, is_right, talk, is_small)


def _gold(question: BenchQuestion) -> frozenset[LineRef]:
    labels = question.labels
    return labels[AUDITED if AUDITED in labels else RAW].lines


def _session(ref: LineRef) -> str:
    return ref.segment.removeprefix("seg_").rpartition("_")[0]


def _figures(lines: Sequence[ShownLine], said: Floats) -> ConfidenceFigures:
    first = np.array([line.traits.is_first for line in lines], dtype=np.bool_)
    right = np.array([line.is_right for line in lines], dtype=np.float64)[first]
    share = np.array([line.traits.share for line in lines])[first]
    mine = said[first]
    return ConfidenceFigures(
        len(right),
        float(right.mean()),
        float(mine.mean()),
        _error(mine, right),
        float(((mine - right) ** 2).mean()),
        float(share.mean()),
        _error(share, right),
        float(((share - right) ** 2).mean()),
    )


def _error(said: Floats, right: Floats) -> float:
    """The expected calibration error: what was said against what was right in each tenth, weighted by how many lines lie there."""
    tenth = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    return float(
        sum(
            abs(said[tenth == one].mean() - right[tenth == one].mean()) * (tenth == one).mean()
            for one in np.unique(tenth)
        )
    )
