"""Which older segments a new one is linked to, from cosines alone.

Knows: how window hits become the best few segments of other sessions, and which edges the thresholds give. neighbour_search.py
asks the indexes for the hits. Arrays in, arrays out; ties go to the lower number, so the result is fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind
from pmg.store.rows import NewEdges, Numbers

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """For each segment its nearest others, best first: rows `start[i]` to `start[i + 1]` belong to `segment[i]`."""

    segment: Numbers
    start: Numbers
    other: Numbers
    score: Scores

    def of(self, i: int) -> tuple[Numbers, Scores]:
        rows = slice(int(self.start[i]), int(self.start[i + 1]))
        return self.other[rows], self.score[rows]


def within_batch(
    vectors: NDArray[np.float32], segment: Numbers, session: NDArray[np.int32], k: int
) -> tuple[Numbers, Numbers, Scores]:
    """By place: each window, and the k nearest of other sessions that come earlier in the same batch, which the index cannot know yet."""
    similar = vectors @ vectors.T
    similar[(segment[:, None] <= segment[None, :]) | (session[:, None] == session[None, :])] = -np.inf
    k = min(k, len(segment))
    nearest = np.argpartition(-similar, k - 1, axis=1)[:, :k]
    scores = np.take_along_axis(similar, nearest, axis=1).ravel()
    rows, others = np.repeat(np.arange(len(segment)), k), nearest.ravel()
    real = np.isfinite(scores)
    return rows[real], others[real], scores[real].astype(np.float32)


def neighbours(rows: Numbers, other: Numbers, score: Scores, floor: float, segments: Numbers) -> Neighbours:
    """The best score of every pair at or above `floor`: a segment's similarity is the best of its windows."""
    keep = score >= floor
    rows, other, score = rows[keep], other[keep], score[keep]
    order = np.lexsort((-score, other, rows))
    rows, other, score = rows[order], other[order], score[order]
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = (rows[1:] != rows[:-1]) | (other[1:] != other[:-1])
    rows, other, score = rows[first], other[first], score[first]
    order = np.lexsort((other, -score, rows))
    rows, other, score = rows[order], other[order], score[order]
    start = np.append(np.searchsorted(rows, segments), len(rows)).astype(np.int64)
    return Neighbours(segments, start, other, score)


@dataclass(frozen=True, slots=True)
class LinkRule:
    """Thresholds and caps of one ingest."""

    edge: float
    link: float
    extend: float
    edge_cap: int
    link_top: int


def edges_for(
    segment: int, other: Numbers, score: Scores, document: NDArray[np.bool_], newer: NDArray[np.bool_], rule: LinkRule
) -> list[tuple[int, int, Kind, float]]:
    """Edges of one segment. `newer` says which others are newer than it: a semantic edge points from newer to older."""
    made: list[tuple[int, int, Kind, float]] = []
    ranked = zip(other.tolist(), score.tolist(), document.tolist(), newer.tolist(), strict=True)
    for place, (target, cosine, is_document, is_newer) in enumerate(ranked):
        source, end = (target, segment) if is_newer else (segment, target)
        if cosine >= rule.edge and place < rule.edge_cap:
            made.append((source, end, Kind.SEMANTIC, cosine))
        if cosine >= rule.link and place < rule.link_top:
            made.append((source, end, Kind.RELATED_TO, cosine))
        if is_document and cosine >= rule.extend:
            made.append((segment, target, Kind.EXTENDS_SOURCE, cosine))
    return made


def as_arrays(made: Sequence[tuple[int, int, Kind, float]]) -> NewEdges:
    return NewEdges(
        np.array([row[0] for row in made], dtype=np.int64),
        np.array([row[1] for row in made], dtype=np.int64),
        [row[2] for row in made],
        np.array([row[3] for row in made], dtype=np.float32),
    )
