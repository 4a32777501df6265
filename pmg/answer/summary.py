"""A summary without a language model: the main sessions of a time or about a matter, by date, each as a reference to where it begins.

Knows: which sessions are the main ones, and that whoever asks what happened is first given the lines that tell of that time (told_lines.py), whenever they were said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from pmg.answer.event_time import SUMMARY_DAYS, day_of, event_in, without_event
from pmg.answer.event_time import period as event_period
from pmg.answer.evidence import Question, Quote, QuoteKind
from pmg.answer.message import asks_what_happened, asks_what_was_told, only_seeks
from pmg.answer.phrases import OURS
from pmg.answer.sentences import split
from pmg.answer.time_frame import is_within, period_ahead, period_of_summary
from pmg.answer.told_lines import lines_ahead, told_lines
from pmg.base.calendar_words import MONTHS, WEEKDAYS
from pmg.base.model import CHAT_SOURCE, Role, Segment, Session
from pmg.base.times import now
from pmg.base.words import STOP_WORDS
from pmg.index.terms import document_terms
from pmg.ingest.asked import ASKED, YES
from pmg.people.answer_dates import written
from pmg.people.told_times import is_of_another_time
from pmg.recall.german_times import in_english
from pmg.recall.question_time import AskedPeriod

if TYPE_CHECKING:
    from pmg.engine import Engine

MAX_SESSIONS = 12  # sessions: a month each for a year, and what fits on a screen
MAX_TOLD = 8  # lines that tell of the time: where there are sessions of it too, some of those are seen
SHORT = 7  # days of which more is told than where each session begins, where there is room
MIN_TURNS = 2  # turns: where there are more sessions than are listed, less is hardly a conversation
READ = 2_000  # characters of a line that may say that it tells of another time
OPENING = 160  # characters of a session's first words that stand for it
_WORD = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"\w['’]s\b")
_FRAME = frozenset((*MONTHS, *WEEKDAYS)) | frozenset(
    """summarise summarize summary summaries sum up recap overview review short brief quick give write make show please happened happen talk
    talked discuss discussed doing going new fasse fass fasst zusammen zusammenfassung überblick kurze gib bitte mir los passiert geschehen
    gemacht getan mein meine meinen jahr last past this year years month months week weeks weekend day days yesterday today ago spring summer
    der die das den dem des ein eine einen einem einer autumn fall winter told tell said say find show list wrote noted zeig zeige know mention mentioned remember erzählt gesagt erwähnt weißt heute gestern was wie wo ich du wir mir mich uns dir habe hab haben hatte über von zu zum zur bisher everything alles conversations conversation chats gespräche memory memories""".split()
)


def summary(engine: Engine, request: Question) -> tuple[Quote, ...]:
    """Lines that tell of the time, by the time they tell of; then references to sessions, oldest first: one each; of a matter or of a few days, more of each."""
    happened = asks_what_happened(request.text)
    known = [s for s in engine.sessions(request.namespace) if s.segments and request.may_know(s.started_at)]
    asked_at = request.at or now()
    years = sorted({session.started_at.year for session in known})
    period = period_of_summary(request.text, asked_at, years) or _around_an_event(engine, request)
    if asks_what_was_told(request.text) and (said := _told_to_us(engine, known, period)):
        return said
    about = "" if happened else topic(without_event(request.text))
    if about:
        known = _about(request, known)
    inside_it = [s for s in known if period is None or _reaches_into(s, period)]
    if about:
        inside_it = [s for s in inside_it if _lines_that_name(engine, s, period, about)] or inside_it
    told = _told(engine, request, period, bool(inside_it)) if happened and period is not None else []
    told = _spread(told, max(MAX_TOLD, MAX_SESSIONS - len(inside_it)))
    lines = {(quote.segment, quote.line) for quote in told}
    room = MAX_SESSIONS - len(told)
    main = main_sessions(inside_it, room)
    each = max(1, room // len(main)) if main and (about or _is_short(period)) and not happened else 1
    quotes = [
        quote
        for session in main
        for quote in _first_lines(engine, session, period, happened, about, each)
        if (quote.segment, quote.line) not in lines
    ]
    quotes = _of_all(about, quotes) if _POSSESSIVE.search(request.text) else quotes
    return (*told, *sorted(quotes, key=lambda quote: (quote.at, quote.segment, quote.line)))


def _told_to_us(engine: Engine, known: Sequence[Session], period: AskedPeriod | None) -> tuple[Quote, ...]:
    """Of a few days, what was told to this program line by line; none of a longer time, of which the sessions speak."""
    if period is None or not _is_short(period):
        return ()
    ours = sorted((s for s in known if s.source == CHAT_SOURCE and _reaches_into(s, period)), key=_when)
    return tuple(_spread([quote for s in ours for quote in _told_in(engine, s, period, happened=False)], MAX_SESSIONS))


def _of_all(about: str, quotes: list[Quote]) -> list[Quote]:
    """Those that name all of the matter, if any does: of "Callum's deposit" neither another's deposit nor all else of Callum."""
    terms = set(document_terms(about))
    return [quote for quote in quotes if terms and terms <= set(document_terms(quote.text))] or quotes


