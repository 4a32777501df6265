"""One question without a chat around it, answered as the chat would. `pmg ask`, Python, REST and MCP ask here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from pmg.answer.answered import Answered, AnswerLine
from pmg.answer.archive_note import archive_note
from pmg.answer.day_meant import day_meant
from pmg.answer.evidence import Evidence, Question, Quote, QuoteKind, Tone
from pmg.answer.find import find
from pmg.answer.look_up import look_up
from pmg.answer.message import asks_what_was_told
from pmg.answer.phrases import Phrase, german, say
from pmg.answer.reading import in_its_language
from pmg.base import arguments
from pmg.base.errors import InputError
from pmg.base.times import now

if TYPE_CHECKING:
    from pmg.engine import Engine

END_OF_DAY = timedelta(days=1, microseconds=-1)


@arguments.renamed(question="query")
def ask(
    engine: Engine, query: str, *, namespace: str = "", at: datetime | None = None, as_of: date | None = None
) -> Answered:
    """`as_of` answers as memory would have on the evening of that day."""
    question, as_of = arguments.text(query, "query"), arguments.day(as_of, "as_of")
    if not question.strip():
        raise InputError("The question is empty: say what you want to know.")
    moment = arguments.moment(at, "at") or now()
    then = datetime.combine(as_of, time(), moment.tzinfo) + END_OF_DAY if as_of is not None else None
    asked = Question(question, None, (), namespace or engine.config.namespace, then or moment, told_by=then)
    found = look_up(engine, asked)
    if found.summary is not None:
        return _of_a_time(engine, asked, found.summary)
    evidence = found.evidence or find(engine, replace(asked, recalled=found.recalled))
    may_be_archived = (
        evidence.tone is not Tone.SURE and then is None
    )  # nobody looks when the lines of the archive were told
    archived = archive_note(engine, asked.namespace, question) if may_be_archived else ""
    return Answered(
        question,
        lead_of(evidence, question),
        evidence.tone,
        round(evidence.chance, 2),
        _lines(engine, evidence.quotes, question),
        tuple(note for note in (archived, unread(engine, question)) if note),
    )


def unread(engine: Engine, question: str) -> str:
    """That nobody read what was found, where somebody should have."""
    is_missed = engine.config.chat.reader and engine.reader.problem and in_its_language(question)
    return say(Phrase.UNREAD, question) if is_missed else ""


def lead_of(found: Evidence, question: str, in_words_of: str = "") -> str:
    """The sentence before the quotes, in the language of the question, or of `in_words_of`."""
    words = in_words_of or question
    if not found.quotes:
        return say(Phrase.NOTHING, words)
    if found.tone is Tone.NOTHING:
        return say(Phrase.NEAREST, words)
    sure = Phrase.HERE if found.here else Phrase.FOUND
    return day_meant(question, found) or say(sure if found.tone is Tone.SURE else Phrase.UNSURE, words)


def lead_of_time(quotes: Sequence[Quote], question: str, in_words_of: str = "") -> str:
    talked = all(quote.kind is QuoteKind.SESSION for quote in quotes) and not asks_what_was_told(question)
    phrase = (Phrase.SUMMARY if talked else Phrase.TOLD_OF) if quotes else Phrase.NO_SUMMARY
    return say(phrase, in_words_of or question)


def _of_a_time(engine: Engine, asked: Question, quotes: Sequence[Quote]) -> Answered:
    """What happened then, or where the conversations of that time begin: nobody measured how often that says it."""
    lead = lead_of_time(quotes, asked.text)
    return Answered(asked.text, lead, None if quotes else Tone.NOTHING, 0.0, _lines(engine, quotes, asked.text))


def _lines(engine: Engine, quotes: Sequence[Quote], question: str) -> tuple[AnswerLine, ...]:
    """What was said around an answer can be had by its segment."""
    shown = [quote for quote in quotes if quote.kind is not QuoteKind.AROUND]
    numbers = engine.reads.numbers_of(list(dict.fromkeys(quote.segment for quote in shown)))
    segments = {one.id: one for one in engine.reads.segments(sorted(numbers.values()))}
    sessions = {name: engine.reads.session(name) for name in sorted({one.session_id for one in segments.values()})}
    called = {name: session.conversation for name, session in sessions.items() if session is not None}
    before = "vorher" if german(question) else "before that"
    return tuple(
        AnswerLine(
            quote.text,
            quote.speaker,
            quote.segment,
            quote.line,
            quote.start,
            quote.end,
            called.get(segments[quote.segment].session_id, "") if quote.segment in segments else "",
            segments[quote.segment].session_name if quote.segment in segments else quote.title,
            quote.at,
            quote.kind,
            before if quote.kind is QuoteKind.OLDER else "",
        )
        for quote in shown
    )
