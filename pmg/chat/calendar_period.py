"""The week, month or year of the calendar that a message names: "last month", said in November, is October.

Knows: the calendar. Recall is content with about so many days ago (recall/question_time.py); a list of what happened then must keep to the days. Pure.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from pmg.recall.question_time import AskedPeriod

_NAMED = re.compile(r"\b(?P<which>last|previous|this) (?P<unit>week|month|year)\b", re.IGNORECASE)


def calendar_period(text: str, today: date) -> AskedPeriod | None:
    """In English words (time_frame.py translates); None where no such time is named."""
    found = _NAMED.search(text)
    if found is None:
        return None
    begin = _begin(found["unit"].lower(), today)
    if found["which"].lower() == "this":
        return AskedPeriod(begin, today + timedelta(days=1), found[0])
    return AskedPeriod(_begin(found["unit"].lower(), begin - timedelta(days=1)), begin, found[0])


def _begin(unit: str, day: date) -> date:
    """The first day of the week, month or year that a day is in."""
    if unit == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)
