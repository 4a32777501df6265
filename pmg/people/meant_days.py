"""The day that was meant: "on Thursday" and "yesterday", counted from the day they were said. Pure.

Knows: the words for a day or a span near the one on which somebody speaks, in English and German, and when they cannot be read: "on Thursdays" is every week, of two days nobody
can say which, "next Thursday" is the coming one to some and the one after to others, and what has both a past and a present verb may lie on either side. A wrong day is worse than none.
How a day is put right in the words behind it is corrected_day.py's, when a claim holds is moments.py's, what time a question names recall/question_time.py's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pmg.base import sentences
from pmg.base.calendar_words import GERMAN_WEEKDAYS, WEEKDAYS
from pmg.base.patterns import short
from pmg.base.verbs import BE, is_past
from pmg.base.words import STOP_WORDS
from pmg.index.terms import document_terms
from pmg.people.answer_dates import written
from pmg.people.corrected_day import corrected_day, only_corrects_a_day, takes_day_back

_NUMBER = {name: number for number, names in enumerate(zip(WEEKDAYS, GERMAN_WEEKDAYS, strict=True)) for name in names}
_NUMBER["sonnabend"] = _NUMBER["samstag"]
_WEEKDAY = re.compile(
    rf"\b(?P<before>on|this|last|next|every|each|by|to|until|till|for|not|of|am|diesen|letzten|vorigen|nächsten|kommenden|jeden|bis|auf|nicht|nicht am|statt|vom)?\s*"
    rf"\b(?P<day>{'|'.join(_NUMBER)})(?P<many>s)?(?:\s?(?:morning|afternoon|evening|night|morgen|vormittag|nachmittag|abend))?\b"
    r"(?:,? (?:the |den |der )?(?P<number>\d{1,2})(?:st|nd|rd|th|\.(?!\d))(?!\w))?",
    re.IGNORECASE,
)
_SATURDAY = 5
_SHORT_DAY = re.compile(r"\b(last|next|on|this) (mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?", re.IGNORECASE)
_LAST = frozenset(("last", "letzten", "vorigen"))
_COMING = frozenset(("this", "by", "to", "until", "till", "for", "diesen", "bis", "auf", "kommenden"))
_DENIED = frozenset(("not", "of", "nicht", "nicht am", "statt"))  # "Tuesday, not Monday", "instead of Monday"
_PLAIN = frozenset(("", "on", "am"))
# days from the one on which it is said
_NEAR = (
    (-2, r"(?:the )?day before yesterday|vorgestern"),
    (-1, r"yesterday|last night|gestern|letzte nacht"),
    (0, r"today|tonight|this (?:morning|afternoon|evening)|heute"),
    (2, r"(?:the )?day after tomorrow|übermorgen"),
    (1, r"tomorrow|(?<!guten )(?<!heute )(?<!am )(?<!jeden )(?<!tag )morgen"),
)
_DAYS = tuple((days, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)) for days, pattern in _NEAR)
_COUNT = {word: at for at, row in enumerate("one|a|einem two|zwei three|drei four|vier five|fünf six|sechs seven|sieben".split(), 1) for word in row.split("|")}  # fmt: skip
_AGO = re.compile(r"\b(\d{1,2}|\w+) days? ago\b|\bvor (\d{1,2}|\w+) tag(?:en)?\b", re.IGNORECASE)
_IN = re.compile(r"\bin (\d{1,2}|\w+) (?:days?|tag(?:en)?)\b", re.IGNORECASE)
_SPAN = re.compile(
    r"\b(?P<side>last|next|this(?: past)?|letzte[nmrs]?|vorige[nmrs]?|vergangene[nmrs]?|nächste[nmrs]?|kommende[nmrs]?|diese[nmrs]?|"
    r"(?:at|over|on) the(?= weekend)|(?:am|übers)(?= wochenende)) (?P<unit>weekend|week|month|year|wochenende|woche|monat|jahr)\b",
    re.IGNORECASE,
)
_UNITS = {"weekend": "weekend", "wochenende": "weekend", "week": "week", "woche": "week", "month": "month", "monat": "month", "year": "year", "jahr": "year"}  # fmt: skip
_GERMAN_PAST = re.compile(
    r"\b(?:war|waren|hatten?|ging|kam|gab|wurden?|fuhr|traf)\b|\b(?:habe|hat|haben|bin|ist|sind)\b.*"
    r"\b(?-i:[a-zäöü]*ge\w{2,}(?:t|en)|(?:ver|be|er|ent)\w{2,}(?:t|en))\b(?=\s*(?:[.,;!?]|$|und\b|aber\b|weil\b))",
    re.IGNORECASE,
)
_PRESENT = frozenset(
    "is are am have has will must need needs shall going should can may ll ve ist sind bin habe hat haben wird werde werden muss soll kann".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_GOT = re.compile(r"\b(have|has|ve|s) got\b", re.IGNORECASE)  # "I've got an appointment" is now
_I_MEANT = re.compile(
    r"\b(?:i|we) meant\b(?: to say\b)?(?! to\b)", re.IGNORECASE
)  # it corrects, and says nothing of then
_WONT = re.compile(r"\bwon['’]?t\b", re.IGNORECASE)
_REPEATED = re.compile(
    r"\b(?:every|each|always|usually|often|jede[nmrs]?|immer|meistens|oft|(?:mon|tues|wednes|thurs|fri|satur|sun)days|\w+tags|mittwochs|"
    r"\w+day (?:of|in) (?:the|a|each|every) (?:month|quarter|term|year)|(?:\w+tag|mittwoch|sonnabend) (?:im|des|eines) (?:monats?|quartals?|jahre?s?))\b",
    re.IGNORECASE,
)
ASKS_WHEN = short(
    r"\W*(?:(?:and|but|so|und|aber|on|an|for|since|until|seit|bis)[\s,]+)*(?:when|wann|(?:what|which|welche[mnrs]?) (?:day|date|weekday|tag|datum|wochentag))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class MeantTime:
    """From `first` to `last`, both included."""

    first: date
    last: date


NOBODY_KNOWS = MeantTime(date.max, date.max)


def meant_time(text: str, said_at: datetime, terms: Collection[str] = ()) -> MeantTime | None:
    """The one near time that a text names, in the sentence that has most of these terms, or that is put in its place right behind; None where it names none, several, or one that
    may lie on either side, where another sentence with half as many of them names a time, too, and where nobody can say what "no, I meant Tuesday" corrects."""
    parts = [text[first:last] for first, last in sentences.pieces(text)]
    shared = [len(set(terms) & set(document_terms(part))) for part in parts]
    most = max(shared, default=0)
    place = shared.index(most) if parts else 0
    best = parts[place] if parts else ""
    if not best or next(written(best), None) is not None or is_repeated(best) or only_corrects_a_day(best):
        return None
    telling = set(terms) - STOP_WORDS
    said = telling & set(document_terms(best))
    others = [
        part for part in parts if part is not best and said and len(said) <= 2 * len(said & set(document_terms(part)))
    ]
    if any(_names_a_time(one, said_at.date()) for one in others):
        return None
    found = near_times(best, said_at.date())
    if found:
        found = _corrected(best, found, parts[place + 1 :], said_at.date())
    return next(iter(found)) if len(found) == 1 and NOBODY_KNOWS not in found else None


def _corrected(sentence: str, times: set[MeantTime], after: Sequence[str], today: date) -> set[MeantTime]:
    """A sentence's times, or what the last of those behind it puts in their place."""
    if any(takes_day_back(sentence, one) and not only_corrects_a_day(one) for one in after):
        return set()
    last, before, is_of_another = None, None, False
    for at, one in enumerate(after):
        found = corrected_day("".join(after[at : at + 2]))
        if found and is_of_another:
            return set()  # "Party on Saturday. The bins go out on Monday. Actually make it Tuesday."
        # Right behind a correction it may be the half of it that names the day: "No wait. Tomorrow."
        is_of_another |= found is None and before is None and _names_a_time(one, today)
        last, before = found or last, found
    if last is None:
        return times
    if not last.is_all or NOBODY_KNOWS in times:
        return set()
    return near_times(f"was {last.words}" if in_past(sentence) else last.words, today)


