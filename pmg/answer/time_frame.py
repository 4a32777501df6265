"""The time that a message names, in English or German, and whether something was said in it.

Knows: periods without a name of their own ("my year"). Does not know: German words of time (`recall/german_times.py`), or memory, save for the years it spans. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from pmg.answer.calendar_period import calendar_period
from pmg.people.told_times import named_ahead
from pmg.recall.german_times import in_english
from pmg.recall.question_time import AskedPeriod, when

_GOT = re.compile(
    r"\b(?:got|planned|scheduled)\b|\?", re.IGNORECASE
)  # "have I got anything on Friday": nothing that was
_WHOLE = re.compile(r"\b(?:my|the|mein|das|a) (year|month|week|jahr|monat|woche)\b", re.IGNORECASE)
_DAYS = {"year": 366, "month": 31, "week": 7, "jahr": 366, "monat": 31, "woche": 7}


def periods(text: str, now: datetime, years: Sequence[int]) -> tuple[AskedPeriod, ...]:
    """The times that the message names; none if it names none."""
    return when(in_english(text), now, years)


def period_of_summary(text: str, now: datetime, years: Sequence[int]) -> AskedPeriod | None:
    """The latest time that is named and not in the future, or the year, month or week that ends now."""
    calendar = calendar_period(in_english(text), now.date())
    if calendar is not None:
        return calendar
    named = [period for period in periods(text, now, years) if period.start <= now.date()]
    if named:
        return max(named, key=lambda period: period.start)
    whole = _WHOLE.search(text)
    if whole is None:
        return None
    today = now.date()
    return AskedPeriod(today - timedelta(days=_DAYS[whole[1].lower()]), today + timedelta(days=1), whole[0])


def period_ahead(text: str, now: datetime) -> AskedPeriod | None:
    """The first time from today on that is named: of this week, what is left of it."""
    named = named_ahead(_GOT.sub(" ", text), now)
    if not named:
        return None
    return AskedPeriod(max(named[0].first, now.date()), named[0].last + timedelta(days=1), text)


def is_within(day: date, period: AskedPeriod) -> bool:
    return period.start <= day < period.end
