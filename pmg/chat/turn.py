"""One turn of the chat: recall, find evidence, answer, check, keep.

Knows: the order. Does not know: who answers, how evidence is found (pmg/answer), how an answer is written down (`history.py`), or a page.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from pmg.answer.evidence import Question
from pmg.answer.look_up import LOOKS_UP, look_up
from pmg.answer.message import MessageKind, kind_of, tells_nothing
from pmg.base.errors import ChatUnavailable
from pmg.base.model import CHAT_SOURCE, Passage, Segment, State, Turn
from pmg.base.times import now
from pmg.chat.answer_check import cited_memories, unproven_parts
from pmg.chat.history import first_quotes, meta_of, quoted_in, stored_text
from pmg.chat.responder import ChatAnswer, ChatRequest, CutOff, Responder
from pmg.chat.sessions import retitle, title_from
from pmg.chat.stoppable import Stopped, until
from pmg.ingest.asked import asked_mark
from pmg.ingest.turns import exchange

if TYPE_CHECKING:
    from pmg.engine import Engine

REPLACED = "replaced"  # the tag of a turn that was asked anew
TURNS_LOOKED_BACK = 8  # turns of this chat whose answers a model is shown


@dataclass(frozen=True, slots=True)
class ChatTarget:
    """Where a turn belongs: a session that is there or will be. Without `kept` nothing of it is written, and `before` holds the
    turns that were not; `shown` are the memories that the last of those quoted. `replaces` is the turn that is asked anew."""

    namespace: str
    session: str = ""
    kept: bool = True
    memory: bool = True
    before: tuple[Passage, ...] = ()
    shown: tuple[str, ...] = ()
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """A turn as it comes: what was asked without its secrets, the answer so far, and where it was stored once it is."""

    user: str
    answer: ChatAnswer
    secrets: int
    passage: Passage | None = None
    problem: str = ""  # why the answer broke off, if it did


def converse(
    engine: Engine, responder: Responder, place: ChatTarget, text: str, stop: threading.Event | None = None
) -> Iterator[ChatTurn]:
    """Recall, then the answer piece by piece, then it is on disk. What had come of a stopped or broken answer is kept too, marked as such;
    one that was complete when the page went away is not broken."""
    cleaned = engine.redactor.redact(text)
    asked, secrets = cleaned.text, sum(cleaned.counts.values())
    request = requested(engine, place, asked, responder.budget_tokens)
    answer, problem, cut_off, left = ChatAnswer(""), "", None, True
    try:
        for answer in until(responder.answer(request), stop or threading.Event()):
            yield ChatTurn(asked, answer, secrets)
        left = False
    except Stopped:
        left, cut_off = False, CutOff.STOPPED
    except ChatUnavailable as error:
        left, cut_off = False, CutOff.BROKEN
        if not answer.text:
            raise
        problem = str(error)
    finally:
        if left and answer.text:  # the page is gone: what was said was said
            ended = None if answer.complete else CutOff.BROKEN
            keep(engine, place, asked, replace(checked(answer, request), cut_off=ended))
    answer = replace(checked(answer, request), cut_off=cut_off)
    yield ChatTurn(asked, answer, secrets, keep(engine, place, asked, answer), problem)


def requested(
    engine: Engine, place: ChatTarget, asked: str, budget: int | None, at: datetime | None = None
) -> ChatRequest:
    """All that a responder is given: the memories, the chat so far, and what of both answers."""
    stored = said_so_far(engine, place)
    before = (*(as_passage(segment) for segment in stored), *place.before)
    shown = place.shown if place.before else quoted_in(stored[-1]) if stored else ()
    kind = kind_of(asked)
    latest = stored[-TURNS_LOOKED_BACK:] if kind in LOOKS_UP else []
    answered = (*("" for _ in stored[: len(stored) - len(latest)]), *first_quotes(engine, latest))
    question = Question(asked, None, before, place.namespace, at or now(), shown=shown, answered=answered)
    common = (before, place.namespace, question.at, None, shown, answered)
    if not place.memory:
        return ChatRequest(asked, None, *common, kept=place.kept)
    found = look_up(engine, question, place.session, budget)
    return ChatRequest(asked, found.recalled, *common, found.evidence, found.summary, place.kept)


def said_so_far(engine: Engine, place: ChatTarget) -> list[Segment]:
    """The turns of this chat that stand: one that was asked anew, or is being asked anew, was never said."""
    turns = engine.reads.segments_of(place.session) if place.session else []
    return [turn for turn in turns if turn.id != place.replaces and not is_replaced(turn)]


def is_replaced(segment: Segment) -> bool:
    return segment.state is State.ARCHIVED and REPLACED in segment.tags


def checked(answer: ChatAnswer, request: ChatRequest) -> ChatAnswer:
    """A model's answer to a question, its citations, figures, days and names held against what it was shown; an answer of quotes is its own
    evidence. An answer to something else, a letter it was asked to write, need not cite; what it cites or says of what was told is held against that too."""
    if answer.tone is not None or not answer.text or request.recalled is None:
        return answer
    found = cited_memories(answer.text, request)
    kind = kind_of(request.text)
    rests_on_memory = kind in LOOKS_UP or kind is MessageKind.TOLD or bool(found)
    loose = unproven_parts(answer.text, found, request) if rests_on_memory else ()
    return replace(answer, citations=found, checked=kind in LOOKS_UP, unproven=loose)


def keep(engine: Engine, place: ChatTarget, asked: str, answer: ChatAnswer) -> Passage:
    """The turn in its session, which is begun or taken up again if need be; or nowhere."""
    lines = exchange(asked, stored_text(answer) or None)
    if not place.kept:
        return Passage(0, "", "", len(place.before), place.namespace, now(), lines, "", CHAT_SOURCE)
    session = engine.session(title_from(asked), namespace=place.namespace, source=CHAT_SOURCE, session_id=place.session)
    name = engine.add_turn(session.id, Turn(lines, meta={**meta_of(answer), **asked_mark(lines, tells_nothing)}))
    retitle(engine, session.id, place.replaces)
    return as_passage(engine.segment(name))


def as_passage(segment: Segment) -> Passage:
    return Passage(
        segment.number,
        segment.id,
        segment.session_id,
        segment.index,
        segment.namespace,
        segment.at,
        segment.lines,
        segment.title,
        segment.source,
        project=segment.project,
    )
