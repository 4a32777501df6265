"""When a claim holds: "yesterday", "since March", "for four years", "next month", counted from the day it was said.

The times of the past are read as recall reads them in a question (recall/question_time.py); those to come and the open ones are read here. A time that a clause
does not name is not made up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pmg.recall.question_time import when
from pmg.words import SMALL_NUMBERS

_COUNT = rf"(\d{{1,3}}|an?|{'|'.join(SMALL_NUMBERS)}|a couple of|a few|several)"
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_FOR = re.compile(
    rf"\b(?:for|over)(?: the (?:last|past))?(?: about| almost| over| nearly| around)? {_COUNT} (day|week|month|year)s?\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:since|from|ever since|seit)\s+(.{3,40})", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|bis)\s+(.{3,40})", re.IGNORECASE)
_NEXT = re.compile(r"\bnext (day|week|weekend|month|year)\b", re.IGNORECASE)
_IN = re.compile(rf"\bin {_COUNT} (day|week|month|year)s?\b", re.IGNORECASE)
_TODAY = re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening)|heute)\b", re.IGNORECASE)
_TOMORROW = re.compile(r"\b(?:tomorrow|morgen)\b", re.IGNORECASE)
_ANY = re.compile(
    r"\d|\b(?:yesterday|gestern|ago|back|earlier|last|past|previous|this|letzte\w*|vorgestern|mai|märz|okt\w*|dez\w*|since|seit|until|till|bis|next|tomorrow|morgen|today|heute|tonight|for|over|in|from|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(rf"\b(?:on|this|by|until|for) ({'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_WAS = re.compile(
    r"\b(?:last|past|previous|ago|earlier|back|yesterday|since|1\d{3}|20\d{2}|every|always|usually|often|each)\b",
    re.IGNORECASE,
)
_GERMAN = {"gestern": "yesterday", "vorgestern": "2 days ago", "letzten": "last", "letzte": "last", "letztes": "last", "woche": "week", "monat": "month",
           "jahr": "year", "märz": "march", "mai": "may", "juni": "june", "juli": "july", "oktober": "october", "dezember": "december", "januar": "january",
           "februar": "february", "im": "in", "seit": "since", "jahre": "years", "jahren": "years", "monate": "months", "monaten": "months", "wochen": "weeks", "tage": "days",
           "tagen": "days", "einem": "one", "einer": "one", "zwei": "two", "drei": "three", "vier": "four", "fünf": "five", "sechs": "six", "sieben": "seven",
           "acht": "eight", "neun": "nine", "zehn": "ten"}  # fmt: skip
# "seit vier Jahren": with a number it is "for", with a date "since"
_SINCE_COUNT = re.compile(rf"\bsince (\d{{1,3}}|{'|'.join(SMALL_NUMBERS)}) (day|week|month|year)(s?)\b")


@dataclass(frozen=True, slots=True)
class Period:
    """From a day to the day after its last; either end may be open."""

    start: date | None = None
    end: date | None = None

    @property
    def onwards(self) -> Period:
        """The time as a beginning: what began in it did not end with it. "until March" has none and stays."""
        return Period(self.start) if self.start is not None else self


def period(clause: str, said_at: datetime, is_past: bool, is_planned: bool = False) -> Period:
    """The time that a clause names, counted from when it was said: a bare month, date or weekday of what is not past lies ahead."""
    if _ANY.search(clause) is None:
        return Period()
    text = _SINCE_COUNT.sub(r"for \1 \2\3", " ".join(_GERMAN.get(word, word) for word in clause.lower().split()))
    today = said_at.date()
    found = _open(text, said_at, today) or _to_come(text, today)
    if found is not None:
        return found
    if (is_planned or not is_past) and (ahead := _coming(text, said_at, today)) is not None:
        return ahead
    years = [today.year] if is_planned else [today.year, today.year - 1]
    named = [one for one in when(text, said_at, years) if is_planned or one.start <= today]
    if named:
        return Period(named[0].start, named[0].end)
    return Period(today, _back(today, -1)) if _TODAY.search(text) else Period()


def _open(text: str, said_at: datetime, today: date) -> Period | None:
    since = _SINCE.search(text)
    if since:
        named = [one for one in when(since[0], said_at, [today.year, today.year - 1]) if one.start <= today]
        if named:
            return Period(named[0].start)
    until = _UNTIL.search(text)
    if until:
        named = list(when(until[0], said_at, [today.year]))
        if named:
            return Period(None, named[0].end)
    lasting = _FOR.search(text)
    return Period(_back(today, _count(lasting[1]) * _UNITS[lasting[2].lower()])) if lasting else None


def _to_come(text: str, today: date) -> Period | None:
    if _TOMORROW.search(text):
        return Period(_back(today, -1), _back(today, -2))
    following = _NEXT.search(text)
    if following:
        return _next(following[1], today)
    later = _IN.search(text)
    if later:
        start = _back(today, -_count(later[1]) * _UNITS[later[2].lower()])
        return Period(start, _back(start, -_UNITS[later[2].lower()]))
    return None


def _coming(text: str, said_at: datetime, today: date) -> Period | None:
    """The next one of that name, if the clause says neither a year nor that it was."""
    if _WAS.search(text):
        return None
    weekday = _WEEKDAY.search(text)
    if weekday:
        ahead = (_WEEKDAYS.index(weekday[1].lower()) - today.weekday() - 1) % 7 + 1
        return Period(_back(today, -ahead), _back(today, -ahead - 1))
    named = (
        [one for one in when(text, said_at, [today.year, today.year + 1]) if one.end > today]
        if today.year < 9990
        else []
    )
    return Period(named[0].start, named[0].end) if named else None


def _next(unit: str, today: date) -> Period:
    if today.year > 9990:
        return Period()
    if unit == "month":
        first = date(today.year + today.month // 12, today.month % 12 + 1, 1)
        return Period(first, date(first.year + first.month // 12, first.month % 12 + 1, 1))
    if unit == "year":
        return Period(date(today.year + 1, 1, 1), date(today.year + 2, 1, 1))
    if unit == "day":
        return Period(_back(today, -1), _back(today, -2))
    monday = _back(today, today.weekday() - 7)
    return Period(_back(monday, -5 if unit == "weekend" else 0), _back(monday, -7))


def _count(word: str) -> int:
    lower = word.lower()
    if lower.isdigit():
        return int(lower)
    return {"a couple of": 2, "a few": 3, "several": 3, "a": 1, "an": 1}.get(lower, SMALL_NUMBERS.get(lower, 1))


def _back(day: date, days: int) -> date:
    try:
        return day - timedelta(days=days)
    except OverflowError:
        return date.min if days > 0 else date.max
