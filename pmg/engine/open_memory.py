"""What is there once for an open memory, however many views of it there are: the store, the indexes, the model, the locks.

Opening stands in engine.py, the verbs too. Whoever changes the model or the settings changes them here, for every view.
"""

from __future__ import annotations

import atexit
import logging
import math
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from pmg.base.errors import DiskFull, StoreError
from pmg.base.progress import Progress
from pmg.components import Components
from pmg.config import Config
from pmg.embed.load import ModelHolder
from pmg.engine.background_thread import BackgroundThread
from pmg.index.indexes import Indexes
from pmg.index.read_write_lock import ActiveRequests, ReadWriteLock
from pmg.ingest import build
from pmg.ingest.model_in_force import refuse_vectors_of_another, thresholds_in_force
from pmg.ingest.redact import KnownValues, Redactor
from pmg.people import read_sessions
from pmg.people.extract import VERSION
from pmg.people.model_extract import AskModel, ModelReading, NoClaims, extract_with
from pmg.people.read_sessions import spoken_lines
from pmg.reader.holder import SHARED
from pmg.recall.recall_log import RecallLog
from pmg.store.contract import Store

log = logging.getLogger(__name__)
READ_BATCH = (
    8  # sessions whose claims are made in one transaction: a turn that is told meanwhile waits for a tenth of a second
)
POLL_SECONDS = 0.1  # after which a thread that waits for the lock sees that the memory is being closed
CLOSE_SECONDS = 30.0  # that closing waits for the batch in hand of somebody who builds


class _Stopping(Exception):
    """The memory is about to be closed."""


