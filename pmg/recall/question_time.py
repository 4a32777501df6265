"""Which time a question asks about, and how well a moment fits it.

Knows: whether a question asks for a time or for what was, and which words tell one; dates ("7 May 2023", "May 7", "2023-05-07"), months, years, seasons, and times relative to now ("yesterday", "last March",
"two weeks ago", "this weekend"). Does not know: the memory, save for the years it spans: a month without a year is tried in each.

People tell of things after they happen, more than before: a session a week after the time asked for still fits, one two days before
hardly. fit = exp(−days after / 7 − days before / 2), and 1 inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from pmg.base.calendar_words import MONTHS, WEEKDAYS
from pmg.base.patterns import IGNORECASE, plain, short
from pmg.base.times import days_back
from pmg.base.words import SMALL_NUMBERS
from pmg.index.terms import document_terms

AFTER, BEFORE = 7.0, 2.0  # days
_DAY = 86_400_000_000  # microseconds

_MONTH = "|".join(f"{name}|{name[:3]}\\.?" for name in MONTHS) + "|sept\\.?"
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_UNITS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14, "month": 30, "year": 365}

_ISO = plain(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_DAY_MONTH = plain(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b,?(?: (\d{{4}}))?")
_MONTH_DAY = plain(rf"\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (\d{{4}}))?")
_MONTH_YEAR = plain(rf"\b({_MONTH}),?(?: of)?(?: (\d{{4}}))?(?!\w)")
# "may" and "march" are words too: without a year they are months only after a word that leads to a time.
_LEADS = plain(r"\b(?:in|of|during|since|last|this|next|by|early|late|mid|until|before|after|for|from|to|around)[ -]$")
_SEASON_YEAR = plain(rf"\b({'|'.join(_SEASONS)})(?: of)?(?: (\d{{4}}))\b|\b(?:last|this) ({'|'.join(_SEASONS)})\b")
_YEAR = plain(r"\b((?:19|20)\d\d)\b")
_COUNT = rf"(\d{{1,3}}|an?|{'|'.join(SMALL_NUMBERS)}|(?:a )?couple(?: of)?|(?:a )?few)"
_AGO = plain(rf"\b{_COUNT} (day|week|month|year|fortnight)s? (?:ago|back|earlier)\b")
_LAST = plain(rf"\b(last|past|this|previous)(?: {_COUNT})? (day|week|weekend|month|year)s?\b")
_LAST_WEEKDAY = plain(rf"\b(?:last|on|this past|this) ({'|'.join(WEEKDAYS)})\b")
# "How much will the rent be from January?" asks what will be so then. It was said before, not in a January that is over.
_TO_COME = short(
    rf"\b(?:will|shall|going to|next)\b|\b(?:from|as of|starting(?: in)?) (?:{_MONTH})(?!.*\b(?:to|until|till|through)\b)"
)
_PAST = plain(r"\b(?:did|was|were|had|happened)\b")

_ASKS_WHEN = plain(r"\bwhen\b|^\s*(?:how long|(?:on |in )?(?:what|which) (?:date|day|month|year))\b", IGNORECASE)
# "has been" and "have you" ask for what was done as "did" does.
_ASKS_PAST = plain(r"\b(?:did|was|were|had|has|have)\b", IGNORECASE)
# Words in which people tell when something was, as the word index has them. "May" is left out: it is mostly the verb.
TELLS_WHEN = tuple(
    dict.fromkeys(
        document_terms(
            "yesterday today tonight tomorrow morning last next ago recently since until day days week weeks weekend month months"
            f" year years {' '.join(WEEKDAYS)} {' '.join(name for name in MONTHS if name != 'may')}"
        )
    )
)


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """From the first day to the day after the last; `description` is how the receipt says it."""

    start: date
    end: date
    description: str


def when(question: str, now: datetime, years: Sequence[int]) -> tuple[AskedPeriod, ...]:
    """The times a question names, most exact first; none if it names none."""
    text = question.lower()[:2_000]
    coarse = dated(text, now, years)
    if _TO_COME.search(text) and not _PAST.search(text) and not _YEAR.search(text):
        coarse = [span for span in coarse if span.start > now.date()]
    return tuple(dict.fromkeys([*coarse, *_relative(text, now.date())]))


def dated(text: str, now: datetime, years: Sequence[int]) -> list[AskedPeriod]:
    """The dates that a text in small letters names, or else its months, its seasons or its years; what has no year is tried in each of `years`."""
    return [*_dates(text, years)] or [*_months(text, years)] or [*_seasons(text, now)] or [*_years(text)]


def asks_when(question: str) -> bool:
    """Whether the answer is a time: a line that tells one is likelier to be it."""
    return bool(_ASKS_WHEN.search(question[:2_000]))


def asks_past(question: str) -> bool:
    """Whether it asks for what was: a line in which somebody tells what they did is likelier to answer it."""
    return bool(_ASKS_PAST.search(question[:2_000]))


def _dates(text: str, years: Sequence[int]) -> Iterator[AskedPeriod]:
    for found in _ISO.finditer(text):
        yield from _day(int(found[1]), int(found[2]), int(found[3]))
    stated = [int(year) for year in _YEAR.findall(text)]
    for pattern, month_at, day_at in ((_DAY_MONTH, 2, 1), (_MONTH_DAY, 1, 2)):
        for found in pattern.finditer(text):
            for year in [int(found[3])] if found[3] else stated or years:
                yield from _day(year, _month(found[month_at]), int(found[day_at]))


def _months(text: str, years: Sequence[int]) -> Iterator[AskedPeriod]:
    stated = [int(year) for year in _YEAR.findall(text)]
    for found in _MONTH_YEAR.finditer(text):
        doubtful = found[1] in ("may", "march", "mar", "sep", "dec", "jan")
        if doubtful and not found[2] and not _LEADS.search(text[: found.start()]):
            continue
        month = _month(found[1])
        for year in [int(found[2])] if found[2] else stated or years:
            if 1 <= year < 9999:
                yield AskedPeriod(
                    date(year, month, 1), _months_on(year, month, 1), f"{MONTHS[month - 1].capitalize()} {year}"
                )


def _seasons(text: str, now: datetime) -> Iterator[AskedPeriod]:
    for found in _SEASON_YEAR.finditer(text):
        month = _SEASONS[found[1] or found[3]]
        year = int(found[2]) if found[2] else now.year - (now.month < month)
        if 1 <= year < 9998:
            yield AskedPeriod(date(year, month, 1), _months_on(year, month, 3), f"{found[1] or found[3]} {year}")


def _years(text: str) -> Iterator[AskedPeriod]:
    for year in sorted({int(found) for found in _YEAR.findall(text)}):
        yield AskedPeriod(date(year, 1, 1), date(year + 1, 1, 1), str(year))


def _relative(text: str, today: date) -> Iterator[AskedPeriod]:
    if plain(r"\byesterday\b").search(text):
        yield AskedPeriod(days_back(today, 1), today, "yesterday")
    for found in _AGO.finditer(text):
        days, unit = _count(found[1]) * _UNITS[found[2]], _UNITS[found[2]]
        middle = days_back(today, days)
        yield AskedPeriod(days_back(middle, unit // 2), days_back(middle, -(unit // 2) - 1), found[0])
    for found in _LAST.finditer(text):
        unit = _UNITS[found[3]]
        yield AskedPeriod(days_back(today, _count(found[2] or "one") * unit), days_back(today, -1), found[0])
    for found in _LAST_WEEKDAY.finditer(text):
        since = (today.weekday() - WEEKDAYS.index(found[1]) - 1) % 7 + 1
        yield AskedPeriod(days_back(today, since), days_back(today, since - 1), found[0])


def _day(year: int, month: int, day: int) -> Iterator[AskedPeriod]:
    try:
        start = date(year, month, day)
    except ValueError:  # 31 April: not a date, so the question names none
        return
    yield AskedPeriod(start, days_back(start, -1), start.isoformat())


def _month(name: str) -> int:
    return next(i + 1 for i, known in enumerate(MONTHS) if known[:3] == name[:3])


def _months_on(year: int, month: int, count: int) -> date:
    months = year * 12 + month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def _count(word: str) -> int:
    if word.isdigit():
        return int(word)
    if "couple" in word:
        return 2
    return 3 if "few" in word else 1 if word in ("a", "an") else SMALL_NUMBERS[word]


def timely(said_at: NDArray[np.int64], spans: Sequence[AskedPeriod]) -> NDArray[np.float64]:
    """How well each moment (microseconds since 1970) fits the best of the spans, 0 to 1."""
    fit = np.zeros(len(said_at))
    for span in spans:
        start, end = (np.datetime64(day, "us").astype(np.int64) for day in (span.start, span.end))
        after = np.maximum(said_at - end, 0) / _DAY
        before = np.maximum(start - said_at, 0) / _DAY
        fit = np.maximum(fit, np.exp(-after / AFTER - before / BEFORE))
    return fit
