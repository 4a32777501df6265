"""Answers without a language model: what was found is quoted with who said it and when, in one of three tones.

Knows: what to say to each kind of message, and how little to say around quotes. Does not know: how evidence is found or how a summary
is made (pmg/answer).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pmg.answer.archive_note import archive_note
from pmg.answer.ask import lead_of, lead_of_time, unread
from pmg.answer.evidence import Evidence, Quote, Tone
from pmg.answer.find import find, related
from pmg.answer.forget_request import what_to_forget
from pmg.answer.message import MessageKind, asks_what_happened, kind_of, tells_nothing
from pmg.answer.phrases import Phrase, in_language_of, say
from pmg.answer.sentences import split
from pmg.answer.summary import summary, topic
from pmg.base.text import REDACTED
from pmg.chat.responder import ChatAnswer, ChatRequest
from pmg.chat.shown_memories import used
from pmg.index.terms import document_terms, query_terms

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
        found = ask.evidence or find(self._engine, ask)
        if not found.quotes and kind_of(ask.text) is MessageKind.SEARCH and not tells_nothing(ask.text):
            yield from self._told(ask)
            return
        words = in_language_of(ask.text, ask.said_before)
        if not found.quotes:
            empty = not ask.before and not self._engine.indexes.lexical(ask.namespace)
            lead = say(Phrase.EMPTY, words) if empty else self._lead(found, ask, words)
            note = archive_note(self._engine, ask.namespace, ask.text, on_page_as=words)
            yield _whole(f"{lead} {note}" if note else lead, tone=Tone.NOTHING)
            return
        if asks_for_a_secret(ask.text, found.quotes[0].text):
            yield from _grown(say(Phrase.SECRET, words), found.quotes[:1], ask, Tone.UNSURE)
            return
        yield from _grown(self._lead(found, ask, words), found.quotes, ask, found.tone)

    def _lead(self, found: Evidence, ask: ChatRequest, words: str) -> str:
        return " ".join(filter(None, (unread(self._engine, ask.text), lead_of(found, ask.text, words))))

    def _to_forget(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        """What it may be: to forget is for good, and a search may find another."""
        found = ask.evidence or find(self._engine, ask)
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
        if REDACTED in ask.text:
            yield _whole(_say(Phrase.NOTED_BUT_SECRET, ask))
            return
        found = related(self._engine, ask) if ask.recalled is not None else ()
        yield from (
            _grown(_say(Phrase.RELATED, ask), found, ask) if found else iter((_whole(_say(Phrase.NOTED, ask)),))
        )

    def _summed_up(self, ask: ChatRequest) -> Iterator[ChatAnswer]:
        quotes = ask.summary if ask.summary is not None else summary(self._engine, ask)
        words = in_language_of(ask.text, ask.said_before)
        if quotes:
            yield _with(lead_of_time(quotes, ask.text, words), quotes, ask, None, complete=True)
            return
        of_a_matter = topic(ask.text) and not asks_what_happened(ask.text)
        lead = say(Phrase.NOTHING, words) if of_a_matter else lead_of_time(quotes, ask.text, words)
        yield _whole(lead, tone=Tone.NOTHING)


def asks_for_a_secret(question: str, text: str) -> bool:
    """What the text says of the matter is the mark of a secret that was left out."""
    asked = set(query_terms(question))
    parts = [text[start:end] for start, end in split(text)]
    shared = [len(asked & set(document_terms(part))) for part in parts]
    return bool(parts) and max(shared) > 0 and REDACTED in parts[shared.index(max(shared))]


def _say(phrase: Phrase, ask: ChatRequest) -> str:
    return say(phrase, in_language_of(ask.text, ask.said_before))


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
