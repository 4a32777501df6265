"""Transcripts behind the answer: once each, the file in hand finished at the end, the rest at the next start. And work that is late."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pmg.engine import Engine
from pmg.importers.import_run import import_paths
from pmg.server.hooks import transcripts
from pmg.server.hooks.deadline import TimedWork
from pmg.server.hooks.given import NOTE, NUMBERS, SESSIONS, GivenBlock, GivenMemories
from pmg.server.hooks.transcripts import TranscriptInbox, WaitingTranscript
from tests.event_loop import run_apart
from tests.server.hook_events import write_transcript


def waiting(person: Path, session: str, *said: tuple[str, str]) -> WaitingTranscript:
    return WaitingTranscript(write_transcript("claude-code", person, session, *said), "default", "claude-code")


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


class CountedImport:
    """Stands in for the importer: counts, and can be held."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: list[Path] = []
        self.free = threading.Event()
        self.free.set()
        self._whole = import_paths
        monkeypatch.setattr(transcripts, "import_paths", self)

    def __call__(self, engine: Engine, files: list[Path], options: Any) -> Any:
        self.files += files
        assert self.free.wait(60)
        return self._whole(engine, files, options)


def test_a_file_told_many_times_is_read_once(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = CountedImport(monkeypatch)
    inbox = TranscriptInbox(engine, 0.2)
    one = waiting(tmp_path, "s1", ("The garden?", "Green."))
    assert all(inbox.offer(one) for _ in range(50)) and inbox.waiting == 1
    inbox.start()
    until(lambda: counted.files and not inbox.waiting)
    inbox.stop()
    assert counted.files == [one.file] and len(engine.sessions()) == 1


def test_one_that_is_told_again_while_it_is_read_is_read_again(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = CountedImport(monkeypatch)
    counted.free.clear()
    inbox = TranscriptInbox(engine, 0.0)
    inbox.start()
    one = waiting(tmp_path, "s1", ("The garden?", "Green."))
    inbox.offer(one)
    until(lambda: counted.files)
    inbox.offer(one)
    counted.free.set()
    until(lambda: len(counted.files) == 2 and not inbox.waiting)
    inbox.stop()


def test_what_waits_at_the_end_is_taken_in_at_the_next_start(engine: Engine, tmp_path: Path) -> None:
    first = TranscriptInbox(engine, 3_600.0)
    first.start()
    one = waiting(tmp_path, "s1", ("The garden?", "Green."))
    assert first.offer(one)
    first.stop()
    assert not first.offer(one), "a server that ends takes nothing more"
    assert engine.sessions() == []
    second = TranscriptInbox(engine, 3_600.0)
    assert second.waiting == 1
    second.start()
    until(lambda: engine.sessions() and not second.waiting)
    second.stop()
    assert TranscriptInbox(engine, 0.0).waiting == 0


def test_one_that_is_being_read_when_the_process_is_killed_comes_again(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = CountedImport(monkeypatch)
    counted.free.clear()
    inbox = TranscriptInbox(engine, 0.0)
    inbox.start()
    inbox.offer(waiting(tmp_path, "s1", ("The garden?", "Green.")))
    until(lambda: counted.files)
    assert TranscriptInbox(engine, 0.0).waiting == 1  # what a process that starts now would find
    counted.free.set()
    until(lambda: TranscriptInbox(engine, 0.0).waiting == 0)
    inbox.stop()


def test_one_that_fails_does_not_hold_up_the_next(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = import_paths

    def failing(engine: Engine, files: list[Path], options: Any) -> Any:
        if "bad" in files[0].name:
            raise OSError("gone")
        return whole(engine, files, options)

    monkeypatch.setattr(transcripts, "import_paths", failing)
    inbox = TranscriptInbox(engine, 0.0)
    inbox.start()
    inbox.offer(waiting(tmp_path, "bad", ("The secret garden?", "Green.")))
    inbox.offer(waiting(tmp_path, "good", ("The garden?", "Green.")))
    until(lambda: engine.sessions() and not inbox.waiting)
    inbox.stop()
    assert "could not be taken in" in caplog.text and "secret" not in caplog.text


def test_what_was_given_is_bounded_and_read_back_without_text(engine: Engine) -> None:
    given = GivenMemories(engine)
    for number in range(SESSIONS + 5):
        given.put(f"s{number}", GivenBlock("a", (number,), "the garden", "x"))
    for turn in range(NUMBERS + 10):
        given.put("s204", GivenBlock(f"q{turn}", (1_000 + turn,)))
    given.save()
    again = GivenMemories(engine)
    assert again.to("s0").numbers == () and again.to("s100").last == GivenBlock("a", (100,))
    assert again.to("s204") == given.to("s204") and len(again.to("s204").numbers) == NUMBERS + 1
    assert "garden" not in (engine.reads.note(NOTE) or "")


def test_work_that_is_late_fails_or_finds_no_room_gives_nothing() -> None:
    free = threading.Event()

    def hang() -> str:
        assert free.wait(60)
        return "late"

    async def use() -> None:
        work: TimedWork[str] = TimedWork(60.0, at_once=2)
        assert await work.within(lambda: "done") == "done"
        assert await work.within(lambda: 1 / 0) is None  # type: ignore[arg-type, return-value]
        late: TimedWork[str] = TimedWork(0.01, at_once=2)
        assert await late.within(hang) is None and await late.within(hang) is None
        assert await late.within(lambda: "done") is None  # both places are taken by what is late
        free.set()
        late._limit = 60.0
        while await late.within(lambda: "done") is None:
            await asyncio.sleep(0.01)

    run_apart(use())
