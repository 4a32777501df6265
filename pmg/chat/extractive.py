"""Answers without a language model: what was found is quoted with who said it and when, in one of three tones.

Knows: what to say to each kind of message, and how little to say around quotes. Does not know: how evidence is found (`evidence.py`), or
how a summary is made (`summary.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pmg.base.text import REDACTED
from pmg.base.times import now
from pmg.base.words import STOP_WORDS
from pmg.chat import evidence
from pmg.chat.archive_note import archive_note
from pmg.chat.forget_request import what_to_forget
from pmg.chat.message import MessageKind, asks_what_happened, asks_what_was_told, kind_of
from pmg.chat.people_answer import about_people
from pmg.chat.phrases import Phrase, day_meant, in_language_of, say
from pmg.chat.responder import ChatAnswer, ChatRequest, Evidence, Quote, QuoteKind, Tone
from pmg.chat.sentences import split
from pmg.chat.short_statement import may_tell
from pmg.chat.shown_memories import used
from pmg.chat.summary import summary, topic
from pmg.index.terms import document_terms, query_terms
from pmg.people.corrected_day import only_corrects_a_day
from pmg.people.meant_days import ASKS_WHEN, NOBODY_KNOWS, MeantTime, meant_time, near_times
from pmg.people.told_values import opens_with_correction

if TYPE_CHECKING:
    from pmg.engine import Engine

_SMALL_TALK = {
    MessageKind.GREETING: Phrase.HELLO,
    MessageKind.THANKS: Phrase.WELCOME,
    MessageKind.FAREWELL: Phrase.BYE,
}


class Extractive:
    """Meets Responder."""

    leaves = False
    where = "Answers are quotes from your memory: no language model, and nothing leaves this machine."
    budget_tokens: int | None = None

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def answer(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        kind = kind_of(ask.text)
        if kind in _SMALL_TALK:
            yield _whole(_say(_SMALL_TALK[kind], ask))
        elif kind is MessageKind.ACTION:
            yield _whole(_say(Phrase.ACTION if ask.kept else Phrase.ACTION_NOT_KEPT, ask))
        elif kind is MessageKind.TOLD:
            yield from self._told(ask)
        elif ask.recalled is None:
            yield _whole(_say(Phrase.OFF, ask))
        elif kind is MessageKind.FORGET:
            yield from self._to_forget(ask)
        elif kind is MessageKind.SUMMARY or ask.summary:
            yield from self._summed_up(ask)
        else:
            yield from self._asked(ask)

    def _asked(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        found = ask.evidence or evidence.find(self._engine, ask)
        ask = replace(ask, text=evidence.standalone_question(ask).in_full or ask.text)
        asked = self._engine.ask(ask.text, namespace=ask.namespace, at=ask.at or now())
        claimed = about_people(self._engine, ask, asked, found)
        if claimed is not None:
            yield from _grown(claimed.lead, claimed.quotes, ask, claimed.tone)
            if not claimed.quotes:
                yield _whole(self._or_archived(claimed.lead, ask, claimed.tone), tone=claimed.tone)
            return
        if not found.quotes and kind_of(ask.text) is MessageKind.SEARCH and may_tell(ask.text):
            yield from self._told(ask)
            return
        if not found.quotes:
            empty = not ask.before and not self._engine.indexes.lexical(ask.namespace)
            lead = _say(Phrase.EMPTY if empty else Phrase.NOTHING, ask)
            yield _whole(self._or_archived(lead, ask, Tone.NOTHING), tone=Tone.NOTHING)
            return
        if asks_for_a_secret(ask.text, found.quotes[0].text):
            yield from _grown(_say(Phrase.SECRET, ask), found.quotes[:1], ask, Tone.UNSURE)
            return
        yield from _grown(_day_meant(ask, found) or _say(_lead(found), ask), found.quotes, ask, found.tone)

    def _or_archived(self, lead: str, ask: ChatRequest, tone: Tone | None) -> str:
        """An answer that found nothing, and where more may be."""
        if tone is not Tone.NOTHING:
            return lead
        words = in_language_of(ask.text, ask.said_before)
        note = archive_note(self._engine, ask.namespace, ask.text, on_page_as=words)
        return f"{lead} {note}" if note else lead

    def _to_forget(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        """What it may be: to forget is for good, and a search may find another."""
        found = ask.evidence or evidence.find(self._engine, ask)
        matter = set(query_terms(what_to_forget(ask.text)))
        of_it = [quote for quote in found.quotes if not matter.isdisjoint(document_terms(quote.text))]
        if found.quotes:
            yield from _grown(_say(Phrase.FORGET, ask), of_it or found.quotes[:1], ask, Tone.UNSURE)
        else:
            yield _whole(_say(Phrase.NOTHING, ask), tone=Tone.NOTHING)

    def _told(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        """What was told is noted where it is kept; a memory is shown beside it only if it is surely of the same."""
        if not ask.kept:
            yield _whole(_say(Phrase.NOT_KEPT, ask))
            return
        found = evidence.related(self._engine, ask) if ask.recalled is not None else ()
        yield from (
            _grown(_say(Phrase.RELATED, ask), found, ask)
            if found
            else iter((_whole(_say(Phrase.NOTED_BUT_SECRET if REDACTED in ask.text else Phrase.NOTED, ask)),))
        )

    def _summed_up(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        quotes = ask.summary if ask.summary is not None else summary(self._engine, ask)
        if quotes:
            talked = all(quote.kind is QuoteKind.SESSION for quote in quotes) and not asks_what_was_told(ask.text)
            yield _with(_say(Phrase.SUMMARY if talked else Phrase.TOLD_OF, ask), quotes, ask, None, complete=True)
        else:
            of_a_matter = topic(ask.text) and not asks_what_happened(ask.text)
            none = Phrase.NOTHING if of_a_matter else Phrase.NO_SUMMARY
            yield _whole(_say(none, ask), tone=Tone.NOTHING)


def asks_for_a_secret(question: str, text: str) -> bool:
    """What the text says of the matter is the mark of a secret that was left out."""
    asked = set(query_terms(question))
    parts = [text[start:end] for start, end in split(text)]
    shared = [len(asked & set(document_terms(part))) for part in parts]
    return bool(parts) and max(shared) > 0 and REDACTED in parts[shared.index(max(shared))]


def _day_meant(ask: ChatRequest, found: Evidence) -> str:
    """Asked when, the day that the first quote's "on Thursday" was, counted from the day it was said; "" where it says no such thing."""
    first = next((quote for quote in found.quotes if quote.kind is QuoteKind.ANSWER), None)
    if first is None or found.tone is Tone.NOTHING or ASKS_WHEN.match(ask.text) is None:
        return ""
    time = _time_meant(ask.text, first, found.quotes)
    return day_meant(ask.text, time, found.tone is Tone.SURE) if time is not None else ""


