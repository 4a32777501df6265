"""A range of days to look at, and the ranges a person picks by name.

Knows: that `until` is the first day that is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from pmg.base.errors import InputError

_DAYS = {"last 7 days": 7, "last 30 days": 30, "last 90 days": 90, "last year": 365}
ALL, CHOSEN = "all time", "from … to …"
NAMES = (ALL, *_DAYS, CHOSEN)


@dataclass(frozen=True, slots=True)
class DateRange:
    """Open at an end that is None."""

    since: date | None = None
    until: date | None = None

    @property
    def arguments(self) -> str:
        """As a macro is given it."""
        ends = (("since", self.since), ("until", self.until))
        return "".join(f", {name} := DATE '{day.isoformat()}'" for name, day in ends if day is not None)


def named(name: str, today: date, since: str = "", until: str = "") -> DateRange:
    """One of NAMES; the last of them takes two days as typed, the second one included."""
    if name in _DAYS:
        return DateRange(today - timedelta(days=_DAYS[name] - 1), today + timedelta(days=1))
    if name == CHOSEN:
        first, last = _day(since), _day(until)
        if first and last and last < first:
            raise InputError(f"{until} is before {since}: give the earlier day first.")
        return DateRange(first, last + timedelta(days=1) if last else None)
    if name == ALL:
        return DateRange()
    raise InputError(f"{name!r} is no range: {', '.join(NAMES)}.")


def _day(text: str) -> date | None:
    if not text.strip():
        return None
    try:
        found = date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise InputError(f"{text!r} is not a day: write it like 2026-11-15.") from None
    if found.year > 9000:  # one day more must still be a day
        raise InputError(f"{text!r} is too far away: write a year up to 9000.")
    return found
