"""Linking one batch of segments that have their vectors: what is near, what was said before, which edges follow; all of it in one transaction.

Knows: the order of the steps, what is written, and that duplicates which the batch brings back are linked anew. Which segments are near stands in
neighbour_search.py, which are duplicates in duplicates.py, and which are none any more in told_late.py.

    near → said before → brought back → edges → persist, then the indexes follow
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pmg.base.model import Kind, State
from pmg.base.times import now
from pmg.components import Components
from pmg.index.catalogue import STATES
from pmg.ingest import duplicates, link, told_late
from pmg.ingest.neighbour_search import edges_of_batch, nearest
from pmg.store.rows import NewVectors, Numbers, PendingLine, StateChange, StoreModel

ACTIVE = STATES.index(State.ACTIVE)
BUILD_BATCH = 256  # segments embedded and linked a transaction


@dataclass(frozen=True, slots=True)
class Linked:
    """What one transaction linked: the new duplicates, those that are none any more, and the edges."""

    twins: frozenset[int] = frozenset()
    back: frozenset[int] = frozenset()
    edges: Counter[Kind] = field(default_factory=Counter)

    def __add__(self, other: Linked) -> Linked:
        return Linked(self.twins | other.twins, self.back | other.back, self.edges + other.edges)


def connect(
    components: Components,
    model: StoreModel,
    segments: Numbers,
    lines: Sequence[PendingLine],
    vectors: NewVectors,
    *,
    embedded: bool = False,
) -> Linked:
    """link → persist for one batch; then the same for the duplicates that it brought back. `embedded`: the indexes have the vectors already."""
    linked = _link(components, model, segments, lines, vectors, embedded=embedded)
    twins, edges, seen = linked.twins, linked.edges, frozenset[int]()
    while back := linked.back - seen:  # once each: what comes back again is linked with the next batch
        seen |= back
        twins -= back
        linked = Linked()
        for some in batches(np.array(sorted(back), dtype=np.int64), BUILD_BATCH):
            held = components.store.lines_to_embed(some), vectors_held(components, some)
            linked += _link(components, model, some, *held, embedded=True)
        twins |= linked.twins
        edges = edges + linked.edges
    return Linked(twins & frozenset(segments.tolist()), frozenset(), edges)


def _link(
    components: Components,
    model: StoreModel,
    segments: Numbers,
    lines: Sequence[PendingLine],
    vectors: NewVectors,
    *,
    embedded: bool,
) -> Linked:
    """In one transaction; then the indexes take it in."""
    apart = components.store.unlinked_segments(model.generation)
    near = nearest(components, vectors, segments, components.indexes.vector, apart)
    twins = duplicates.find(components, lines, near.of_people)
    parts = told_late.parted(components, lines, near.of_people, twins)
    made = edges_of_batch(components, near.of_lines, twins)
    edges = link.as_arrays(made)
    with components.store.writing():
        if embedded:
            components.store.set_linked(segments.tolist())
        else:
            ids = components.store.put_vectors(model.generation, vectors, segments.tolist())
        components.store.put_edges(edges)
        components.store.change_states([StateChange(s, State.DUPLICATE, older) for s, older in twins.items()])
        components.store.add_hits(list(twins.values()), now())
        if parts:
            told_late.bring_back(components.store, parts)
    if embedded:
        components.indexes.add_edges(edges)
    else:
        active = components.indexes.catalogue.segment("state")[vectors.segment] == ACTIVE
        kept = active & ~np.isin(vectors.segment, np.array(list(twins), dtype=np.int64))
        components.indexes.absorb(ids, vectors.line, vectors.vectors, kept, [edges])
    if twins or parts:
        components.indexes.catch_up()
    return Linked(frozenset(twins), frozenset(part.back for part in parts), Counter(row[2] for row in made))


def vectors_held(components: Components, segments: Numbers) -> NewVectors:
    """The vectors of some active segments, from the index."""
    catalogue = components.indexes.catalogue
    windows = catalogue.windows_of_lines(catalogue.lines_of(segments))
    lines = catalogue.lines_of_windows(windows)
    owner, spans = catalogue.segments_of_lines(lines), np.zeros(len(windows), dtype=np.int32)
    names = catalogue.segment("namespace")[owner]
    vectors = np.empty((len(windows), components.embedder.dimension if components.embedder else 1), dtype=np.float32)
    for code in np.unique(names):
        index = components.indexes.vector(catalogue.namespaces.names[int(code)])
        if index is not None:
            vectors[names == code] = index.vectors_of(windows[names == code])
    return NewVectors(owner, lines, spans, spans, vectors)


def batches(segments: Numbers, size: int) -> list[Numbers]:
    return np.split(segments, range(size, len(segments), size))
