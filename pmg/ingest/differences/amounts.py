"""Numbers, dates and times: as digits or words, brought to one form ("seven pm" and "19:00", "twenty-five" and 25).

Knows: how people write quantities, clock times and calendar days in English.
Does not know: today's date. "Yesterday" stays yesterday.
"""

from __future__ import annotations

import re

from pmg.ingest.differences.scan import Word

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
ONES = {word: value for value, word in enumerate(_ONES.split())}
TENS = {
    word: 10 * value for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split())} | {"twentieth": 20, "thirtieth": 30}
_SUFFIXES = {"k": 1000, "m": 10**6, "mio": 10**6, "mn": 10**6, "bn": 10**9}

_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
WEEKDAYS = {day: day for day in _DAYS.split()}
WEEKDAYS |= {day + "s": day + "*" for day in _DAYS.split()}  # on Mondays: every one of them
WEEKDAYS |= {
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
    "thu": "thursday",
    "thur": "thursday",
}
WEEKDAYS |= {"thurs": "thursday", "fri": "friday"}
_MONTHS = "january february march april may june july august september october november december"
MONTHS = {name: number for number, name in enumerate(_MONTHS.split(), 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
AMBIGUOUS_MONTHS = frozenset(["may", "march", "mar", "dec", "jan"])
RELATIVE = {
    "yesterday": "day-1", "today": "day0", "tomorrow": "day+1", "tonight": "night0", "ago": "ago", "fortnight": "fortnight",
    "weekend": "weekend", "weekends": "weekend", "weekday": "weekday", "weekdays": "weekday", "daily": "day*", "weekly": "week*",
    "monthly": "month*", "yearly": "year*", "annually": "year*", "annual": "year*", "asap": "asap", "later": "later",
    "earlier": "earlier", "christmas": "christmas", "xmas": "christmas", "easter": "easter", "halloween": "halloween",
    "thanksgiving": "thanksgiving",
}  # fmt: skip
PARTS = {
    "morning": "morning", "mornings": "morning", "afternoon": "afternoon", "afternoons": "afternoon", "evening": "evening",
    "evenings": "evening", "night": "night", "nights": "night", "noon": "12:00", "midday": "12:00", "midnight": "00:00",
    "dawn": "dawn", "dusk": "dusk",
}  # fmt: skip
SEASONS = {"summer": "summer", "winter": "winter", "autumn": "autumn"}
SPANS = frozenset(
    "week month year quarter weekend night spring summer autumn fall winter morning semester time day decade century".split()
)
NEARBY = {
    "last": "-1",
    "past": "-1",
    "previous": "-1",
    "next": "+1",
    "coming": "+1",
    "following": "+1",
    "this": "0",
    "every": "*",
    "each": "*",
}

_UNITS = {unit + end: unit for unit in "second minute hour day week month year".split() for end in ("", "s")}
_TRIGGERS = frozenset(
    [*ONES, *TENS, *SCALES, *ORDINALS, *WEEKDAYS, *MONTHS, *RELATIVE, *PARTS, *SEASONS, *NEARBY, "half", "quarter"]
)

_NUMBER = re.compile(r"([-+]?)(\d+(?:[.,:/-]\d+)*)([a-z]*)\Z")
_VERSION = re.compile(r"v(\d+(?:\.\d+)*)\Z")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_RANGE = re.compile(r"(\d{1,6})-(\d{1,6})\Z")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?\Z")


def measure(words: list[Word]) -> list[Word]:
    """The words with every number, date and time joined to one word of kind number or date whose key says its value."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word.kind == "mixed" and (version := _VERSION.match(word.low)):
            word = words[at] = Word(version[1], word.text, word.start, word.end, "num")
        if word.kind == "word" and word.low not in _TRIGGERS and not _is_rate(words, at, found):
            found.append(word)
            at += 1
            continue
        used = (
            _rate(words, at, found)
            or _currency(words, at, found)
            or _date(words, at, found)
            or _number(words, at, found)
        )
        if not used:
            found.append(words[at])
            used = 1
        at += used
    return found


_UNITS_OF_RATE = frozenset("hour day week month quarter year night".split())


def _is_rate(words: list[Word], at: int, found: list[Word]) -> bool:
    """ "$400 a month", "three times per week": behind an amount; and not "a month ago"."""
    low = words[at].low
    if low not in ("a", "an", "per", "each") or _low(words, at + 1) not in _UNITS_OF_RATE:
        return False
    if _low(words, at - 1) in ("in", "for", "within", "after", "over", "during", "about", "around", "of"):
        return False
    if _low(words, at + 2) in ("ago", "later", "before", "after", "from", "off", "old"):
        return False
    return low == "per" or any(word.kind == "number" or word.low in ("once", "twice", "times") for word in found[-4:])


def _rate(words: list[Word], at: int, found: list[Word]) -> int:
    if not _is_rate(words, at, found):
        return 0
    return _put(found, words, at, 2, "date", f"r:{_low(words, at + 1)}*")


_CURRENCIES = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "₹": "rupee", "%": "percent"}


def _currency(words: list[Word], at: int, found: list[Word]) -> int:
    """$20 is 20 dollars: the unit goes behind its number."""
    word = words[at]
    unit = _CURRENCIES.get(word.low) if word.kind == "sign" else None
    if unit is None:
        return 0
    used = 1
    if unit != "percent" and at + 1 < len(words) and words[at + 1].kind == "num":
        used += _number(words, at + 1, found)
    found.append(Word(unit, word.text, word.start, word.end, "word"))
    return used


def _put(found: list[Word], words: list[Word], at: int, used: int, kind: str, key: str) -> int:
    first, last = words[at], words[at + used - 1]
    shown = " ".join(word.text for word in words[at : at + used])
    found.append(Word(first.low, shown, first.start, last.end, kind, key))
    return used


def _low(words: list[Word], at: int) -> str:
    return words[at].low if 0 <= at < len(words) else ""


def _date(words: list[Word], at: int, found: list[Word]) -> int:
    low, follows = words[at].low, _low(words, at + 1)
    if low in WEEKDAYS:
        return _put(found, words, at, 1, "date", "w:" + WEEKDAYS[low])
    if low in RELATIVE:
        return _put(found, words, at, 1, "date", "r:" + RELATIVE[low])
    if low in PARTS:
        key = PARTS[low]
        return _put(found, words, at, 1, "date", ("c:" if key[0].isdigit() else "p:") + key)
    if low in NEARBY and (follows in SPANS or follows in WEEKDAYS or follows in MONTHS):
        key = WEEKDAYS.get(follows) or follows
        if low == "every" and follows == "day":
            return _put(found, words, at, 2, "date", "r:day*")
        return _put(found, words, at, 2, "date", "r:" + key + NEARBY[low])
    if low in SEASONS:
        return _put(found, words, at, 1, "date", "s:" + low)
    if low in MONTHS:
        return _month(words, at, found)
    if low in ("half", "quarter") and follows in ("past", "to"):
        return _spoken_clock(words, at, found)
    return _day_before_month(words, at, found)


def _month(words: list[Word], at: int, found: list[Word]) -> int:
    low, month = words[at].low, MONTHS[words[at].low]
    day = _day(_low(words, at + 1)) or (_day(_low(words, at + 2)) if _low(words, at + 1) == "the" else 0)
    if day:
        return _dated(found, words, at, 2 if _low(words, at + 1) != "the" else 3, f"m:{month}-{day}")
    if low in AMBIGUOUS_MONTHS and not (words[at].text[:1].isupper() and at > 0 and words[at - 1].kind != "stop"):
        return 0
    return _dated(found, words, at, 1, f"m:{month}")


def _dated(found: list[Word], words: list[Word], at: int, used: int, key: str) -> int:
    """A day or month with the year behind it, after a comma or not."""
    gap = 1 if _low(words, at + used) == "," else 0
    year = _low(words, at + used + gap)
    if _YEAR.match(year) and (not gap or "-" in key):
        return _put(found, words, at, used + gap + 1, "date", f"{key}/{year}")
    return _put(found, words, at, used, "date", key)


def _day_before_month(words: list[Word], at: int, found: list[Word]) -> int:
    day = _day(words[at].low)
    if not day:
        return 0
    gap = 2 if _low(words, at + 1) == "of" else 1
    month = _low(words, at + gap)
    if month in MONTHS and (month not in AMBIGUOUS_MONTHS or words[at + gap].text[:1].isupper()):
        return _dated(found, words, at, gap + 1, f"m:{MONTHS[month]}-{day}")
    return 0


def _day(low: str) -> int:
    if low in ORDINALS:
        return ORDINALS[low]
    match = _NUMBER.match(low)
    if (
        match
        and match[2].isascii()
        and match[2].isdigit()
        and match[3] in ("", "st", "nd", "rd", "th")
        and len(match[2]) < 3
    ):
        return int(match[2]) if 1 <= int(match[2]) <= 31 else 0
    return 0


def _spoken_clock(words: list[Word], at: int, found: list[Word]) -> int:
    hour = ONES.get(_low(words, at + 2), 0) or _day(_low(words, at + 2))
    if not 1 <= hour <= 12:
        return 0
    minutes = 30 if words[at].low == "half" else 15 if _low(words, at + 1) == "past" else -15
    total = hour * 60 + minutes
    return _put(found, words, at, 3, "date", f"c:{total // 60}:{total % 60:02}?")


def _number(words: list[Word], at: int, found: list[Word]) -> int:
    word = words[at]
    if word.kind == "num":
        return _digits(words, at, found)
    if (word.low in ORDINALS and word.low != "second") or (word.low == "second" and _low(words, at - 1) == "the"):
        return _put(found, words, at, 1, "number", f"{ORDINALS[word.low]}th")
    if (
        word.low in ONES
        or word.low in TENS
        or (word.low in SCALES and _low(words, at - 1) in ("a", "an", ""))
        or word.low == "dozen"
    ):
        return _spoken(words, at, found)
    return 0


def _spoken(words: list[Word], at: int, found: list[Word]) -> int:
    """Adds up number words: two hundred and five is 205."""
    total = current = used = 0
    while at + used < len(words):
        low = words[at + used].low
        if low in ONES and (used == 0 or current % 10 == 0):
            current += ONES[low]
        elif low in TENS and current % 100 == 0:
            current += TENS[low]
        elif low in SCALES:
            current = max(current, 1) * SCALES[low]
            if SCALES[low] >= 1000:
                total, current = total + current, 0
        elif (
            low == "and"
            and current >= 100
            and (_low(words, at + used + 1) in ONES or _low(words, at + used + 1) in TENS)
        ):
            pass
        else:
            break
        used += 1
    if (
        words[at].low == "one"
        and used == 1
        and _low(words, at - 1) in ("this", "that", "the", "which", "no", "any", "new")
    ):
        return _put(found, words, at, 1, "filler", "")
    return _clocked(words, at, used, total + current, found)


def _clocked(words: list[Word], at: int, used: int, value: int, found: list[Word]) -> int:
    follows = _low(words, at + used)
    if follows in ("am", "pm") and 1 <= value <= 12 and words[at + used].text[:1].lower() in "ap":
        hour = value % 12 + (12 if follows == "pm" else 0)
        return _put(found, words, at, used + 1, "date", f"c:{hour:02}:00")
    if follows == "oclock" or (follows == "o" and _low(words, at + used + 1) == "clock"):
        return _put(found, words, at, used + (1 if follows == "oclock" else 2), "date", f"c:{value}:00?")
    if follows in _UNITS and _low(words, at + used + 1) == "ago":
        return _put(found, words, at, used + 2, "date", f"r:-{_plain(value)} {_UNITS[follows]}")
    part = _part_of_day(words, at + used)
    if part[0] and 1 <= value <= 12:
        hour = value % 12 + (12 if part[1] else 0)
        return _put(found, words, at, used + part[0], "date", f"c:{hour:02}:00")
    if _low(words, at - 1) == "at" and 1 <= value <= 12 and _ends_clock(words, at + used):
        return _put(found, words, at, used, "date", f"c:{value}:00?")
    if value == 1 and _counts_one(words, at + used):
        return _put(found, words, at, used, "one", "1")
    return _put(found, words, at, used, "number", _plain(value))


def _part_of_day(words: list[Word], at: int) -> tuple[int, bool]:
    """(words used, after noon) of "in the morning", "at night", "noon" behind an hour; (0, False) where none stands."""
    lows = [_low(words, at + step) for step in range(3)]
    if lows[:2] == ["in", "the"] and lows[2] in ("morning", "afternoon", "evening"):
        return 3, lows[2] != "morning"
    return (1, True) if lows[0] in ("noon", "midday") else (0, False)


def _ends_clock(words: list[Word], at: int) -> bool:
    """ "at 7." and "at 7 on Monday" are times, "at 7 places" is not."""
    if at >= len(words) or words[at].kind in ("stop", "comma"):
        return True
    return words[at].low in _AFTER_CLOCK or words[at].low in WEEKDAYS


_AFTER_CLOCK = frozenset(
    """on in to for with and at tomorrow today tonight sharp if when because but so unless i we he she they you it the my our his her
    their""".split()
)


def _counts_one(words: list[Word], at: int) -> bool:
    """ "one sister" is "a sister"; "one of them", "one more", "one is" are not."""
    if at >= len(words) or words[at].kind != "word" or not words[at].text[:1].islower():
        return False
    low = words[at].low
    return low.isalpha() and len(low) > 2 and low not in _TRIGGERS and low not in _NOT_COUNTED


_NOT_COUNTED = frozenset(
    """for the and more another other else than that which who with without from into about was were has had have does did are can
    could would should will may might must not but because when while after before until since over under percent per
    plus minus times dollar euro pound thing person place way side hand time day""".split()
)


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _digits(words: list[Word], at: int, found: list[Word]) -> int:
    word = words[at]
    match = _NUMBER.match(word.low)
    if match is None or not match[2].isascii():
        return _put(found, words, at, 1, "number", word.low)
    sign, body, suffix = match.groups()
    iso, clock = _ISO.match(body), _CLOCK.match(body)
    if iso:
        return _put(found, words, at, 1, "date", f"m:{int(iso[2])}-{int(iso[3])}/{iso[1]}")
    if clock:
        return _clock(words, at, found, int(clock[1]), int(clock[2]), suffix, body)
    if suffix in ("am", "pm") and body.isdigit() and 1 <= int(body) <= 12:
        hour = int(body) % 12 + (12 if suffix == "pm" else 0)
        return _put(found, words, at, 1, "date", f"c:{hour:02}:00")
    if suffix in ("st", "nd", "rd", "th"):
        return _put(found, words, at, 1, "number", body + "th")
    span = _RANGE.match(body)
    if span and not sign and not suffix:  # 9-5 is 9 to 5
        _put(found, words, at, 1, "number", str(int(span[1])))
        return _put(found, words, at, 1, "number", str(int(span[2])))
    value = _value(body)
    if value is None:
        return _put(found, words, at, 1, "number", sign.strip("+") + body + suffix)
    word_suffix = suffix
    if suffix in _SUFFIXES:
        value, suffix = value * _SUFFIXES[suffix], ""
    scale = SCALES.get(_low(words, at + 1), 0)
    exact = "." in body and not scale and suffix == word_suffix  # 1.10 is another version than 1.1
    key = sign.strip("+") + (body if exact else _plain(value * scale if scale else value))
    if suffix:
        _put(found, words, at, 1, "number", key)
        found.append(Word(suffix, word.text, word.start, word.end, "word"))
        return 1
    if not sign and not scale and value == int(value) and value < 10**15:
        return _clocked(words, at, 1, int(value), found)
    return _put(found, words, at, 2 if scale else 1, "number", key)


def _clock(words: list[Word], at: int, found: list[Word], hour: int, minute: int, suffix: str, body: str) -> int:
    follows = _low(words, at + 1)
    used, half = (2, follows) if not suffix and follows in ("am", "pm") else (1, suffix)
    if half in ("am", "pm"):
        return _put(found, words, at, used, "date", f"c:{hour % 12 + (12 if half == 'pm' else 0):02}:{minute:02}")
    sure = hour > 12 or hour == 0 or len(body.split(":")[0]) == 2
    return _put(found, words, at, 1, "date", f"c:{hour:02}:{minute:02}" if sure else f"c:{hour}:{minute:02}?")


def _value(body: str) -> float | None:
    """1,000 and 1000 and 1.5 are numbers; 1.2.3, 3/4 and 10-12 are kept as they are written."""
    plain = re.sub(r",(?=\d{3}(?:\D|$))", "", body)
    if not re.fullmatch(r"\d{1,15}(?:[.,]\d{1,15})?", plain):
        return None
    return float(plain.replace(",", "."))
