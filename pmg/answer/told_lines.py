"""Lines that tell of a time, whenever they were said: "Yesterday I took Pickle to the vet", told today, is of yesterday.

Knows: which lines can tell of it, by the word index and the day on which they were said, so that no other is read. What a sentence tells of is read by
people/told_times.py; the sessions held in that time are summary.py's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from pmg.answer.evidence import Question, Quote
from pmg.base import sentences
from pmg.base.calendar_words import GERMAN_MONTHS, GERMAN_WEEKDAYS, MONTHS, WEEKDAYS
from pmg.base.model import Line, Role
from pmg.index.catalogue import ROLES
from pmg.index.terms import document_terms
from pmg.ingest.asked import only_asks
from pmg.people.meant_days import MeantTime
from pmg.people.told_times import (
    WEEK,
    is_within,
    pieces,
    repeated_in,
    tells_of,
    times_ahead,
    times_told,
)
from pmg.recall.question_time import AskedPeriod
from pmg.store.rows import Numbers

if TYPE_CHECKING:
    from pmg.engine import Engine

MAX_READ = 1_000  # lines: about half a second; of more, those with a written date or year and as many others, spread evenly over the time in which they were said
WHOLE = 240  # characters: a line that is longer is quoted by the sentence that tells of the time
_TOLD = (Role.USER, Role.PERSON, Role.DOCUMENT)
_ASKS_OF_ME = re.compile(r"\b(?:i|ich)\b", re.IGNORECASE)
# A word that counts from the day it is said, and how many days after the time asked for it can still mean it.
_NEAR_WORDS = (
    (0, "today tonight morning afternoon evening heute"),
    (1, "yesterday night gestern nacht"),
    (2, "yesterday vorgestern"),
    (14, "weekend week wochenende woche"),
    (62, "month monat"),
    (731, "year spring summer autumn fall winter jahr frühling frühjahr sommer herbst christmas weihnachten silvester easter"),
)  # fmt: skip
# … and how many days before a time to come.
_WORDS_AHEAD = (
    (0, "today tonight morning afternoon evening heute"),
    (2, "tomorrow morgen übermorgen"),
    (14, "weekend week wochenende woche days tagen"),
    (62, "month monat"),
    (731, "year jahr"),
)
_WEEKDAY_REACH, _MONTH_REACH = 7, 366  # days
_REPEATS_SINCE = 366  # days: "on Thursdays" holds as long
_ALWAYS = "ago tagen wochen monaten jahren"  # "vor drei Jahren": counts back as far as anybody likes
_PARTS_OF_DAY = ("", "s", "morgen", "vormittag", "mittag", "nachmittag", "abend", "nacht")
_LIFE = 100  # years back in which a day without a year is looked for
_LONG = 800  # days: of a longer time no written day is looked for by itself


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line that tells of a time; `quote` is the line, or the sentence of it that tells."""

    time: MeantTime
    quote: Quote


@dataclass(frozen=True, slots=True)
class _AskedTime:
    period: AskedPeriod
    in_any_year: bool = False  # its day, whichever year it was
    is_ahead: bool = False  # what is to come, not what was

    def told_in(self, sentence: str, said_at: datetime, by_someone: bool) -> MeantTime | None:
        """The first time that is asked for of those of which the sentence tells."""
        if not self.is_ahead:
            return self._first(times_told(sentence, said_at, by_someone=by_someone))
        return self._first(times_ahead(sentence, said_at, by_someone=by_someone)) or repeated_in(sentence, self.period)

    def _first(self, told: Sequence[MeantTime]) -> MeantTime | None:
        return next((time for time in told if self.has(time)), None)

    def has(self, time: MeantTime) -> bool:
        if not self.in_any_year:
            return tells_of(time, self.period)
        day = self.period.start
        return time.first == time.last and (time.first.month, time.first.day) == (day.month, day.day)


def told_lines(engine: Engine, request: Question, period: AskedPeriod, *, in_any_year: bool = False) -> list[ToldLine]:
    """In order of the time they tell of, what only touches the period last; what is said twice of the same time stands once. Those of this chat too, kept or not.
    `in_any_year`: of the period's first day, in whichever year."""
    return _told(engine, request, _AskedTime(period, in_any_year))


