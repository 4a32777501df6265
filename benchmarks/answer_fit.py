"""How sure an answer is, fitted on lives: `python -m benchmarks answers --fit FILE`.

Knows: what is gathered of each question of data/reading, and the fit of the chance that the first line answers, tested on hands it was not fitted on. Does not know: the
arithmetic of a fit (`logit.py`). The weights of the ranking stay as they are: fitted on lives they gained there and lost on what nobody had looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

import numpy as np

from benchmarks.cases import Case
from benchmarks.exam import NAMESPACE, calibration_of, numbers_of, session_of
from benchmarks.lives import Life, LifeQuestion, parse
from benchmarks.logit import logistic_regression
from benchmarks.run import memory
from pmg import config as configuration
from pmg.answer import scoring
from pmg.answer.evidence import Question
from pmg.answer.find import best_lines
from pmg.answer.look_up import look_up
from pmg.answer.scoring import BIAS, ReadTraits, Traits
from pmg.base.model import CHAT_SOURCE, Passage
from pmg.base.progress import Progress, silent
from pmg.base.times import now
from pmg.embed.embedder import Embedder
from pmg.engine import Engine
from pmg.ingest.turns import exchange

READING = Path(__file__).resolve().parent.parent / "data" / "reading"
NOT_TAUGHT = ("T3", "T8", "T14", "T20")  # hands that the reader has not seen
SIGNS = {"logit": 1, "score": 1, "lead": 1, "meaning": 1, "words": 1, "held": 1, "unknown": -1, "open": -1, "few": 0}
EVERY = 3  # of the questions: more change no second digit


@dataclass(frozen=True, slots=True)
class FitRow:
    """One question: whose life, what the chance is read from, and whether the first line answers."""

    hand: str
    traits: Traits | ReadTraits
    is_right: bool
    is_told: bool  # memory holds an answer


def lives_by_hand(folder: Path = READING) -> dict[str, list[Life]]:
    return {file.stem: parse(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.txt"))}


def gather(
    hands: dict[str, list[Life]],
    embedder: Embedder,
    progress: Progress = silent,
    every: int = EVERY,
    read: bool = False,
) -> list[FitRow]:
    """`read`: by the reader, else by the ranking alone."""
    lives = [(hand, life) for hand, some in hands.items() for life in some]
    found: list[FitRow] = []
    for place, (hand, life) in enumerate(lives):
        progress("reading lives", place, len(lives))
        with memory(Case(f"life {place}", [], []), embedder, Counter()) as engine:
            engine.ingest([session_of(sitting) for sitting in life.sittings()])
            settings = configuration.with_values(engine.config, {"chat": {"reader": read}}, "the fit")
            found += _rows(engine.with_config(settings), hand, life, every)
    progress("reading lives", len(lives), len(lives))
    return found


def _rows(engine: Engine, hand: str, life: Life, every: int) -> Iterator[FitRow]:
    numbers, last = numbers_of(life), max(line.at for line in life.lines)
    for question in life.questions[::every]:
        if question.at is not None and question.at < last:
            continue  # what was told later is there already
        before = (_passage(question.before),) if question.before else ()
        asked = Question(question.text, None, before, NAMESPACE, question.at or last)
        best = best_lines(engine, replace(asked, recalled=look_up(engine, asked).recalled))
        if best is not None:
            anchor = best.chosen[0].excerpt.anchor
            number = numbers.get((anchor.passage.id, anchor.line), 0)
            yield FitRow(hand, best.traits, _answers(question, number, anchor.text), bool(question.answers))


def _passage(text: str) -> Passage:
    return Passage(0, "", "", 0, NAMESPACE, now(), exchange(text, None), "", CHAT_SOURCE)


def _answers(question: LifeQuestion, number: int, text: str) -> bool:
    return any(number == line or (words and words in text) for line, words in question.answers)


def fitted(rows: Sequence[FitRow]) -> dict[str, float]:
    names = [field.name for field in fields(rows[0].traits)]
    bias, weights = logistic_regression(
        np.array([astuple(one.traits) for one in rows]),
        np.array([float(one.is_right) for one in rows]),
        np.ones(len(rows)),
        [SIGNS[name] for name in names],
        1.0,
    )
    return {BIAS: round(bias, 3), **{name: round(float(x), 3) for name, x in zip(names, weights, strict=True)}}


@dataclass(frozen=True, slots=True)
class HandFigures:
    """What the chance fitted on the other hands reaches on this one's lives: shares, and the calibration over ten bins."""

    hand: str
    questions: int
    first: float  # of what memory holds
    calibration: float


def held_out(rows: Sequence[FitRow]) -> list[HandFigures]:
    found = []
    for hand in sorted({one.hand for one in rows}):
        theirs = [one for one in rows if one.hand == hand]
        chance = fitted([one for one in rows if one.hand != hand])
        pairs = [(scoring.chance(one.traits, chance), one.is_right) for one in theirs]
        told = [one.is_right for one in theirs if one.is_told]
        found.append(HandFigures(hand, len(theirs), float(np.mean(told)), calibration_of(pairs)))
    return found
