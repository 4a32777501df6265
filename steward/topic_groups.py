"""Directions of meaning into groups: mutual nearest neighbours, Leiden on that graph, and a home for what is left over.

Knows: vectors in, a group a row out, -1 for what belongs nowhere. communities.py finds groups in a
graph. Everything is a function of the vectors, the seed and the groups of last time.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pmg.store.rows import Numbers
from steward.communities import SEED, groups

Vectors = NDArray[np.float32]
BLOCK = 512  # rows held against all others at once
MAX_ROWS = 30_000  # rows that are grouped; beyond, an even sample is, and the rest joins the nearest group
UNASSIGNED = -1
MIN_ROWS = 40  # rows: with fewer, groups are as coarse as modularity itself makes them
RESOLUTION = (
    1.6  # beyond that: at 1 a year of a person falls into seven groups, of which the largest is everything else
)
NEAR_ENOUGH = 0.5  # of how near those in a group usually are to its middle: what a leftover must reach to join


def group(vectors: Vectors, initial: Numbers, smallest: int, *, seed: int = SEED, resolution: float = 0.0) -> Numbers:
    """A group for each row, numbered from 0; -1 for what is like none of them. `initial` are the groups of last time (-1: new). A higher
    `resolution` gives finer groups; 0 leaves it to the number of rows."""
    resolution = resolution or (1.0 if len(vectors) < MIN_ROWS else RESOLUTION)
    if len(vectors) > MAX_ROWS:
        return _sampled(vectors, initial, smallest, seed, resolution)
    if len(vectors) < smallest:
        return np.full(len(vectors), UNASSIGNED, dtype=np.int64)
    source, target, weight = mutual(vectors, neighbours(len(vectors)))
    begin = _alone_where_new(initial)
    found = groups(len(vectors), source, target, weight, begin, resolution=resolution, seed=seed)
    return settle(vectors, found, smallest)


def neighbours(rows: int) -> int:
    """How many neighbours each row looks at: more rows, more of them about the same thing."""
    return max(3, min(20, rows // 4, round(2 * math.log2(max(rows, 2)))))


def mutual(vectors: Vectors, count: int) -> tuple[Numbers, Numbers, NDArray[np.float64]]:
    """Pairs of rows that are each among the other's nearest, with the square of their cosine: one near neighbour says more than two far ones."""
    near, cosine = nearest(vectors, min(count, len(vectors) - 1))
    source = np.repeat(np.arange(len(vectors)), near.shape[1])
    target, weight = near.reshape(-1), cosine.reshape(-1)
    here, back = source * len(vectors) + target, target * len(vectors) + source
    both = np.isin(here, back) & (source < target) & (weight > 0)
    return source[both], target[both], weight[both].astype(np.float64) ** 2


def nearest(vectors: Vectors, count: int) -> tuple[Numbers, Vectors]:
    """For each row the rows nearest to it, itself left out; ties go to the lower row."""
    near = np.empty((len(vectors), count), dtype=np.int64)
    cosine = np.empty((len(vectors), count), dtype=np.float32)
    for start in range(0, len(vectors), BLOCK):
        some = slice(start, min(start + BLOCK, len(vectors)))
        scores = vectors[some] @ vectors.T
        scores[np.arange(scores.shape[0]), np.arange(some.start, some.stop)] = -np.inf
        best = np.argpartition(-scores, count - 1, axis=1)[:, :count] if count < len(vectors) else np.argsort(-scores)
        value = np.take_along_axis(scores, best, axis=1)
        order = np.lexsort((best, -value), axis=1)
        near[some], cosine[some] = np.take_along_axis(best, order, 1), np.take_along_axis(value, order, 1)
    return near, cosine


def _alone_where_new(initial: Numbers) -> Numbers:
    begin = initial.copy()
    new = np.flatnonzero(initial < 0)
    begin[new] = int(initial.max(initial=-1)) + 1 + np.arange(len(new))
    return begin


def settle(vectors: Vectors, found: Numbers, smallest: int) -> Numbers:
    """Groups of fewer than `smallest` are given up; their rows join the nearest group if they are half as near to it as is usual."""
    sizes = np.bincount(found)
    kept = np.flatnonzero(sizes >= smallest)
    if not len(kept):
        return np.full(len(found), UNASSIGNED, dtype=np.int64)
    settled = np.full(int(sizes.size), UNASSIGNED, dtype=np.int64)
    settled[kept] = np.arange(len(kept))
    group = settled[found]
    centre = centres(vectors, group)
    inside = group >= 0
    own = np.einsum("ij,ij->i", vectors[inside], centre[group[inside]])
    return joined(vectors, group, centre, NEAR_ENOUGH * float(np.median(own)))


def joined(vectors: Vectors, group: Numbers, centre: Vectors, least: float) -> Numbers:
    """Rows without a group into the one with the nearest centre, where that is near enough."""
    left = np.flatnonzero(group < 0)
    if not len(left):
        return group
    scores = vectors[left] @ centre.T
    best = np.argmax(scores, axis=1)
    near = scores[np.arange(len(left)), best] >= least
    filled = group.copy()
    filled[left[near]] = best[near]
    return filled


def centres(vectors: Vectors, group: Numbers) -> Vectors:
    """The mean direction of each group."""
    total = np.zeros((int(group.max(initial=-1)) + 1, vectors.shape[1]))
    inside = group >= 0
    np.add.at(total, group[inside], vectors[inside])
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(total / np.maximum(length, 1e-12), dtype=np.float32)


def _sampled(vectors: Vectors, initial: Numbers, smallest: int, seed: int, resolution: float) -> Numbers:
    chosen = np.unique(np.linspace(0, len(vectors) - 1, MAX_ROWS).astype(np.int64))
    part = group(vectors[chosen], initial[chosen], smallest, seed=seed, resolution=resolution)
    found = np.full(len(vectors), UNASSIGNED, dtype=np.int64)
    found[chosen] = part
    centre = centres(vectors[chosen], part)
    if not len(centre):
        return found
    own = np.einsum("ij,ij->i", vectors[chosen][part >= 0], centre[part[part >= 0]])
    return joined(vectors, found, centre, NEAR_ENOUGH * float(np.median(own)))
