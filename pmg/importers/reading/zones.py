"""Zones by their names: MESZ, JST, Europe/Berlin. A name that nobody knows is noticed, so that the report can tell it.

A time whose zone is not known is read in this machine's zone: most exports write the clock of the person who made them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOURS: dict[str, float] = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "BST": 1, "WEST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "EET": 2,
    "EEST": 3, "MSK": 3, "IST": 5.5, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "TRT": 3,
    "SAST": 2, "WIB": 7, "WITA": 8, "WIT": 9, "ICT": 7, "SGT": 8, "PHT": 8, "MYT": 8, "AWST": 8, "PKT": 5, "ACST": 9.5,
    "ACDT": 10.5, "AKST": -9, "AKDT": -8, "HST": -10, "AST": -4, "ADT": -3, "ART": -3, "COT": -5, "EST": -5, "EDT": -4,
    "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "BRT": -3, "HKT": 8,
}  # fmt: skip
_noticed: ContextVar[dict[str, int] | None] = ContextVar("unknown_zones", default=None)


@contextmanager
def noticing() -> Iterator[dict[str, int]]:
    """Collects the names that nobody knows, and how often each was met, while a file is read."""
    names: dict[str, int] = {}
    before = _noticed.get()
    _noticed.set(names)
    try:
        yield names
    finally:
        _noticed.set(before)


def zone_of(name: str) -> tzinfo | None:
    """The zone of this name; None (and noticed) where it is not known."""
    if name.upper() in HOURS:
        hours = HOURS[name.upper()]
        return timezone(timedelta(hours=hours)) if hours else UTC
    if "/" in name:
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            pass
    names = _noticed.get()
    if names is not None:
        names[name] = names.get(name, 0) + 1
    return None


def placed(clock: datetime, name: str) -> datetime:
    """A clock reading with the zone of this name, or with this machine's."""
    zone = zone_of(name)
    return clock.replace(tzinfo=zone) if zone is not None else clock.astimezone()
