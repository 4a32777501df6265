"""Pairs of memories near enough to be looked at, from the vectors of the index alone.

`near` finds what may be merged: turns of one form whose likeness is that of the least alike lines of what people said. One window a segment, the first of
its longest spoken line, is held against all windows: what is alike in every line is alike there. Only windows of later segments are looked at in a
sweep, so each pair is computed once: half the work of all against all.

`said_again` finds what only a person can decide about: what people said, held against what they said in other sessions, whatever the form of the
turn: a question asked twice with two answers, a dose that changed, a date that moved. Two turns are a pair if each is among the other's nearest.

Texts, and what was answered, are compared by pmg/ingest/guard/; merge.py and retold.py do the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.base.progress import Progress, silent
from pmg.components import Components
from pmg.index.adjacency import runs
from pmg.index.catalogue import ROLES, Catalogue
from pmg.index.vector import VectorIndex
from pmg.ingest.duplicates import MIN_WORDS
from pmg.ingest.spoken import PEOPLE, by_people
from pmg.store.rows import Numbers
from steward.task import Pace

PROBES, AGAINST, STEP = 1024, 4096, 64  # a step's scores are 1 MB and take some three milliseconds
MAX_PARTNERS = 50  # partners of one probe: a set phrase said a thousand times must not fill the memory with pairs
SCORE_BATCH = 8192  # pairs scored exactly at once
ROUNDING = 1e-4  # how far a fast score may lie under the exact one

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NearPairs:
    """Pairs a < b by number, in order, with the likeness of their least alike lines."""

    a: Numbers
    b: Numbers
    cosine: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.a)


_NOBODY: Numbers = np.empty(0, np.int64)
_NOTHING = NearPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))


def near(
    components: Components,
    namespace: str,
    threshold: float,
    after: int,
    pace: Pace,
    progress: Progress = silent,
    *,
    apart: Numbers = _NOBODY,
) -> NearPairs:
    """Pairs of which at least one has a number above `after` (0: all pairs), and none is among those `apart`."""
    index, catalogue = components.indexes.vector(namespace), components.indexes.catalogue
    if index is None or not len(index):
        return _NOTHING
    said = _Said.of(catalogue, index)
    windows, owner = _windows(catalogue, index, said, apart)
    probes, probing = _probes(catalogue, windows, owner, after)
    found = [
        _rough(index, catalogue, said, block, threshold, pace)
        for block in _blocks(windows, owner, probes, probing, after, pace, progress)
    ]
    pairs = np.unique(np.concatenate([np.empty((0, 2), np.int64), *found]), axis=0)
    return _exact(catalogue, index, said, pairs, threshold)


@dataclass(frozen=True, slots=True)
class _Said:
    """What people said in each turn: by segment number how many lines, where in `lines` they begin and how many words; by line its place among them, or -1."""

    lines: Numbers
    count: Numbers
    first: Numbers
    words: Numbers
    place: Numbers

    @classmethod
    def of(cls, catalogue: Catalogue, index: VectorIndex) -> _Said:
        segments = np.unique(catalogue.segments_of_lines(catalogue.lines_of_windows(index.ids())))
        lines = catalogue.lines_of(segments)
        lines = lines[by_people(catalogue, lines)]
        owner, size = catalogue.segments_of_lines(lines), catalogue.size + 1
        count = np.bincount(owner, minlength=size)
        first = np.cumsum(count) - count
        words = np.bincount(owner, catalogue.line("words")[lines], size).astype(np.int64)
        place = np.full(len(catalogue.line("words")), -1, dtype=np.int64)
        place[lines] = np.arange(len(lines)) - first[owner]
        return cls(lines, count, first, words, place)

    def lines_of(self, segments: Numbers) -> Numbers:
        return self.lines[runs(self.first[segments], self.count[segments])]


@dataclass(frozen=True, slots=True)
class _Block:
    probes: Numbers  # window ids
    probing: Numbers  # their segments
    windows: Numbers
    owner: Numbers


def _windows(catalogue: Catalogue, index: VectorIndex, said: _Said, apart: Numbers) -> tuple[Numbers, Numbers]:
    """The windows of what people said, of turns in which they said enough to be merged, by segment."""
    ids = np.sort(index.ids())
    lines = catalogue.lines_of_windows(ids)
    owner = catalogue.segments_of_lines(lines)
    wanted = (said.place[lines] >= 0) & (said.words[owner] >= MIN_WORDS) & ~np.isin(owner, apart)
    ids, owner = ids[wanted], owner[wanted]
    order = np.argsort(owner, kind="stable")
    return ids[order], owner[order]


def _probes(catalogue: Catalogue, windows: Numbers, owner: Numbers, after: int) -> tuple[Numbers, Numbers]:
    """For each segment above `after` the first window of its longest line."""
    lines = catalogue.lines_of_windows(windows)
    words = catalogue.line("words")[lines]
    order = np.lexsort((windows, -words, owner))
    first = order[np.flatnonzero(np.diff(owner[order], prepend=-1))]
    chosen = first[owner[first] > after]
    return windows[chosen], owner[chosen]


def _blocks(
    windows: Numbers, owner: Numbers, probes: Numbers, probing: Numbers, after: int, pace: Pace, progress: Progress
) -> Iterator[_Block]:
    for start in range(0, len(probes), PROBES):
        mine = slice(start, start + PROBES)
        # In a sweep everything earlier has been held against this block already.
        begin = int(np.searchsorted(owner, probing[start])) if after == 0 else 0
        for at in range(begin, len(windows), AGAINST):
            if pace.stopping:
                return
            yield _Block(probes[mine], probing[mine], windows[at : at + AGAINST], owner[at : at + AGAINST])
        progress("looking for near-duplicates", min(start + PROBES, len(probes)), len(probes))


def _rough(
    index: VectorIndex, catalogue: Catalogue, said: _Said, block: _Block, threshold: float, pace: Pace
) -> Numbers:
    """Pairs of a block, some probes at a time: between two products others get their turn."""
    probes, windows = index.vectors_of(block.probes), index.vectors_of(block.windows).T
    found: list[Numbers] = [np.empty((0, 2), np.int64)]
    for start in range(0, len(probes), STEP):
        if not pace.go():
            break
        some = slice(start, start + STEP)
        part = _Block(block.probes[some], block.probing[some], block.windows, block.owner)
        found.append(_pairs(catalogue, said, part, probes[some] @ windows, threshold - ROUNDING))
    return np.concatenate(found)


def _pairs(catalogue: Catalogue, said: _Said, block: _Block, scores: Vectors, least: float) -> Numbers:
    """Scores high enough, of the same place in turns of the same form."""
    hits = np.flatnonzero(scores.reshape(-1) >= least)
    row, column = hits // len(block.windows), hits % len(block.windows)
    a, b = block.probing[row], block.owner[column]
    document = catalogue.segment("document")
    keep = (a != b) & (said.count[a] == said.count[b]) & (document[a] == document[b])
    probe_line, line = catalogue.lines_of_windows(block.probes[row]), catalogue.lines_of_windows(block.windows[column])
    keep &= said.place[probe_line] == said.place[line]
    row, a, b, score = row[keep], a[keep], b[keep], scores.reshape(-1)[hits[keep]]
    kept = _best(row, b, score)
    a, b = a[kept], b[kept]
    return np.stack([np.minimum(a, b), np.maximum(a, b)], axis=1)


def _best(row: Numbers, b: Numbers, score: NDArray[np.float32]) -> Numbers:
    """The `MAX_PARTNERS` best of each probe, ties to the lower number."""
    order = np.lexsort((b, -score, row))
    starts = np.flatnonzero(np.diff(row[order], prepend=-1))
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return np.asarray(order[place < MAX_PARTNERS], dtype=np.int64)


def _exact(catalogue: Catalogue, index: VectorIndex, said: _Said, pairs: Numbers, threshold: float) -> NearPairs:
    scores = [
        _least_line(catalogue, index, said, pairs[at : at + SCORE_BATCH]) for at in range(0, len(pairs), SCORE_BATCH)
    ] or [_NOTHING.cosine]
    cosine = np.concatenate(scores)
    keep = cosine >= threshold
    return NearPairs(pairs[keep, 0], pairs[keep, 1], cosine[keep])


def _least_line(catalogue: Catalogue, index: VectorIndex, said: _Said, pairs: Numbers) -> NDArray[np.float32]:
    """The smallest cosine of two lines in the same place; a line that only one of them has anything in is unlike."""
    counts, a, b = said.count[pairs[:, 0]], said.lines_of(pairs[:, 0]), said.lines_of(pairs[:, 1])
    lines, where = np.unique(np.concatenate([a, b]), return_inverse=True)
    vectors, blank = _line_vectors(catalogue, index, lines)
    x, y = where[: len(a)], where[len(a) :]
    # einsum in double precision sums in one order wherever a row stands: the same pair always scores the same
    cosine = np.einsum("ld,ld->l", vectors[x], vectors[y])
    cosine = np.where(blank[x] & blank[y], 1.0, cosine)
    starts = np.cumsum(counts) - counts
    return np.asarray(np.minimum.reduceat(cosine, starts), dtype=np.float32) if len(pairs) else _NOTHING.cosine


def _line_vectors(
    catalogue: Catalogue, index: VectorIndex, lines: Numbers
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Each line as the mean direction of its windows; zero, and marked blank, where it has none."""
    count = catalogue.line("windows")[lines].astype(np.int64)
    windows = catalogue.windows_of_lines(lines)
    total = np.zeros((len(lines), index.dimension), dtype=np.float64)
    np.add.at(total, np.repeat(np.arange(len(lines)), count), index.vectors_of(windows).astype(np.float64))
    length = np.linalg.norm(total, axis=1, keepdims=True)
    several = (count > 1)[:, None]
    return np.where(several, total / np.maximum(length, 1e-12), total), count == 0


