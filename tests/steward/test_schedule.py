"""The schedule, on the real APScheduler with short intervals."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from datetime import time as clock

import pytest

from pmg.base.errors import ConfigError
from pmg.base.times import now
from pmg.engine import Engine
from steward import schedule as scheduling
from steward import tasks
from steward.schedule import LastRun, Schedule, next_time_of_day, overdue, quiet_hours, trigger_of, within
from steward.steward import Steward
from steward.task import TaskContext, TaskResult
from steward.tasks import TASKS, Task

OFF = dict.fromkeys(TASKS, "off")


def steward_on(open_engine: Callable[..., Engine], **settings: object) -> Steward:
    return Steward(open_engine(config={"steward": {**OFF, "rest": 0.0, **settings}}))


def until(told: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not told():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.02)


class Empty:
    leaving = 0
    summary = "a test"


def test_a_task_that_raises_is_reported_keeps_its_schedule_and_disturbs_no_other(
    open_engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = {"score": 0, "merge": 0}

    def failing(_work: TaskContext, _plan: object) -> TaskResult:
        calls["merge"] += 1
        raise RuntimeError("the disk is full")

    def working(_work: TaskContext, _plan: object) -> TaskResult:
        calls["score"] += 1
        return TaskResult("score", "scored", 1)

    monkeypatch.setitem(TASKS, "merge", Task("merge", lambda _w: Empty(), failing))
    monkeypatch.setitem(TASKS, "score", Task("score", lambda _w: Empty(), working))
    reports: list[tuple[str, LastRun]] = []
    schedule = Schedule(
        steward_on(open_engine, merge="every 0.1s", score="every 0.1s"), lambda n, t: reports.append((n, t))
    )
    schedule.start()
    try:
        until(lambda: calls["merge"] >= 3 and calls["score"] >= 3)
        until(lambda: "merge" in schedule.last and "score" in schedule.last)
        assert schedule.last["merge"].failed
        assert "the disk is full" in schedule.last["merge"].said
        assert not schedule.last["score"].failed
        assert set(schedule.next_times()) == {"merge", "score"}
    finally:
        schedule.stop()
    assert {name for name, _ in reports} == {"merge", "score"}


def test_a_task_runs_once_out_of_its_turn_however_often_it_is_asked_for(open_engine: Callable[..., Engine]) -> None:
    reports: list[str] = []
    schedule = Schedule(steward_on(open_engine, score="30 3 * * *"), lambda name, _: reports.append(name))
    schedule.soon("score", timedelta(0))  # before it runs, and where upkeep is off, nothing is asked of it
    schedule.start()
    try:
        for _ in range(3):
            schedule.soon("score", timedelta(hours=1))
        assert timedelta(0) < schedule.next_times()["score"] - now() <= timedelta(hours=1)
        schedule.soon("score", timedelta(0))
        until(lambda: "score" in schedule.last)
        assert reports == ["score"] and not schedule.last["score"].failed
        assert schedule.next_times()["score"].hour == 3  # its own turn comes all the same
    finally:
        schedule.stop()


def test_one_instance_runs_missed_times_are_joined_and_stopping_waits_for_the_step_in_hand(
    open_engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    running, most, steps = [0], [0], []
    begun = threading.Event()

    def slow(work: TaskContext, _plan: object) -> TaskResult:
        running[0] += 1
        most[0] = max(most[0], running[0])
        for _ in work.pace.chunks(range(100), 1):
            begun.set()
            time.sleep(0.15)
            steps.append("whole")
        running[0] -= 1
        return TaskResult("score", f"{len(steps)} steps", 1)

    monkeypatch.setitem(TASKS, "score", Task("score", lambda _w: Empty(), slow))
    schedule = Schedule(steward_on(open_engine, score="every 0.05s"))
    schedule.start()
    assert begun.wait(120)
    time.sleep(0.4)
    schedule.stop()
    assert (running[0], most[0]) == (0, 1)
    assert 1 <= len(steps) < 100
    count = len(steps)
    time.sleep(0.2)
    assert len(steps) == count


def test_nothing_runs_when_it_is_off_or_disabled(open_engine: Callable[..., Engine]) -> None:
    schedule = Schedule(steward_on(open_engine, enabled=False, score="every 0.05s"))
    schedule.start()
    assert (schedule.next_times(), schedule.last) == ({}, {})
    schedule.stop()


def test_quiet_hours_put_a_task_off_until_they_end(
    open_engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "within", lambda *_: True)
    schedule = Schedule(steward_on(open_engine, score="every 0.2s", quiet_hours="09:00-18:00"))
    schedule.start()
    try:
        until(lambda: schedule.next_times()["score"] - now() > timedelta(seconds=2) or now().hour == 17)
        assert schedule.last == {}
    finally:
        schedule.stop()


def test_times_of_day() -> None:
    day, night = quiet_hours("09:00-18:00"), quiet_hours("22:00-06:30")
    assert day is not None
    assert night is not None
    assert [within(clock(h), day) for h in (8, 9, 17, 18)] == [False, True, True, False]
    assert [within(clock(h), night) for h in (21, 22, 3, 7)] == [False, True, True, False]
    assert quiet_hours("") is None
    noon = datetime(2026, 6, 1, 12).astimezone()
    assert next_time_of_day(noon, clock(13)).day == 1
    assert next_time_of_day(noon, clock(11)).day == 2


def test_what_was_missed_while_the_machine_was_off_is_overdue() -> None:
    trigger = trigger_of("backup", "0 5 * * *")
    ran = datetime(2026, 6, 1, 6).astimezone()
    assert not overdue(trigger, ran, ran + timedelta(hours=3))
    assert overdue(trigger, ran, ran + timedelta(hours=26))
    assert not overdue(trigger, ran, ran - timedelta(days=365))
    assert overdue(trigger_of("score", "every 6h"), ran, ran + timedelta(hours=7))


@pytest.mark.parametrize("text", ["every day", "30 3 * *", "every 0h", "at noon", "every -1h"])
def test_a_time_that_cannot_be_read_is_refused_with_the_right_form(text: str) -> None:
    with pytest.raises(ConfigError, match="every 6h"):
        trigger_of("merge", text)
    assert trigger_of("merge", "off") is None


def test_bad_quiet_hours_are_refused() -> None:
    with pytest.raises(ConfigError, match="09:00-18:00"):
        quiet_hours("noon till late")


def test_a_task_that_never_ran_has_no_last_time_after_a_start(open_engine: Callable[..., Engine]) -> None:
    steward = steward_on(open_engine, score="30 3 * * *")
    schedule = Schedule(steward)
    schedule.start()
    schedule.stop()
    assert tasks.last_runs(steward.engine) == {}
    assert set(tasks.last_runs(steward.engine, tasks.FIRST_SEEN)) == {"score"}
