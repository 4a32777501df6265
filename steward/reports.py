"""A report on the memory now and then, in its own directory, if the person wants one.

Knows: where it goes and when it is due. What stands in it is decided by pmg/report.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pmg.store.keys import is_encrypted_home
from steward import journal
from steward.task import TaskContext, TaskResult

FOLDER = "reports"


@dataclass(frozen=True, slots=True)
class ReportPlan:
    file: Path | None  # None: nobody asked for reports, or they would stand in the clear beside an encrypted memory
    why_none: str = ""

    leaving: int = 0

    @property
    def summary(self) -> str:
        return f"a report to {FOLDER}/{self.file.name}" if self.file else f"no report: {self.why_none}"


def plan(work: TaskContext) -> ReportPlan:
    """One a day at most: a second one of the same day takes the place of the first."""
    config = work.engine.config
    wanted = config.steward.report.strip().lower() not in ("", "off")
    if not wanted:
        return ReportPlan(None, "steward.report is off")
    if is_encrypted_home(config.home):
        return ReportPlan(None, "it would stand in the clear beside an encrypted memory")
    return ReportPlan(config.home / FOLDER / f"{work.who.at:%Y-%m-%d}-{config.namespace}.html")


def apply(work: TaskContext, plan: ReportPlan) -> TaskResult:
    from pmg.report import write_report  # plotly is loaded only when a report is written

    if plan.file is None:
        return TaskResult("report", "")
    write_report(work.engine, plan.file, at=work.who.at)
    journal.note(work.engine, work.who, "report", f"{FOLDER}/{plan.file.name}")
    return TaskResult("report", f"report written ({FOLDER}/{plan.file.name})", 1)
