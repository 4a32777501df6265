"""Near-duplicates that stay two: something else was told of the matter in between, or a person took them apart.

Knows: what was told in between, from the vectors of the index (what counts as such stands in pmg/ingest/said_between.py), and the pairs that a person has
decided about without a line in the review list, from the journal. merge.py leaves both out; review.py has the other decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from pmg.base.model import State
from pmg.engine import Engine
from pmg.index.vector import VectorIndex
from pmg.ingest.guard.words import read
from pmg.ingest.said_between import changed_between, told_otherwise
from pmg.ingest.same_people import same_people
from pmg.ingest.spoken import by_people, what_counts
from pmg.store.maintenance import MaintenanceReads
from pmg.store.rows import JournalEntry
from steward.archive import RESTORE
from steward.journal import MERGE, REVIEW, change_of
from steward.near_pairs import MAX_PARTNERS
from steward.task import TaskContext

BATCH = 256  # pairs whose texts are in memory together
Pair = tuple[int, int]


def told_between(work: TaskContext, namespace: str, pairs: Iterable[Pair]) -> set[Pair]:
    """Of these pairs those that are told anew. What is not looked at because the work must stop counts as told anew."""
    index, left = work.components.indexes.vector(namespace), list(pairs)
    found = set(left)
    for some in work.pace.chunks(left, BATCH):
        near = _near(work, index, sorted({a for a, _ in some})) if index is not None else {}
        found -= {*some} - _changed(work, some, near)
    return found


def _near(work: TaskContext, index: VectorIndex, segments: Sequence[int]) -> dict[int, dict[int, float]]:
    """For each segment the nearest others of any session, each with the best cosine of what people said."""
    catalogue = work.components.indexes.catalogue
    lines = catalogue.lines_of(np.array(segments, dtype=np.int64))
    windows = catalogue.windows_of_lines(lines[by_people(catalogue, lines)])
    owner = catalogue.segments_of_lines(catalogue.lines_of_windows(windows))
    hits = index.search(index.vectors_of(windows), min(MAX_PARTNERS, len(index)))
    real = hits.ids >= 0
    found = catalogue.lines_of_windows(hits.ids[real])
    others = np.zeros_like(hits.ids)
    others[real] = catalogue.segments_of_lines(found)
    real[real] = by_people(catalogue, found)
    near: dict[int, dict[int, float]] = {segment: {} for segment in segments}
    for row, place in zip(*np.nonzero(real), strict=True):
        mine, other, cosine = near[int(owner[row])], int(others[row, place]), float(hits.scores[row, place])
        mine[other] = max(cosine, mine.get(other, -1.0))
    return near


def _changed(work: TaskContext, pairs: Sequence[Pair], near: dict[int, dict[int, float]]) -> set[Pair]:
    catalogue, least = work.components.indexes.catalogue, work.components.thresholds.edge
    said_at = catalogue.segment("said_at")
    between: dict[int, set[int]] = {}
    for a, b in pairs:
        first, last = sorted((said_at[a], said_at[b]))
        inside = [n for n, cosine in near.get(a, {}).items() if cosine >= least and first < said_at[n] < last]
        if inside:
            others = np.array(inside, dtype=np.int64)
            mine = same_people(catalogue, np.full_like(others, a), others)
            between[a] = between.get(a, set()) | set(others[mine].tolist())
    wanted = {n for a, inside in between.items() for n in (a, *inside)} | {b for a, b in pairs if a in between}
    texts, reader = {s.number: what_counts(s) for s in work.engine.reads.segments(sorted(wanted))}, cache(read)
    alike = work.components.thresholds.edge
    otherwise = {
        a: told_otherwise(texts[a], [(texts[n], near[a][n]) for n in sorted(inside) if n in texts], alike, reader)
        for a, inside in between.items()
        if a in texts
    }
    return {
        (a, b) for a, b in pairs if a in otherwise and b in texts and changed_between(texts[a], texts[b], otherwise[a])
    }


SEEN_NOTE = "steward.merge"  # the store's note of the highest segment that merging has looked at, model by model


def kept_apart(tables: MaintenanceReads) -> set[tuple[int, int]]:
    """Pairs a < b whose merge was undone, and those of which one was brought back after it had given way to the other."""
    undone = [entry for entry in tables.journal_entries(action=MERGE) if entry.undone_at is not None]
    restored = [entry for entry in tables.journal_entries(action=RESTORE) if entry.undone_at is None]
    return {pair for entry in (*undone, *restored) for pair in _apart(entry)}


def _apart(entry: JournalEntry) -> Iterator[tuple[int, int]]:
    """Which segment gave way to which in the change: merged by it, or a duplicate until it."""
    change = change_of(entry)
    rows = change.after.segments if entry.action == MERGE else change.before.segments
    for row in rows:
        if row.stands_for and row.state in (State.MERGED, State.DUPLICATE):
            yield min(row.number, row.stands_for), max(row.number, row.stands_for)


def look_again(engine: Engine, undone: Sequence[JournalEntry]) -> None:
    """The next run begins before the pairs that these entries listed or merged, as if theirs had not been."""
    later = [_later(entry) for entry in undone if entry.action in (MERGE, REVIEW)]
    generation, _, seen = (engine.reads.note(SEEN_NOTE) or "0:0").partition(":")
    first = min(later, default=0)
    if 0 < first <= int(seen or 0):
        engine.put_note(SEEN_NOTE, f"{generation}:{first - 1}")


def _later(entry: JournalEntry) -> int:
    """The higher number of the pair: a run sees a pair that has one above its mark."""
    after = change_of(entry).after
    return (
        max(max(review.a, review.b) for review in after.reviews)
        if entry.action == REVIEW
        else max(row.number for row in after.segments)
    )
