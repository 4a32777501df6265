"""One question without a chat around it: what claims say of people, else the passages that the chat would quote.

Knows: which of the two answers, as in the chat (people_answer.py), and how passages become the lines of an answer. `pmg ask`, REST and MCP ask here;
`Engine.ask` is the half that knows people alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from pmg.base.errors import InputError
from pmg.base.times import now
from pmg.chat import evidence, phrases
from pmg.chat.archive_note import archive_note
from pmg.chat.message import MessageKind, asks_what_happened, asks_what_is_ahead, asks_what_was_told, kind_of
from pmg.chat.people_answer import PeopleAnswer, about_people
from pmg.chat.phrases import Phrase, german
from pmg.chat.responder import Evidence, Quote, QuoteKind, Tone
from pmg.chat.turn import ChatTarget, requested
from pmg.people.answer import NOTHING, AnswerLine, Asked
from pmg.people.ask import with_days_meant
from pmg.people.confidence import of_claim

if TYPE_CHECKING:
    from pmg.engine import Engine

# Where the first passage does not answer, the second or the third does in about half of the questions (LoCoMo: 274 of 525, docs/benchmarks.md, Answers);
# how much of it is whose was not counted.
SHARES_AFTER = (0.3, 0.2)
_BEFORE = "before that"


def ask(
    engine: Engine, question: str, *, namespace: str = "", at: datetime | None = None, as_of: date | None = None
) -> Asked:
    """`as_of` asks for what held on a day, which claims alone know."""
    if not question.strip():
        raise InputError("The question is empty: say what you want to know.")
    namespace, moment = namespace or engine.config.namespace, at or now()
    asked = engine.ask(question, namespace=namespace, at=moment, as_of=as_of)
    if as_of is not None:
        return asked
    request = requested(engine, ChatTarget(namespace, kept=False), question, None, moment)
    of_a_time = asks_what_happened(question) or asks_what_was_told(question)
    if (kind_of(question) is MessageKind.SUMMARY and of_a_time) or (asks_what_is_ahead(question) and request.summary):
        answer = _of_a_time(asked, request.summary or ())
        return replace(answer, lines=_with_conversations(engine, answer.lines))
    found = request.evidence or evidence.find(engine, request)
    claimed = about_people(engine, request, asked, found)
    answer = _of_claims(asked, claimed, found) if claimed is not None else _of_passages(asked, found)
    archived = archive_note(engine, namespace, question) if answer.abstained or answer.is_unsure else ""
    notes = (*answer.notes, archived) if archived else answer.notes
    return replace(answer, lines=_with_conversations(engine, answer.lines), notes=notes)


def _with_conversations(engine: Engine, lines: Sequence[AnswerLine]) -> tuple[AnswerLine, ...]:
    """A quote knows its segment alone."""
    numbers = engine.reads.numbers_of(list(dict.fromkeys(line.segment for line in lines if not line.conversation)))
    session_of = {one.id: one.session_id for one in engine.reads.segments(sorted(numbers.values()))}
    sessions = [session for name in sorted(set(session_of.values())) if (session := engine.reads.session(name))]
    called = {session.id: session.conversation for session in sessions}
    return tuple(
        replace(line, conversation=line.conversation or called.get(session_of.get(line.segment, ""), ""))
        for line in lines
    )


def _of_a_time(asked: Asked, quotes: Sequence[Quote]) -> Asked:
    """What happened then: the lines that tell of it, read from their words as claims are; or else where the conversations of that time begin, of which
    nobody measured how often that says it."""
    told = [quote for quote in quotes if quote.kind is not QuoteKind.SESSION]
    if told:
        return Asked(asked.question, asked.route, tuple(_line(quote, of_claim(1.0)) for quote in told))
    abstained = "" if quotes else phrases.say(Phrase.NO_SUMMARY, asked.question)
    lines = tuple(_line(quote, 0.0) for quote in quotes)
    return Asked(asked.question, asked.route, lines, abstained, is_unsure=bool(lines))


def _of_claims(asked: Asked, claimed: PeopleAnswer, found: Evidence) -> Asked:
    """What claims say stands with the chat's quotes of it; a number, a yes or no and a decline have lines of their own."""
    if asked.counted is not None or asked.verdict is not None:
        return asked
    if claimed.is_found:
        notes = tuple(dict.fromkeys((*asked.notes, *claimed.notes)))
        return replace(_of_passages(asked, replace(found, quotes=claimed.quotes, tone=claimed.tone)), notes=notes)
    if asked.abstained and claimed.tone is not Tone.SURE and asked.shared is None:
        return _in_german(asked, claimed) if german(asked.question) else asked
    held = {(line.segment, line.line): line for line in asked.lines}
    lines = [held.get((quote.segment, quote.line)) or _line(quote, of_claim(1.0)) for quote in claimed.quotes]
    is_unsure = claimed.tone is Tone.UNSURE and (not asked.is_introduction or asked.shared is not None)
    return replace(asked, lines=tuple(lines), abstained="", is_unsure=is_unsure)


def _in_german(asked: Asked, claimed: PeopleAnswer) -> Asked:
    """Claims decline in English; the chat's sentence says the same, of these lines or else of its own."""
    return replace(asked, abstained=claimed.lead, lines=asked.lines or tuple(_line(one, 0.0) for one in claimed.quotes))


def _of_passages(asked: Asked, found: Evidence) -> Asked:
    """As sure as the chat is of them; what claims made of the question (a number, a doubt, a gap) is not said beside them. A decline that has
    a line keeps it: its sentence is about that line and no other."""
    if found.tone is Tone.NOTHING and asked.abstained and asked.lines:
        nearest = phrases.say(Phrase.NEAREST, asked.question)
        return replace(asked, abstained=nearest if german(asked.question) else asked.abstained)
    abstained = _declined(asked, found) if found.tone is Tone.NOTHING else ""
    notes = (asked.shared.note,) if asked.shared is not None and not abstained else ()
    is_unsure = found.tone is Tone.UNSURE
    answer = Asked(asked.question, asked.route, _lines(found), abstained, is_unsure=is_unsure, notes=notes)
    return with_days_meant(answer)


def _declined(asked: Asked, found: Evidence) -> str:
    """In the chat's words, but where claims know why there is no answer."""
    if found.quotes:
        return phrases.say(Phrase.NEAREST, asked.question)
    return phrases.say(Phrase.NOTHING, asked.question) if asked.abstained in ("", NOTHING) else asked.abstained


def _lines(found: Evidence) -> tuple[AnswerLine, ...]:
    """What answers; what was said around it can be had by its segment."""
    quotes = [quote for quote in found.quotes if quote.kind is not QuoteKind.AROUND]
    chances = (found.chance, *((1.0 - found.chance) * share for share in SHARES_AFTER))
    return tuple(map(_line, quotes, chances))


def _line(quote: Quote, chance: float) -> AnswerLine:
    return AnswerLine(
        quote.text,
        quote.speaker,
        quote.segment,
        quote.line,
        "",
        quote.at,
        round(chance, 2),
        _BEFORE if quote.kind is QuoteKind.OLDER else "",
    )
