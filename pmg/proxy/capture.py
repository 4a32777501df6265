"""What is kept of an exchange while it passes, and the thread that reads and remembers it afterwards.

The hot path only appends pieces that it has sent on already. All copies together have a limit: what would go above it is not
remembered, and told on the page, so neither a stream of gigabytes nor a slow disk costs memory or time.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pmg.base.errors import PmgError
from pmg.base.times import now
from pmg.proxy.upstreams import Upstream

log = logging.getLogger(__name__)
MAX_REQUEST = 64 << 20  # bytes: a long history with images
MAX_ANSWER = 16 << 20
MAX_HELD = 256 << 20  # of all exchanges that are under way or wait
MAX_WAITING = 1_000  # exchanges
KEPT = 50  # captures that the page can show


class HeldBytes:
    """Counts what all copies hold together."""

    def __init__(self, most: int = MAX_HELD) -> None:
        self._most = most
        self._held = 0
        self._lock = threading.Lock()

    @property
    def held(self) -> int:
        return self._held

    def take(self, size: int) -> bool:
        with self._lock:
            if self._held + size > self._most:
                return False
            self._held += size
            return True

    def give_back(self, size: int) -> None:
        with self._lock:
            self._held -= size


@dataclass(slots=True)
class CopiedBody:
    """A bounded copy of a body in the pieces in which it came; `cut` where it was longer."""

    limit: int
    held: HeldBytes
    pieces: list[bytes] = field(default_factory=list)
    size: int = 0
    cut: bool = False

    def add(self, piece: bytes) -> None:
        if self.cut or not piece:
            return
        if self.size + len(piece) > self.limit or not self.held.take(len(piece)):
            self.cut = True
            return
        self.pieces.append(piece)
        self.size += len(piece)

    def drop(self) -> None:
        self.held.give_back(self.size)
        self.pieces, self.size = [], 0


@dataclass(slots=True)
class CapturedExchange:
    """One request and its answer as they came over the wire. Of the headers only those that name a session or an encoding are in it."""

    upstream: Upstream
    method: str
    path: str  # below the upstream, without the query: a key may stand there
    headers: Mapping[str, str]
    request: CopiedBody
    answer: CopiedBody
    at: datetime = field(default_factory=now)
    status: int = 0
    encoding: str = ""  # content-encoding of the answer
    whole: bool = False  # the answer came to its end and was passed on to its end
    brought: str = ""  # what was added of the memory, and why

    def drop(self) -> None:
        self.request.drop()
        self.answer.drop()


@dataclass(frozen=True, slots=True)
class Captured:
    """What came of an exchange, for the page: no word of what was said is in it."""

    at: datetime
    upstream: str
    program: str
    outcome: str
    failed: bool = False
    session: str = ""
    brought: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What whoever remembers says of an exchange; nothing where there is nothing to tell."""

    said: str
    session: str = ""
    failed: bool = False


Remember = Callable[[CapturedExchange], Outcome]


class Captures:
    """The bounded queue between the proxy and the memory. `offer` never waits."""

    def __init__(self) -> None:
        self.held = HeldBytes()
        self._waiting: queue.Queue[CapturedExchange | None] = queue.Queue(MAX_WAITING)
        self._last: deque[Captured] = deque(maxlen=KEPT)
        self._thread: threading.Thread | None = None

    def begin(self, upstream: Upstream, method: str, path: str, headers: Mapping[str, str]) -> CapturedExchange:
        request, answer = CopiedBody(MAX_REQUEST, self.held), CopiedBody(MAX_ANSWER, self.held)
        return CapturedExchange(upstream, method, path, headers, request, answer)

    def offer(self, exchange: CapturedExchange) -> None:
        try:
            self._waiting.put_nowait(exchange)
        except queue.Full:
            self._tell(exchange, Outcome("not remembered: too many exchanges wait", failed=True))
            exchange.drop()

    def last(self) -> list[Captured]:
        """The newest first."""
        return list(reversed(list(self._last)))

    def start(self, remember: Remember) -> None:
        self._thread = threading.Thread(target=self._run, args=(remember,), name="pmg-proxy", daemon=True)
        self._thread.start()

    def stop(self, timeout: float = 30.0) -> None:
        """What waits is remembered first, as far as the time goes."""
        if self._thread is None:
            return
        try:
            self._waiting.put(None, timeout=timeout)
            self._thread.join(timeout)
        except queue.Full:
            log.warning("what passed last through the proxy is not remembered: too much waits")
        self._thread = None

    def _run(self, remember: Remember) -> None:
        while True:
            exchange = self._waiting.get()
            if exchange is None:
                return
            self._tell(exchange, _outcome(remember, exchange))
            exchange.drop()

    def _tell(self, exchange: CapturedExchange, came: Outcome) -> None:
        if not came.said:
            return
        name = program_of(exchange.headers)
        told = Captured(
            exchange.at, exchange.upstream.name, name, came.said, came.failed, came.session, exchange.brought
        )
        self._last.append(told)


def _outcome(remember: Remember, exchange: CapturedExchange) -> Outcome:
    try:
        return remember(exchange)
    except PmgError as error:
        log.warning("an exchange with %s was not remembered: %s", exchange.upstream.name, type(error).__name__)
        return Outcome(f"not remembered: {type(error).__name__}", failed=True)
    except Exception as error:  # the edge of the thread: the next exchange has nothing to do with it
        log.exception("an exchange with %s could not be read", exchange.upstream.name)
        return Outcome(f"not read: {type(error).__name__}", failed=True)


def program_of(headers: Mapping[str, str]) -> str:
    """Which program asked: by what it says of itself, without its version."""
    if any(name.startswith("x-openwebui-") for name in headers):
        return "Open WebUI"
    product = headers.get("user-agent", "").split("/")[0].split(" ")[0]
    return "".join(char for char in product if char.isprintable())[:40] or "a program"
