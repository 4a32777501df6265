"""Recalls are counted behind the answer, each exactly once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pmg.base.errors import DiskFull, StoreError
from pmg.engine import Engine
from pmg.recall import recall_log
from pmg.recall.recall_log import RecallLog
from pmg.store.rows import RecallRecord

RECORD = RecallRecord(datetime(2026, 3, 3, tzinfo=UTC), "default", "why?", "fixed", 1.0, ())


class Counting:
    """A store that only counts."""

    def __init__(self) -> None:
        self.recorded: list[RecallRecord] = []
        self.written = threading.Event()
        self.fails = 0
        self.error: Exception = StoreError("busy")

    def writing(self) -> threading.RLock:
        return threading.RLock()  # type: ignore[return-value]

    def record_recalls(self, records: list[RecallRecord]) -> None:
        if self.fails:
            self.fails -= 1
            raise self.error
        self.recorded += records
        self.written.set()

    def add_hits(self, numbers: list[int], at: datetime) -> None:
        return None


def test_recalls_are_written_soon_without_being_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall_log, "FLUSH_SECONDS", 0.01)
    store = Counting()
    counting = RecallLog(store)  # type: ignore[arg-type]
    counting.add(RECORD)
    counting.add(RECORD)
    assert store.written.wait(120)
    counting.close()
    assert store.recorded == [RECORD, RECORD]


def test_what_is_waiting_is_written_at_the_end(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    engine.recall("cat")
    engine.close()
    assert open_engine().counts().recalls == 1


@pytest.mark.parametrize("error", [StoreError("busy"), OSError("no room"), ValueError("a word of the question")])
def test_a_count_that_cannot_be_written_does_not_end_the_counting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(recall_log, "FLUSH_SECONDS", 0.01)
    store = Counting()
    store.fails, store.error = 1, error
    counting = RecallLog(store)  # type: ignore[arg-type]
    counting.add(RECORD)
    while store.fails:
        pass
    counting.add(RECORD)
    assert store.written.wait(120)
    counting.close()
    assert RECORD in store.recorded
    assert "recalls could not be counted" in caplog.text
    assert "a word of the question" not in caplog.text


@pytest.mark.parametrize("error", [DiskFull("no room"), OSError("no room")])
def test_what_could_not_be_written_is_counted_with_the_next(error: Exception) -> None:
    store = Counting()
    store.fails, store.error = 1, error
    counting = RecallLog(store)  # type: ignore[arg-type]
    later = replace(RECORD, query="and why?")
    counting.add(RECORD)
    with pytest.raises(type(error)):
        counting.flush()
    counting.add(later)
    counting.close()
    assert store.recorded == [RECORD, later]


def test_closing_does_not_wait_for_the_thread_to_wake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall_log, "FLUSH_SECONDS", 600.0)
    store = Counting()
    counting = RecallLog(store)  # type: ignore[arg-type]
    counting.add(RECORD)
    (thread,) = [one for one in threading.enumerate() if one is counting._thread]
    assert thread.name == "pmg-recall-log"
    counting.close()
    thread.join(120)
    assert not thread.is_alive()
    assert store.recorded == [RECORD]


def test_flushes_from_many_threads_count_each_recall_once(engine: Engine) -> None:
    with engine.session() as session:
        name = session.add(user="the cat")
    threads = [threading.Thread(target=lambda: (engine.recall("cat"), engine.counts())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert engine.counts().recalls == 4
    assert engine.segment(name).hits == 4
