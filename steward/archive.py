"""Archiving: old memories that nobody asks for leave recall; a search of the archive and one command bring them back.

Knows: who may be archived, restored and pinned, and how the archive is searched. What was put away as said before comes back the same way. Scores
are made by score.py; superseding.py says who stays with an earlier memory about the same matter. Only the state changes. Text, vectors and links stay where they are, so a restore needs nothing but the state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import InputError
from pmg.base.model import Segment, State
from pmg.base.text import counted
from pmg.base.times import to_micros
from pmg.config import StewardConfig as Settings
from pmg.store.maintenance import SegmentRow, Signals
from pmg.store.rows import Numbers
from steward import journal, namespaces
from steward.change_set import ChangedRows, ChangeSet, JournaledChange
from steward.score import DAY, scores
from steward.superseding import superseding
from steward.task import TaskContext, TaskResult

BATCH = 200  # segments a transaction
RESTORE = "restore"
_WORD = re.compile(r"\w+")
_New = Callable[[SegmentRow], SegmentRow]


@dataclass(frozen=True, slots=True)
class ArchivePlan:
    numbers: tuple[int, ...] = ()
    reason: str = ""

    @property
    def leaving(self) -> int:
        return len(self.numbers)

    @property
    def summary(self) -> str:
        return f"{counted(len(self.numbers), 'old memory', 'old memories')} to archive" + (
            f" ({self.reason})" if self.numbers else ""
        )


def plan(work: TaskContext) -> ArchivePlan:
    settings, signals = work.engine.config.steward, work.engine.reads.maintenance.signals()
    document = work.components.indexes.catalogue.segment("document")
    due = old_and_idle(signals, to_micros(work.who.at), settings)
    if settings.archive_floor > 0:
        due &= scores(signals, work.who.at, settings) < settings.archive_floor
    inside = signals.number < len(document)
    due &= namespaces.in_namespace(work.engine, work.namespace, signals.number)
    due &= inside & ~document[np.where(inside, signals.number, 0)]  # a learnt document is for reference, not talk
    due &= ~np.isin(signals.number, superseding(work, signals.number[due]))
    reason = f"said over {settings.archive_after_days:g} days ago, not recalled for {settings.archive_recent_days:g}"
    floor = f", score under {settings.archive_floor:g}" if settings.archive_floor > 0 else ""
    # Oldest first: whoever breaks off has not archived the newer of two and left the older.
    leaving = np.lexsort((signals.number, signals.said_at))
    return ArchivePlan(tuple(signals.number[leaving[due[leaving]]].tolist()), reason + floor)


def old_and_idle(signals: Signals, moment: int, settings: Settings) -> NDArray[np.bool_]:
    old = signals.said_at < moment - settings.archive_after_days * DAY
    recent = (signals.last_hit >= 0) & (signals.last_hit >= moment - settings.archive_recent_days * DAY)
    return np.asarray(old & ~recent & ~signals.pinned)


def apply(work: TaskContext, plan: ArchivePlan) -> TaskResult:
    done = 0
    for some in work.pace.chunks(plan.numbers, BATCH):
        done += len(move(work, some, State.ACTIVE, State.ARCHIVED, plan.reason))
        work.engine.indexes.catch_up()
        work.progress("archiving", done, len(plan.numbers))
    return TaskResult("archive", f"{done} archived" if done else "nothing old to archive", done)


def move(work: TaskContext, numbers: Sequence[int], source: State, target: State, reason: str) -> list[JournaledChange]:
    """Those that are in `source` now go to `target`; a person may have pinned one since the plan was made."""
    action = {State.ARCHIVED: "archive", State.ACTIVE: RESTORE}[target]

    def due(row: SegmentRow) -> bool:
        return row.state is source and not (row.pinned and target is State.ARCHIVED)

    def moved(row: SegmentRow) -> SegmentRow:
        return replace(row, state=target, stands_for=0) if due(row) else row

    return _change_rows(work, numbers, action, reason, moved)


def put_away(work: TaskContext, numbers: Sequence[int], reason: str = "asked for") -> int:
    """Archives what a person chose, whatever its age. A pinned memory stays."""
    done = len(move(work, numbers, State.ACTIVE, State.ARCHIVED, reason))
    work.engine.indexes.catch_up()
    return done


def restore(work: TaskContext, numbers: Sequence[int], reason: str = "asked for") -> int:
    """What was archived, and what was put away as said before: both are in recall again. A merge is undone by its journal entry."""
    _refuse_behind(work, numbers, (State.MERGED,), "`pmg steward history` has the merge, which can be undone")
    done = len(move(work, numbers, State.ARCHIVED, State.ACTIVE, reason))
    done += len(move(work, numbers, State.DUPLICATE, State.ACTIVE, reason))
    work.engine.indexes.catch_up()
    return done


def pin(work: TaskContext, numbers: Sequence[int], pinned: bool) -> int:
    """A pinned memory is never archived and never gives way to another. One that has given way is not in recall, so there is nothing to keep."""
    if pinned:
        mend = "pin that one, or bring this one back first: `pmg steward restore` for a duplicate, `pmg steward undo` for a merge"
        _refuse_behind(work, numbers, (State.DUPLICATE, State.MERGED), mend)
    action = "pin" if pinned else "unpin"
    return len(_change_rows(work, numbers, action, "asked for", lambda row: replace(row, pinned=pinned)))


def _refuse_behind(work: TaskContext, numbers: Sequence[int], states: Sequence[State], mend: str) -> None:
    for segment in work.engine.reads.segments(sorted(set(numbers))):
        if segment.state in states:
            what = "a duplicate of" if segment.state is State.DUPLICATE else "merged into"
            raise InputError(f"{segment.id} is {what} {segment.stands_for}, which is recalled in its place: {mend}.")


def _change_rows(
    work: TaskContext, numbers: Sequence[int], action: str, reason: str, new: _New
) -> list[JournaledChange]:
    def make(change_set: ChangeSet) -> list[JournaledChange]:
        pairs = [(row, new(row)) for row in change_set.segments.values()]
        return [
            change_set.apply(JournaledChange(action, reason, ChangedRows((old,)), ChangedRows((changed,))))
            for old, changed in pairs
            if old != changed
        ]

    return journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, numbers), make)


@dataclass(frozen=True, slots=True)
class Archived:
    segment: Segment
    score: float


def search(work: TaskContext, query: str, namespace: str, limit: int = 20) -> list[Archived]:
    """The archive by meaning and by words; without a query, all of it in order of time."""
    store, parts = work.engine.reads, work.components
    numbers = np.array(store.maintenance.archived(namespace), dtype=np.int64)
    if not query.strip():
        return [Archived(segment, 0.0) for segment in store.segments(numbers[:limit].tolist())]
    meaning: dict[int, float] = {}
    if parts.embedder is not None and store.model is not None:
        vector = parts.embedder.embed([query])[0]
        for segments, vectors in store.maintenance.archived_vectors(namespace, store.model.generation):
            _keep_best(meaning, segments, vectors @ vector)
    words = _share_of_words(work, query, numbers)
    total = {n: meaning.get(n, 0.0) + words.get(n, 0.0) for n in {*meaning, *words}}
    floor = parts.thresholds.floor
    ranked = sorted((n for n in total if words.get(n) or meaning.get(n, 0.0) >= floor), key=lambda n: (-total[n], n))
    found = store.segments(ranked[:limit])
    return [Archived(segment, round(total[segment.number], 4)) for segment in found]


def _keep_best(best: dict[int, float], segments: Numbers, cosine: NDArray[np.float32]) -> None:
    for number, value in zip(segments.tolist(), cosine.tolist(), strict=True):
        best[number] = max(value, best.get(number, -1.0))


def _share_of_words(work: TaskContext, query: str, numbers: Numbers) -> dict[int, float]:
    """Which part of the query's words each archived segment has."""
    wanted = {word.lower() for word in _WORD.findall(query)}
    have: dict[int, set[str]] = {}
    for number, text in work.engine.reads.maintenance.texts(numbers.tolist()):
        shared = wanted & {word.lower() for word in _WORD.findall(text)}
        if shared:
            have.setdefault(number, set()).update(shared)
    return {number: len(shared) / len(wanted) for number, shared in have.items()}
