"""The tasks by name, in the order in which a whole run does them, and when each last ran, whoever asked for it.

Each task stands in a file of its own. When one should run says schedule.py, what it did journal.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pmg.engine import Engine
from steward import archive, backups, links, merge, reports, score, verify
from steward.task import TaskContext, TaskPlan, TaskResult


@dataclass(frozen=True, slots=True)
class Task:
    """`plan` looks and changes nothing; `apply` does what a plan says, in short transactions, each with its journal entry."""

    name: str
    plan: Callable[[TaskContext], TaskPlan]
    apply: Callable[[TaskContext, Any], TaskResult]
    per_namespace: bool = False  # can work in one namespace; the others look after the memory as a whole


TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task("verify", verify.plan, verify.apply),  # first: the others trust the indexes
        Task("score", score.plan, score.apply),
        Task(
            "merge", merge.plan, merge.apply, per_namespace=True
        ),  # before archiving: hits that add up may keep a memory
        Task("archive", archive.plan, archive.apply, per_namespace=True),
        Task("links", links.plan, links.apply, per_namespace=True),  # on what is left in recall
        Task("backup", backups.plan, backups.apply),  # it holds the tidied memory
        Task("report", reports.plan, reports.apply),  # last: it tells what the others did
    )
}


RAN = "steward.ran"
FIRST_SEEN = "steward.first_seen"  # since when a task that never ran has been due by its schedule


def last_runs(engine: Engine, note: str = RAN) -> dict[str, datetime]:
    saved = json.loads(engine.reads.note(note) or "{}")
    return {name: datetime.fromisoformat(text) for name, text in saved.items()}


def put_runs(engine: Engine, ran: Mapping[str, datetime], note: str = RAN) -> None:
    engine.put_note(note, json.dumps({name: at.isoformat() for name, at in sorted(ran.items())}))
