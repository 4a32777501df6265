"""The nearest older segments of a batch, and the edges that follow from them.

    windows of the batch → hits in the index of their namespace, and among the batch → the best of each pair → edges

What a cosine is worth stands in link.py, from arrays alone; this file asks the indexes and the catalogue for it. What is written is
build.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind
from pmg.components import Components
from pmg.index.catalogue import Catalogue
from pmg.index.vector import VectorIndex
from pmg.ingest import link
from pmg.ingest.spoken import by_people
from pmg.store.rows import NewVectors, Numbers


@dataclass(frozen=True, slots=True)
class Nearest:
    """A line may be anybody's where links are made; what is told twice is told by people."""

    of_lines: link.Neighbours
    of_people: link.Neighbours


@dataclass(frozen=True, slots=True)
class _Hits:
    """Row for row a line of the batch, a line of another session, and the cosine of two of their windows."""

    line: Numbers
    other: Numbers
    score: link.Scores

    def some(self, rows: NDArray[np.bool_]) -> _Hits:
        return _Hits(self.line[rows], self.other[rows], self.score[rows])


def _together(parts: Sequence[_Hits]) -> _Hits:
    none = np.empty(0, np.int64)
    return _Hits(
        np.concatenate([none, *(part.line for part in parts)]),
        np.concatenate([none, *(part.other for part in parts)]),
        np.concatenate([np.empty(0, np.float32), *(part.score for part in parts)]),
    )


def nearest(
    components: Components,
    vectors: NewVectors,
    segments: Numbers,
    index_of: Callable[[str], VectorIndex | None],
    apart: Numbers,
) -> Nearest:
    """For every segment of the batch its nearest older segments of other sessions, inside its namespace.

    Not those `apart`, which wait for their own links: an edge is made by the one of its two ends that is linked last.
    """
    catalogue, limits = components.indexes.catalogue, components.thresholds
    wanted = max(
        components.config.ingest.edge_cap, components.config.ingest.link_top, 1
    )  # a repeat is looked for at any setting
    floor = min(limits.edge, limits.link, limits.extend, limits.ingest_duplicate)
    namespace = catalogue.segment("namespace")
    parts = []
    for code in np.unique(namespace[vectors.segment]):
        mine = np.flatnonzero(namespace[vectors.segment] == code)
        index = index_of(catalogue.namespaces.names[int(code)])
        parts.append(_hits_in_namespace(components, vectors, mine, index, wanted, apart))
    hits = _together(parts)
    session = catalogue.segment("session")
    of_segment = catalogue.segments_of_lines
    hits = hits.some(session[of_segment(hits.line)] != session[of_segment(hits.other)])
    said = hits.some(by_people(catalogue, hits.line) & by_people(catalogue, hits.other))
    return Nearest(
        *(link.neighbours(of_segment(h.line), of_segment(h.other), h.score, floor, segments) for h in (hits, said))
    )


def _hits_in_namespace(
    components: Components, vectors: NewVectors, mine: Numbers, index: VectorIndex | None, wanted: int, apart: Numbers
) -> _Hits:
    """Hits of some windows of the batch in their namespace: in the index, and among the batch itself."""
    catalogue = components.indexes.catalogue
    segment, line, matrix = vectors.segment[mine], vectors.line[mine], vectors.vectors[mine]
    session = catalogue.segment("session")
    rows, others, score = link.within_batch(matrix, segment, session[segment], 2 * wanted)
    found = [_Hits(line[rows], line[others], score)]
    if index is not None and len(index):
        ids = index.ids()
        owner = catalogue.segments_of_lines(catalogue.lines_of_windows(ids))
        home, linked = session[owner], ~np.isin(owner, apart)
        own = np.bincount(home, minlength=int(session.max()) + 1)[session[segment]]
        # A session that is most of its namespace would fill every answer with itself: it is compared with the others only.
        large = own > len(index) - own
        for code in np.unique(session[segment[large]]):
            rows = np.flatnonzero(large & (session[segment] == code))
            others = ids[(home != code) & linked]
            found.append(_among(catalogue, index, others, line[rows], matrix[rows], 2 * wanted))
        rows = np.flatnonzero(~large)
        if len(rows):
            found.append(_searched(components, index, line[rows], matrix[rows], wanted, apart))
    return _together(found)


def _among(
    catalogue: Catalogue, index: VectorIndex, ids: Numbers, line: Numbers, matrix: NDArray[np.float32], k: int
) -> _Hits:
    """The k nearest of some windows, compared with each of them."""
    if not len(ids):
        return _together(())
    similar = matrix @ index.vectors_of(ids).T
    k = min(k, len(ids))
    nearest_ids = np.argpartition(-similar, k - 1, axis=1)[:, :k]
    others = catalogue.lines_of_windows(ids[nearest_ids.ravel()])
    return _Hits(np.repeat(line, k), others, np.take_along_axis(similar, nearest_ids, axis=1).ravel())


def _searched(
    components: Components, index: VectorIndex, line: Numbers, matrix: NDArray[np.float32], wanted: int, apart: Numbers
) -> _Hits:
    catalogue = components.indexes.catalogue
    session = catalogue.segment("session")
    home = session[catalogue.segments_of_lines(line)]
    k = min(2 * wanted, len(index))
    while True:
        hits = index.search(matrix, k)
        real = hits.ids >= 0
        others = np.zeros_like(hits.ids)
        others[real] = catalogue.lines_of_windows(hits.ids[real])
        found = catalogue.segments_of_lines(others)
        useful = real & (session[found] != home[:, None]) & ~np.isin(found, apart)
        # A long session can fill the whole answer with itself: ask for more until every row has enough of others.
        short = (useful.sum(axis=1) < wanted) & (hits.scores[:, -1] >= components.thresholds.edge)
        if k >= len(index) or k >= 1024 or not short.any():
            break
        k = min(4 * k, len(index))
    at = np.nonzero(useful)
    return _Hits(line[at[0]], others[at], hits.scores[at])


def edges_of_batch(
    components: Components, near: link.Neighbours, twins: dict[int, int]
) -> list[tuple[int, int, Kind, float]]:
    catalogue, limits = components.indexes.catalogue, components.thresholds
    rule = link.LinkRule(
        limits.edge, limits.link, limits.extend, components.config.ingest.edge_cap, components.config.ingest.link_top
    )
    said, document = catalogue.segment("said_at"), catalogue.segment("document")
    made: list[tuple[int, int, Kind, float]] = []
    for i, segment in enumerate(near.segment.tolist()):
        if segment in twins:
            continue
        other, score = near.of(i)
        if twins:
            alive = np.array([number not in twins for number in other.tolist()], dtype=np.bool_)
            other, score = other[alive], score[alive]
        newer = (said[other] > said[segment]) | ((said[other] == said[segment]) & (other > segment))
        about = document[other] & ~document[segment]
        made += link.edges_for(segment, other, score, about, newer, rule)
    return made