def _names_a_time(sentence: str, today: date) -> bool:
    return bool(near_times(sentence, today)) or is_repeated(sentence) or next(written(sentence), None) is not None


def near_times(sentence: str, today: date) -> set[MeantTime]:
    """Every near time that it names; of one that nobody can place there is `NOBODY_KNOWS` beside the likeliest or alone."""
    text = _SHORT_DAY.sub(_in_full, _GOT.sub(r"\1", _I_MEANT.sub(" ", sentence)))
    try:
        return {*_near_days(text, today), *_weekdays(text, today), *_spans(text, today)}
    except (OverflowError, ValueError):  # beyond the years that Python knows
        return set()


def _in_full(found: re.Match[str]) -> str:
    return f"{found[1]} {next(day for day in WEEKDAYS if day.startswith(found[2].lower()))}"


def is_repeated(text: str) -> bool:
    """ "Every Friday", "on Thursdays"."""
    return _REPEATED.search(text) is not None


def _near_days(text: str, today: date) -> list[MeantTime]:
    found: list[MeantTime] = []
    for days, pattern in _DAYS:
        if pattern.search(text):
            found.append(_one(today + timedelta(days)))
            text = pattern.sub(" ", text) if abs(days) > 1 else text  # "the day before yesterday" names no yesterday
    for pattern, side in ((_AGO, -1), (_IN, 1)):
        counted = pattern.search(text)
        if counted and (count := _count(next(one for one in counted.groups() if one))):
            found.append(_one(today + timedelta(side * count)))
    return found


