"""The tasks by name, in the order in which a whole run does them.

Each task stands in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
