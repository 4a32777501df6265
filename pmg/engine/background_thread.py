"""A thread for what follows a write, so that whoever writes need not wait: vectors of what was just told, claims of what was closed.

It is given what to do and calls it: how vectors and claims are made and kept is the engine's. What goes wrong is in the log, and what was not
done is still waiting in the store: the next call finds it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from pmg.base.errors import PmgError

log = logging.getLogger(__name__)
BATCH_SECONDS = 0.2  # seconds: what is told close together is worked on together, which costs a fraction
TIMEOUT = 30.0  # seconds that closing waits for the batch in hand


class BackgroundThread:
    """`wake()` has it look within a moment, once it is `ready`; who makes it ready calls `begin()`. `stop()` waits for the step in hand."""

    def __init__(self, name: str, work: Callable[[], object], ready: Callable[[], bool] = lambda: True) -> None:
        self._name = name
        self._work = work
        self._ready = ready
        self._waiting = threading.Event()
        self._stop = threading.Event()
        self._changing = threading.Lock()  # for the moments in which it starts, takes work up and is stopped
        self._thread: threading.Thread | None = None

    @property
    def has_work(self) -> bool:
        """Whether somebody woke it and it has not looked yet."""
        return self._waiting.is_set()

    def wake(self) -> None:
        self._waiting.set()
        self.begin()

    def begin(self) -> None:
        if self._thread is not None or not self.has_work or not self._ready():
            return
        with self._changing:
            if self._thread is None and not self._stop.is_set():
                # A daemon: a program that ends without closing does not hang; the store knows what is missing.
                self._thread = threading.Thread(target=self._run, name=f"pmg-{self._name}", daemon=True)
                self._thread.start()

    def taken(self) -> None:
        """What it was woken for is being done: called by the work itself, first, so that what is told meanwhile wakes it again."""
        with self._changing:
            if not self._stop.is_set():  # else nobody would wake it again, and closing would wait for it in vain
                self._waiting.clear()

    def stop(self) -> None:
        with self._changing:
            self._stop.set()
            self._waiting.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(TIMEOUT)

    def _run(self) -> None:
        while self._waiting.wait() and not self._stop.wait(BATCH_SECONDS):
            if not self.has_work:
                continue  # whoever held the lock has done it meanwhile
            try:
                self._work()
            except PmgError as problem:  # a full disk, say: told as it is told everywhere
                log.warning("%s: %s", self._name, problem)
            except Exception:  # the edge of a thread: nobody else could see it, and the next turn must find it alive
                log.exception(
                    "%s: what was told could not be worked on; it is looked at again with the next turn", self._name
                )