def _weekdays(text: str, today: date) -> list[MeantTime]:
    found: list[MeantTime] = []
    sides: dict[str, int] = {}  # each is read from the whole text, and a timetable names many days
    for one in _WEEKDAY.finditer(text):
        before = (one["before"] or "").lower()
        if before in _DENIED:
            continue
        if before not in sides:
            sides[before] = _side(text, before)
        side = sides[before] if not one["many"] else 0
        ahead = (_NUMBER[one["day"].lower()] - today.weekday()) % 7
        if side:
            day = today + timedelta((ahead or 7) if side > 0 else ahead - 7)
            is_another = one["number"] is not None and day.day != int(
                one["number"]
            )  # "Friday 15th", and the next is the 20th
            found.append(NOBODY_KNOWS if is_another else _one(day))
        if not side or (not ahead and before not in _LAST):
            found.append(NOBODY_KNOWS)  # the very weekday on which it is said may be today or a week away
    return found


def _side(text: str, before: str) -> int:
    """1 ahead, -1 behind, 0 where nobody can say."""
    if before in _LAST:
        return -1
    if before in _COMING:
        return 1 if before != "this" or not in_past(text) else 0
    if before not in _PLAIN:
        return 0
    words = set(_WORD.findall(text.lower()))
    if not in_past(text):
        return 1
    return 0 if words & _PRESENT and not _GERMAN_PAST.search(text) else -1


def in_past(text: str) -> bool:
    """It has a verb in the past; "I've got an appointment" and "we won't come" have none."""
    words = _WORD.findall(_WONT.sub("will not", _GOT.sub(r"\1", text)).lower())
    return _GERMAN_PAST.search(text) is not None or any(
        is_past(one) for one in words if one not in BE - {"was", "were"}
    )


def _spans(text: str, today: date) -> list[MeantTime]:
    found: list[MeantTime] = []
    for one in _SPAN.finditer(text):
        unit, step = _UNITS[one["unit"].lower()], _step(one["side"].lower())
        if unit == "weekend" and not step and today.weekday() < _SATURDAY and in_past(text):
            step = -1  # "at the weekend we went": said on a Monday, it is the one that is over
        found.append(_span(unit, step, today))
    return found


def _step(side: str) -> int:
    if side.startswith(("last", "letzt", "vorig", "vergang")):
        return -1
    return 1 if side.startswith(("next", "nächst", "kommend")) else 0


def _span(unit: str, step: int, today: date) -> MeantTime:
    if unit == "year":
        return MeantTime(date(today.year + step, 1, 1), date(today.year + step, 12, 31))
    if unit == "month":
        months = today.year * 12 + today.month - 1 + step
        first, after = (date(n // 12, n % 12 + 1, 1) for n in (months, months + 1))
        return MeantTime(first, after - timedelta(1))
    monday = today + timedelta(7 * step - today.weekday())
    return MeantTime(monday + timedelta(5 if unit == "weekend" else 0), monday + timedelta(6))


def _one(day: date) -> MeantTime:
    return MeantTime(day, day)


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else _COUNT.get(word.lower(), 0)