def _time_meant(question: str, first: Quote, quotes: Sequence[Quote]) -> MeantTime | None:
    """A correction's "Tuesday" is counted with what it corrects: after "next Wednesday" nobody can say which."""
    terms = document_terms(question)
    matter = set(terms) - STOP_WORDS
    before = [one for one in quotes if one.at < first.at and not matter.isdisjoint(document_terms(one.text))]
    today = [one for one in before if one.at.date() == first.at.date()]
    if today and only_corrects_a_day(first.text):
        return meant_time(f"{today[0].text}\n{first.text}", first.at, terms)
    if opens_with_correction(first.text) and any(NOBODY_KNOWS in near_times(one.text, one.at.date()) for one in today):
        return None
    return meant_time(first.text, first.at, terms)


def _say(phrase: Phrase, ask: ChatRequest) -> str:
    return say(phrase, in_language_of(ask.text, ask.said_before))


def _lead(found: Evidence) -> Phrase:
    if found.tone is Tone.SURE:
        return Phrase.HERE if found.here else Phrase.FOUND
    return Phrase.UNSURE if found.tone is Tone.UNSURE else Phrase.NEAREST


def _grown(lead: str, quotes: Sequence[Quote], ask: ChatRequest, tone: Tone | None = None) -> Iterator[ChatAnswer]:
    """The answer quote by quote."""
    for count in range(1, len(quotes) + 1):
        yield _with(lead, quotes[:count], ask, tone, complete=count == len(quotes))


def _with(lead: str, quotes: Sequence[Quote], ask: ChatRequest, tone: Tone | None, *, complete: bool) -> ChatAnswer:
    rests_on = used(ask, (quote.segment for quote in quotes))
    return ChatAnswer(lead, tuple(quotes), rests_on, tone, complete=complete)


def _whole(text: str, tone: Tone | None = None) -> ChatAnswer:
    """An answer that quotes nothing, and so has one piece."""
    return ChatAnswer(text, tone=tone, complete=True)
