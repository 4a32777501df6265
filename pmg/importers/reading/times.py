"""Times as exports write them: epochs in four units, ISO text, Mongo dates, LoCoMo and LongMemEval dates.

Knows: how to turn any of them into a datetime with a zone; a time without a zone is taken as UTC.
Does not know: which field of which platform holds a time, nor localised prose dates (local_times.py).

Zones may be named: MESZ, JST, Europe/Berlin. A name that nobody knows is noticed, so that the report can tell it; a time whose zone is not
known is read in this machine's zone: most exports write the clock of the person who made them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pmg.base.patterns import linear, plain
from pmg.base.times import is_in_calendar, with_zone

Row = TypeVar("Row")
# Epoch seconds stay below 1e11 until the year 5138: what is larger counts milliseconds, microseconds or nanoseconds.
UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
NUMBER = plain(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
LONG_FRACTION = plain(r"(\.\d{6})\d+")
NAMED_ZONE = linear(r"\s*[\[(]?\b([A-Z]{1,5}|[A-Z][a-z]+(?:/[A-Z][A-Za-z_+-]+){1,2})[\])]?$")
LABELLED = linear(
    r"(?i)\[?\s*(?:timestamp|time|date|created|created at|started|started at|epoch|aider chat started at)\b\s*[:=]?\s*(.*?)\s*\]?"
)
MAX_WRITTEN = 200  # characters: what is longer is no time
WEEKDAY = linear(r"\s*\([A-Za-z]{3,9}\)")
PROSE_FORMATS = (
    "%I:%M %p on %d %B, %Y",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%m/%d/%Y %H:%M:%S %z",
    "%m/%d/%Y %I:%M:%S %p %z",
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%m/%d/%y, %I:%M %p",
    "%m/%d/%y, %H:%M",
    "%d/%m/%y, %H:%M",
    "%d/%m/%Y, %H:%M",
    "%d/%m/%Y, %H:%M:%S",
    "%d/%m/%y, %H:%M:%S",
    "%d.%m.%y, %H:%M",
    "%d.%m.%y, %H:%M:%S",
    "%d.%m.%Y, %H:%M:%S",
    "%d.%m.%Y, %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y-%m-%d %H:%M:%S %Z",
    "%Y-%m-%d %H:%M:%S %z",
    "%a, %d %b %Y %H:%M:%S %z",
    "%a, %d %b %Y %H:%M:%S %Z",
    "%a %b %d %Y %H:%M:%S",
    "%d %B %Y",
    "%B %d, %Y",
)


def parse_time(value: Any) -> datetime | None:
    """The instant a field names, or None where it names none that can be understood."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _epoch(float(value))
    if isinstance(value, str):
        return _written(value.strip()) if len(value) <= MAX_WRITTEN else None
    if isinstance(value, dict):  # Mongo's extended JSON: {"$date": "..."} or {"$date": {"$numberLong": "..."}}
        return parse_time(value.get("$date", value.get("$numberLong", value.get("seconds", value.get("_seconds")))))
    return None


def time_of(source: Mapping[str, Any], *keys: str) -> datetime | None:
    """The instant that the first of these fields names which can be understood."""
    return next((at for key in keys if (at := parse_time(source.get(key)))), None)


def oldest_first(rows: Sequence[Row], at: Callable[[Row], datetime | None]) -> list[Row]:
    """The rows turned round where every one has a time and the newest stands first; else as they stand."""
    times = [moment for row in rows if (moment := at(row))]
    newest_first = len(times) == len(rows) > 1 and times[0] > times[-1] and times == sorted(times, reverse=True)
    return list(reversed(rows)) if newest_first else list(rows)


def _epoch(number: float) -> datetime | None:
    if number != number or number <= 0:
        return None
    for limit, unit in UNITS:
        if number >= limit:
            number /= unit
            break
    try:
        return zoned(datetime.fromtimestamp(number, UTC))
    except (OverflowError, OSError, ValueError):
        return None


def _written(value: str) -> datetime | None:
    if not value:
        return None
    if NUMBER.fullmatch(value):
        return _epoch(float(value)) if len(value) != 8 else _iso(value)
    found = _iso(value) or _prose(value) or _iso(value.replace(", ", " "))
    return found or _with_named_zone(value) or _labelled(value)


def _with_named_zone(value: str) -> datetime | None:
    """`2024-05-01 10:00:00 PST`, `… Europe/Berlin`, with or without brackets."""
    named = NAMED_ZONE.search(value)
    clock = _plain_clock(value[: named.start()].strip()) if named else None
    return zoned(placed(clock, named[1])) if named and clock else None


def _plain_clock(value: str) -> datetime | None:
    for form in ("", *PROSE_FORMATS):
        try:
            found = datetime.strptime(value, form) if form else datetime.fromisoformat(value)
        except ValueError:
            continue
        return found if found.tzinfo is None else None
    return None


def _labelled(value: str) -> datetime | None:
    """`[Timestamp: 2024-05-01 10:00]`, `epoch:1714557600`, `aider chat started at 2024-05-01 10:00:00`."""
    labelled = LABELLED.fullmatch(value)
    return _written(labelled[1].strip()) if labelled else None


def _iso(value: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(LONG_FRACTION.sub(r"\1", value.removesuffix(" UTC")))
    except ValueError:
        return None
    return zoned(found)


def _prose(value: str) -> datetime | None:
    plain = WEEKDAY.sub("", value)
    for form in PROSE_FORMATS:
        try:
            return zoned(datetime.strptime(plain, form))
        except ValueError:
            continue
    return None


def zoned(found: datetime) -> datetime | None:
    """The time with a zone (UTC where it has none); None at the ends of the calendar, where it has no date in some zones."""
    at = with_zone(found)
    return at if is_in_calendar(at) else None


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
