"""Moments: where a time has no zone, what is stored, and how a time is shown.

Knows: a moment is stored as UTC microseconds with the offset it was given in, so it comes back exactly as it was said.
Does not know: time expressions inside text (recall reads those).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from pmg.errors import InputError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def now() -> datetime:
    return datetime.now().astimezone()


def with_zone(at: datetime) -> datetime:
    """A time without a zone is read as UTC: the same on every machine, and said in the documentation."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None or at.utcoffset() is None else at


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
        return from_micros(micros, 23 * 3600 if micros < 0 else -23 * 3600)
    return local.replace(tzinfo=timezone(timedelta(seconds=offset)) if offset else UTC)


def parse(text: str) -> datetime:
    """An ISO 8601 time, as typed by a person or read from a file."""
    try:
        return with_zone(datetime.fromisoformat(text.strip()))
    except ValueError:
        raise InputError(f"{text!r} is not a time: write it like 2026-11-15 or 2026-11-15T09:30:00+01:00") from None


def shown(at: datetime) -> str:
    """Absolute, with weekday and offset: `Tue 2026-03-03 19:02 +01:00`. A language model needs the weekday to reason."""
    written = at.isoformat(" ", "minutes")  # many times as fast as strftime, which an import asks at every turn
    return f"{_WEEKDAYS[at.weekday()]} {written[:16]} {written[16:22] or ':'}"
