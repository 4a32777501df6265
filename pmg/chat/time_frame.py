"""The time that a message names, in English or German, and whether something was said in it.

Knows: German words for what `recall/question_time.py` knows in English, and periods without a name of their own ("my year"). Does not
know: memory, save for the years it spans. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from pmg.chat.calendar_period import calendar_period
from pmg.recall.question_time import AskedPeriod, when

_TO_ENGLISH = tuple(
    (re.compile(rf"\b{pattern}\b", re.IGNORECASE), english)
    for pattern, english in (
        (r"vorgestern", "2 days ago"),
        (r"gestern", "yesterday"),
        (r"(?:letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)", "last"),
        (r"diese[nmrs]?", "this"),
        (r"vor (\w+) (?:tag|tage|tagen)", r"\1 days ago"),
        (r"vor (\w+) (?:woche|wochen)", r"\1 weeks ago"),
        (r"vor (\w+) (?:monat|monate|monaten)", r"\1 months ago"),
        (r"vor (\w+) (?:jahr|jahre|jahren)", r"\1 years ago"),
        (r"wochenende", "weekend"),
        (r"woche", "week"),
        (r"monat", "month"),
        (r"jahr", "year"),
        (r"im", "in"),
        (r"ab", "from"),
        (r"(?:wird|werde|werden)", "will"),
        (r"nächste[nmrs]?", "next"),
        (r"januar", "january"),
        (r"februar", "february"),
        (r"märz", "march"),
        (r"mai", "may"),
        (r"juni", "june"),
        (r"juli", "july"),
        (r"oktober", "october"),
        (r"dezember", "december"),
        (r"frühling", "spring"),
        (r"sommer", "summer"),
        (r"herbst", "autumn"),
        (r"montag", "monday"),
        (r"dienstag", "tuesday"),
        (r"mittwoch", "wednesday"),
        (r"donnerstag", "thursday"),
        (r"freitag", "friday"),
        (r"samstag", "saturday"),
        (r"sonntag", "sunday"),
        (r"(?:einem|einer|ein|eine)", "one"),
        (r"zwei", "two"),
        (r"drei", "three"),
        (r"vier", "four"),
    )
)
_ORDINAL = re.compile(r"\b(\d{1,2})\.(?=\s+[^\W\d])")  # "26. Oktober"
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


def is_within(day: date, period: AskedPeriod) -> bool:
    return period.start <= day < period.end


def in_english(text: str) -> str:
    """Only the words of time are translated: what is left is no sentence, and need not be one."""
    for pattern, english in _TO_ENGLISH:
        text = pattern.sub(english, text)
    return _ORDINAL.sub(r"\1", text)
