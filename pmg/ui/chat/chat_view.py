"""What the Chat tab shows, as plain values: the conversation, its title, the list at the side, an answer as it comes.

Knows: the engine and the chat's own words. chat_tab.py wires it into the page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from pmg import forget as forgetting
from pmg import sample
from pmg.base.errors import ConfigError, NotFound
from pmg.base.model import Passage, Role, Segment, Session, State
from pmg.base.progress import Progress
from pmg.base.times import now
from pmg.chat import history, sessions, turn
from pmg.chat.history import ChatBubble
from pmg.chat.responder import ChatAnswer
from pmg.chat.responder_choice import Choice
from pmg.chat.turn import REPLACED, ChatTarget, ChatTurn, is_replaced
from pmg.engine import Engine
from pmg.forget import Selection
from pmg.ingest.turns import fresh_session_id
from pmg.store.browse import BrowseFilter
from pmg.ui import render, speakers
from pmg.ui.app_context import AppContext
from pmg.ui.chat import bubbles
from pmg.ui.forget_plan_html import what_goes
from pmg.ui.page_address import is_fresh
from pmg.ui.reader import reader_view

STREAM_SECONDS = 0.06  # seconds between two looks of a streamed answer: each is a message to the browser
MAX_REPLACED = 1_000  # chats, the newest first, that are looked through for turns which another took the place of
SUGGESTED_QUESTIONS = (0, 13, 17, 50)  # of the sample's questions: what a newcomer would ask
# The script of page_address.py looks for the class.
UNKEPT = '<p class="pmg-notice pmg-unkept">Nothing below this line is remembered.</p>'


@dataclass(frozen=True, slots=True)
class EphemeralTurn:
    """A turn that is not to be remembered: it lives in this page alone."""

    passage: Passage
    answer: ChatAnswer


@dataclass(frozen=True, slots=True)
class ChatView:
    """What one chat looks like: the conversation, its name, and whether there is one at all."""

    log: str
    title: str
    session: Session | None
    empty: bool  # the memory itself has nothing in it


def view(engine: Engine, held: str, unkept: list[EphemeralTurn], namespace: str) -> ChatView:
    session = found(engine, held, namespace)
    segments = speakers.named(engine, engine.reads.segments_of(held)) if session else []
    messages = named(engine, history.messages_of(engine, segments))
    replaced = replaced_in(segments)
    log = bubbles.conversation(messages, sources_of(engine, messages, namespace), replaced, not unkept)
    if unkept:
        told_here = named(engine, [one for turn in unkept for one in as_messages(turn.passage, turn.answer)])
        log += UNKEPT + bubbles.conversation(told_here, sources_of(engine, told_here, namespace))
    empty = not log and not engine.reads.segments_by_state(namespace)[State.ACTIVE]
    if not log and not empty:
        log = bubbles.beginning(tries(engine, namespace))
    return ChatView(log, title_of(session, bool(unkept), len(replaced)), session, empty)


def found(engine: Engine, held: str, namespace: str) -> Session | None:
    """The session that the browser remembers, if it is (still) there: what it says is not taken on trust."""
    try:
        session = sessions.session_in(engine, held, namespace) if held else None
    except NotFound:
        return None
    return session if session is not None and session.segments else None  # of one that was forgotten an empty row stays


def title_of(session: Session | None, unkept: bool, replaced: int = 0) -> str:
    name = render.safe(session.name or "Untitled") if session else "New chat"
    about = "not remembered" if unkept else ""
    if session:
        turns = render.counted(session.segments - replaced, "turn", "turns")
        about = " · ".join(part for part in (render.day(session.started_at), turns, about) if part)
    return f'<div class="pmg-title"><h2 dir="auto">{name}</h2><span class="pmg-muted">{about}</span></div>'


def replaced_in(segments: Sequence[Segment]) -> set[str]:
    return {segment.id for segment in segments if is_replaced(segment)}


def replace_turn(context: AppContext, segment_id: str, chat: str, namespace: str) -> None:
    """A turn that was asked anew or changed: out of recall, folded in its chat, and the steward's history can bring it back."""
    segment = reader_view.segment_in(context.engine, segment_id, namespace)
    if segment.session_id != chat or segment.pinned:
        return
    context.steward.tag(segment_id, [*segment.tags, REPLACED])
    context.steward.archive([segment_id])


def chat_or_fresh(engine: Engine, chat: str, namespace: str) -> str:
    """The id that the browser holds, if a chat with it is here or may begin; else a new one."""
    if found(engine, chat, namespace) is not None:
        return chat
    taken = engine.reads.session(chat) is not None if is_fresh(chat) else True
    return fresh_session_id(now()) if taken else chat


def target(namespace: str, chat: str, unkept: Sequence[EphemeralTurn]) -> ChatTarget:
    """Where the next turn belongs, with the turns of this page alone and what the last of them quoted."""
    quoted = dict.fromkeys(quote.segment for quote in unkept[-1].answer.quotes if quote.segment) if unkept else {}
    return ChatTarget(namespace, chat, before=tuple(turn.passage for turn in unkept), shown=tuple(quoted))


# a chat that is deleted