def lines_ahead(engine: Engine, request: Question, period: AskedPeriod) -> list[ToldLine]:
    """Those that tell what is to come then, or is every week: "the skip comes tomorrow", told yesterday, is of today."""
    return _told(engine, request, _AskedTime(period, is_ahead=True))


def _tellable(engine: Engine, namespace: str) -> Numbers:
    """The segments that may be shown and are no mere questions."""
    catalogue = engine.indexes.catalogue
    segments = np.arange(1, catalogue.size + 1, dtype=np.int64)
    segments = segments[catalogue.showable(segments, catalogue.namespaces.find(namespace))]
    tellable: Numbers = segments[~catalogue.segment("asked")[segments]]
    return tellable


def _days_said(engine: Engine, segments: Numbers) -> Numbers:
    catalogue = engine.indexes.catalogue
    seconds: Numbers = catalogue.segment("said_at")[segments] // 1_000_000 + catalogue.segment("said_offset")[segments]
    return seconds // 86_400


def _told(engine: Engine, request: Question, asked: _AskedTime) -> list[ToldLine]:
    period, found = asked.period, [*_stored(engine, request, asked), *_unkept(request, asked)]
    found.sort(
        key=lambda told: (
            not is_within(told.time, period),
            told.time.first,
            told.quote.at,
            told.quote.segment,
            told.quote.line,
        )
    )
    return list({(told.time, told.quote.text.casefold()): told for told in reversed(found)}.values())[::-1]


def _stored(engine: Engine, request: Question, asked: _AskedTime) -> Iterator[ToldLine]:
    places = _candidates(engine, request.namespace, asked)
    numbers = sorted({number for number, _ in places})
    mine = _own_lines(engine, request, numbers)
    wanted = set(places) if mine is None else set(places) & mine
    for segment in engine.reads.segments(numbers):
        for at, line in enumerate(segment.lines if request.may_know(segment.at) else ()):
            time = _time_told(line, segment.at, asked) if (segment.number, at) in wanted else None
            if time is not None:
                yield ToldLine(time[0], _quote(segment.id, at, line, time[1], segment.at, segment.session_name))


def _unkept(request: Question, asked: _AskedTime) -> Iterator[ToldLine]:
    """Of a chat that is not remembered."""
    for turn in request.before:
        for at, line in enumerate(turn.lines if not turn.id else ()):
            time = _time_told(line, turn.at, asked) if line.role in _TOLD and not only_asks(line.text) else None
            if time is not None:
                yield ToldLine(time[0], _quote(turn.id, at, line, time[1], turn.at, turn.title))


def _own_lines(engine: Engine, request: Question, numbers: Sequence[int]) -> set[tuple[int, int]] | None:
    """Asked what I did, those that I say; None: everybody's, and also where memory does not know who I am."""
    if not _ASKS_OF_ME.search(request.text) or not engine.reads.browse.owner_names(request.namespace):
        return None
    return engine.reads.browse.owner_lines(numbers)


def _time_told(line: Line, said_at: datetime, asked: _AskedTime) -> tuple[MeantTime, sentences.Range] | None:
    """The first time of the line that is asked for, and the sentence that tells of it."""
    for first, last in pieces(line.text):
        time = asked.told_in(line.text[first:last], line.at or said_at, line.role is not Role.DOCUMENT)
        if time is not None:
            return time, sentences.trimmed(line.text, first, last)
    return None


def _quote(segment: str, at: int, line: Line, sentence: sentences.Range, said_at: datetime, title: str) -> Quote:
    start, end = sentences.trimmed(line.text, 0, len(line.text)) if len(line.text) <= WHOLE else sentence
    return Quote(segment, at, start, end, line.text[start:end], line.speaker, said_at, title)


def _candidates(engine: Engine, namespace: str, asked: _AskedTime) -> list[tuple[int, int]]:
    """Segment and place of each line that has a word for this time and was said when that word can mean it."""
    with engine.indexes.lock.reading():
        catalogue, lexical = engine.indexes.catalogue, engine.indexes.lexical(namespace)
        if lexical is None:
            return []
        segments = _tellable(engine, namespace)
        days, roles = _days_said(engine, segments), [ROLES.index(role) for role in _TOLD]
        found: list[Numbers] = []
        for first, last, terms in _words_and_when(asked):
            lines = catalogue.lines_of(segments[(days >= first) & (days < last)])
            lines = lines[np.isin(catalogue.line("role")[lines], roles)]
            found.append(lines[lexical.having(terms, lines)])
        written, others = found[0], np.concatenate([found[0][:0], *found[1:]])
        lines = np.union1d(_spread(written), _spread(np.setdiff1d(others, written)))
        owners = catalogue.segments_of_lines(lines)
        places = lines - catalogue.segment("first_line")[owners]
    return list(zip(owners.tolist(), places.tolist(), strict=True))


