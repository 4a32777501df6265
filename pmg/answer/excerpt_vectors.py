"""How near excerpts lie to a question, by the vectors that the index has already.

Knows: which stored vectors stand for an excerpt and for the turns around it. Only what has no vector yet (it was said a moment ago) is
embedded, so an answer costs one short embedding, not one for every excerpt. Does not know: what nearness weighs (`scoring.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pmg.answer.excerpts import MAX_NEIGHBOURS, Excerpt
from pmg.embed.embedder import Embedder, Vectors
from pmg.recall.question_focus import sought
from pmg.store.rows import Numbers

if TYPE_CHECKING:
    from pmg.engine import Engine

MAX_EMBEDDED = 8  # excerpts without a vector that are embedded now: what was said in the last minute, and no more than a person waits for


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines to the question, the whole or without its frame, whichever is nearer; 0 where nothing is known."""

    excerpt: float
    nearest: float  # of that line of the excerpt that is nearest
    around: float  # of the turns before and after it: what was being spoken about
    vector: Vectors | None = None  # of the excerpt


def nearness(engine: Engine, namespace: str, question: str, found: Sequence[Excerpt]) -> list[Nearness]:
    """Row for row with the excerpts; all 0 without an embedding model."""
    embedder = engine.model.ready()
    if embedder is None or not found:
        return [Nearness(0.0, 0.0, 0.0)] * len(found)
    targets = embedder.embed(list(dict.fromkeys((question, sought(question)))))
    around = _lines_around(engine, namespace, found)
    lines = _lines_within(engine, found)
    wanted = {line for some in (*around.values(), *lines) for line in some if line > 0}
    stored = _stored(engine, namespace, np.array(sorted(wanted), dtype=np.int64), targets[0])
    fresh = _embedded(embedder, found, [place for place, some in enumerate(lines) if not stored.keys() & set(some)])
    return [
        _near(targets, excerpt, stored, some, fresh.get(place), around.get(excerpt.anchor.passage.number, ()))
        for place, (excerpt, some) in enumerate(zip(found, lines, strict=True))
    ]


def _near(
    targets: Vectors,
    excerpt: Excerpt,
    stored: Mapping[int, Vectors],
    lines: Sequence[int],
    fresh: Vectors | None,
    around: Sequence[int],
) -> Nearness:
    whole = fresh if fresh is not None else _mean(stored, lines, [len(piece.text) for piece in excerpt.pieces])
    each = [fresh] if fresh is not None else [stored[line] for line in lines if line in stored]
    nearest = max((_cosine(targets, one) for one in each), default=0.0)
    beside = (
        _mean(stored, around) if excerpt.anchor.passage.number else whole
    )  # a turn that is kept nowhere has only itself
    return Nearness(_cosine(targets, whole), nearest, _cosine(targets, beside), whole)


def _lines_within(engine: Engine, found: Sequence[Excerpt]) -> list[list[int]]:
    """The lines of each excerpt's pieces; 0 for a turn that is nowhere, as in a chat that is not remembered."""
    with engine.indexes.lock.reading():
        first = engine.indexes.catalogue.segment("first_line")
        return [
            [int(first[p.passage.number]) + p.line if p.passage.number > 0 else 0 for p in excerpt.pieces]
            for excerpt in found
        ]


def _lines_around(engine: Engine, namespace: str, found: Sequence[Excerpt]) -> dict[int, list[int]]:
    """By segment the lines of the turns up to three before and after it, as far as they may be shown."""
    catalogue = engine.indexes.catalogue
    numbers = np.array(sorted({e.anchor.passage.number for e in found} - {0}), dtype=np.int64)
    if not len(numbers):
        return {}
    with engine.indexes.lock.reading():
        near = np.stack(
            [numbers, *(catalogue.chain(numbers, step) for step in range(-MAX_NEIGHBOURS, MAX_NEIGHBOURS + 1) if step)],
            axis=1,
        )
        may = catalogue.showable(near.ravel(), catalogue.namespaces.find(namespace)).reshape(near.shape)
        return {
            int(number): catalogue.lines_of(row[kept]).tolist()
            for number, row, kept in zip(numbers, near, may, strict=True)
        }


def _stored(engine: Engine, namespace: str, lines: Numbers, target: NDArray[np.float32]) -> dict[int, Vectors]:
    """The vector of each line that has one: its first window is the whole of a short line and the beginning of a long one."""
    index = engine.indexes.vector(namespace)
    if index is None or not len(lines):
        return {}
    with engine.indexes.lock.reading():
        catalogue = engine.indexes.catalogue
        lines = lines[catalogue.line("windows")[lines] > 0]
        windows = catalogue.line("first_window")[lines]
        known = ~np.isnan(index.similarities(target, windows))
        vectors = index.vectors_of(windows[known])
    return dict(zip(lines[known].tolist(), vectors, strict=True))


def _embedded(embedder: Embedder, found: Sequence[Excerpt], without: Sequence[int]) -> dict[int, Vectors]:
    """By place the vectors of the latest excerpts that have none yet."""

    def said(place: int) -> tuple[datetime, int, int]:
        anchor = found[place].anchor
        return (anchor.passage.at, anchor.passage.index, anchor.line)

    latest = sorted(without, key=said)[-MAX_EMBEDDED:]
    vectors = embedder.embed([found[place].text for place in latest]) if latest else ()
    return dict(zip(latest, vectors, strict=True))


def _mean(vectors: Mapping[int, Vectors], lines: Sequence[int], lengths: Sequence[int] = ()) -> Vectors | None:
    """The direction of several lines together; a longer line says more, though not in proportion."""
    rows = [(vectors[line], place) for place, line in enumerate(lines) if line in vectors]
    if not rows:
        return None
    weights = np.sqrt([lengths[place] if lengths else 1 for _, place in rows])
    mean: Vectors = weights.astype(np.float32) @ np.stack([vector for vector, _ in rows])
    return mean / max(float(np.linalg.norm(mean)), 1e-9)


def _cosine(targets: Vectors, vector: Vectors | None) -> float:
    return float((targets @ vector).max()) if vector is not None else 0.0
