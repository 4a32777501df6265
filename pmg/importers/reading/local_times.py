"""Times as Google writes them into HTML: localised dates with zones such as MESZ, JST or GMT+01:00.

Handles numeric dates in the common orders, months by their short names in some twenty languages, zones by name; the rest
it asks dateparser, whose answer is slow and not always right.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from pmg.importers.reading.times import HOURS, placed, zoned

CLOCK = re.compile(r"(?<![\d.])(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?!\.?\d)\s*([AaPp]\.?\s?[Mm]\b\.?|[πμ]\.?\s?μ\.?)?")
YEAR = re.compile(r"(?<!\d)(?:19|20|25)\d{2}(?!\d)")
EAST = re.compile(r"(오전|午前|上午|凌晨|早上)|(오후|午後|下午|晚上|中午)")  # stand before the clock
BUDDHIST = 2400  # years above this count from the Buddha's death, 543 years before the common era
OFFSET = re.compile(r"(?:GMT|UTC)\s*([+-−])(\d{1,2})(?::?(\d{2}))?")
HALVES = ("AM", "PM")  # halves of the day, no zones
ZONE = re.compile(r"\b([A-Z]{2,5})\b[\s\])]*$")
YMD = re.compile(r"((?:19|20)\d{2})\s*[년年./-]\s*(\d{1,2})\s*[월月./-]\s*(\d{1,2})")
DMY = re.compile(r"(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?((?:19|20)\d{2})")
WORD = re.compile(r"[^\W\d_]{3,}")
# Short names of the months, January first; one that begins like another of its language is written longer.
MONTHS: dict[str, int] = {}
for _names in (
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "jän feb mär apr mai jun jul aug sep okt nov dez",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "ene feb mar abr may jun jul ago sept oct nov dic",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "jan feb maa apr mei jun jul aug sep okt nov dec",
    "sty lut mar kwi maj cze lip sie wrz paź lis gru",
    "led úno bře dub kvě čvn čvc srp zář říj lis pro",
    "янв фев мар апр мая июн июл авг сен окт ноя дек",
    "січ лют бер кві тра чер лип сер вер жов лис гру",
    "oca şub mar nis may haz tem ağu eyl eki kas ara",
    "ian feb mar apr mai iun iul aug sep oct nov dec",
    "jan febr márc ápr máj jún júl aug szept okt nov dec",
    "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
    "jan feb mars apr maj juni juli aug sep okt nov dec",
    "jan feb mar apr mei jun jul agu sep okt nov des",
    "ιαν φεβ μαρ απρ μαΐ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
):
    MONTHS.update({name: MONTHS.get(name, number) for number, name in enumerate(_names.split(), 1)})


def looks_like_time(line: str) -> bool:
    """Short, with a clock and a year: a line of prose seldom is."""
    return len(line) <= 80 and bool(YEAR.search(line)) and _clock(line) is not None


def _clock(line: str) -> re.Match[str] | None:
    """The clock: with colons before one with dots, for dates have dots too."""
    found = list(CLOCK.finditer(line))
    return next((each for each in found if ":" in each[0]), next((each for each in found if each[3]), None))


def parse_local(line: str) -> datetime | None:
    plain = re.sub(r"[\s\u00a0\u202f]+", " ", line).strip()
    clock = _clock(plain)
    day = _day(plain[: clock.start()] + " " + plain[clock.end() :], clock[4] or "") if clock else None
    if clock is None or day is None:
        return _slowly(plain)
    hour = int(clock[1])
    east = EAST.search(plain[: clock.start()])
    if clock[4] or east:
        hour = hour % 12 + (12 if (clock[4] and clock[4][0] in "pPμ") or (east and east[2]) else 0)
    try:
        return zoned(_placed(datetime(*day, hour, int(clock[2]), int(clock[3] or 0)), plain))
    except ValueError:
        return None


def _day(date: str, half: str) -> tuple[int, int, int] | None:
    """Year, month and day of what stands beside the clock."""
    if found := YMD.search(date):
        return int(found[1]), int(found[2]), int(found[3])
    if found := DMY.search(date):
        day, month = int(found[1]), int(found[2])
        if month > 12 or ("/" in found[0] and half[:1] in ("A", "a", "P", "p") and half and day <= 12):
            day, month = month, day  # 7/18/2026, 3:31 PM is American
        return int(found[3]), month, day
    return _named_day(OFFSET.sub(" ", date))


def _named_day(date: str) -> tuple[int, int, int] | None:
    year, month = YEAR.search(date), _month(date)
    numbers = re.findall(r"(?<!\d)\d{1,2}(?!\d)", date)
    if year is None or not month or not numbers:
        return None
    return int(year[0]) - (543 if int(year[0]) > BUDDHIST else 0), month, int(numbers[0])


def _month(date: str) -> int:
    for word in WORD.findall(date.lower()):
        for length in range(len(word), 2, -1):  # the longest name first: "juin" is not "jui"
            if word[:length] in MONTHS:
                return MONTHS[word[:length]]
    return 0


def _placed(clock: datetime, plain: str) -> datetime:
    """The clock in the zone that the line names; UTC where it names none."""
    if found := OFFSET.search(plain):
        shift = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        zone = timezone(shift if found[1] == "+" else -shift) if shift < timedelta(hours=24) else UTC
        return clock.replace(tzinfo=zone)
    named = ZONE.search(plain)
    if named is None or named[1] in HALVES:
        return clock.replace(tzinfo=UTC)
    if named[1] == "CST" and re.search("[年日]", plain):
        return clock.replace(tzinfo=timezone(timedelta(hours=8)))  # China's, not Chicago's
    return placed(clock, named[1])


def _slowly(plain: str) -> datetime | None:
    import dateparser  # here, for its import costs more than most imports need it

    found = dateparser.parse(plain)
    if not isinstance(found, datetime):
        return None
    if found.year > BUDDHIST:
        found = found.replace(year=found.year - 543)
    named = ZONE.search(plain)
    if OFFSET.search(plain) or (named and named[1] in HOURS):
        found = _placed(found.replace(tzinfo=None), plain)  # its own reading of a short name may be another country's
    return zoned(found)
