"""When a claim holds: "yesterday", "since March", "for four years", "next month", counted from the day it was said.

The times of the past are read as recall reads them in a question (recall/question_time.py); those to come and the open ones are read here. A time that a clause
does not name is not made up.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime

from pmg.base.calendar_words import WEEKDAYS
from pmg.base.patterns import short
from pmg.base.times import days_back
from pmg.base.words import SMALL_NUMBERS
from pmg.recall.german_times import in_english
from pmg.recall.question_time import when

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
    r"\d|\b(?:yesterday|(?:vor)?gestern|ago|back|earlier|last|past|previous|this|(?:vor)?letzte\w*|vorige\w?|vergangene\w?|nächste\w?|diese[nmrs]|vor|mai|märz|okt\w*|dez\w*|since|seit|until|till|bis|next|"
    r"tomorrow|(?:über)?morgen|today|heute|tonight|for|over|in|im|from|ab|anfang|mitte|ende|christmas|new year|weihnachten|silvester|neujahr|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"\b(?:on|this|by|until|for) ({'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_WAS = re.compile(
    r"\b(?:last|past|previous|ago|earlier|back|yesterday|since|1\d{3}|20\d{2}|every|always|usually|often|each)\b",
    re.IGNORECASE,
)
# English text is not looked through for German words
_GERMAN = re.compile(
    r"\b(?:(?:vor)?gestern|heute|(?:über)?morgen|(?:vor)?letzte\w?|vorige\w?|vergangene\w?|nächste\w?|diese[nmrs]|seit|vor|bis|im|ab|anfang|mitte|ende|weihnachten|silvester|neujahr|"
    r"woche\w?|monat\w*|jahr\w*|tage\w?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b|\b\d{1,2}\. ?(?:\d|[a-zä])",
    re.IGNORECASE,
)
# "seit vier Jahren": with a number it is "for", with a date "since"
_SINCE_COUNT = re.compile(
    rf"\bsince (?:about |around |over |almost )?({_COUNT[1:-1]}) (day|week|month|year)(s?)\b(?! ago)"
)
_PLAIN = tuple(
    (re.compile(rf"\b(?:{pattern})\b"), english)
    for pattern, english in (
        (r"(?:christmas|weihnachten)(?: day| eve)?", "december 25"),
        (r"new year['’]?s eve|silvester", "december 31"),
        (r"new year['’]s(?: day)?|neujahr", "january 1"),
        (r"half a year", "six months"),
        (r"(?:a|one) year and a half|one and a half years", "18 months"),
        (r"two and a half years", "30 months"),
    )
)
_BARE = re.compile(
    rf"\b(since|from|in|during|over) (?:the |this )?({'|'.join(WEEKDAYS)}|spring|summer|autumn|fall|winter)\b(?!,?(?: of)? \d{{4}})"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
_FROM_DAY = re.compile(rf"from (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}\b(?!\d))")
# "the report from 14 November": the day of a thing, not of what is told of it; "I work at the bank from 1 November" is
_THING_FROM = short(
    r"(?:(?P<before>[\w'’]+) )?(?:the|an?|my|our|your|his|her|its|their|this|that) (?:[\w'’-]+ ){1,3}\Z"
)
_BEFORE_A_PLACE = frozenset(
    "in at on to for with by near as into over under of am is are be i'm i’m we're we’re he's he’s she's she’s".split()
)
_AGO = re.compile(rf"\b{_COUNT} (day|week|month|year)s? (?:ago|back|earlier)\b")


@dataclass(frozen=True, slots=True)
class Period:
    """From a day to the day after its last; either end may be open."""

    start: date | None = None
    end: date | None = None
    middle: date | None = None  # the day that was meant, where only about it is said

    @property
    def onwards(self) -> Period:
        """The time as a beginning: what began in it did not end with it. "until March" has none and stays."""
        return Period(self.middle or self.start) if self.start is not None else self


def period(clause: str, said_at: datetime, is_past: bool, is_planned: bool = False) -> Period:
    """The time that a clause names, counted from when it was said: a bare month, date or weekday of what is not past lies ahead."""
    if _ANY.search(clause) is None:
        return Period()
    text = _SINCE_COUNT.sub(r"for \1 \2\3", worded(clause, is_past))
    today = said_at.date()
    found = _open(text, said_at, today, is_past) or _to_come(text, today)
    if found is not None:
        return found
    if (is_planned or not is_past) and (ahead := _coming(text, said_at, today)) is not None:
        return ahead
    years = [today.year] if is_planned else [today.year, today.year - 1]
    named = [one for one in when(text, said_at, years) if is_planned or one.start <= today]
    ago = _so_long_ago(text, today)
    if named:
        return Period(named[0].start, named[0].end, ago)
    if ago is not None:
        return Period(ago, days_back(ago, -1))
    return Period(today, days_back(today, -1)) if _TODAY.search(text) else Period()


def worded(clause: str, is_past: bool) -> str:
    """In small letters and English words of time, between single blanks, with the day that a holiday is. A bare weekday or season of the past is the last one."""
    text = " ".join(clause.lower().split())
    text = in_english(text) if _GERMAN.search(text) else text
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return _BARE.sub(r"\1 last \2", text) if is_past or _SINCE.search(text) else text


def _so_long_ago(text: str, today: date) -> date | None:
    """The very day that "two months ago" names, if it named one: what is said of it is about that time, what began then began then."""
    return next((day for day, _ in times_ago(text, today)), None)


def times_ago(text: str, today: date) -> list[tuple[date, str]]:
    """The days that "two months ago" names in a text as `worded`, each with the unit it was counted in."""
    return [(_before(today, _count(found[1]), found[2]), found[2]) for found in _AGO.finditer(text)]


def _before(today: date, count: int, unit: str) -> date:
    """So many days, weeks, months or years earlier, by the calendar."""
    if unit not in ("month", "year"):
        return days_back(today, count * _UNITS[unit])
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    if months < 12:
        return date.min
    year, month = divmod(months, 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _open(text: str, said_at: datetime, today: date, is_past: bool) -> Period | None:
    since = _SINCE.search(text)
    if since:
        day = _FROM_DAY.match(since[0]) if not is_past and not _is_of_a_thing(text[: since.start()]) else None
        if day is not None and _WAS.search(text) is None and today.year < 9990:
            return _nearest(day[0], said_at, today)
        named = [one for one in when(since[0], said_at, [today.year, today.year - 1]) if one.start <= today]
        if named:
            return Period(_so_long_ago(since[0], today) or named[0].start)
    until = _UNTIL.search(text)
    if until:
        named = list(when(until[0], said_at, [today.year]))
        if named:
            return Period(None, named[0].end)
    lasting = _FOR.search(text)
    return Period(_before(today, _count(lasting[1]), lasting[2].lower())) if lasting else None


def _is_of_a_thing(before: str) -> bool:
    thing = _THING_FROM.search(before)
    return thing is not None and thing["before"] not in _BEFORE_A_PLACE


def _nearest(text: str, said_at: datetime, today: date) -> Period | None:
    """What is so "from 1 November" may lie ahead as well as behind: in the year in which it is nearest."""
    starts = [one.start for one in when(text, said_at, [today.year - 1, today.year, today.year + 1])]
    return Period(min(starts, key=lambda day: abs(day - today))) if starts else None


def _to_come(text: str, today: date) -> Period | None:
    if _TOMORROW.search(text):
        return Period(days_back(today, -1), days_back(today, -2))
    following = _NEXT.search(text)
    if following:
        return _next(following[1], today)
    later = _IN.search(text)
    if later:
        start = days_back(today, -_count(later[1]) * _UNITS[later[2].lower()])
        return Period(start, days_back(start, -_UNITS[later[2].lower()]))
    return None


def _coming(text: str, said_at: datetime, today: date) -> Period | None:
    """The next one of that name, if the clause says neither a year nor that it was."""
    if _WAS.search(text):
        return None
    weekday = _WEEKDAY.search(text)
    if weekday:
        ahead = (WEEKDAYS.index(weekday[1].lower()) - today.weekday() - 1) % 7 + 1
        return Period(days_back(today, -ahead), days_back(today, -ahead - 1))
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
        return Period(days_back(today, -1), days_back(today, -2))
    monday = days_back(today, today.weekday() - 7)
    return Period(days_back(monday, -5 if unit == "weekend" else 0), days_back(monday, -7))


def _count(word: str) -> int:
    lower = word.lower()
    if lower.isdigit():
        return int(lower)
    return {"a couple of": 2, "a few": 3, "several": 3, "a": 1, "an": 1}.get(lower, SMALL_NUMBERS.get(lower, 1))
