"""Moments: where a time has no zone, what is stored, and how a time is shown.

Knows: a moment is stored as UTC microseconds with the offset it was given in, so it comes back exactly as it was said.
Does not know: time expressions inside text (recall reads those).
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from pmg.base.errors import InputError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A day inside the years that Python knows: between these every moment has a date in every zone.
_FIRST, _END = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def now() -> datetime:
    return datetime.now().astimezone()


def with_zone(at: datetime) -> datetime:
    """A time without a zone out of somebody else's file is read as UTC: the same on every machine (docs/importing.md)."""
    return at if _has_zone(at) else at.replace(tzinfo=UTC)


def on_this_clock(at: datetime) -> datetime:
    """A time without a zone that a person gives is read on the clock of this machine, as it stood then (summer time)."""
    if _has_zone(at):
        return at
    try:
        return at.replace(tzinfo=None).astimezone()
    except (OverflowError, OSError, ValueError):  # no clock of this machine reaches the ends of Python's years
        return with_zone(at)


def is_in_calendar(at: datetime) -> bool:
    """Whether a moment has a date in every zone: at the ends of Python's years it has none in some, and could not be shown there."""
    return _FIRST <= with_zone(at) < _END


def checked(at: datetime) -> datetime:
    """A moment that comes in."""
    if not is_in_calendar(at):
        raise InputError(
            f"{at.isoformat()} has no date in some zones: give a time from 0001-01-02 to 9999-12-30 in UTC."
        )
    return at


def _has_zone(at: datetime) -> bool:
    return at.tzinfo is not None and at.utcoffset() is not None


def offset_seconds(at: datetime) -> int:
    offset = at.utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


def to_micros(at: datetime) -> int:
    """Whole microseconds since 1970, exact for every year Python knows."""
    return (with_zone(at) - _EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int, offset: int = 0) -> datetime:
    """The moment in the offset it was said in. Reckoned in local time: in UTC the ends of Python's years would overflow."""
    try:
        local = _EPOCH.replace(tzinfo=None) + timedelta(microseconds=micros, seconds=offset)
    except OverflowError:  # beyond the years 1 and 9999 in this offset: the same moment in one where it is inside
        inside = 23 * 3600 if micros < 0 else -23 * 3600
        if offset == inside:  # there is none
            raise
        return from_micros(micros, inside)
    return local.replace(tzinfo=timezone(timedelta(seconds=offset)) if offset else UTC)


def parse(text: str) -> datetime:
    """An ISO 8601 time, as written by a program or in somebody else's file."""
    return checked(with_zone(_typed(text)))


def parse_typed(text: str) -> datetime:
    """As `parse`, of what a person says about the own life: without a zone it is the clock of this machine."""
    return checked(on_this_clock(_typed(text)))


def parse_range(since: str, until: str) -> tuple[datetime | None, datetime | None]:
    """From the first moment to the first that is left out, as typed; empty: open. A date alone at the end counts as a whole day.

    What has no zone keeps none: it is read on the clock of whoever spoke.
    """
    first, last = (None if not text.strip() else _typed(text) for text in (since, until))
    if last is not None and _is_date(until):
        last = _day_after(last)
    if first is not None and last is not None and with_zone(first) >= with_zone(last):
        raise InputError(f"Nothing lies between {since.strip()} and {until.strip()}: give the earlier time first.")
    return first, last


def within(at: datetime, since: datetime | None, until: datetime | None) -> bool:
    """Whether a moment lies in a range of `parse_range`."""
    return (since is None or _as_written(at, since) >= since) and (until is None or _as_written(at, until) < until)


def _as_written(at: datetime, like: datetime) -> datetime:
    return at.replace(tzinfo=None) if like.tzinfo is None else at


def _typed(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(f"{text!r} is not a time: write it like 2026-11-15 or 2026-11-15T09:30:00+01:00") from None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def _day_after(at: datetime) -> datetime:
    try:
        return at + timedelta(days=1)
    except OverflowError:  # the last day of the calendar
        return datetime.max


def shown(at: datetime) -> str:
    """Absolute, with weekday and offset: `Tue 2026-03-03 19:02 +01:00`. A language model needs the weekday to reason."""
    written = at.isoformat(" ", "minutes")  # many times as fast as strftime, which an import asks at every turn
    return f"{_WEEKDAYS[at.weekday()]} {written[:16]} {written[16:22] or ':'}"


def days_back(day: date, days: int) -> date:
    """So many days before a day, a negative number after it; the calendar's first or last day where it ends."""
    try:
        return day - timedelta(days=days)
    except OverflowError:
        return date.min if days > 0 else date.max
