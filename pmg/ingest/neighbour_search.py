"""The nearest older segments of a batch, and the edges that follow from them.

    windows of the batch → hits in the index of their namespace, and among the batch → the best of each pair → edges

What a cosine is worth stands in link.py, from arrays alone; this file asks the indexes and the catalogue for it. What is written is
build.py's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind
from pmg.components import Components
from pmg.index.vector import VectorIndex
from pmg.ingest import link
from pmg.store.rows import NewVectors, Numbers


def nearest(
    components: Components,
    vectors: NewVectors,
    segments: Numbers,
    index_of: Callable[[str], VectorIndex | None],
    apart: Numbers,
) -> link.Neighbours:
    """For every segment of the batch its nearest older segments of other sessions, inside its namespace.

    Not those `apart`, which wait for their own links: an edge is made by the one of its two ends that is linked last.
    """
    catalogue = components.indexes.catalogue
    wanted = max(
        components.config.ingest.edge_cap, components.config.ingest.link_top, 1
    )  # a repeat is looked for at any setting
    floor = min(
        components.thresholds.edge,
        components.thresholds.link,
        components.thresholds.extend,
        components.thresholds.ingest_duplicate,
    )
    session, namespace = catalogue.segment("session"), catalogue.segment("namespace")
    found = []
    for code in np.unique(namespace[vectors.segment]):
        mine = np.flatnonzero(namespace[vectors.segment] == code)
        index = index_of(catalogue.namespaces.names[int(code)])
        found.append(_hits_in_namespace(components, vectors, mine, index, wanted, apart))
    rows, other, score = (np.concatenate([part[i] for part in found]) if found else np.empty(0) for i in range(3))
    elsewhere = session[rows.astype(np.int64)] != session[other.astype(np.int64)]
    return link.neighbours(
        rows[elsewhere].astype(np.int64),
        other[elsewhere].astype(np.int64),
        score[elsewhere].astype(np.float32),
        floor,
        segments,
    )


def _hits_in_namespace(
    components: Components, vectors: NewVectors, mine: Numbers, index: VectorIndex | None, wanted: int, apart: Numbers
) -> tuple[Numbers, Numbers, link.Scores]:
    """Hits of some windows of the batch in their namespace: in the index, and among the batch itself."""
    catalogue = components.indexes.catalogue
    segment, matrix = vectors.segment[mine], vectors.vectors[mine]
    session = catalogue.segment("session")
    found = [link.within_batch(matrix, segment, session[segment], 2 * wanted)]
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
            found.append(_among(components, index, others, segment[rows], matrix[rows], 2 * wanted))
        rows = np.flatnonzero(~large)
        if len(rows):
            found.append(_searched(components, index, segment[rows], matrix[rows], wanted, apart))
    rows_found, other, score = (np.concatenate([part[i] for part in found]) for i in range(3))
    return rows_found, other, score


def _among(
    components: Components, index: VectorIndex, ids: Numbers, segment: Numbers, matrix: NDArray[np.float32], k: int
) -> tuple[Numbers, Numbers, link.Scores]:
    """The k nearest of some windows, compared with each of them."""
    catalogue = components.indexes.catalogue
    if not len(ids):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    similar = matrix @ index.vectors_of(ids).T
    k = min(k, len(ids))
    nearest_ids = np.argpartition(-similar, k - 1, axis=1)[:, :k]
    found = catalogue.segments_of_lines(catalogue.lines_of_windows(ids[nearest_ids.ravel()]))
    return np.repeat(segment, k), found, np.take_along_axis(similar, nearest_ids, axis=1).ravel()


def _searched(
    components: Components,
    index: VectorIndex,
    segment: Numbers,
    matrix: NDArray[np.float32],
    wanted: int,
    apart: Numbers,
) -> tuple[Numbers, Numbers, link.Scores]:
    catalogue = components.indexes.catalogue
    session = catalogue.segment("session")
    k = min(2 * wanted, len(index))
    while True:
        hits = index.search(matrix, k)
        real = hits.ids >= 0
        found = np.zeros_like(hits.ids)
        found[real] = catalogue.segments_of_lines(catalogue.lines_of_windows(hits.ids[real]))
        useful = real & (session[found] != session[segment][:, None]) & ~np.isin(found, apart)
        # A long session can fill the whole answer with itself: ask for more until every row has enough of others.
        short = (useful.sum(axis=1) < wanted) & (hits.scores[:, -1] >= components.thresholds.edge)
        if k >= len(index) or k >= 1024 or not short.any():
            break
        k = min(4 * k, len(index))
    at = np.nonzero(useful)
    return segment[at[0]], found[at], hits.scores[at]


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
