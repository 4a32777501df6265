"""Archiving: old memories that nobody asks for leave recall; a search of the archive and one command bring them back.

Knows: who may be archived, restored and pinned, and how the archive is searched. What was put away as said before comes back the same way. Scores
are made by score.py. Only the state changes. Text, vectors and links stay where they are, so a restore needs nothing but the state.

What is so now must not leave recall while what was so is still in it. "I work as a baker" said twice has hits and stays; "I work as a nurse now" said once,
later, has none and would be archived alone: it stays with the earlier one. About the same matter is a pair of the review list, a likeness as of
near-duplicates, or, of those that are linked or near each other in one session, where ingest makes no links, a pair that tells it otherwise in mostly the
same words. One topic alone is not one matter, nor are two days. Whom that holds is in recall too, and holds in its turn what was told after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import InputError
from pmg.base.model import Kind, Segment, State
from pmg.base.text import counted
from pmg.base.times import to_micros
from pmg.config import StewardConfig as Settings
from pmg.index.catalogue import KINDS, STATES, Catalogue
from pmg.ingest.day_words import DAY_WORDS
from pmg.ingest.guard.compare import Reader
from pmg.ingest.guard.words import read
from pmg.ingest.said_between import told_otherwise
from pmg.ingest.spoken import by_people
from pmg.people.told_values import says_anew
from pmg.store.maintenance import SegmentRow, Signals
from pmg.store.rows import Numbers
from steward import journal, namespaces
from steward.change_set import ChangedRows, ChangeSet, JournaledChange
from steward.score import DAY, scores
from steward.task import TaskContext, TaskResult

ALIKE = [KINDS.index(kind) for kind in (Kind.SEMANTIC, Kind.RELATED_TO)]
ACTIVE = STATES.index(State.ACTIVE)
STEP = 512  # windows of one session held against others of it at once
READ_BATCH = 256  # pairs whose texts are in memory together
_OF_ITS_DAY = re.compile(rf"\b(?:{DAY_WORDS})\b", re.IGNORECASE)
Marks = NDArray[np.bool_]  # by segment number


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Row for row two memories and how alike they are."""

    later: Numbers
    earlier: Numbers
    cosine: NDArray[np.float32]

    def where(self, kept: NDArray[np.bool_]) -> _Pairs:
        return _Pairs(self.later[kept], self.earlier[kept], self.cosine[kept])

    def between(self, later: Marks, earlier: Marks) -> _Pairs:
        return self.where(later[self.later] & earlier[self.earlier])


_NO_PAIRS = _Pairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))


def _joined(*some: _Pairs) -> _Pairs:
    every = (_NO_PAIRS, *some)
    return _Pairs(
        np.concatenate([one.later for one in every]),
        np.concatenate([one.earlier for one in every]),
        np.concatenate([one.cosine for one in every]),
    )


def superseding(work: TaskContext, due: Numbers) -> Numbers:
    """Of the memories that are due, those told after one about the same matter that stays."""
    catalogue, reader = work.components.indexes.catalogue, cache(read)
    telling = _telling(catalogue)
    leaving = np.zeros_like(telling)
    leaving[due] = telling[due]
    fresh = telling & ~leaving
    linked = _in_order(catalogue, _joined(_linked(work, np.flatnonzero(leaving)), _reviewed(work)))
    while fresh.any():  # whoever was held in the round before holds others in this one: each pair is looked at once
        near = _joined(linked.between(leaving, fresh), _near_in_sessions(work, leaving, fresh))
        fresh = _held(work, near, reader)
        leaving &= ~fresh
    return due[telling[due] & ~leaving[due]]


def _held(work: TaskContext, pairs: _Pairs, reader: Reader) -> Marks:
    """The later ones of those pairs that are of one matter. Texts are read where the likeness does not say it."""
    sure = pairs.cosine >= work.components.thresholds.merge
    held = np.zeros(len(work.components.indexes.catalogue.segment("state")), dtype=np.bool_)
    held[pairs.later[sure]] = True
    left = np.flatnonzero(~held[pairs.later])
    for at in range(0, len(left), READ_BATCH):
        some = left[at : at + READ_BATCH]
        ends = list(zip(pairs.later[some].tolist(), pairs.earlier[some].tolist(), strict=True))
        texts = {s.number: s for s in work.engine.reads.segments(sorted({n for pair in ends for n in pair}))}
        for later, earlier in ends:
            if not held[later] and later in texts and earlier in texts:
                held[later] = _corrects(texts[later], texts[earlier], reader)
    return held


