"""One turn of the chat: recall, answer, keep. And a kept chat as it is shown again.

Knows: the order, what is stored of a turn, and how an answer's sources are written beside it. Does not know: who answers, or a page.

Quotes are kept as references, not as copies: an answer that repeats a memory word for word would be found in its place the next
time, and would outlive it when it is forgotten.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pmg.chat.message import query_for
from pmg.chat.responder import ChatAnswer, ChatRequest, Quote, Responder, Used
from pmg.chat.stoppable import until
from pmg.errors import ChatUnavailable
from pmg.ingest.asked import asked_mark
from pmg.ingest.turns import exchange
from pmg.model import Line, Passage, Role, Segment, Turn
from pmg.times import now

if TYPE_CHECKING:
    from pmg.engine import Engine
    from pmg.recall.receipt import Recalled

SOURCE = "pmg chat"
TITLE = 60  # characters of a first message that become the session's name
USED, QUOTED = "used", "quoted"  # of a turn's meta


@dataclass(frozen=True, slots=True)
class ChatTarget:
    """Where a turn belongs: a session that is there or will be. Without `kept` nothing of it is written, and `before` holds the
    turns that were not."""

    namespace: str
    session: str = ""
    kept: bool = True
    memory: bool = True
    before: tuple[Passage, ...] = ()


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
    """Recall, then the answer piece by piece, then it is on disk. What had come of a stopped or broken answer is kept too."""
    cleaned = engine.redactor.redact(text)
    asked, secrets = cleaned.text, sum(cleaned.counts.values())
    before = turns_before(engine, place)
    recalled = remembered(engine, place, asked, before, responder.budget_tokens) if place.memory else None
    answer, problem, left = ChatAnswer(""), "", True
    try:
        coming = responder.answer(ChatRequest(asked, recalled, before, place.namespace))
        for answer in until(coming, stop or threading.Event()):
            yield ChatTurn(asked, answer, secrets)
        left = False
    except ChatUnavailable as error:
        left = False
        if not answer.text:
            raise
        problem = str(error)
    finally:
        if left and answer.text:  # the page is gone: what was said was said
            keep(engine, place, asked, answer)
    yield ChatTurn(asked, answer, secrets, keep(engine, place, asked, answer), problem)


def turns_before(engine: Engine, place: ChatTarget) -> tuple[Passage, ...]:
    stored = engine.reads.segments_of(place.session) if place.session else []
    return (*(as_passage(segment) for segment in stored), *place.before)


def remembered(
    engine: Engine, place: ChatTarget, asked: str, before: Sequence[Passage], budget: int | None
) -> Recalled:
    earlier = [line.text for turn in before for line in turn.lines if line.role is not Role.ASSISTANT]
    return engine.recall(
        query_for(asked, earlier),
        namespace=place.namespace,
        exclude_session=place.session or (),
        active_context=earlier[-2:],
        budget_tokens=budget,
    )


def keep(engine: Engine, place: ChatTarget, asked: str, answer: ChatAnswer) -> Passage:
    """The turn in its session, which is begun or taken up again if need be; or nowhere."""
    lines = exchange(asked, stored_text(answer) or None)
    if not place.kept:
        return Passage(0, "", "", len(place.before), place.namespace, now(), lines, "", SOURCE)
    session = engine.session(title_from(asked), namespace=place.namespace, source=SOURCE, session_id=place.session)
    name = engine.add_turn(session.id, Turn(lines, meta={**meta_of(answer), **asked_mark(lines)}))
    return as_passage(engine.segment(name))


def title_from(asked: str) -> str:
    flat = " ".join(asked.split())
    return flat if len(flat) <= TITLE else flat[: TITLE - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


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
    )


# what is written of an answer


def stored_text(answer: ChatAnswer) -> str:
    if not answer.quotes:
        return answer.text
    return "\n".join([answer.text, *(f"– {attribution(quote)}" for quote in answer.quotes)])


def attribution(quote: Quote) -> str:
    where = f", in {quote.title!r}" if quote.title else ""
    return f"{quote.speaker}, {quote.at:%Y-%m-%d}{where}"


def meta_of(answer: ChatAnswer) -> dict[str, str]:
    used = " ".join(f"{one.segment}/{one.role.replace(' ', '-')}" for one in answer.used)
    quoted = " ".join(f"{q.segment}/{q.line}/{q.start}/{q.end}" for q in answer.quotes if q.segment)
    return {key: value for key, value in ((USED, used), (QUOTED, quoted)) if value}


# a kept chat, shown again


@dataclass(frozen=True, slots=True)
class ChatBubble:
    """One bubble. Quotes whose memory is gone are counted in `gone`."""

    speaker: str
    role: Role
    text: str
    at: datetime
    segment: str = ""
    quotes: tuple[Quote, ...] = ()
    used: tuple[Used, ...] = ()
    gone: int = 0


def messages_of(engine: Engine, segments: Sequence[Segment]) -> list[ChatBubble]:
    sources = _sources(engine, segments)
    return [message for segment in segments for message in _messages(segment, sources)]


def _messages(segment: Segment, sources: dict[str, Segment]) -> Iterator[ChatBubble]:
    quotes, gone = _quotes(segment, sources)
    used = tuple(Used(name, role.replace("-", " ")) for name, role in _pairs(segment) if name in sources)
    for line in segment.lines:
        if line.role is Role.ASSISTANT and (quotes or gone):
            lead = line.text.partition("\n")[0]
            yield ChatBubble(line.speaker, line.role, lead, segment.at, segment.id, quotes, used, gone)
        else:
            mine = used if line.role is Role.ASSISTANT else ()
            yield ChatBubble(line.speaker, line.role, line.text, segment.at, segment.id, (), mine)


def _pairs(segment: Segment) -> list[tuple[str, str]]:
    rows = [entry.rpartition("/") for entry in segment.meta.get(USED, "").split()]
    return [(name, role) for name, _, role in rows if name]


def _references(segment: Segment) -> list[tuple[str, int, int, int]]:
    rows = [entry.split("/") for entry in segment.meta.get(QUOTED, "").split()]
    return [
        (row[0], int(row[1]), int(row[2]), int(row[3]))
        for row in rows
        if len(row) == 4 and "".join(row[1:]).isdecimal()
    ]


def _sources(engine: Engine, segments: Sequence[Segment]) -> dict[str, Segment]:
    """The memories that the answers of these turns rest on, if they are still there and in the same namespace."""
    wanted = {name for s in segments for name in (*(n for n, _ in _pairs(s)), *(r[0] for r in _references(s)))}
    numbers = engine.reads.numbers_of(sorted(wanted))
    spaces = {segment.namespace for segment in segments}
    return {s.id: s for s in engine.reads.segments(sorted(numbers.values())) if s.namespace in spaces}


def _quotes(segment: Segment, sources: dict[str, Segment]) -> tuple[tuple[Quote, ...], int]:
    found, gone = [], 0
    for name, place, start, end in _references(segment):
        source = sources.get(name)
        if source is None or place >= len(source.lines) or not source.lines[place].text[start:end]:
            gone += 1
            continue
        line: Line = source.lines[place]
        found.append(Quote(name, place, start, end, line.text[start:end], line.speaker, source.at, source.title))
    return tuple(found), gone
