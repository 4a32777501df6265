"""Ranges of time as a person types and reads them: a year, a month, a day, an hour, or from one moment to another.

Knows: the calendar. Times are clock times without a zone, as they were said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from pmg.base.errors import InputError

UNITS = ("hour", "day", "month", "year")
FIRST, LAST = datetime(1, 1, 1), datetime(9999, 1, 1)  # every step stays inside what a calendar can hold
_TYPED = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?:[ T](\d{1,2}):(\d{2}))?")


@dataclass(frozen=True, slots=True)
class TimeRange:
    since: datetime
    until: datetime  # not included

    @property
    def length(self) -> timedelta:
        return self.until - self.since

    @property
    def unit(self) -> str:
        """The calendar unit that this range is exactly, or nothing."""
        return next(
            (unit for unit in UNITS if self == around(self.since, unit) and self.since == floor(self.since, unit)), ""
        )


def floor(at: datetime, unit: str) -> datetime:
    plain = at.replace(minute=0, second=0, microsecond=0, tzinfo=None)
    if unit == "hour":
        return plain
    plain = plain.replace(hour=0)
    if unit == "day":
        return plain
    return plain.replace(day=1) if unit == "month" else plain.replace(month=1, day=1)


def after(at: datetime, unit: str) -> datetime:
    """The beginning of the next unit; the calendar's end where there is none."""
    try:
        if unit in ("hour", "day"):
            return floor(at, unit) + timedelta(**{f"{unit}s": 1})
        start = floor(at, unit)
        if unit == "month" and start.month < 12:
            return start.replace(month=start.month + 1)
        return start.replace(year=start.year + 1, month=1)
    except (OverflowError, ValueError):
        return LAST


def around(at: datetime, unit: str) -> TimeRange:
    return TimeRange(floor(at, unit), after(at, unit))


def typed(since: str, until: str) -> TimeRange | None:
    """What a person typed in two fields, the second included; None when both are empty."""
    if not since.strip() and not until.strip():
        return None
    begin = _range_of(since).since if since.strip() else FIRST
    end = _range_of(until).until if until.strip() else LAST
    if begin >= end:
        raise InputError(f"The range from {since!r} to {until!r} is empty: put the earlier date first.")
    return TimeRange(begin, end)


def _range_of(text: str) -> TimeRange:
    """2025, 2025-03, 2025-03-14 or 2025-03-14 15:30: all of it."""
    found = _TYPED.fullmatch(text.strip())
    if found is None:
        raise InputError(f"{text!r} is not a date: write it like 2025, 2025-03, 2025-03-14 or 2025-03-14 15:30.")
    year, month, day, hour, minute = found.groups()
    try:
        at = datetime(int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0))
    except ValueError as error:
        raise InputError(f"{text!r} is not in the calendar ({error}): write it like 2025-03-14.") from None
    if hour:
        return TimeRange(at, at + timedelta(minutes=1))
    return around(at, "day" if day else "month" if month else "year")


def from_text(ends: tuple[str, ...]) -> TimeRange | None:
    try:
        since, until = (datetime.fromisoformat(end).replace(tzinfo=None) for end in ends)
    except ValueError:
        return None
    return TimeRange(since, until) if since < until else None


def in_words(span: TimeRange) -> str:
    since, until = span.since, span.until
    said = {
        "hour": f"{since:%a} {day(since)}, {since:%H}:00",
        "day": f"{since:%A} {since.day} {since:%B %Y}",
        "month": f"{since:%B %Y}",
        "year": f"{since:%Y}",
    }
    if span.unit:
        return said[span.unit]
    if span.length <= timedelta(days=2):
        ends = f"{until:%H:%M}" if until.date() == since.date() else f"{until:%a} {day(until)}, {until:%H:%M}"
        return f"{since:%a} {day(since)}, {since:%H:%M} – {ends}"
    return f"{day(since)} – {day(until - timedelta(microseconds=1))}"


def day(at: datetime) -> str:
    return f"{at.day} {at:%b %Y}"
