"""Near-duplicates between which something else was told of the matter: the later one has gone back to what it was, and is not merged.

Knows: how to find what was told in between, from the vectors of the index. What counts as such stands in pmg/ingest/said_between.py; merge.py leaves the
pairs out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from pmg.index.vector import VectorIndex
from pmg.ingest.guard.words import read
from pmg.ingest.said_between import changed_between, told_otherwise
from pmg.ingest.same_people import same_people
from pmg.ingest.spoken import by_people, what_counts
from steward.candidates import MAX_PARTNERS
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