SAYS_ENOUGH = 6  # words: "hahaha who says that" is like much and means nothing
NEAREST = 8  # windows: what a changed fact is told in is seldom the very nearest (of LongMemEval's updates 5 of 25 at 2, 22 at 8)
LINES_AT_ONCE = 256  # lines held against all others at once
_SPOKEN = [ROLES.index(role) for role in PEOPLE]


def said_again(components: Components, namespace: str, least: float, after: int, pace: Pace) -> NearPairs:
    """Pairs a < b of different sessions, at least one above `after`, with the likeness of what was said; the most alike first."""
    index, catalogue = components.indexes.vector(namespace), components.indexes.catalogue
    if index is None or not len(index):
        return _NOTHING
    windows = _spoken_windows(catalogue, index)
    owner = catalogue.segments_of_lines(catalogue.lines_of_windows(windows))
    probes = np.flatnonzero(owner > after)
    near, score = _nearest(catalogue, index, windows, owner, probes, pace)
    row, place = np.nonzero(score >= least)
    probes, near, score = probes[row], near[row, place], score[row, place]
    others = np.unique(near)
    back, _ = _nearest(catalogue, index, windows, owner, others, pace)
    theirs = owner[back[np.searchsorted(others, near)]] if len(near) else np.zeros((0, NEAREST), np.int64)
    mutual = (theirs == owner[probes][:, None]).any(axis=1)
    a, b = owner[probes[mutual]], owner[near[mutual]]
    return _once(np.minimum(a, b), np.maximum(a, b), score[mutual])


