"""What the vectors of a memory look like: how alike random pairs are, where texts lie on a map, how well thresholds part.

Knows: a sample of one namespace's vectors, taken from its index, and plain numpy on it.
The sample is spread evenly over the memory and the same every time; beyond a few thousand vectors the pictures do not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pmg import config as configuration
from pmg.analytics.date_range import DateRange
from pmg.analytics.questions import Data, ask
from pmg.base.errors import ModelUnavailable
from pmg.base.text import unescape
from pmg.embed.calibrate import Measured, measure, random_pairs

if TYPE_CHECKING:
    from pmg.embed.thresholds import Thresholds
    from pmg.engine import Engine

MAX_VECTORS = 2_000  # of a sample, and memories of a map: more dots lie on each other
PAIRS = 20_000
STEP = 0.02  # of a cosine


@dataclass(frozen=True, slots=True)
class Sample:
    """Vectors of one namespace, with the number of the segment and of the session each belongs to."""

    vectors: NDArray[np.float32]
    segment: NDArray[np.int64]
    session: NDArray[np.int64]


def sample(engine: Engine, namespace: str, most: int = MAX_VECTORS) -> Sample:
    index = engine.indexes.vector(namespace)
    ids = np.sort(index.ids()) if index is not None else np.empty(0, dtype=np.int64)
    if index is None or len(ids) == 0:
        none = np.empty(0, dtype=np.int64)
        return Sample(np.empty((0, 1), dtype=np.float32), none, none)
    chosen = ids[np.unique(np.linspace(0, len(ids) - 1, min(most, len(ids))).astype(np.int64))]
    catalogue = engine.indexes.catalogue
    segments = catalogue.segments_of_lines(catalogue.lines_of_windows(chosen)).astype(np.int64)
    sessions = catalogue.segment("session")[segments].astype(np.int64)
    return Sample(index.vectors_of(chosen), segments, sessions)


def memory_vectors(engine: Engine, namespace: str, most: int = MAX_VECTORS) -> Sample:
    """One vector a memory, in the middle of its windows; memories spread evenly where there are more than `most`."""
    index = engine.indexes.vector(namespace)
    ids = np.sort(index.ids()) if index is not None else np.empty(0, dtype=np.int64)
    if index is None or len(ids) == 0:
        return sample(engine, namespace, most)
    catalogue = engine.indexes.catalogue
    owners = catalogue.segments_of_lines(catalogue.lines_of_windows(ids)).astype(np.int64)
    held = np.unique(owners)
    chosen = held[np.unique(np.linspace(0, len(held) - 1, min(most, len(held))).astype(np.int64))]
    mine = np.isin(owners, chosen)
    place = np.searchsorted(chosen, owners[mine])
    middle = np.zeros((len(chosen), index.vectors_of(ids[:1]).shape[1]), dtype=np.float32)
    np.add.at(middle, place, index.vectors_of(ids[mine]))
    middle /= np.maximum(np.linalg.norm(middle, axis=1, keepdims=True), 1e-9)
    return Sample(middle, chosen, catalogue.segment("session")[chosen].astype(np.int64))


def similarity(engine: Engine, namespace: str, _span: DateRange | None = None) -> Data:
    """How alike random pairs of different sessions are, beside the pairs that are linked; the thresholds in force as marks."""
    taken = sample(engine, namespace)
    random = random_pairs(taken.vectors, taken.session, PAIRS) if len(taken.vectors) > 1 else np.empty(0)
    weights = ask(engine, "link_weights", namespace)
    linked = [row for row in weights.table.to_pylist() if row["kind"] == "semantic"]
    total = sum(row["edges"] for row in linked) or 1
    rows = [("random pairs", cosine, share) for cosine, share in _shares(random)]
    rows += [("linked pairs", row["weight"], row["edges"] / total) for row in linked]
    table = pa.table(
        {
            "pairs": pa.array([row[0] for row in rows], pa.string()),
            "cosine": pa.array([row[1] for row in rows], pa.float64()),
            "share": pa.array([row[2] for row in rows], pa.float64()),
        }
    )
    note = f"-- linked pairs; the random pairs are reckoned from {len(taken.vectors)} vectors, spread evenly\n"
    return Data(table, note + weights.sql, marks_of(engine.thresholds), weights.milliseconds)


def _shares(cosines: NDArray[np.float64]) -> list[tuple[float, float]]:
    if len(cosines) == 0:
        return []
    steps, counts = np.unique(np.floor(cosines / STEP + 1e-9).astype(np.int64), return_counts=True)
    return [
        (round(float(step) * STEP, 4), float(n) / len(cosines))
        for step, n in zip(steps.tolist(), counts.tolist(), strict=True)
    ]


def marks_of(thresholds: Thresholds) -> dict[str, float]:
    return {f.name: float(getattr(thresholds, f.name)) for f in fields(thresholds) if f.name != "origin"}


def embedding_map(engine: Engine, namespace: str, _span: DateRange | None = None) -> Data:
    """Each memory as a point, or of a large one a sample: the two directions in which they vary most (PCA)."""
    taken = memory_vectors(engine, namespace)
    x, y = plane(taken.vectors)
    numbers = list(dict.fromkeys(taken.segment.tolist()))
    answer = engine.sql(map_statement(namespace, numbers))
    told = {row[0]: row[1:] for row in answer.rows}
    kept = [i for i, number in enumerate(taken.segment.tolist()) if number in told]
    rows = [told[int(taken.segment[i])] for i in kept]
    table = pa.table(
        {
            "segment": pa.array([row[0] for row in rows], pa.string()),
            "said_at": pa.array([row[1] for row in rows], pa.timestamp("us")),
            "topic": pa.array([unescape(row[2]) for row in rows], pa.string()),
            "topic_number": pa.array([row[3] for row in rows], pa.int64()),
            "text": pa.array([row[4] or "" for row in rows], pa.string()),
            "x": pa.array(x[kept], pa.float64()),
            "y": pa.array(y[kept], pa.float64()),
        }
    )
    shown = map_statement(namespace, numbers[:8], " …" if len(numbers) > 8 else "")
    note = f"-- {len(kept)} memories, spread evenly; each lies where its windows lie on average\n"
    return Data(table, note + shown, milliseconds=answer.milliseconds)


def map_statement(namespace: str, numbers: Sequence[int], more: str = "") -> str:
    """What the dots of a map say when they are pointed at."""
    namespace = configuration.checked_namespace(namespace)
    listed = ", ".join(str(int(number)) for number in numbers) or "0"
    return f"""SELECT g.number, g.id AS segment, g.said_at, coalesce(t.name, '') AS topic, coalesce(t.id, 0) AS topic_number,
       left(l.text, 200) AS text