def agenda(engine: Engine, request: Question) -> tuple[Quote, ...]:
    """What is to come in the time that is asked for, by its days; none where nothing is told of it."""
    period = period_ahead(request.text, request.at or now())
    found = lines_ahead(engine, request, period) if period is not None else []
    return tuple(one.quote for one in found[:MAX_SESSIONS])


def _is_short(period: AskedPeriod | None) -> bool:
    return period is not None and (period.end - period.start).days <= SHORT


def _told(engine: Engine, request: Question, period: AskedPeriod, was_talk: bool) -> list[Quote]:
    """Of a day without a year ("on 17 March") of which nothing is known this year, what is told of it in any other."""
    found = told_lines(engine, request, period)
    if not found and not was_talk and any(parts.day and not parts.year for _, _, parts in written(request.text)):
        found = told_lines(engine, request, period, in_any_year=True)
    return [one.quote for one in found]


def _spread(told: list[Quote], count: int) -> list[Quote]:
    """So many of them, so that no part of the time is missing."""
    if len(told) <= count:
        return told
    return [told[place * (len(told) - 1) // (count - 1)] for place in range(count)]


def _reaches_into(session: Session, period: AskedPeriod) -> bool:
    """Some of it may have been said then: a chat that goes on for months is of every one of them."""
    return session.started_at.date() < period.end and (
        session.ended_at is None or session.ended_at.date() >= period.start
    )


def _around_an_event(engine: Engine, request: Question) -> AskedPeriod | None:
    event = event_in(request.text)
    day = day_of(engine, request, event) if event else None
    return event_period(event, day, SUMMARY_DAYS) if event and day else None


def topic(text: str) -> str:
    """What a summary is to be about, besides a time; empty: everything."""
    if asks_what_was_told(text):
        return ""
    told = (
        word for word in _WORD.findall(in_english(text)) if len(word) > 1 or word.isupper()
    )  # "Callum's" ends in a word of its own
    words = [word for word in told if word.lower() not in _FRAME | STOP_WORDS]
    return " ".join(words)


def main_sessions(sessions: Sequence[Session], count: int = MAX_SESSIONS) -> list[Session]:
    """The longest of each of so many stretches of the time, so that no part of it is missing; in order of time."""
    if len(sessions) <= count:
        return sorted(sessions, key=_when)
    if count < 1:
        return []
    talks = [s for s in sessions if s.segments >= MIN_TURNS]
    in_time = sorted(talks if len(talks) >= count else sessions, key=_when)
    first, last = in_time[0].started_at, in_time[-1].started_at
    width = (last - first) / count
    best: dict[int, Session] = {}
    for session in in_time:
        place = min(count - 1, int((session.started_at - first) / width)) if width else 0
        held = best.get(place)
        best[place] = session if held is None or session.segments > held.segments else held
    return [best[place] for place in sorted(best)]


def _when(session: Session) -> tuple[float, str]:
    return session.started_at.timestamp(), session.id


def _about(request: Question, known: Sequence[Session]) -> list[Session]:
    """This chat, and the sessions that recall found for the message."""
    recalled = request.recalled.segments if request.recalled else ()
    found = {passage.session_id for passage in (*recalled, *request.before)}
    return [session for session in known if session.id in found]


def _first_lines(
    engine: Engine, session: Session, period: AskedPeriod | None, happened: bool, about: str, count: int
) -> list[Quote]:
    """Where it begins within the time that is asked for; of a matter, the lines that name it, if any does."""
    lines = _told_in(engine, session, period, happened)
    if not about:
        return list(islice(lines, count))
    return (_lines_that_name(engine, session, period, about) or list(islice(lines, 1)))[:count]


def _lines_that_name(engine: Engine, session: Session, period: AskedPeriod | None, about: str) -> list[Quote]:
    terms = frozenset(document_terms(about))
    quotes = _told_in(engine, session, period, happened=False, terms=terms)
    return [quote for quote in quotes if not terms.isdisjoint(document_terms(quote.text))]


def _told_in(
    engine: Engine, session: Session, period: AskedPeriod | None, happened: bool, terms: frozenset[str] = frozenset()
) -> Iterator[Quote]:
    """What was only asked of memory is no news, and what tells of another time did not happen in this one."""
    for segment in engine.reads.segments_of(session.id):
        if segment.meta.get(ASKED) == YES or (period is not None and not is_within(segment.at.date(), period)):
            continue
        for line, said in enumerate(segment.lines):
            if (
                said.role in (Role.USER, Role.PERSON, Role.DOCUMENT)
                and said.text.strip()
                and not said.text.startswith(OURS)
                and not (segment.source == CHAT_SOURCE and only_seeks(said.text))
                and not (happened and period is not None and is_of_another_time(said.text[:READ], segment.at, period))
            ):
                yield _quote(segment, line, terms)


def _quote(segment: Segment, line: int, terms: frozenset[str]) -> Quote:
    """Its first words; of a matter, from the sentence that names it."""
    said = segment.lines[line]
    ranges = split(said.text)
    naming = (at for at, (a, b) in enumerate(ranges) if not terms.isdisjoint(document_terms(said.text[a:b])))
    ranges = ranges[next(naming, 0) :]
    start, end = ranges[0]
    for _, later in ranges[1:]:
        end = later if later <= start + OPENING else end
    text = said.text[start:end]
    return Quote(segment.id, line, start, end, text, said.speaker, segment.at, segment.session_name, QuoteKind.SESSION)
