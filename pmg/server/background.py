"""What runs beside the page in the same process: the steward's schedule, idle sessions, followed folders, what waited for the model.

Knows: when each begins and how it is stopped. Does not know: what any of it does.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from pmg.base.errors import ModelUnavailable
from pmg.engine import Engine
from pmg.importers.watch import WatchedImport, Watcher, folders_of
from steward.schedule import Schedule

log = logging.getLogger(__name__)
# Without anything new: a transcript that grows is not looked through for topics turn by turn.
AFTER_WATCH = timedelta(minutes=1)
IDLE_LOOK = 60.0  # seconds between two looks for idle sessions: the time they are given is counted in minutes


class BackgroundJobs:
    """Started when the memory is open. `stop` waits for the step in hand."""

    def __init__(
        self,
        engine: Engine,
        schedule: Schedule,
        *,
        watch: bool,
        idle_look: float = IDLE_LOOK,
        after_watch: timedelta = AFTER_WATCH,
    ) -> None:
        self._engine = engine
        self._schedule = schedule
        self._idle_look = idle_look
        self._after_watch = after_watch
        self._stop = threading.Event()
        works = [("pmg-idle", self._close_idle), ("pmg-settle", self._settle)]
        works += [("pmg-watch", self._watch)] if watch else []
        # Daemons: a model that is still loading does not hold up the end.
        self._threads = [threading.Thread(target=self._kept, args=work, name=work[0], daemon=True) for work in works]

    def start(self) -> None:
        self._schedule.start()
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float = 30.0) -> None:
        self._stop.set()
        self._schedule.stop()
        for thread in self._threads:
            if thread.is_alive() and thread.name != "pmg-settle":
                thread.join(timeout)

    def _kept(self, name: str, work: Callable[[], None]) -> None:
        """The edge of a thread: what goes wrong is in the log, and the work comes again."""
        while not self._stop.is_set():
            try:
                work()
                return
            except Exception:  # nobody else could see it, and the server must go on
                # the memory was closed below it: what was not done is done after the next start
                if self._stop.is_set():
                    log.info("%s ended with the server", name)
                    return
                log.exception("%s failed and comes again", name)
                self._stop.wait(self._idle_look)

    def _close_idle(self) -> None:
        while not self._stop.wait(self._idle_look):
            closed = self._engine.close_idle()
            if closed:
                log.info("closed %d idle sessions", len(closed))

    def _settle(self) -> None:
        """What was said before the model was there is embedded and linked once it is, and so is what an import that was broken off left."""
        try:
            self._engine.model.wait()
        except ModelUnavailable:
            log.warning("the embedding model is not available; memory goes on without it")
            return
        while not self._stop.is_set():
            self._engine.extract()  # first, for it takes a fraction of the time: who said what is known meanwhile
            self._engine.settle()
            self._stop.wait(self._idle_look)

    def _watch(self) -> None:
        Watcher(self._engine, folders_of(self._engine.config)).run(self._stop, self._taken)

    def _taken(self, one: WatchedImport) -> None:
        if one.report.turns:
            self._schedule.soon("links", self._after_watch)
