"""Automatic backups in the memory's own directory, the newest few of them.

Knows: their names and which ones have had their day. A backup is written by the engine. Only files that carry the automatic name
are ever removed; a backup that a person made stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pmg.base.errors import PmgError
from pmg.base.text import counted
from pmg.store.duckdb import backup
from steward import journal
from steward.task import TaskContext, TaskResult

_NAME = re.compile(r"auto-\d{8}-\d{6}(?:-\d+)?\.duckdb")
_HALF = re.compile(r"\.auto-.*\.tmp(?:\.wal)?")  # what a kill left behind


@dataclass(frozen=True, slots=True)
class BackupPlan:
    file: Path
    drop: tuple[Path, ...]  # once the new one is there
    half: tuple[Path, ...]

    leaving: int = 0

    @property
    def summary(self) -> str:
        dropped = f", {counted(len(self.drop), 'older one')} to drop" if self.drop else ""
        return f"a backup to {self.file.name}{dropped}"


def plan(work: TaskContext) -> BackupPlan:
    folder = work.engine.config.home / "backups"
    kept = automatic(folder)
    file = folder / f"auto-{work.who.at:%Y%m%d-%H%M%S}.duckdb"
    later = 1
    while file.exists():
        later += 1
        file = folder / f"auto-{work.who.at:%Y%m%d-%H%M%S}-{later}.duckdb"
    room = work.engine.config.steward.backup_keep - 1
    half = tuple(sorted(f for f in folder.glob(".auto-*") if _HALF.fullmatch(f.name))) if folder.is_dir() else ()
    return BackupPlan(file, tuple(kept[: max(0, len(kept) - room)]), half)


def automatic(folder: Path) -> list[Path]:
    """Oldest first, by when they were written: a clock that jumped must not make the newest look old."""
    found = [file for file in folder.glob("auto-*.duckdb") if _NAME.fullmatch(file.name)] if folder.is_dir() else []
    return sorted(found, key=lambda file: (file.stat().st_mtime, file.name))


def apply(work: TaskContext, plan: BackupPlan) -> TaskResult:
    """The new one first; an older one goes only when the new one is whole."""
    plan.file.parent.mkdir(mode=0o700, exist_ok=True)
    for file in plan.half:
        file.unlink(missing_ok=True)
    work.engine.backup(plan.file)
    held = backup.check(plan.file)  # read back: only one that opens may stand for those that go
    fuller = [file for file in plan.drop if _holds_more(file, held)]
    for file in plan.drop:
        if file not in fuller:
            file.unlink(missing_ok=True)
    size = plan.file.stat().st_size / 1e6
    kept = f"; {counted(len(fuller), 'older one')} kept: it holds more than the memory does now" if fuller else ""
    journal.note(work.engine, work.who, "backup", f"{plan.file.name}, {size:.1f} MB{kept}")
    return TaskResult("backup", f"backed up ({size:.1f} MB){kept}", 1)


def _holds_more(file: Path, held: int) -> bool:
    """Forgetting cleans backups too, so one that holds more than the memory knows of a loss. A damaged one knows nothing."""
    try:
        return backup.check(file) > held
    except PmgError:
        return False
