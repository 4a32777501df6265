"""Counting recalls behind the answer, so that nobody waits for a disk to be told something.

Knows: a queue of recalls and a thread that writes them down within a second; what cannot be written now stays in it. What is
counted of a recall is decided by the engine. A kill can cost the counts of the last second; it never costs text.
"""

from __future__ import annotations

import logging
import threading

from pmg.base.errors import PmgError
from pmg.store.contract import Store
from pmg.store.rows import RecallRecord

log = logging.getLogger(__name__)
FLUSH_SECONDS = 1.0  # seconds


class RecallLog:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[RecallRecord] = []
        self._lock = threading.Lock()
        self._writing = threading.Lock()  # one flush at a time, so counts are never written twice
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, record: RecallRecord) -> None:
        with self._lock:
            self._waiting.append(record)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="pmg-recall-log", daemon=True)
                self._thread.start()
        self._wake.set()

    def flush(self) -> None:
        """Writes what is waiting now: before counts are shown, and at the end."""
        with self._writing:
            with self._lock:
                records, self._waiting = self._waiting, []
            if not records:
                return
            try:
                self._write(records)
            except (PmgError, OSError):  # a full disk, say, which passes: they are counted with the next ones
                with self._lock:
                    self._waiting[:0] = records
                raise

    def _write(self, records: list[RecallRecord]) -> None:
        with self._store.writing():
            self._store.record_recalls(records)
            # One update for all of them: each would scan every segment, beside whoever is recalling at that moment.
            used = [number for record in records for number, _, _ in record.used]
            self._store.add_hits(used, records[-1].at)

    def _run(self) -> None:
        while self._wake.wait():
            self._wake.clear()
            if self._stop.wait(FLUSH_SECONDS):
                return  # who closes writes what is left
            try:
                self.flush()
            except PmgError as problem:  # told as it is told everywhere
                log.warning("recalls could not be counted: %s", problem)
            except (
                Exception
            ) as problem:  # the edge of a thread: a count that cannot be written must not end the counting
                log.error("recalls could not be counted (%s)", type(problem).__name__)

    def close(self) -> None:
        self._stop.set()
        self._wake.set()
        self.flush()