FROM segments g LEFT JOIN (SELECT segment, min(topic) AS topic FROM topic_members GROUP BY segment) m ON m.segment = g.number
LEFT JOIN topics t ON t.id = m.topic LEFT JOIN lines l ON l.segment = g.number AND l.idx = 0
WHERE g.namespace = '{namespace}' AND g.number IN ({listed}{more})"""


def plane(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first two principal components; the sign is fixed so that the same memory gives the same map."""
    if len(vectors) < 3:
        return np.arange(len(vectors), dtype=np.float64), np.zeros(len(vectors))
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    first, second = (_signed(axes[:, -k]) for k in (1, 2))
    return centred @ first, centred @ second


def _signed(axis: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(axis * (1.0 if axis[np.argmax(np.abs(axis))] >= 0 else -1.0), dtype=np.float64)


def measured(engine: Engine, namespace: str) -> Data:
    """The calibration of this namespace's memory and model; ModelUnavailable while the model is not there."""
    embedder = engine.model.ready()
    if embedder is None:
        raise ModelUnavailable(
            "The embedding model is still loading or not there. Try again in a moment; `pmg doctor` says more."
        )
    taken = sample(engine, namespace)
    random = random_pairs(taken.vectors, taken.session, PAIRS) if len(taken.vectors) > 1 else None
    return calibration(measure(embedder, random), engine.thresholds)


def calibration(measured: Measured, thresholds: Thresholds) -> Data:
    """For each cosine, which share of each kind of pair reaches it; the thresholds as marks."""
    at = np.round(np.arange(-0.2, 1.0001, 0.01), 2)
    columns: dict[str, Any] = {"cosine": at}
    for kind in ("paraphrase", "question", "unrelated", "random"):
        cosines = np.sort(getattr(measured, kind))
        if len(cosines):
            columns[kind] = 1.0 - np.searchsorted(cosines, at, side="left") / len(cosines)
    return Data(pa.table(columns), "", marks_of(thresholds))
