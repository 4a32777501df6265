"""The schedule: which task runs when, beside the server. The only module that imports apscheduler.

Knows: cron and interval texts, quiet hours, and that a task which fails is reported and comes again. The tasks stand in tasks.py.
One thread does all of it, so no two tasks meet; what was missed while the machine slept is done once, when it wakes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED, EVENT_JOB_MISSED
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from pmg.base.errors import ConfigError
from pmg.base.times import now
from pmg.config import StewardConfig as Settings
from steward.steward import RunReport, Steward, in_words
from steward.tasks import FIRST_SEEN, TASKS, last_runs, put_runs

log = logging.getLogger(__name__)
MISFIRE_SECONDS = 24 * 3600  # seconds a missed time may be made up for: a machine that slept through the night
START_DELAY = timedelta(minutes=1)  # after the start: the person comes first
_ONCE = " soon"  # after a task's name: the job that runs it once, out of its turn
_EVERY = re.compile(r"every\s+(\d+(?:\.\d+)?)\s*([smhd])")
_UNIT = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class LastRun:
    """How a task's last time went."""

    at: datetime
    said: str
    failed: bool = False


class Schedule:
    """Started with the server and stopped with it. `last` says how each task went."""

    def __init__(self, steward: Steward, on_report: Callable[[str, LastRun], None] | None = None) -> None:
        self._steward = steward
        self._settings = steward.engine.config.steward
        self._on_report = on_report
        self._quiet = quiet_hours(self._settings.quiet_hours)
        self._scheduler = BackgroundScheduler(
            executors={"default": ThreadPoolExecutor(1)},
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": MISFIRE_SECONDS},
        )
        self._scheduler.add_listener(self._record_outcome, EVENT_JOB_ERROR | EVENT_JOB_EXECUTED | EVENT_JOB_MISSED)
        self.last: dict[str, LastRun] = {}

    def start(self) -> None:
        begun = now()
        ran, seen = self.ran(), last_runs(self._steward.engine, FIRST_SEEN)
        for name, text in times(self._settings).items():
            trigger = trigger_of(name, text)
            if trigger is not None:
                late = overdue(trigger, ran.get(name) or seen.setdefault(name, begun), begun) or (
                    name == "backup" and self._never_backed_up()
                )
                due = {"next_run_time": begun + START_DELAY} if late else {}
                self._scheduler.add_job(self._run, trigger, args=[name], id=name, name=name, **due)
        if self._settings.enabled:
            put_runs(self._steward.engine, seen, FIRST_SEEN)
            if not self._scheduler.running:
                self._scheduler.start()

    def _never_backed_up(self) -> bool:
        engine = self._steward.engine
        return not any((engine.config.home / "backups").glob("*.duckdb")) and bool(
            sum(engine.reads.segments_by_state().values())
        )

    def change(self, settings: Settings) -> None:
        """Other times from now on; the task in hand goes on. Nothing changes where the new times cannot be read."""
        check(settings)
        self._scheduler.remove_all_jobs()
        self._settings, self._quiet = settings, quiet_hours(settings.quiet_hours)
        if settings.enabled:
            self.start()

    def ran(self) -> dict[str, datetime]:
        """When each task last ran, in any process: a machine that is off at night still gets its nightly backup."""
        return {name: at for name, at in last_runs(self._steward.engine).items() if name in TASKS}

    def soon(self, name: str, after: timedelta) -> None:
        """Once, out of its turn; asked again before that, it waits anew. Nothing where upkeep is switched off."""
        if self._scheduler.running:
            args = {"args": [name], "id": name + _ONCE, "name": name, "replace_existing": True}
            self._scheduler.add_job(self._run_once, DateTrigger(now() + after), **args)

    def stop(self) -> None:
        """Waits for the step in hand; the rest of that task is done the next time."""
        self._steward.stop()
        if self._scheduler.running:
            self._scheduler.shutdown(wait=True)

    def next_times(self) -> dict[str, datetime]:
        if not self._scheduler.running:
            return {}
        jobs = [job for job in self._scheduler.get_jobs() if job.next_run_time is not None]
        found: dict[str, datetime] = {}
        for job in jobs:
            name = job.id.removesuffix(_ONCE)
            found[name] = min(job.next_run_time, found.get(name, job.next_run_time))
        return found

    def _run(self, name: str) -> RunReport | None:
        moment = now()
        if self._quiet is not None and within(moment.time(), self._quiet):
            self._scheduler.modify_job(name, next_run_time=next_time_of_day(moment, self._quiet[1]))
            return None
        return self._steward.run([name], actor="schedule")

    def _run_once(self, name: str) -> RunReport:
        return self._steward.run([name], actor="schedule")

    def _record_outcome(self, event: Any) -> None:
        """The edge of the scheduler's thread: whatever a task raised is logged with its traceback and shown, never lost."""
        if event.code == EVENT_JOB_EXECUTED:
            if event.retval is None:
                return
            last_run = LastRun(now(), in_words(event.retval))
        elif event.code == EVENT_JOB_MISSED:
            last_run = LastRun(now(), "missed its time and comes again at the next", failed=True)
        else:
            log.error("%s failed: %s\n%s", event.job_id, event.exception, event.traceback)
            last_run = LastRun(now(), f"failed: {event.exception}", failed=True)
        name = event.job_id.removesuffix(_ONCE)
        self.last[name] = last_run
        if self._on_report is not None:
            self._on_report(name, last_run)


def times(settings: Settings) -> dict[str, str]:
    return {name: getattr(settings, name) for name in TASKS}


def check(settings: Settings) -> None:
    """An error that names the first time that cannot be read."""
    quiet_hours(settings.quiet_hours)
    for name, text in times(settings).items():
        trigger = trigger_of(name, text)
        if trigger is not None and trigger.get_next_fire_time(None, now()) is None:
            raise ConfigError(f"steward.{name} is {text!r}, a time that never comes: choose another, or `off`.")


def trigger_of(name: str, text: str) -> Any:
    """Five cron fields, `every 6h`, or None for `off`."""
    if text.strip().lower() in ("off", ""):
        return None
    every = _EVERY.fullmatch(text.strip().lower())
    if every is not None and float(every[1]) > 0:
        return IntervalTrigger(seconds=float(every[1]) * _UNIT[every[2]])
    try:
        return CronTrigger.from_crontab(text)
    except ValueError as problem:
        raise ConfigError(
            f"steward.{name} is {text!r} ({problem}): write five cron fields like `30 3 * * *`, `every 6h`, or `off`."
        ) from None


def overdue(trigger: Any, ran: datetime, at: datetime) -> bool:
    """Whether a time passed since the task last ran. A clock that was set back makes nothing overdue."""
    due = trigger.get_next_fire_time(ran, ran)
    return due is not None and due <= at


def quiet_hours(text: str) -> tuple[time, time] | None:
    if not text.strip():
        return None
    try:
        begin, end = (time.fromisoformat(part.strip()) for part in text.split("-"))
    except ValueError:
        raise ConfigError(f"steward.quiet_hours is {text!r}: write it like 09:00-18:00, or leave it empty.") from None
    return begin, end


def within(moment: time, span: tuple[time, time]) -> bool:
    """Also across midnight: 22:00-06:00."""
    begin, end = span
    return begin <= moment < end if begin <= end else moment >= begin or moment < end


def next_time_of_day(moment: datetime, wanted: time) -> datetime:
    same_day = moment.replace(hour=wanted.hour, minute=wanted.minute, second=wanted.second, microsecond=0)
    return same_day if same_day > moment else same_day + timedelta(days=1)
