"""Is what is derived in step with the store? What is derived is made again; what is not is reported.

Knows: indexes against store, rows that belong to nothing, values that nobody can read, sessions left open, missing plain text. Does not know: how to judge
text: words without a segment are somebody's words and are only ever reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pmg.base.model import Session
from pmg.base.text import counted
from pmg.ingest import plaintext
from pmg.store.maintenance import Orphans
from pmg.store.rows import Numbers
from steward import journal
from steward.task import TaskContext, TaskResult


@dataclass(frozen=True, slots=True)
class VerifyPlan:
    """What is wrong. `missing` and `foreign` are windows that an index lacks, or has and should not."""

    missing: Numbers
    foreign: Numbers
    lines: tuple[int, int]  # indexed, expected
    orphans: Orphans
    idle: tuple[str, ...]
    unwritten: tuple[str, ...]  # closed sessions without their plain text
    waiting: int  # segments without vectors
    wrong: tuple[str, ...]  # where values stand that cannot be read

    leaving: int = 0

    @property
    def index_wrong(self) -> bool:
        return bool(len(self.missing) or len(self.foreign)) or self.lines[0] != self.lines[1]

    @property
    def findings(self) -> list[str]:
        sentences = [
            (len(self.missing), "window missing from the index", "windows missing from the index"),
            (len(self.foreign), "window in the index that should not be", "windows in the index that should not be"),
            (abs(self.lines[0] - self.lines[1]), "line too many or too few in the word index", "lines too many or too few in the word index"),
            (self.orphans.total - self.orphans.lines, "row that belongs to no memory", "rows that belong to no memory"),
            (len(self.idle), "session left open", "sessions left open"),
            (len(self.unwritten), "session without its plain text", "sessions without their plain text"),
            (self.waiting, "memory waits for its vectors", "memories wait for their vectors"),
        ]  # fmt: skip
        return [counted(count, one, many) for count, one, many in sentences if count]

    @property
    def unmended(self) -> list[str]:
        """What only a person can judge."""
        lines = f"{counted(self.orphans.lines, 'line')} of text belong to no memory: kept; compare with a backup"
        wrong = f"cannot be read: {', '.join(self.wrong)}; `pmg restore` brings back a backup of before, `pmg forget` removes what it belongs to"
        return [lines] * bool(self.orphans.lines) + [wrong] * bool(self.wrong)

    @property
    def summary(self) -> str:
        return "; ".join([*self.findings, *self.unmended]) or "everything is in step"


def plan(work: TaskContext) -> VerifyPlan:
    store = work.engine.reads
    generation = store.model.generation if store.model else 0
    missing, foreign = _windows(work, generation)
    return VerifyPlan(
        missing,
        foreign,
        _lines(work),
        store.maintenance.orphans(),
        tuple(_idle(work)),
        tuple(session.id for session in store.sessions() if not session.is_open and not _written(work, session)),
        store.pending(generation),
        tuple(store.maintenance.wrong_values()),
    )


def _windows(work: TaskContext, generation: int) -> tuple[Numbers, Numbers]:
    """Read between changes: an ingest under way must not look like damage."""
    indexes = work.engine.indexes
    with work.engine.between_writes() as store, indexes.lock.reading():
        expected = store.maintenance.indexable_windows(generation)
        held = [index.ids() for index in map(indexes.vector, indexes.sizes()) if index is not None]
        found = np.sort(np.concatenate([np.empty(0, np.int64), *held]))
    return np.setdiff1d(expected, found), np.setdiff1d(found, expected)


def _lines(work: TaskContext) -> tuple[int, int]:
    """Lines in the word indexes, and how many there should be."""
    with work.engine.between_writes() as store:
        return sum(size[1] for size in work.engine.indexes.sizes().values()), store.indexable_lines()


def _idle(work: TaskContext) -> list[str]:
    before = work.who.at.timestamp() - 60 * work.engine.config.ingest.idle_minutes
    store = work.engine.reads
    opened = [(s, store.last_said(s.id) or s.started_at) for s in store.sessions(only_open=True)]
    return [session.id for session, last in opened if last.timestamp() < before]


def _written(work: TaskContext, session: Session) -> bool:
    return session.segments == 0 or plaintext.file_of(work.engine.config.home, session).exists()


def apply(work: TaskContext, plan: VerifyPlan) -> TaskResult:
    engine = work.engine
    if plan.idle:
        engine.close_idle(work.who.at)
    if plan.orphans.total > plan.orphans.lines:
        with engine.changing() as tables:
            tables.drop_orphans()
        engine.indexes.reload_edges()
    for some in work.pace.chunks(plan.unwritten, 50):
        engine.write_plain_text(some)
    if plan.index_wrong:
        _mend_indexes(work, plan)
    if plan.waiting and not work.pace.stopping:
        engine.settle(work.progress)
    if plan.findings or plan.unmended:
        journal.note(engine, work.who, "verify", plan.summary)
    mended = f"mended: {', '.join(plan.findings)}" if plan.findings else "everything is in step"
    return TaskResult("verify", "; ".join([mended, *plan.unmended]), len(plan.findings))


def _mend_indexes(work: TaskContext, plan: VerifyPlan) -> None:
    """First only what is wrong is looked at again; if that does not help, the indexes are made anew."""
    engine = work.engine
    wrong = np.concatenate([plan.missing, plan.foreign])
    if len(wrong):
        with engine.changing() as tables:
            tables.touch(tables.segments_of_windows(wrong).tolist())
    engine.indexes.catch_up(work.progress)
    if _still_wrong(work):
        engine.rebuild(work.progress)


def _still_wrong(work: TaskContext) -> bool:
    store = work.engine.reads
    missing, foreign = _windows(work, store.model.generation if store.model else 0)
    indexed, expected = _lines(work)
    return bool(len(missing) or len(foreign)) or indexed != expected
