"""What runs beside the page: idle sessions end, followed folders come in, what waited for the model is linked."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pmg.base.times import now
from pmg.embed.load import ModelHolder
from pmg.engine import Engine
from pmg.server.background import BackgroundJobs
from steward.schedule import Schedule
from steward.steward import Steward
from steward.tasks import TASKS
from tests.embedding import WordEmbedder

Open = Callable[..., Engine]


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def beside(engine: Engine, *, watch: bool = False, schedule: Schedule | None = None) -> BackgroundJobs:
    schedule = schedule or Schedule(Steward(engine))
    made = BackgroundJobs(engine, schedule, watch=watch, idle_look=0.05, after_watch=timedelta(0))
    made.start()
    return made


def test_an_idle_session_is_closed_and_linked_by_itself(open_engine: Open) -> None:
    engine = open_engine(config={"steward": {"enabled": False}, "ingest": {"idle_minutes": 1}})
    idle = engine.session(started_at=now() - timedelta(hours=2))
    idle.add(user="the cat", at=now() - timedelta(hours=2))
    busy = engine.session()
    busy.add(user="bread")
    running = beside(engine)
    until(lambda: not engine.reads.session(idle.id).is_open)  # type: ignore[union-attr]
    running.stop()
    assert engine.reads.session(busy.id).is_open  # type: ignore[union-attr]


def test_followed_folders_come_in_only_when_switched_on(open_engine: Open, tmp_path: Path) -> None:
    settings = {"watch": [], "drop": str(tmp_path / "drop"), "poll_seconds": 0.1, "settle_seconds": 0.0}
    engine = open_engine(config={"steward": {"enabled": False}, "imports": settings})
    (tmp_path / "drop").mkdir()
    (tmp_path / "drop" / "talk.txt").write_text("User: the garden\nAssistant: tomato seeds\n")
    off = beside(engine)
    time.sleep(0.3)
    off.stop()
    assert engine.sessions() == []
    on = beside(engine, watch=True)
    until(engine.sessions)
    on.stop()


def test_topics_are_looked_for_after_a_followed_folder_brought_something(open_engine: Open, tmp_path: Path) -> None:
    settings = {"watch": [], "drop": str(tmp_path / "drop"), "poll_seconds": 0.1, "settle_seconds": 0.0}
    engine = open_engine(config={"steward": dict.fromkeys(TASKS, "off"), "imports": settings})
    (tmp_path / "drop").mkdir()
    (tmp_path / "drop" / "talk.txt").write_text("User: the garden\nAssistant: tomato seeds\n")
    schedule = Schedule(Steward(engine))
    on = beside(engine, watch=True, schedule=schedule)
    until(lambda: "links" in schedule.last)
    on.stop()
    assert set(schedule.last) == {"links"} and not schedule.last["links"].failed


def test_what_was_said_before_the_model_came_is_linked_when_it_comes(open_engine: Open) -> None:
    engine = open_engine(config={"steward": {"enabled": False}})
    gate = ModelHolder(lambda: slow(WordEmbedder()))
    engine._memory.model = gate
    with engine.session() as one:
        one.add(user="the cat sees the vet")
    with engine.session() as two:
        two.add(user="the kitten purrs at the vet")
    assert engine.counts().pending == 2
    running = beside(engine)
    until(lambda: engine.counts().pending == 0)
    running.stop()


def slow(embedder: WordEmbedder) -> WordEmbedder:
    time.sleep(0.2)
    return embedder


def test_a_thread_that_fails_comes_again(open_engine: Open, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    engine = open_engine(config={"steward": {"enabled": False}})
    calls: list[int] = []

    def failing(*_: object) -> list[str]:
        calls.append(1)
        raise RuntimeError("not this time")

    monkeypatch.setattr(engine, "close_idle", failing)
    running = beside(engine)
    until(lambda: len(calls) >= 2)
    running.stop()


def test_what_ends_because_the_memory_is_closed_is_no_error(
    open_engine: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, closed, ended = threading.Event(), threading.Event(), threading.Event()

    def settle(*_: object) -> None:
        begun.set()
        assert closed.wait(120)
        ended.set()
        raise RuntimeError("Connection already closed")

    engine = open_engine(config={"steward": {"enabled": False}})
    monkeypatch.setattr(engine, "settle", settle)
    running = beside(engine)
    assert begun.wait(120)
    running.stop()
    closed.set()
    assert ended.wait(120)
    for thread in running._threads:
        thread.join(120)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
