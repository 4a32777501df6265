"""Of which times a sentence tells: "Yesterday I took Pickle to the vet", "We got married in 2014", "Vor drei Jahren …", each counted from the day it was said. Pure.

Knows: that only what is over on that day is told ("on Friday we had", not "on Friday we have"), that what repeats is of no time, and that a sentence may tell of several.
Words for near times are read by meant_days.py, dates and years by recall/question_time.py. One time, and none in doubt, is meant_days.py's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from pmg.base import sentences
from pmg.base.calendar_words import GERMAN_MONTHS, GERMAN_WEEKDAYS, MONTHS, WEEKDAYS
from pmg.base.patterns import short
from pmg.ingest.asked import reads_like_a_question
from pmg.people.meant_days import NOBODY_KNOWS, MeantTime, in_past, is_repeated, near_times
from pmg.people.moments import times_ago, worded
from pmg.recall.question_time import AskedPeriod, dated

NAMED_DAYS = 3  # days of a time that tells of each of them: "last weekend" does, "last week" does not
WEEK = 7  # days: of a longer time what repeats is no news
_AROUND = {"day": 0, "week": 3}  # days to either side of "two weeks ago"
# most clauses name no time: they are not read any further
_ANY = re.compile(
    r"\d|\b(?:yesterday|today|tonight|this|last|ago|night|days?|weekend|weeks?|months?|years?|spring|summer|autumn|fall|winter|christmas|new year|tomorrow|"
    r"(?:vor)?gestern|heute|(?:über)?morgen|nacht|tage?n?|wochen?|wochenende|monate?n?|jahre?n?|frühling|frühjahr|sommer|herbst|weihnachten|silvester|neujahr|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|jän|mär|mai|okt|dez)\w*\.?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag\w*|mittwoch\w*|sonnabend\w*)\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(rf"\b(\d{{1,2}})\.(?= (?:{'|'.join((*GERMAN_MONTHS, 'jänner'))})\b)", re.IGNORECASE)
_CLAUSE = short(r"[,;:–—]\s+(?!\d)|(?<!\s)\s+(?:and|but|so|und|aber|sowie)\s+", re.IGNORECASE)
# a stretch with neither a past verb nor one of these is no clause of its own: "and a beer with Anna on Friday"
_HAS_SUBJECT = re.compile(
    r"\b(?:i|we|you|he|she|it|they|there|is|are|am|will|have|has|ich|wir|du|er|sie|es|ist|sind|bin|habe|haben|hat)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:will|shall|going to|gonna|have to|has to|must|need to|needs to|should|want to|wants to|plan|plans|tonight|this evening|"
    r"werde|werden|wird|muss|müssen|soll|sollen|will|wollen|möchte|heute abend)\b|['’]ll\b",
    re.IGNORECASE,
)
# "a book I read last year says to always …": what repeats is not what was then
_ONCE = re.compile(
    r"\b(?:yesterday|ago|last (?:night|week|weekend|month|year)|gestern|letzte[nmrs]? (?:nacht|woche|wochenende|monat|jahr))\b",
    re.IGNORECASE,
)
# to most the coming one; whoever asks for that day is shown the words
_NEXT_DAY = re.compile(rf"\b(?:next|nächste[nmrs]?) (?=(?:{'|'.join((*WEEKDAYS, *GERMAN_WEEKDAYS))})\b)", re.IGNORECASE)
_SUPPOSED = re.compile(r"\b(?:would|würde)\b", re.IGNORECASE)
# "in August last year": neither all of last year nor the last August
_LAST_YEAR = re.compile(
    rf"\b({'|'.join(dict.fromkeys((*MONTHS, *GERMAN_MONTHS)))})(?: of)? (?:last year|letzten jahres|letztes jahr)\b",
    re.IGNORECASE,
)
# "asked if I come for Christmas": the asking is over, Christmas is not. In the words of moments.py.
_FOR = re.compile(
    rf"\b(?:for|by|until|till|before|bis|für|zu|zum|auf) (?:the |den |dem )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?(?:{'|'.join(MONTHS)})\b(?: \d{{1,2}})?"
)
# a number of four figures that is no year
_NO_YEAR = re.compile(
    r"(?:[£$€#/+]\s?|\b(?:pin|code|number|no\.|nr\.|room|route|version|model|nummer|zimmer)\s(?:is\s|ist\s)?)\d{4}\b"
    r"|\b\d{4}(?=\s?(?:[€$£%]|[.,:]\d|(?:euros?|pounds?|dollars?|km|k?m|miles?|kg|g|ml|kcal|calories|steps|words|people|pages|times|hours|metres|meters|"
    r"schritte|wörter|leute|seiten|mal|stück|meter|uhr)\b))",
    re.IGNORECASE,
)


def pieces(text: str) -> list[sentences.Range]:
    """The sentences of a text; "am 1. Februar" ends none."""
    return sentences.pieces(_ORDINAL.sub(r"\1 ", text))


def times_told(sentence: str, said_at: datetime, *, by_someone: bool = True) -> tuple[MeantTime, ...]:
    """The times up to the day on which it was said; none of a question. What nobody says (`by_someone`: a file) has no "yesterday"."""
    if not _ANY.search(sentence) or sentences.asks(sentence) or reads_like_a_question(sentence):
        return ()
    today = said_at.date()
    found: list[MeantTime] = []
    for clause in _clauses(sentence):
        if not _ANY.search(clause) or (is_repeated(clause) and not _ONCE.search(clause)):
            continue
        clause = _LAST_YEAR.sub(rf"\1 {today.year - 1}", clause)
        times = [*_near(clause, today), *_dates(clause, said_at)] if by_someone else _with_year(clause, said_at)
        found += [_so_far(time, today) for time in times if _is_over(time, today, clause)]
    return tuple(dict.fromkeys(found))


def times_ahead(sentence: str, said_at: datetime, *, by_someone: bool = True) -> tuple[MeantTime, ...]:
    """The times from the day on which it was said that something is told to be in; none of a question, of what is over, or of what repeats."""
    if not by_someone or not _ANY.search(sentence) or sentences.asks(sentence) or reads_like_a_question(sentence):
        return ()
    clauses = [clause for clause in _clauses(sentence) if _ANY.search(clause) and not is_repeated(clause)]
    return tuple(dict.fromkeys(time for clause in clauses for time in named_ahead(clause, said_at)))


def named_ahead(clause: str, said_at: datetime) -> list[MeantTime]:
    """What is not over on that day; a day without a year is the next one there is."""
    clause = _NEXT_DAY.sub("on ", clause)
    today, text = said_at.date(), worded(_NO_YEAR.sub(" ", clause), is_past=False)
    near = [time for time in near_times(clause, today) - {NOBODY_KNOWS} if time.last >= today]
    written = _with_year(clause, said_at)
    if not near and not written and not in_past(clause):
        coming = (_days(one) for year in (today.year, today.year + 1) for one in dated(text, said_at, [year]))
        written = [time for time in coming if time.last >= today][:1]
    return [*sorted(near, key=lambda time: (time.first, time.last)), *(time for time in written if time.last >= today)]


def repeated_in(sentence: str, asked: AskedPeriod) -> MeantTime | None:
    """The first day of the period on which something is told to be every week: "choir is on Thursdays"."""
    if (asked.end - asked.start).days > WEEK or not is_repeated(sentence) or sentences.asks(sentence):
        return None
    named = sentence.lower()
    for after in range((asked.end - asked.start).days):
        day = asked.start + timedelta(days=after)
        if any(
            re.search(rf"\b{name}s?\b", named) for name in (WEEKDAYS[day.weekday()], GERMAN_WEEKDAYS[day.weekday()])
        ):
            return MeantTime(day, day)
    return None


def is_of_another_time(text: str, said_at: datetime, asked: AskedPeriod) -> bool:
    """Its words name times, to come or over, and none that is asked for: said today, "tomorrow I see Anna" is nothing of today."""
    parts = [part for first, last in pieces(text) if _ANY.search(part := text[first:last])]
    named = [time for part in parts for time in (*_near(part, said_at.date()), *_dates(part, said_at))]
    times = [time for part in parts for time in times_told(part, said_at)]
    return bool(named) and not any(tells_of(time, asked) for time in times)


def tells_of(time: MeantTime, asked: AskedPeriod) -> bool:
    """Whether what is told of a time was in the time that is asked for: a few days that touch it, or most of a span no longer than it."""
    length = (time.last - time.first).days + 1
    if length <= NAMED_DAYS:
        return time.first < asked.end and time.last >= asked.start
    middle = time.first + timedelta(days=length // 2)
    return asked.start <= middle < asked.end and length <= (asked.end - asked.start).days + 1


def is_within(time: MeantTime, asked: AskedPeriod) -> bool:
    return asked.start <= time.first and time.last < asked.end


def _clauses(sentence: str) -> list[str]:
    """At commas and "and", but so that each has a verb or somebody it is about: else it belongs to what follows, the last to what is before."""
    found, rest = [], ""
    start = 0
    for end, after in [*((cut.start(), cut.end()) for cut in _CLAUSE.finditer(sentence)), (len(sentence),) * 2]:
        rest, start = f"{rest} {sentence[start:end]}".strip(), after
        if in_past(rest) or _HAS_SUBJECT.search(rest):
            found.append(rest)
            rest = ""
    if rest and found:
        found[-1] = f"{found[-1]} {rest}"
    return found or [rest]


def _near(clause: str, today: date) -> Iterator[MeantTime]:
    yield from near_times(clause, today) - {NOBODY_KNOWS}
    for day, unit in times_ago(worded(clause, is_past=True), today):
        if unit == "year":
            yield MeantTime(date(day.year, 1, 1), date(day.year, 12, 31))
        elif unit == "month":
            yield MeantTime(day.replace(day=1), _day_before(date(day.year + day.month // 12, day.month % 12 + 1, 1)))
        elif date.min + timedelta(days=_AROUND[unit]) <= day:
            yield MeantTime(day - timedelta(days=_AROUND[unit]), day + timedelta(days=_AROUND[unit]))


def _dates(clause: str, said_at: datetime) -> list[MeantTime]:
    """Written ones. Without a year it is the latest there was, and only where something is told of the past."""
    found = _with_year(clause, said_at)
    if found or not in_past(clause):
        return found
    text, today = _FOR.sub(" ", worded(_NO_YEAR.sub(" ", clause), is_past=True)), said_at.date()
    for year in (today.year, today.year - 1):
        found = [_days(one) for one in dated(text, said_at, [year]) if one.start <= today]
        if found:
            break
    return found


def _with_year(clause: str, said_at: datetime) -> list[MeantTime]:
    return [_days(one) for one in dated(worded(_NO_YEAR.sub(" ", clause), is_past=False), said_at, [])]


def _is_over(time: MeantTime, today: date, clause: str) -> bool:
    """Of a time that is not over, only what is not planned: "today I have to take the bins out" tells of nothing that was."""
    if time.last < today or time.first > today:
        return time.last < today
    return not _SUPPOSED.search(clause) and (in_past(clause) or not _PLANNED.search(clause))


def _so_far(time: MeantTime, today: date) -> MeantTime:
    return MeantTime(time.first, min(time.last, today))


def _days(period: AskedPeriod) -> MeantTime:
    return MeantTime(period.start, _day_before(period.end))


def _day_before(day: date) -> date:
    return day - timedelta(days=1)
