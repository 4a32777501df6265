"""One connection of a client, with an end to waiting: uvicorn's own protocol waits for ever for half a request, or for a reader that
has stopped reading.

Knows: how long a head may take as a whole, how slowly a body may come, how long an answer may lie unread.
Whoever waits for *us* waits as long as it takes: a stream that says nothing for an hour is no idle client.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


@dataclass(frozen=True, slots=True)
class ConnectionTimeouts:
    """Seconds, and bytes a second."""

    head: float = 20.0  # from the first moment to the end of the headers: one or two packets
    body: float = 60.0  # without a byte of the body, or behind the slowest rate
    slowest: float = 1_000.0  # a telephone line was faster
    unread: float = 300.0  # with the answer's buffer full


class TimedConnection(H11Protocol):
    timeouts: ClassVar[ConnectionTimeouts] = ConnectionTimeouts()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._coming: asyncio.TimerHandle | None = None  # for what the client still has to send
        self._awaited: Any = None  # the state of the request that the timer is for
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        opened = transport.get_extra_info("socket")
        if opened is not None:  # a peer that vanished without a word is noticed by the kernel
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._watch(0)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch(len(data))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch(0)

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._coming, self._unread)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.timeouts.unread, self.transport.abort)

    def resume_writing(self) -> None:
        _cancel(self._unread)
        super().resume_writing()

    def _watch(self, came: int) -> None:
        """After every step: a head has one timer however its bytes trickle; each part of a body buys a little more time."""
        awaited = self.conn.their_state
        if awaited not in (h11.IDLE, h11.SEND_BODY):  # all is here, or the connection became a socket, or it failed
            _cancel(self._coming)
            self._coming = self._awaited = None
            return
        if awaited is not self._awaited:
            self._set(awaited, self.timeouts.head if awaited is h11.IDLE else self.timeouts.body)
        elif awaited is h11.SEND_BODY and came and self._coming is not None:
            left = self._coming.when() - self.loop.time()
            self._set(awaited, min(self.timeouts.body, left + came / self.timeouts.slowest))

    def _set(self, awaited: Any, seconds: float) -> None:
        _cancel(self._coming)
        self._awaited = awaited
        self._coming = self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        if self.flow.read_paused:  # it is we who do not read
            self._set(self._awaited, self.timeouts.body)
        else:
            self.transport.close()


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()
