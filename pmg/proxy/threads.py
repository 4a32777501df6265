"""Which conversation a request belongs to, and which of its messages are new.

Programs send the whole conversation again with each request. A conversation is known by the name that the program gives it, by the answer
it goes on from, or by how it begins: every state of it has a hash, made of the state before and the next message. What stands behind the
longest known state is new. Only hashes are kept, in notes of the memory, so that a restart doubles nothing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from pmg.proxy.messages import ASSISTANT, Message, ModelRequest, digest
from pmg.proxy.side_calls import LastExchange

if TYPE_CHECKING:
    from pmg.engine import Engine


NOTE = "proxy thread"
MAX_THREADS = 300
MAX_STATES = 500  # of one conversation: where it can go on from, or be taken up again
MAX_SEEN = 1_000
RETRY_SECONDS = (
    600.0  # the same request again within this time is a retry; a first message may be said again another day
)
# By what programs name their conversation, the surest first.
KEYS = (
    "x-claude-code-session-id",
    "session-id",
    "thread-id",
    "session_id",
    "conversation_id",
    "x-opencode-session",
    "x-session-affinity",
    "x-session-id",
    "x-openwebui-chat-id",
)


def key_of(headers: Mapping[str, str], request: ModelRequest) -> str:
    """What the program calls the conversation; empty where it does not."""
    return next((headers[name] for name in KEYS if headers.get(name)), "") or request.key


@dataclass(slots=True)
class ClientThread:
    """One conversation of a program, as hashes; `answered` has for each state the hash of the answer that is stored."""

    slot: int
    scope: str
    session: str = ""
    at: float = 0.0
    states: list[str] = field(default_factory=list)
    answered: dict[str, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)  # the ids of answers that a request may go on from
    last: LastExchange | None = None  # in memory only

    def note(self) -> str:
        kept = {key: value for key, value in asdict(self).items() if key != "last"}
        return json.dumps(kept, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class PlacedRequest:
    """A request in its conversation: what is new in it, and the states that it has when all is stored."""

    thread: ClientThread
    new: tuple[int, ...]  # places in the messages
    states: tuple[str, ...]  # one longer than the messages: the first is where it begins
    messages: tuple[Message, ...]

    @property
    def end(self) -> str:
        return self.states[-1]

    def is_repeated(self, answer: Message | None) -> bool:
        """Nothing is new in it, and this answer is stored."""
        held = self.thread.answered.get(self.end)
        return not self.new and held is not None and (answer is None or held == answer.digest)


class ClientThreads:
    """The conversations that go on. Thread-safe: what is brought along is chosen in another thread than what is stored."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._salt = engine.reads.store_id
        self._threads: dict[int, ClientThread] = {}
        self._by_state: dict[str, int] = {}
        self._by_scope: dict[str, int] = {}
        self._by_answer: dict[str, int] = {}
        for thread in sorted(_kept(engine), key=lambda one: one.at):
            self._put(thread)

    def recent(self, at: float) -> tuple[LastExchange, ...]:
        with self._lock:
            threads = [one for one in self._threads.values() if at - one.at < RETRY_SECONDS]
        return tuple(one.last for one in threads if one.last is not None)

    def place(self, upstream: str, headers: Mapping[str, str], request: ModelRequest, at: float) -> PlacedRequest:
        key = key_of(headers, request)
        scope = digest(self._salt, upstream, key or request.hint)
        start = digest(scope, request.previous) if request.previous else scope
        states = tuple(accumulate((one.digest for one in request.messages), digest, initial=start))
        with self._lock:
            thread = self._find(scope if key else "", states, request, at)
        if thread is None:
            new = tuple(range(len(request.messages)))
            return PlacedRequest(ClientThread(-1, scope if key else ""), new, states, request.messages)
        return PlacedRequest(thread, _new(thread, states, request.messages, bool(key)), states, request.messages)

    def _find(self, scope: str, states: Sequence[str], request: ModelRequest, at: float) -> ClientThread | None:
        if scope and scope in self._by_scope:
            return self._threads[self._by_scope[scope]]
        if request.previous in self._by_answer:
            return self._threads[self._by_answer[request.previous]]
        slot = next((self._by_state[state] for state in reversed(states[1:]) if state in self._by_state), None)
        if slot is None:
            return None
        thread = self._threads[slot]
        return None if request.begins and at - thread.at > RETRY_SECONDS else thread

    def commit(
        self,
        placed: PlacedRequest,
        stored: int,
        session: str,
        at: float,
        answer: Message | None = None,
        answer_id: str = "",
    ) -> None:
        """So many of its messages are stored: written down, so that they are known next time. Without an answer it may still come."""
        thread = placed.thread
        thread.session, thread.at = session, at
        before = (set(thread.states), set(thread.answers))
        states = list(placed.states[1 : stored + 1])
        if answer is not None:
            thread.answered[placed.end] = answer.digest
            states.append(digest(placed.end, answer.digest))
        thread.states = list(dict.fromkeys([*thread.states, *states]))[-MAX_STATES:]
        held = set(thread.states)
        thread.answered = {state: value for state, value in thread.answered.items() if state in held}
        seen = (one.digest for one in placed.messages[:stored])
        thread.seen = list(dict.fromkeys([*thread.seen, *seen]))[-MAX_SEEN:]
        thread.answers = [*thread.answers, answer_id][-MAX_STATES:] if answer_id else thread.answers
        with self._lock:
            if thread.slot < 0:
                thread.slot = self._free_slot()
            self._take_out(thread.slot, before[0] - held, before[1].difference(thread.answers))
            self._put(thread)
        self._engine.put_note(f"{NOTE} {thread.slot}", thread.note())

    def _free_slot(self) -> int:
        """The one that was quiet the longest makes room."""
        if len(self._threads) < MAX_THREADS:
            return next(number for number in range(MAX_THREADS) if number not in self._threads)
        oldest = min(self._threads.values(), key=lambda one: one.at)
        for known in (self._by_state, self._by_scope, self._by_answer):
            for name in [name for name, slot in known.items() if slot == oldest.slot]:
                del known[name]
        del self._threads[oldest.slot]
        return oldest.slot

    def _take_out(self, slot: int, states: Iterable[str], answers: Iterable[str]) -> None:
        for known, gone in ((self._by_state, states), (self._by_answer, answers)):
            for name in gone:
                if known.get(name) == slot:
                    del known[name]

    def _put(self, thread: ClientThread) -> None:
        self._threads[thread.slot] = thread
        self._by_state.update(dict.fromkeys(thread.states, thread.slot))
        self._by_answer.update(dict.fromkeys(thread.answers, thread.slot))
        if thread.scope:
            self._by_scope[thread.scope] = thread.slot


def _new(thread: ClientThread, states: Sequence[str], messages: Sequence[Message], named: bool) -> tuple[int, ...]:
    held = set(thread.states)
    known = next((at for at in range(len(messages), 0, -1) if states[at] in held), 0)
    if (
        states[known] in thread.answered
    ):  # the answer, as the program writes it: without its thinking, or otherwise spaced
        while known < len(messages) and messages[known].role == ASSISTANT:
            known += 1
    new = range(known, len(messages))
    last = max((at for at in new if messages[at].role == ASSISTANT), default=-1)
    if not named or last < 0:
        return tuple(new)
    # A program has shortened or rewritten its history: what stands before the last answer is new only where it was never seen.
    seen = set(thread.seen) | set(thread.answered.values())
    return tuple(at for at in new if at > last or messages[at].digest not in seen)


def _kept(engine: Engine) -> Iterator[ClientThread]:
    for slot in range(MAX_THREADS):
        note = engine.reads.note(f"{NOTE} {slot}")
        if note is None:
            return
        yield ClientThread(**json.loads(note))