def _spoken_windows(catalogue: Catalogue, index: VectorIndex) -> Numbers:
    """The windows of what people said, if it says enough. A question to the chat about this memory says nothing of its own."""
    windows = np.sort(index.ids())
    lines = catalogue.lines_of_windows(windows)
    spoken = np.isin(catalogue.line("role")[lines], _SPOKEN) & (catalogue.line("words")[lines] >= SAYS_ENOUGH)
    return np.asarray(windows[spoken & ~catalogue.segment("asked")[catalogue.segments_of_lines(lines)]])


def _nearest(
    catalogue: Catalogue, index: VectorIndex, windows: Numbers, owner: Numbers, probes: Numbers, pace: Pace
) -> tuple[Numbers, NDArray[np.float32]]:
    """For each probe the nearest windows of other sessions. What is left when the work must stop stays out."""
    session = catalogue.segment("session")[owner]
    near, score = np.zeros((len(probes), NEAREST), np.int64), np.full((len(probes), NEAREST), -1.0, np.float32)
    vectors = index.vectors_of(windows)
    for some in _slices(len(probes)):
        if not pace.go():
            break
        rows = probes[some]
        scores = vectors[rows] @ vectors.T
        scores[session[rows][:, None] == session[None]] = -1.0
        for place in range(NEAREST):
            best = np.argmax(scores, axis=1)
            each = np.arange(len(rows))
            near[some, place], score[some, place] = best, scores[each, best]
            scores[each, best] = -1.0
    return near, score


def _slices(count: int) -> Iterator[slice]:
    yield from (slice(start, min(start + LINES_AT_ONCE, count)) for start in range(0, count, LINES_AT_ONCE))


def _once(a: Numbers, b: Numbers, score: NDArray[np.float32]) -> NearPairs:
    """Each pair one time, with its best likeness."""
    order = np.lexsort((b, a, -score))
    pairs, first = np.unique(np.stack([a[order], b[order]], axis=1), axis=0, return_index=True)
    best = np.sort(first)
    return NearPairs(a[order][best], b[order][best], score[order][best]) if len(pairs) else _NOTHING