class OpenMemory:
    """`close()` leaves the store to other processes; a script or notebook that ends without it is closed at its end."""

    def __init__(self, store: Store, indexes: Indexes, model: ModelHolder, config: Config, redactor: Redactor) -> None:
        self.store = store
        self.indexes = indexes
        self.model = model
        self.config = config
        self.redactor = redactor
        self.reader = SHARED
        self.recall_log = RecallLog(store)
        self.building = threading.RLock()  # two threads must not embed the same waiting segments
        self.adding = threading.RLock()  # a turn that is on disk is in the indexes before anybody changes it
        self.embedder = BackgroundThread("embed", self.embed_pending, lambda: self.model.ready() is not None)
        # Turns that were told and take minutes to embed: done one after the other, without a lock, so that nobody waits for them.
        self.long_told: set[int] = set()
        self.embedding_long = threading.Lock()
        self.long_embedder = BackgroundThread(
            "embed-long", self._embed_all_long, lambda: self.model.ready() is not None
        )
        self.extractor = BackgroundThread("extract", self.extract_closed)
        model.when_ready(self.embedder.begin)  # with what was told before it was there
        self.copying = threading.RLock()  # a backup begun before a forgetting is whole, and cleaned, before it
        self.model_switch = ReadWriteLock()  # a recall sees one embedding model from its beginning to its end
        self.active_requests = ActiveRequests()  # people who wait for an answer now
        # Secrets said in open sessions, in memory only: they go when they are said again.
        self.known_values: dict[str, KnownValues] = {}
        self.batches_read = (
            0  # batches of sessions whose claims were read: who listed the waiting ones sees that they changed
        )
        self.stopping = threading.Event()  # long work ends at its next step, for the memory is about to be closed
        self.closed = False
        atexit.register(self.close)

    def components(self, config: Config) -> Components:
        """The parts as they are now: the model may have come since the last look."""
        embedder = self.model.ready()
        if embedder is not None:
            refuse_vectors_of_another(self.store, embedder)
        thresholds = thresholds_in_force(config, self.store)
        return Components(config, self.store, self.indexes, embedder, thresholds)

    def embed_pending(self, patience: float = math.inf) -> None:
        """The vectors of what was told and is not closed yet. Whoever holds `building` for long does this in between.

        A turn that would take long is left to a thread of its own (`embed_long`).
        """
        with self._building_until_closed(patience) as may_build:
            if may_build and self.model.ready() is not None:
                self.embedder.taken()
                build.embed_pending(self.components(self.config), self.long_told)
        self.wake_long()

    def wake_long(self) -> None:
        if self.long_told:
            self.long_embedder.wake()

    def _embed_all_long(self) -> None:
        self.long_embedder.taken()
        while self.long_told and not self.stopping.is_set():
            self.embed_long(sorted(self.long_told)[:1])  # none where whoever closes its session took the last one

    def embed_long(self, numbers: Iterable[int], patience: float = math.inf) -> None:
        """The vectors of some of `long_told`. They are computed without the lock `building`; where the memory is about to be closed it ends early,
        and the next start goes on."""
        for number in numbers:
            with self.embedding_long:  # two threads must not embed the same turn
                if number not in self.long_told:
                    continue
                try:
                    is_done = self._embed_one_long(number, patience)
                except BaseException:  # it waits in the store, and is looked at again with the next turn
                    self.long_told.discard(number)
                    raise
                if not is_done:
                    self.wake_long()
                    return
                self.long_told.discard(number)

    def _embed_one_long(self, number: int, patience: float) -> bool:
        with self._building_until_closed(patience) as may_read:
            if not may_read:
                return False
            turn = build.read_long(self.components(self.config), number)
        if turn is None:
            return True
        try:
            vectors = turn.embed(self._unless_stopping)
        except _Stopping:
            log.info("a long turn is embedded at the next start")
            return False
        with self._building_until_closed() as may_keep:
            return may_keep and build.keep_long(self.components(self.config), turn, vectors)

    def _unless_stopping(self, done: int, total: int) -> None:
        if self.stopping.is_set():
            raise _Stopping

    @contextmanager
    def _building_until_closed(self, patience: float = math.inf) -> Iterator[bool]:
        """The lock `building`, and whether it is held and the memory open. Whoever closes it may hold the lock while it waits for this thread: so it is not
        waited for then; nor longer than `patience`, for whoever has somebody waiting for an answer."""
        until = time.monotonic() + patience
        while not self.building.acquire(timeout=POLL_SECONDS):
            if self.closed or time.monotonic() > until:
                yield False
                return
        try:
            yield not self.closed
        finally:
            self.building.release()

    def extract_closed(self, patience: float = math.inf) -> int:
        """The claims of closed sessions that were not read yet; between some and the next whoever waits for the lock gets it."""
        self.extractor.taken()
        done, count = 0, -1
        waiting: list[str] = []
        while True:
            # With the lock: nothing is forgotten between reading a session and writing its claims.
            with self._building_until_closed(patience) as may_read:
                if not may_read:
                    return done
                if count != self.batches_read:  # at first, and when somebody else read some meanwhile
                    waiting = list(self.store.people.waiting(VERSION))
                some, waiting = waiting[:READ_BATCH], waiting[READ_BATCH:]
                if not some:
                    return done
                read_sessions.read_sessions(self.store, some)
                self.batches_read = count = self.batches_read + 1
            done += len(some)

    def extract_with_model(
        self, session_ids: Sequence[str], model: str, ask: AskModel, progress: Progress
    ) -> ModelReading:
        """Asks a model for the claims of some sessions, one after the other, and keeps each when it is answered.

        Nothing is held while it is asked: whoever writes does not wait for it. A session that changed meanwhile, or whose answer was no use twice, waits
        for the next time.
        """
        done = ModelReading()
        for count, name in enumerate(session_ids, 1):
            lines = spoken_lines(self.store, name)
            try:
                told = extract_with(ask, model, lines)
            except NoClaims:
                done = done.skip()
            else:
                with self.building:
                    if self.closed:
                        return done
                    if spoken_lines(self.store, name) == lines:
                        read_sessions.read_sessions(self.store, [name], told)
                        done = done.add(told)
                    else:
                        done = done.skip()
            progress("asking the model", count, len(session_ids))
        return done

    def between(self, progress: Progress) -> Progress:
        """Long work that reports its progress: between two steps of it, what was told meanwhile gets its vectors, and it ends where the
        memory is about to be closed: what is on disk stays, and the next start goes on from there.

        Not for work that reports while it holds the indexes.
        """

        def step(what: str, done: int, total: int) -> None:
            if self.stopping.is_set():
                raise StoreError(
                    f"The memory is being closed: {what} goes on when it is opened again. What is stored is kept."
                )
            if self.embedder.has_work:
                self.embed_pending()
            progress(what, done, total)

        return step

    def close(self) -> None:
        """Writes what is waiting and leaves the store to others. Closing twice is harmless."""
        if self.closed:
            return
        self.closed = True
        self.stopping.set()
        atexit.unregister(self.close)
        if self.building.acquire(timeout=CLOSE_SECONDS):  # whoever embeds in another thread has ended its batch
            self.building.release()
        try:
            self.embedder.stop()
            self.long_embedder.stop()
            self.extractor.stop()
            self.recall_log.close()
            self.indexes.save()
        except (DiskFull, OSError) as problem:  # counts and indexes: the next start makes them again
            log.warning("not everything was saved: %s", problem)
        finally:  # whatever went wrong: nobody else can use the store while we hold it
            self.store.close()

    def abandon(self) -> None:
        """Leaves the store as it is: opening failed half-way, so nothing here is worth saving."""
        self.closed = True
        self.stopping.set()
        self.embedder.stop()
        self.long_embedder.stop()
        self.extractor.stop()
        atexit.unregister(self.close)
        self.store.close()
