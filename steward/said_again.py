"""Turns of different sittings in which a person says nearly the same thing: for a person's eye, never merged by themselves.

Knows: what people said (not what an assistant answered), held against what they said elsewhere, whatever the form of the turn: a question asked
twice with two answers, a dose that changed, a date that moved. Two turns are a pair if each is among the other's nearest. Near-duplicates that may be
merged are found by candidates.py, which holds whole turns against each other; merge.py lists both, and of these only what also shares words.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pmg.components import Components
from pmg.index.catalogue import ROLES, Catalogue
from pmg.index.vector import VectorIndex
from pmg.ingest.spoken import PEOPLE
from pmg.store.rows import Numbers
from steward.candidates import NearPairs
from steward.task import Pace

SAYS_ENOUGH = 6  # words: "hahaha who says that" is like much and means nothing
NEAREST = 8  # windows: what a changed fact is told in is seldom the very nearest (of LongMemEval's updates 5 of 25 at 2, 22 at 8)
PROBES = 256  # lines held against all others at once
_SPOKEN = [ROLES.index(role) for role in PEOPLE]
_NONE = NearPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))


def said_again(components: Components, namespace: str, least: float, after: int, pace: Pace) -> NearPairs:
    """Pairs a < b of different sessions, at least one above `after`, with the likeness of what was said; the most alike first."""
    index, catalogue = components.indexes.vector(namespace), components.indexes.catalogue
    if index is None or not len(index):
        return _NONE
    windows = _spoken(catalogue, index)
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


def _spoken(catalogue: Catalogue, index: VectorIndex) -> Numbers:
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
    for some in _blocks(len(probes)):
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


def _blocks(count: int) -> Iterator[slice]:
    yield from (slice(start, min(start + PROBES, count)) for start in range(0, count, PROBES))


def _once(a: Numbers, b: Numbers, score: NDArray[np.float32]) -> NearPairs:
    """Each pair one time, with its best likeness."""
    order = np.lexsort((b, a, -score))
    pairs, first = np.unique(np.stack([a[order], b[order]], axis=1), axis=0, return_index=True)
    best = np.sort(first)
    return NearPairs(a[order][best], b[order][best], score[order][best]) if len(pairs) else _NONE