def _words_and_when(asked: _AskedTime) -> Iterator[tuple[int, int, list[str]]]:
    """From which day, before which, and by which words a line that is asked for can have been said; written dates first."""
    start, end, ever = _number(asked.period.start), _number(asked.period.end), _number(date.max)
    if asked.is_ahead:
        yield from ((start - reach, end, terms) for reach, terms in _terms_ahead(asked.period))
    elif asked.in_any_year:
        yield from ((_number(date.min), ever, terms) for _, terms in _terms_of_day(asked.period.start))
    else:
        yield from ((start, ever if reach is None else end + reach, terms) for reach, terms in _terms(asked.period))


def _terms_ahead(period: AskedPeriod) -> Iterator[tuple[int, list[str]]]:
    """The words for a time to come, by how many days before it they can mean it."""
    days = [period.start + timedelta(days=n) for n in range(min((period.end - period.start).days, _LONG))]
    written = [form for day in days for form in (f"{day.day}.{day.month}.{day.year}", f"{day:%d.%m.%Y}")]
    months = [name for day in days for name in _month_names(day)]
    yield _MONTH_REACH, document_terms(" ".join(dict.fromkeys((*written, *months))))
    yield from ((reach, document_terms(words)) for reach, words in _WORDS_AHEAD)
    yield _REPEATS_SINCE if len(days) <= WEEK else _WEEKDAY_REACH, document_terms(" ".join(_weekday_names(days)))


def _weekday_names(days: Sequence[date]) -> list[str]:
    weekdays = {day.weekday() for day in days[:7]}
    named = [f"{GERMAN_WEEKDAYS[day]}{part}" for day in weekdays for part in _PARTS_OF_DAY]
    return [
        *named,
        *(WEEKDAYS[day][:length] for day in weekdays for length in (3, 4, 5, None)),
    ]  # "last Fri", "last Tues"


def _terms_of_day(day: date) -> Iterator[tuple[int | None, list[str]]]:
    """The words for this day of any year."""
    years = range(day.year - _LIFE, day.year + 1)
    written = [form for year in years for form in (f"{day.day}.{day.month}.{year}", f"{day:%d.%m.}{year}")]
    yield None, document_terms(" ".join([*_month_names(day), *written]))


def _month_names(day: date) -> Iterator[str]:
    for name in (MONTHS[day.month - 1], GERMAN_MONTHS[day.month - 1]):
        yield from (name, name[:3])


def _terms(period: AskedPeriod) -> Iterator[tuple[int | None, list[str]]]:
    """The words for this time, as the index has them, by how many days after it they can mean it; None, the first: ever after."""
    length = min((period.end - period.start).days, _LONG)
    days = [period.start + timedelta(days=n) for n in range(length)]
    years = [str(year) for year in range(period.start.year, (period.end - timedelta(days=1)).year + 1)]
    written = [form for day in days for form in (f"{day.day}.{day.month}.{day.year}", f"{day:%d.%m.%Y}")]
    yield None, document_terms(" ".join([_ALWAYS, *years, *dict.fromkeys(written)]))
    yield from ((reach, document_terms(words)) for reach, words in _NEAR_WORDS)
    yield _WEEKDAY_REACH, document_terms(" ".join(_weekday_names(days)))
    yield _MONTH_REACH, document_terms(" ".join(dict.fromkeys(name for day in days for name in _month_names(day))))


def _spread(lines: Numbers) -> Numbers:
    """At most `MAX_READ` of them, from end to end."""
    if len(lines) <= MAX_READ:
        return lines
    return lines[np.linspace(0, len(lines) - 1, MAX_READ).astype(np.int64)]


def _number(day: date) -> int:
    """Days since 1970, as the catalogue's moments are counted."""
    return (day - date(1970, 1, 1)).days
