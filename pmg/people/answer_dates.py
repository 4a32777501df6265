"""Days in an answer, and whether its evidence names them: "21 May 2023" rests on a line of 25 May that says "last Sunday".

Knows: how days are written in English and German. Times relative to a day are read by moments.py. Pure.

Nothing proves more than it says: "last month" proves a month and no day in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pmg.base import sentences
from pmg.base.calendar_words import GERMAN_MONTHS, MONTHS
from pmg.people.moments import period

_NUMBER = {
    form: number
    for number, names in enumerate(zip(MONTHS, GERMAN_MONTHS, strict=True), 1)
    for name in dict.fromkeys(names)
    for form in (name, name[:3])
}
_MONTH = rf"(?P<m>{'|'.join(sorted(_NUMBER, key=len, reverse=True))})\.?"
_WRITTEN = re.compile(
    r"\b(?P<iso>\d{4}-\d{2}(?:-\d{2})?)\b|\b(?P<dotted>\d{1,2}\.\d{1,2}\.\d{4})\b"
    rf"|\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}(?:,? (?P<y>\d{{4}}))?\b"
    rf"|\b{_MONTH.replace('<m>', '<m2>')} (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y2>\d{{4}}))?"
    rf"|\b{_MONTH.replace('<m>', '<m3>')},?(?: of)? (?P<y3>\d{{4}})\b",
    re.IGNORECASE,
)
MAX_NAMED_DAYS = 3  # days of a time that names each of them: "last weekend" does, "last week" does not
MONTH = 31


class DateParts(NamedTuple):
    """A day, or as much of it as is known; 0 where it is not."""

    year: int = 0
    month: int = 0
    day: int = 0


def written(text: str) -> Iterator[tuple[int, int, DateParts]]:
    """The days that stand in a text, with their places."""
    for found in _WRITTEN.finditer(text):
        if found["iso"]:
            numbers = [int(part) for part in found["iso"].split("-")]
        elif found["dotted"]:
            numbers = [int(part) for part in reversed(found["dotted"].split("."))]
        else:
            month = _NUMBER[(found["m"] or found["m2"] or found["m3"]).lower()]
            year, day = found["y"] or found["y2"] or found["y3"], found["d"] or found["d2"]
            numbers = [int(year or 0), month, int(day or 0)]
        yield found.start(), found.end(), DateParts(*numbers)


def days_of(text: str, said_at: datetime | None) -> Iterator[DateParts]:
    """What a text tells of days: those it names, the day it was said, and what its "yesterday" and "last month" were then."""
    yield from (parts for _, _, parts in written(text))
    if said_at is None:
        return
    yield DateParts(said_at.year, said_at.month, said_at.day)
    for first, last in sentences.pieces(text):
        for is_past in (True, False):
            found = period(text[first:last], said_at, is_past, not is_past)
            if found.start is not None and found.end is not None:
                yield from _of_span(found.start, found.end)
            elif found.start is not None:  # since then: when exactly is not said
                yield DateParts(found.start.year, found.start.month)


def _of_span(start: date, end: date) -> Iterator[DateParts]:
    length = (end - start).days
    if length <= MAX_NAMED_DAYS:
        yield from (DateParts(day.year, day.month, day.day) for day in (start + timedelta(n) for n in range(length)))
    elif length <= MONTH:
        yield DateParts(start.year, start.month)
    else:
        yield DateParts(start.year)


def proves(known: Iterable[DateParts], wanted: DateParts) -> bool:
    """Whether one of them names every part that is wanted; a day without a year may be of any."""
    return any(
        (not wanted.day or one.day == wanted.day)
        and (not wanted.month or one.month == wanted.month)
        and (not wanted.year or one.year == wanted.year or (not one.year and one.month > 0))
        for one in known
    )
