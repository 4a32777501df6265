"""A change of embedding model: new vectors beside the old ones, then one switch.

Knows: the order that keeps recall working on the old vectors until the new ones are whole, and that survives a kill at any point.

    begin → embed every segment (resumable) → promote → relink
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pmg.base.model import AUTO_KINDS
from pmg.base.progress import Progress, silent
from pmg.components import Components
from pmg.embed.embedder import Embedder
from pmg.index.vector import VectorIndex
from pmg.ingest import link
from pmg.ingest.connect import BUILD_BATCH
from pmg.ingest.model_in_force import keep_setting
from pmg.ingest.neighbour_search import edges_of_batch, nearest
from pmg.ingest.vectors import embed_lines
from pmg.store.rows import NewEdges, NewVectors, Numbers

RELINK = "relink"  # the store's note that links still belong to an earlier model
BATCH = 1024  # windows
NO_SEGMENTS: Numbers = np.empty(0, dtype=np.int64)


def embed_all(components: Components, embedder: Embedder, progress: Progress = silent) -> int:
    """New vectors for every segment that has none of this model yet. Killed and called again, it goes on where it was."""
    model = components.store.begin_next_model(embedder.name, embedder.fingerprint, embedder.dimension)
    done = 0
    while len(waiting := components.store.pending_segments(model.generation)):
        total = done + len(waiting)
        for some in np.split(waiting, range(BUILD_BATCH, len(waiting), BUILD_BATCH)):
            vectors = embed_lines(components.store.lines_to_embed(some), embedder)
            components.store.put_vectors(model.generation, vectors, some.tolist())
            done += len(some)
            progress("embedding again", done, total)
    return done


def switch(components: Components, progress: Progress = silent, setting: str = "") -> None:
    """From here on the new model is in force; links are the old model's until `relink` is through.

    `setting` is how the model is asked for in the configuration.
    """
    following = components.store.next_model
    with components.store.writing():
        components.store.promote_next_model()
        if setting and following is not None:
            keep_setting(components.store, setting, following.fingerprint)
        components.store.put_note(RELINK, "due")
    components.indexes.catch_up(progress)
    components.indexes.save()


def relink(components: Components, progress: Progress = silent) -> int:
    """Makes all automatic links anew from the vectors in force, in the order in which the segments came."""
    model = components.store.model
    if model is None:
        return 0
    made: list[NewEdges] = []
    linked: list[Numbers] = []
    growing: dict[str, VectorIndex] = {}
    for namespace, ids, batch in _in_order(components):
        segments = np.unique(batch.segment)
        near = nearest(components, batch, segments, growing.get, NO_SEGMENTS).of_lines
        linked.append(segments)
        made.append(link.as_arrays(edges_of_batch(components, near, {})))
        growing.setdefault(namespace, VectorIndex(model.dimension)).add(ids, batch.vectors)
        progress("linking again", int(segments[-1]), components.indexes.catalogue.size)
    with components.store.writing():
        components.store.drop_auto_edges(AUTO_KINDS)
        for new in made:
            components.store.put_edges(new)
        for segments in linked:  # those of open sessions with them: they have their links now
            components.store.set_linked(segments.tolist())
        components.store.put_note(RELINK, "")
    components.indexes.reload_edges()
    return sum(len(new.source) for new in made)


def _in_order(components: Components) -> Iterator[tuple[str, Numbers, NewVectors]]:
    """The indexed vectors by window id, so in the order in which the segments came, from memory, batch by batch."""
    catalogue = components.indexes.catalogue
    for namespace in components.indexes.sizes():
        index = components.indexes.vector(namespace)
        ids = np.sort(index.ids()) if index is not None else np.empty(0, dtype=np.int64)
        for start in range(0, len(ids), BATCH):
            some = ids[start : start + BATCH]
            lines, spans = catalogue.lines_of_windows(some), np.zeros(len(some), dtype=np.int32)
            vectors = index.vectors_of(some) if index is not None else np.empty((0, 1), dtype=np.float32)
            yield namespace, some, NewVectors(catalogue.segments_of_lines(lines), lines, spans, spans, vectors)
