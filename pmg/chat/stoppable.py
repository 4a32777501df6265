"""An answer that can be stopped at once, even while a model is silent.

Knows: a thread that listens to the answer and an event that ends the wait.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import suppress

from pmg.chat.responder import ChatAnswer


class Stopped(Exception):
    """The person stopped the answer before its end."""


POLL_SECONDS = 0.1  # seconds after which a stop is noticed at the latest


class StopSignal:
    """The answers that are coming now, by the page they are for."""

    def __init__(self) -> None:
        self._running: dict[str, threading.Event] = {}

    def begin(self, page: str) -> threading.Event:
        self._running[page] = threading.Event()
        return self._running[page]

    def end(self, page: str) -> None:
        self._running.pop(page, None)

    def stop(self, page: str) -> None:
        running = self._running.get(page)
        if running is not None:
            running.set()


def until(coming: Iterator[ChatAnswer], stop: threading.Event) -> Iterator[ChatAnswer]:
    """The answer piece by piece, until it is whole or raises that it was stopped. What goes wrong in the other thread is raised here."""
    told: queue.Queue[ChatAnswer | BaseException | None] = queue.Queue()
    threading.Thread(target=_listen, args=(coming, stop, told), name="pmg-answer", daemon=True).start()
    try:
        while not stop.is_set():
            with suppress(queue.Empty):
                piece = told.get(timeout=POLL_SECONDS)
                if piece is None:
                    return
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        raise Stopped
    finally:
        stop.set()  # the page is gone: the other thread ends with the next piece


def _listen(
    coming: Iterator[ChatAnswer], stop: threading.Event, told: queue.Queue[ChatAnswer | BaseException | None]
) -> None:
    try:
        for piece in coming:
            if stop.is_set():
                break
            told.put(piece)
        told.put(None)
    except BaseException as error:  # carried over to the thread that waits, whatever it is
        told.put(error)
