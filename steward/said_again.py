"""Turns of different sittings in which a person says nearly the same thing: for a person's eye, never merged by themselves.

Knows: what people said (not what an assistant answered), held against what they said elsewhere, whatever the form of the turn: a question asked
twice with two answers, a dose that changed, a date that moved. Two turns are a pair if each is the other's nearest. Near-duplicates that may be
merged are found by candidates.py, which holds whole turns against each other; merge.py lists both.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pmg.components import Components
from pmg.index.catalogue import ROLES, Catalogue
from pmg.index.vector import VectorIndex
from pmg.model import Role
from pmg.store.rows import Numbers
from steward.candidates import NearPairs
from steward.task import Pace

SAYS_ENOUGH = 6  # words: "hahaha who says that" is like much and means nothing
PROBES = 256  # lines held against all others at once
_SPOKEN = [ROLES.index(role) for role in (Role.USER, Role.PERSON)]
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
    close = score >= least
    probes, near, score = probes[close], near[close], score[close]
    back, _ = _nearest(catalogue, index, windows, owner, near, pace)
    mutual = owner[back] == owner[probes] if len(back) == len(probes) else np.zeros(len(probes), np.bool_)
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
    """For each probe the nearest window of another session. What is left when the work must stop stays out."""
    session = catalogue.segment("session")[owner]
    near, score = np.zeros(len(probes), np.int64), np.full(len(probes), -1.0, np.float32)
    vectors = index.vectors_of(windows)
    for some in _blocks(len(probes)):
        if not pace.go():
            break
        rows = probes[some]
        scores = vectors[rows] @ vectors.T
        scores[session[rows][:, None] == session[None]] = -1.0
        near[some] = np.argmax(scores, axis=1)
        score[some] = scores[np.arange(len(rows)), near[some]]
    return near, score


def _blocks(count: int) -> Iterator[slice]:
    yield from (slice(start, min(start + PROBES, count)) for start in range(0, count, PROBES))


def _once(a: Numbers, b: Numbers, score: NDArray[np.float32]) -> NearPairs:
    """Each pair one time, with its best likeness."""
    order = np.lexsort((b, a, -score))
    pairs, first = np.unique(np.stack([a[order], b[order]], axis=1), axis=0, return_index=True)
    best = np.sort(first)
    return NearPairs(a[order][best], b[order][best], score[order][best]) if len(pairs) else _NONE
