"""The day, weekend, week, month or year of the calendar that a message names: "last month", said in November, is October.

Knows: the calendar. Recall is content with about so many days ago (recall/question_time.py); a list of what happened then must keep to the days. Pure.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from pmg.people.moments import times_ago
from pmg.recall.question_time import AskedPeriod

_NAMED = re.compile(r"\b(?P<which>last|previous|this) (?P<unit>week|month|year)\b", re.IGNORECASE)
_DAYS = (
    (0, re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE)),
    (2, re.compile(r"\bday before yesterday\b", re.IGNORECASE)),
    (1, re.compile(r"\b(?:yesterday|last (?:night|evening|nacht))\b", re.IGNORECASE)),
)
_WEEKEND = re.compile(r"\b(?P<last>last |previous )?(?:weekend)\b(?! (?:before|after))", re.IGNORECASE)
_SATURDAY = 5


def calendar_period(text: str, today: date) -> AskedPeriod | None:
    """In English words (time_frame.py translates); None where no such time is named."""
    for ago, pattern in _DAYS:
        if named := pattern.search(text):
            return AskedPeriod(today - timedelta(days=ago), today - timedelta(days=ago - 1), named[0])
    if weekend := _WEEKEND.search(text):
        return _weekend(weekend, today)
    found = _NAMED.search(text)
    if found is None:
        return _so_long_ago(text, today)
    begin = _begin(found["unit"].lower(), today)
    if found["which"].lower() == "this":
        return AskedPeriod(begin, today + timedelta(days=1), found[0])
    return AskedPeriod(_begin(found["unit"].lower(), begin - timedelta(days=1)), begin, found[0])


def _weekend(named: re.Match[str], today: date) -> AskedPeriod:
    """What was at "the weekend" was at the latest that has begun; "last weekend" is the one of the week before."""
    monday = _begin("week", today)
    this_one = today.weekday() >= _SATURDAY and not named["last"]
    saturday = monday + timedelta(days=_SATURDAY - (0 if this_one else 7))
    return AskedPeriod(saturday, saturday + timedelta(days=2), named[0])


def _so_long_ago(text: str, today: date) -> AskedPeriod | None:
    """ "Three years ago" is a year of the calendar and "two months ago" a month; of days and weeks it is about so many."""
    for day, unit in times_ago(text.lower(), today):
        if unit in ("month", "year"):
            begin = _begin(unit, day)
            return AskedPeriod(begin, _begin(unit, begin + timedelta(days=366 if unit == "year" else 31)), f"{day}")
    return None


def _begin(unit: str, day: date) -> date:
    """The first day of the week, month or year that a day is in."""
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)
