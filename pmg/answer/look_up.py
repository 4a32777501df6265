"""What memory has for a question: the lines of a time that it names, a summary, or evidence for an answer. The chat, `pmg ask`, REST and MCP look here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pmg.answer.evidence import LookedUp, Question
from pmg.answer.find import find, standalone_question
from pmg.answer.known_forms import in_known_forms
from pmg.answer.message import MessageKind, asks_what_is_ahead, kind_of, tells_nothing
from pmg.answer.summary import agenda, summary

if TYPE_CHECKING:
    from pmg.engine import Engine
    from pmg.recall.receipt import Recalled

MAX_SEGMENTS = 40  # segments of a recall: an answer is looked for among more than a block has room for
MAX_SEARCHED = 1_000  # where all that was told after a day is left out of it
# Kinds whose answer rests on memory.
LOOKS_UP = (MessageKind.QUESTION, MessageKind.SEARCH, MessageKind.SUMMARY, MessageKind.FORGET)


def look_up(engine: Engine, question: Question, session: str = "", budget: int | None = None) -> LookedUp:
    """`session` is this chat's own: what was said there is before us already."""
    recalled = _recalled(engine, question, session, budget)
    question, kind = replace(question, recalled=recalled), kind_of(question.text)
    if asks_what_is_ahead(question.text) and (ahead := agenda(engine, question)):
        return LookedUp(recalled, summary=ahead)
    if kind is MessageKind.SUMMARY:
        told = summary(engine, question)
        return LookedUp(recalled, summary=tuple(quote for quote in told if question.may_know(quote.at)))
    return LookedUp(recalled, find(engine, question) if kind in LOOKS_UP else None)


def _recalled(engine: Engine, question: Question, session: str, budget: int | None) -> Recalled:
    # What was told here need not come back from memory; what was only asked was not told: its answer may be asked about again.
    told = [text for text in question.said_before if not tells_nothing(text)]
    settings, may_be_later = engine.config.recall, question.told_by is not None
    return engine.recall(
        in_known_forms(engine, question.namespace, standalone_question(question).search),
        namespace=question.namespace,
        exclude_session=session or (),
        active_context=told[-2:],
        budget_tokens=budget,
        at=question.at,
        limit=MAX_SEARCHED if may_be_later else max(MAX_SEGMENTS, settings.limit),
        pool=MAX_SEARCHED if may_be_later else settings.pool,
    )
