"""Which chat each open page shows, and which answers are still coming.

An answer that comes for a chat one has left goes on to its end and is kept, but shows nothing; when one comes back it shows again.
"""

from __future__ import annotations

import threading

from pmg.chat.stoppable import StopSignal

MAX_PAGES = 1_000  # a page that is closed says nothing: the oldest are dropped


class OpenChats:
    """Thread-safe: every handler of a page runs in a thread of its own."""

    def __init__(self) -> None:
        self._shown: dict[str, str] = {}
        self._coming: set[tuple[str, str]] = set()
        self._opened: dict[str, int] = {}
        self._stops = StopSignal()
        self._lock = threading.Lock()

    def show(self, page: str, chat: str) -> bool:
        """From now on the page shows it. Whether an answer to it is still coming: then whoever gives that answer draws its end, else it stands in the chat already."""
        with self._lock:
            self._shown.pop(page, None)
            self._shown[page] = chat
            while len(self._shown) > MAX_PAGES:
                del self._shown[next(iter(self._shown))]
            return (page, chat) in self._coming

    def shows(self, page: str, chat: str) -> bool:
        with self._lock:
            return self._shown.get(page) == chat

    def open_memory(self, page: str) -> None:
        """One more memory was opened beside the chat."""
        with self._lock:
            self._opened[page] = self._opened.pop(page, 0) + 1
            while len(self._opened) > MAX_PAGES:
                del self._opened[next(iter(self._opened))]

    def memories_opened(self, page: str) -> int:
        """So many so far: whoever draws the page sees by it that one was opened meanwhile, and leaves it open."""
        with self._lock:
            return self._opened.get(page, 0)

    def coming(self, page: str, chat: str) -> bool:
        with self._lock:
            return (page, chat) in self._coming

    def begin(self, page: str, chat: str) -> threading.Event:
        with self._lock:
            self._coming.add((page, chat))
            return self._stops.begin(f"{page} {chat}")

    def end(self, page: str, chat: str) -> bool:
        """The answer is whole. Whether the page shows its chat: in one step with it, so that of the two who may draw it one does."""
        with self._lock:
            self._coming.discard((page, chat))
            self._stops.end(f"{page} {chat}")
            return self._shown.get(page) == chat

    def stop(self, page: str, chat: str) -> None:
        self._stops.stop(f"{page} {chat}")
