"""Times as Google writes them into HTML: localised dates with zones such as MESZ, JST or GMT+01:00.

Knows: numeric dates in the common orders, English month names, zones by name; the rest it asks dateparser, whose
answer is slow, so the common forms come first. Does not know: the page around the time.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from pmg.importers.times import zoned

CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp]\.?\s?[Mm]\.?)?")
YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
OFFSET = re.compile(r"(?:GMT|UTC)\s*([+-−])(\d{1,2})(?::?(\d{2}))?")
ZONE = re.compile(r"\b([A-Z]{2,5})\b\s*$")
YMD = re.compile(r"((?:19|20)\d{2})\s*[年./-]\s*(\d{1,2})\s*[月./-]\s*(\d{1,2})")
DMY = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-]((?:19|20)\d{2})")
NAMED = re.compile(
    r"([A-Z][a-z]{2})[a-z]*\.?\s+(\d{1,2}),?\s+((?:19|20)\d{2})|(\d{1,2})\s+([A-Z][a-z]{2})[a-z]*\.?,?\s+((?:19|20)\d{2})"
)
MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
HOURS: dict[str, float] = {
    "UTC": 0,
    "GMT": 0,
    "WET": 0,
    "BST": 1,
    "WEST": 1,
    "CET": 1,
    "MEZ": 1,
    "CEST": 2,
    "MESZ": 2,
    "EET": 2,
}
HOURS |= {"EEST": 3, "MSK": 3, "IST": 5.5, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13}
HOURS |= {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "BRT": -3, "HKT": 8}


def looks_like_time(line: str) -> bool:
    """Short, with a clock and a year: a line of prose seldom is."""
    return len(line) <= 80 and bool(CLOCK.search(line)) and bool(YEAR.search(line))


def parse_local(line: str) -> datetime | None:
    plain = re.sub(r"[\s\u00a0\u202f]+", " ", line).strip()
    clock, day = CLOCK.search(plain), _day(plain)
    if clock is None or day is None:
        return _slowly(plain)
    hour = int(clock[1])
    if clock[4]:
        hour = hour % 12 + (12 if clock[4][0] in "pP" else 0)
    try:
        return datetime(*day, hour, int(clock[2]), int(clock[3] or 0), tzinfo=_zone(plain))
    except ValueError:
        return None


def _day(plain: str) -> tuple[int, int, int] | None:
    if found := YMD.search(plain):
        return int(found[1]), int(found[2]), int(found[3])
    if found := NAMED.search(plain):
        month = MONTHS.get(found[1] or found[5])
        return (int(found[3] or found[6]), month, int(found[2] or found[4])) if month else None
    if found := DMY.search(plain):
        day, month = int(found[1]), int(found[2])
        if month > 12 or ("/" in found[0] and re.search(r"[AaPp]\.?[Mm]", plain) and day <= 12):
            day, month = month, day  # 7/18/2026, 3:31 PM is American
        return int(found[3]), month, day
    return None


def _zone(plain: str) -> timezone:
    if found := OFFSET.search(plain):
        shift = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        return timezone(shift if found[1] == "+" else -shift) if shift < timedelta(hours=24) else UTC
    named = ZONE.search(plain)
    hours = HOURS.get(named[1]) if named else None
    return timezone(timedelta(hours=hours)) if hours else UTC


def _slowly(plain: str) -> datetime | None:
    import dateparser  # here, for its import costs more than most imports need it

    found = dateparser.parse(plain)
    return zoned(found) if isinstance(found, datetime) else None
