"""From a captured exchange to turns in the memory: read, placed in its conversation, and only what is new is added.

Runs behind the answer, in the thread of capture.py. What cannot be stored now is not marked as known, so it comes again with the next request;
what is refused for what it is does not.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pmg.base.errors import InputError
from pmg.base.model import Line, Turn
from pmg.base.text import counted
from pmg.base.times import now
from pmg.importers.conversation import short_id
from pmg.importers.message_parts import MessagePart
from pmg.importers.reading.fields import notes
from pmg.proxy.capture import CapturedExchange, Outcome, program_of
from pmg.proxy.messages import ASSISTANT, USER, Message, ModelAnswer, ModelRequest, digest, message, shortened
from pmg.proxy.side_calls import last_exchange, reason
from pmg.proxy.threads import ClientThreads, PlacedRequest
from pmg.proxy.wire import answer_in, decoded, format_of

if TYPE_CHECKING:
    from pmg.engine import Engine


log = logging.getLogger(__name__)
MAX_WAITING = 100  # requests whose answers are made in the background
MAX_ERROR = 60  # characters of the name that an upstream gives an error


class Rememberer:
    """Takes one exchange after the other."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.threads = ClientThreads(engine)
        self._waiting: dict[str, tuple[ModelRequest, Mapping[str, str]]] = {}

    def __call__(self, exchange: CapturedExchange) -> Outcome:
        refused = _refused(exchange)
        if refused:
            return Outcome(refused, failed=True)
        format_ = format_of(exchange.method, exchange.path)
        if exchange.method == "GET" and format_ is not None:
            return self._collected(exchange, answer_in(format_, decoded(exchange.answer.pieces, exchange.encoding)))
        body = json.loads(decoded(exchange.request.pieces, exchange.headers.get("content-encoding", "")))
        if format_ is None or not isinstance(body, dict):
            return Outcome("not read: the request is no JSON object", failed=True)
        request, at = format_.read_request(body), exchange.at.timestamp()
        aside = reason(request, exchange.headers, self.threads.recent(at))
        if aside:
            return Outcome(f"left out: {aside}")
        answer = answer_in(format_, decoded(exchange.answer.pieces, exchange.encoding))
        return self._store(exchange, request, answer)

    def session_of(self, upstream: str, headers: Mapping[str, str], request: ModelRequest) -> str:
        """Where this would be stored; empty for what begins."""
        return self.threads.place(upstream, headers, request, now().timestamp()).thread.session

    def _collected(self, exchange: CapturedExchange, answer: ModelAnswer) -> Outcome:
        """An answer that was made in the background, with the request that it is for."""
        if answer.waiting or answer.id not in self._waiting:
            return Outcome("")
        request, exchange.headers = self._waiting.pop(answer.id)
        return self._store(exchange, request, answer)

    def _store(self, exchange: CapturedExchange, request: ModelRequest, answer: ModelAnswer) -> Outcome:
        at = exchange.at.timestamp()
        answered = message(ASSISTANT, answer.parts)
        whole = exchange.whole and answer.complete and not exchange.answer.cut
        if answer.waiting:
            self._waiting = dict([*self._waiting.items(), (answer.id, (request, exchange.headers))][-MAX_WAITING:])
            return Outcome("waits for its answer")
        if answered is None and not whole:
            return Outcome(f"no answer came{f' ({answer.error[:MAX_ERROR]})' if answer.error else ''}", failed=True)
        placed = self.threads.place(exchange.upstream.name, exchange.headers, request, at)
        if placed.is_repeated(answered):
            return Outcome("known already", placed.thread.session)
        marks = {"partial": "yes"} if not whole else {}
        turns = list(_turns(placed, exchange, answered, {**marks, **_facts(exchange, request, answer)}))
        session = self._session(placed, exchange)
        refused = 0
        for turn, end in turns:
            refused += self._is_refused(session, turn)
            if end < len(request.messages):  # known at once: should the next one fail, this one does not come again
                self.threads.commit(placed, end, session, at)
        end = len(request.messages)
        self.threads.commit(placed, end, session, at, answered if whole else None, answer.id if whole else "")
        words = [one.words for one in request.messages if one.role == USER]
        if words and answered is not None:
            placed.thread.last = last_exchange(words[-1], answered.words)
        said = f"{counted(len(turns) - refused, 'new turn')}{'' if whole else ', partial'}"
        return Outcome(f"{said}, {refused} refused" if refused else said, session, failed=refused > 0)

    def _is_refused(self, session: str, turn: Turn) -> bool:
        """One that cannot be taken now cannot be taken with the next request either."""
        try:
            self._engine.add_turn(session, turn)
        except InputError as error:  # its words may be the person's
            log.warning("a turn of the session %s was refused: %s", session, type(error).__name__)
            return True
        return False

    def _session(self, placed: PlacedRequest, exchange: CapturedExchange) -> str:
        """The one it goes on in; a new one after a night, or where that one was forgotten."""
        thread, name = placed.thread, placed.thread.session
        held = self._engine.reads.session(name) if name else None
        pause = timedelta(hours=self._engine.config.imports.gap_hours)
        if held is not None and exchange.at - datetime.fromtimestamp(thread.at, exchange.at.tzinfo) <= pause:
            return name
        source = f"{program_of(exchange.headers)} through {exchange.upstream.name}"
        conversation = held.conversation if held is not None else f"proxy-{short_id(placed.end, str(exchange.at))}"
        return self._engine.session(conversation=conversation, source=source, started_at=exchange.at).id


def _refused(exchange: CapturedExchange) -> str:
    if exchange.request.cut:
        return "not remembered: the request is too large, or too much is held"
    if not exchange.status:
        return "the upstream did not answer"
    return f"the upstream answered with {exchange.status}" if exchange.status >= 300 else ""


def _facts(exchange: CapturedExchange, request: ModelRequest, answer: ModelAnswer) -> dict[str, str]:
    return notes(
        model=answer.model or request.model,
        upstream=exchange.upstream.name,
        system=digest(request.system)[:12] if request.system else "",
        error=answer.error[:MAX_ERROR],
        cut="yes" if exchange.answer.cut else "",
    )


def _turns(
    placed: PlacedRequest, exchange: CapturedExchange, answer: Message | None, facts: dict[str, str]
) -> Iterator[tuple[Turn, int]]:
    """A turn begins with what the person says; what tools give back goes with what was said before, in the same exchange. With each goes
    how many messages of the request are stored with it."""
    groups: list[list[Message]] = []
    ends: list[int] = []
    for at in placed.new:
        if not groups or placed.messages[at].role == USER:
            groups.append([])
            ends.append(0)
        groups[-1].append(placed.messages[at])
        ends[-1] = at + 1
    if answer is not None:
        groups = groups or [[]]
        groups[-1].append(answer)
    ends = [*ends[:-1], len(placed.messages)]
    for number, group in enumerate(groups):
        is_last = number == len(groups) - 1
        lines = tuple(_line(shortened(part)) for one in group for part in one.parts)
        name = f"proxy-{short_id(placed.end, str(number))}"
        turn = Turn(lines, exchange.at, name, facts if is_last else notes(upstream=exchange.upstream.name))
        yield turn, ends[number]


def _line(part: MessagePart) -> Line:
    return Line(part.speaker, part.role, part.text)
