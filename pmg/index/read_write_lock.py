"""Many may read at once, one may change: a small lock that lets searches run side by side. And who is there at all.

Knows: who is inside.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ReadWriteLock:
    """A waiting change lets no new reader in, so a stream of searches cannot hold it off for ever."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._readers = 0
        self._waiting = 0
        self._changing = False

    @property
    def busy(self) -> bool:
        """Whether somebody is searching now: what can wait, waits."""
        return self._readers > 0 or self._waiting > 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._free:
            self._free.wait_for(lambda: not self._changing and not self._waiting)
            self._readers += 1
        try:
            yield
        finally:
            with self._free:
                self._readers -= 1
                self._free.notify_all()

    @contextmanager
    def changing(self) -> Iterator[None]:
        with self._free:
            self._waiting += 1
            self._free.wait_for(lambda: not self._changing and not self._readers)
            self._waiting -= 1
            self._changing = True
        try:
            yield
        finally:
            with self._free:
                self._changing = False
                self._free.notify_all()


class ActiveRequests:
    """Counts those whom somebody is waiting for, so that upkeep can step aside. It holds nobody up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    @property
    def somebody(self) -> bool:
        return self._count > 0

    @contextmanager
    def here(self) -> Iterator[None]:
        with self._lock:
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1