def what_would_go(engine: Engine, chat: str, namespace: str) -> str:
    session = sessions.session_in(engine, chat, namespace)
    plan = forgetting.plan(engine, Selection(sessions=(session.id,), namespace=namespace))
    return (
        f"<p><b>Delete this chat for good?</b> “{render.safe(session.name or 'Untitled')}” will be gone from the memory, its "
        f"indexes, its text files and its backups. It cannot be undone.</p>{what_goes(plan)}"
    )


def delete(engine: Engine, chat: str, namespace: str, progress: Progress) -> str:
    session = sessions.session_in(engine, chat, namespace)
    plan = forgetting.plan(engine, Selection(sessions=(session.id,), namespace=namespace))
    return forgetting.forget(engine, plan, progress).text


def tries(engine: Engine, namespace: str) -> list[str]:
    """Questions to begin with, where the sample memory is loaded."""
    try:
        asked = sample.questions()
    except NotFound:  # an installation without the sample's files
        return []
    known = engine.reads.numbers_of([name for i in SUGGESTED_QUESTIONS for name in asked[i].expect])
    segments = engine.reads.segments(list(known.values()))
    there = {segment.id for segment in segments if segment.namespace == namespace}
    return [asked[i].question for i in SUGGESTED_QUESTIONS if there.intersection(asked[i].expect)]


def sources_of(engine: Engine, messages: Sequence[ChatBubble], namespace: str) -> dict[str, Segment]:
    used = {one.segment for message in messages for one in message.used}
    used |= {quote.segment for message in messages for quote in message.quotes if quote.segment}
    numbers = engine.reads.numbers_of(sorted(used))
    there = [s for s in engine.reads.segments(sorted(numbers.values())) if s.namespace == namespace]
    named_there = speakers.named(engine, there)
    return {s.id: replace(s, source=" · ".join(filter(None, (s.source, s.project)))) for s in named_there}


def named(engine: Engine, messages: Sequence[ChatBubble]) -> list[ChatBubble]:
    """What they quote of the owner is theirs, as everywhere on the page."""
    quotes = iter(speakers.named_quotes(engine, [quote for message in messages for quote in message.quotes]))
    return [replace(message, quotes=tuple(islice(quotes, len(message.quotes)))) for message in messages]


def as_messages(passage: Passage, answer: ChatAnswer) -> list[ChatBubble]:
    asked = passage.lines[0]
    mine = ChatBubble(asked.speaker, asked.role, asked.text, passage.at)
    said = history.answer_bubble(answer, passage.at)
    return [mine, said] if answer.text or answer.cut_off else [mine]


def coming(engine: Engine, said: ChatTurn, at: datetime) -> str:
    """The turn that is being made: chips come with the whole answer, so that nothing jumps while it is read."""
    mine = ChatBubble("User", Role.USER, said.user, at)
    theirs = ChatBubble(
        "Assistant", Role.ASSISTANT, said.answer.text, at, "", speakers.named_quotes(engine, said.answer.quotes)
    )
    return bubbles.bubble(mine, {}) + bubbles.bubble(theirs, {}, waiting=True)


def side(engine: Engine, namespace: str, held: str, words: str) -> str:
    found = sessions.listed(engine, namespace, words)
    replaced = replaced_turns(engine, namespace)

    def standing(some: Sequence[Session]) -> tuple[Session, ...]:
        return tuple(replace(one, segments=one.segments - replaced.get(one.id, 0)) for one in some)

    shown = replace(found, sessions=standing(found.sessions), similar=standing(found.similar))
    return bubbles.session_list(shown, held, now().date(), bool(words.strip()))


def replaced_turns(engine: Engine, namespace: str) -> dict[str, int]:
    """How many turns of each chat another took the place of."""
    asked = BrowseFilter(namespace, tag=REPLACED, state=State.ARCHIVED)
    return {one.session: one.segments for one in engine.reads.browse.session_spans(asked, MAX_REPLACED, "state")}


def where(choice: Choice, secrets: int = 0) -> str:
    """Where text goes; a setting that cannot work is told here too, before anybody writes."""
    try:
        responder = choice.now()
    except ConfigError as error:
        return f'<p class="pmg-where pmg-leaves">{render.safe(str(error))}</p>'
    mark = "pmg-leaves" if responder.leaves else "pmg-stays"
    hidden = f" {secrets} {'secret was' if secrets == 1 else 'secrets were'} left out." if secrets else ""
    return f'<p class="pmg-where {mark}">{render.safe(responder.where + hidden)}</p>'


def answers(
    engine: Engine,
    choice: Choice,
    place: ChatTarget,
    text: str,
    stop: threading.Event | None = None,
    pace: float = STREAM_SECONDS,
) -> Iterator[tuple[ChatTurn, str]]:
    """The turn as it comes and its HTML, not more often than a person can see; the last one always."""
    at, shown_at = now(), 0.0
    yield ChatTurn(text, ChatAnswer(""), 0), coming(engine, ChatTurn(text, ChatAnswer(""), 0), at)
    for said in turn.converse(engine, choice.now(), place, text, stop):
        moment = time.monotonic()
        if said.passage is not None or moment - shown_at >= pace:
            shown_at = moment
            yield said, coming(engine, said, at)
