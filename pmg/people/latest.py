"""Of lines that answer about equally well, the newest comes first and the others are told as older; a question about then has an order of its own. Pure.

Knows: when two lines answer about equally well. Facts that end each other stand in facts.py: there claims say what changed, here only days do, so an older line is called older and
never wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pmg.index.terms import document_terms
from pmg.recall.question_time import AskedPeriod

CLOSE = 0.6  # of the best line's fit
FEWER = 0.1  # of the question's terms, by weight, that the newer of two may lack


@dataclass(frozen=True, slots=True)
class DatedLine:
    """`place` is the line's in what was given; `newer` is the day of the line that came before it for being newer, if one did."""

    place: int
    newer: date | None = None


@dataclass(frozen=True, slots=True)
class LineFit:
    fit: float
    held: float  # share of the question's terms, by weight (telling() of them)
    said_at: datetime


_LIGHT = frozenset(
    term
    for verb in "take have get use make go do give keep want need be come put call name".split()
    for term in document_terms(verb)
)


def telling(weights: Mapping[str, float]) -> dict[str, float]:
    """The terms without verbs that say little, unless there is nothing else: who takes a medicine may have it raised or get another dose."""
    return {term: weight for term, weight in weights.items() if term not in _LIGHT} or dict(weights)


def ranked(lines: Sequence[LineFit], is_about_now: bool, period: AskedPeriod | None = None) -> list[DatedLine]:
    """Best first; of what is about as good, the newest, or what was said in the time that is asked for."""
    order = sorted(range(len(lines)), key=lambda at: (-lines[at].fit, at))
    if not order or (period is None and not is_about_now):
        return [DatedLine(at) for at in order]
    best = lines[order[0]]
    close = [at for at in order if lines[at].fit >= CLOSE * best.fit and lines[at].held >= best.held - FEWER]
    rest = [DatedLine(at) for at in order if at not in close]
    if period is not None:
        inside = [at for at in close if period.start <= lines[at].said_at.date() < period.end]
        return [*map(DatedLine, inside), *(DatedLine(at) for at in close if at not in inside), *rest]
    close.sort(key=lambda at: (lines[at].said_at.date(), lines[at].fit), reverse=True)
    newest = lines[close[0]].said_at.date()
    return [*(DatedLine(at, newest if lines[at].said_at.date() < newest else None) for at in close), *rest]
