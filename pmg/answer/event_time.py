"""A time that is named by an event: "before the move", "since my operation", "nach der Prüfung".

Knows: how such a time is worded in English and German, and how an event is dated: by the middle of the days on which memory speaks most of
it. Does not know: calendar times (`time_frame.py`), or how a time weighs in an answer (`signals.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from pmg.base.times import now
from pmg.base.words import STOP_WORDS
from pmg.index.terms import query_terms
from pmg.recall.german_times import in_english
from pmg.recall.question_time import AskedPeriod, when

if TYPE_CHECKING:
    from pmg.answer.evidence import Question
    from pmg.engine import Engine

LINES = 8  # of memory that date an event: fewer let one stray line decide
SUMMARY_DAYS = 31  # to either side that a summary of "before" or "after" covers
_BEFORE = frozenset(("before", "until", "till", "vor", "bis"))
_OWNER = (
    r"(?:the|my|our|your|his|her|their|de[rmns]|die|das|mein(?:e[mnr]?)?|unser(?:e[mnr]?)?|sein(?:e[mnr]?)?|ihr(?:e[mnr]?)?|"
    r"[^\W\d_]+['’]s?)"
)
# "looks after the cat" and "named after my aunt" name no time, "vor" is "ago" before a number, and a verb ends the event
_EVENT = re.compile(
    rf"(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!take )(?<!takes )(?<!named )(?<!zu )\b(?P<side>before|until|till|after|since|vor|bis|nach|seit)"
    rf"(?: zu[rm])? {_OWNER} (?P<event>[^\W\d_][\w'’-]*(?: (?!(?:and|or|did|do|does|was|were|is|are|und|oder|war|ist|hat)\b)[\w'’-]+){{0,3}})",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    r"\b(?:days?|nights?|weeks?|weekend|months?|years?|time|\w*tage?n?|wochen?|wochenende|monate?n?|jahre?n?|zeit)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EventTime:
    """`side` is -1 before the event and 1 after it; `words` are the event's own, `phrase` is all that names the time."""

    side: int
    words: str
    phrase: str


def event_in(text: str) -> EventTime | None:
    """None where no event is named, and where what follows is a calendar time ("before the weekend", "since the 3rd of May")."""
    found = _EVENT.search(text)
    if found is None or not set(found["event"].lower().split()) - STOP_WORDS or _on_a_calendar(found[0]):
        return None
    return EventTime(-1 if found["side"].lower() in _BEFORE else 1, found["event"], found[0])


def without_event(text: str) -> str:
    """The text without the words that name such a time."""
    event = event_in(text)
    return text.replace(event.phrase, " ") if event else text


def _on_a_calendar(phrase: str) -> bool:
    return _CALENDAR.search(phrase) is not None or bool(when(in_english(phrase), now(), [now().year]))


def period(event: EventTime, day: date, days: int | None = None) -> AskedPeriod:
    """All that lies to that side of the day, or so many days of it."""
    if event.side < 0:
        return AskedPeriod(day - timedelta(days=days) if days else date.min, day, event.phrase)
    return AskedPeriod(day, day + timedelta(days=days) if days else date.max, event.phrase)


def day_of(engine: Engine, ask: Question, event: EventTime) -> date | None:
    """The middle of the days on which the best lines about it were said, each as heavy as it is relevant. None where memory has no
    word of the event: then the nearest lines are of something else."""
    lexical = engine.indexes.lexical(ask.namespace)
    if lexical is None or not any(lexical.frequencies(query_terms(event.words), engine.indexes.only_asked())):
        return None
    found = engine.recall(event.words, namespace=ask.namespace, count=False, limit=LINES, at=ask.at)
    days = {passage.id: passage.at.date() for passage in found.segments if ask.may_know(passage.at)}
    lines = sorted(
        (days[line.segment], line.score) for line in found.lines[:LINES] if line.score > 0 and line.segment in days
    )
    return weighted_median(lines)


def weighted_median(days: Sequence[tuple[date, float]]) -> date | None:
    """Of days in order of time with their weights."""
    half, sum_so_far = sum(weight for _, weight in days) / 2, 0.0
    for day, weight in days:
        sum_so_far += weight
        if sum_so_far >= half:
            return day
    return None