def _corrects(later: Segment, earlier: Segment, reader: Reader) -> bool:
    """Does it tell the same matter otherwise? "Today I ran 5 km" and "Today I ran 8 km" of two days tell of two runs."""
    if later.at.date() != earlier.at.date() and all(
        any(_OF_ITS_DAY.search(line.text) for line in one.lines) for one in (later, earlier)
    ):
        return False
    return bool(told_otherwise(earlier, [(later, 0.0)], 1.0, reader)) or _says_that_it_changed(later, earlier)


def _says_that_it_changed(later: Segment, earlier: Segment) -> bool:
    """ "I work as a nurse in York now": of what it is linked to, in whatever words."""
    return any(
        says_anew(old.text, new.text)
        for new in later.lines
        for old in earlier.lines
        if new.speaker == old.speaker and new.role is old.role
    )


def _telling(catalogue: Catalogue) -> Marks:
    """What is in recall and is told: a question corrects nothing, and a document is there for reference."""
    column = catalogue.segment
    there = (column("state") == ACTIVE) & (column("lines") > 0)
    return np.asarray(there & ~column("asked") & ~column("document"))


def _linked(work: TaskContext, segments: Numbers) -> _Pairs:
    links = work.components.indexes.catalogue.links(segments).of_kinds(ALIKE)
    near = links.weight >= work.components.thresholds.edge
    return _Pairs(links.source[near], links.target[near], links.weight[near])


def _reviewed(work: TaskContext) -> _Pairs:
    """What was listed as one matter is one, however alike."""
    pairs = np.array(sorted(work.engine.reads.maintenance.reviewed_pairs()), dtype=np.int64).reshape(-1, 2)
    return _Pairs(pairs[:, 0], pairs[:, 1], np.ones(len(pairs), dtype=np.float32))


def _in_order(catalogue: Catalogue, pairs: _Pairs) -> _Pairs:
    """Each pair with the one that was told later first."""
    a, b, size = pairs.later, pairs.earlier, len(catalogue.segment("said_at"))
    pairs = pairs.where((a < size) & (b < size) & (a != b))
    a, b = pairs.later, pairs.earlier
    later = _is_later(catalogue, a, b)
    return _Pairs(np.where(later, a, b), np.where(later, b, a), pairs.cosine)


def _is_later(catalogue: Catalogue, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    said_at = catalogue.segment("said_at")
    return np.asarray((said_at[a] > said_at[b]) | ((said_at[a] == said_at[b]) & (a > b)))


def _near_in_sessions(work: TaskContext, leaving: Marks, fresh: Marks) -> _Pairs:
    """Those that would leave, each with what is near it, earlier in its own session, and stays."""
    session = work.components.indexes.catalogue.segment("session")
    later, earlier = (_by_session(session, marks) for marks in (leaving, fresh))
    return _joined(*(_near(work, later[code], earlier[code]) for code in sorted(later.keys() & earlier.keys())))


def _by_session(session: NDArray[np.int32], marks: Marks) -> dict[int, Numbers]:
    numbers = np.flatnonzero(marks)
    numbers = numbers[np.argsort(session[numbers], kind="stable")]
    parts = np.split(numbers, np.flatnonzero(np.diff(session[numbers])) + 1)
    return {int(session[part[0]]): part for part in parts if len(part)}


def _near(work: TaskContext, later: Numbers, earlier: Numbers) -> _Pairs:
    """Those of the one group, each with those of the other that are earlier and as near as links are."""
    catalogue = work.components.indexes.catalogue
    index = work.components.indexes.vector(catalogue.namespaces.names[int(catalogue.segment("namespace")[later[0]])])
    if index is None:
        return _NO_PAIRS
    mine, others = (_said_windows(catalogue, segments) for segments in (later, earlier))
    owner, other = (catalogue.segments_of_lines(catalogue.lines_of_windows(windows)) for windows in (mine, others))
    vectors, against = index.vectors_of(mine), index.vectors_of(others).T
    found = []
    for at in range(0, len(mine), STEP):
        cosine = vectors[at : at + STEP] @ against
        row, column = np.nonzero(cosine >= work.components.thresholds.edge)
        pairs = _Pairs(owner[at + row], other[column], cosine[row, column])
        found.append(pairs.where(_is_later(catalogue, pairs.later, pairs.earlier)))
    return _joined(*found)


def _said_windows(catalogue: Catalogue, segments: Numbers) -> Numbers:
    lines = catalogue.lines_of(segments)
    return catalogue.windows_of_lines(lines[by_people(catalogue, lines)])


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
