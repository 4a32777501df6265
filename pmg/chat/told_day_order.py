"""Which of several lines tells of the day that is asked for: the last time something was done, or what is to be tomorrow.

Knows: how such questions read in English and German. Of which days a line tells is people/told_times.py's; on which day it was said is time_order.py's. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.model import Role
from pmg.chat.answer_signals import AskedQuestion, cover
from pmg.chat.answer_type import AnswerType
from pmg.chat.responder import QuoteKind
from pmg.chat.time_frame import period_ahead
from pmg.chat.time_order import DatedExcerpt, ScoredExcerpt
from pmg.index.terms import document_terms
from pmg.people.told_times import NAMED_DAYS, pieces, tells_of, times_ahead, times_told
from pmg.recall.question_time import AskedPeriod

_NAMED = "|".join((*WEEKDAYS, *GERMAN_WEEKDAYS, *MONTHS, *ONLY_GERMAN_MONTHS))
_LAST_TIME = re.compile(
    rf"\b(?:when|wann)\b.*\b(?:last(?! (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|christmas|easter|name|until|till|for|long|{_NAMED})\b)|zuletzt|(?:das|zum) letzten? mal|(?:der|die|das) letzte[nrs]? (?!(?:nacht|woche|wochenende|monat|jahr|winter|sommer|frühling|herbst|{_NAMED})\b))\b",
    re.IGNORECASE | re.DOTALL,
)
_LAST = frozenset(document_terms("last zuletzt letzte letzten letzter letztes mal wieder again"))


def by_told_day(
    asked: AskedQuestion, asked_at: datetime, found: Sequence[DatedExcerpt], ranked: Sequence[ScoredExcerpt]
) -> list[DatedExcerpt]:
    """The line that tells of the day that is asked for before others; all in their order where no such day is asked for, or none tells of it."""
    if _LAST_TIME.search(asked.text):
        return _latest_first(asked, found, ranked)
    if AnswerType.DATE in asked.kinds:
        return list(found)
    ahead = period_ahead(asked.text, asked_at)
    if ahead is None or (ahead.end - ahead.start).days > NAMED_DAYS or _is_told_for(found[0], ahead):
        return list(found)
    told = [one for one in found if _is_told_for(one, ahead)]
    return [*told, *(one for one in found if one not in told)]


def _latest_first(
    asked: AskedQuestion, found: Sequence[DatedExcerpt], ranked: Sequence[ScoredExcerpt]
) -> list[DatedExcerpt]:
    """Of those that say as much of what was done as the first."""
    weights = {term: weight for term, weight in asked.weights.items() if term not in _LAST}
    first = found[0].found
    since = _last_day(first)
    if since is None:
        return list(found)
    enough = cover(weights, first.excerpt.anchor.text)
    later = [
        (day, -place)
        for place, one in enumerate(ranked)
        if (day := _last_day(one)) is not None and day > since and cover(weights, one.excerpt.anchor.text) >= enough
    ]
    if not later:
        return list(found)
    latest = ranked[-max(later)[1]]
    rest = [one for one in found if not one.found.excerpt.overlaps(latest.excerpt)]
    return [DatedExcerpt(latest, QuoteKind.ANSWER), *rest][: max(len(found), 2)]


def _last_day(one: ScoredExcerpt) -> date | None:
    """The last day of which a line that the person said tells."""
    anchor = one.excerpt.anchor
    if anchor.role is not Role.USER:
        return None
    text = anchor.text
    times = [time.last for start, end in pieces(text) for time in times_told(text[start:end], anchor.passage.at)]
    return max(times, default=None)


def _is_told_for(one: DatedExcerpt, period: AskedPeriod) -> bool:
    anchor = one.found.excerpt.anchor
    text = anchor.text
    return anchor.role is Role.USER and any(
        tells_of(time, period)
        for start, end in pieces(text)
        for time in times_ahead(text[start:end], anchor.passage.at)
    )
