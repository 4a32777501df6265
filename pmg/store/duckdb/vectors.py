"""Windows and vectors, model by model.

Knows: the tables models, windows, embedded and vectors_<generation>. Vectors are made in pmg/embed and searched in pmg/index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pmg.base.text import unescape
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.schema import vectors_table
from pmg.store.rows import NewVectors, Numbers, PendingLine, StoreModel

MAX_NAMED = 1_000  # segments that can be named one by one in a question to the database
MAX_INLINE = 64  # … of them, below which naming them is the faster way


def model(database: Database, state: str) -> StoreModel | None:
    """The newest of this state. They are few, and to have the database put them in order takes it twice as long as to read them."""
    rows = database.rows("SELECT name, fingerprint, dimension, generation FROM models WHERE state = ?", [state])
    return max((StoreModel(*row) for row in rows), key=lambda one: one.generation, default=None)


def add_model(database: Database, name: str, fingerprint: str, dimension: int, state: str) -> StoreModel:
    row = database.row("SELECT coalesce(max(generation), 0) + 1 FROM models")
    generation = int(row[0]) if row else 1
    database.run("INSERT INTO models VALUES (?, ?, ?, ?, ?)", [generation, name, fingerprint, dimension, state])
    database.run(vectors_table(generation, dimension))
    return StoreModel(name, fingerprint, dimension, generation)


def promote(database: Database, generation: int) -> None:
    """The re-embedded generation becomes the one in force; the old vectors go."""
    for (old,) in database.rows("SELECT generation FROM models WHERE state = 'active'"):
        drop(database, old)
    database.run("UPDATE models SET state = 'active' WHERE generation = ?", [generation])


def drop(database: Database, generation: int) -> None:
    database.run("UPDATE models SET state = 'retired' WHERE generation = ?", [generation])
    database.run("DELETE FROM windows WHERE generation = ?", [generation])
    database.run("DELETE FROM embedded WHERE generation = ?", [generation])
    database.run(f"DROP TABLE vectors_{int(generation)}")


_PENDING = """
FROM segments g
WHERE g.state IN ('active', 'archived')
  AND NOT EXISTS (SELECT 1 FROM embedded e WHERE e.segment = g.number AND e.generation = ?)
"""


def pending(database: Database, generation: int, namespace: str | None = None) -> int:
    inside = "AND (?::VARCHAR IS NULL OR g.namespace = ?)"
    row = database.row(f"SELECT count(*) {_PENDING} {inside}", [generation, namespace, namespace])
    return int(row[0]) if row else 0


class PendingSegments:
    """What waits for vectors, without looking at everything each time.

    Only segments stamped since the last look can have come to it, and those that waited then.
    """

    def __init__(self) -> None:
        self._looked: dict[int, tuple[int, Numbers]] = {}  # generation: up to which change, and what waited

    def segments(self, database: Database, generation: int, upto: int) -> Numbers:
        since, waited = self._looked.get(generation, (-1, np.empty(0, dtype=np.int64)))
        found = _pending_segments(database, generation, since if len(waited) <= MAX_NAMED else -1, waited)
        self._looked = {generation: (upto, found)}
        return found


def _pending_segments(database: Database, generation: int, since: int, waited: Numbers) -> Numbers:
    """Segments that have no vectors of this generation yet, oldest first.

    Only those changed after `since` are looked at, and `waited`: for one new turn that is a few, however large the memory.
    """
    named = f"OR g.number IN ({', '.join(map(str, waited.tolist()))})" if len(waited) and since >= 0 else ""
    candidates = _numbers(
        database,
        f"""SELECT g.number FROM segments g
            WHERE g.state IN ('active', 'archived') AND (g.changed > {int(since)} {named}) ORDER BY g.number""",
    )
    return without_vectors(database, generation, candidates)


def without_vectors(database: Database, generation: int, segments: Numbers) -> Numbers:
    """Those of some segments, given by number, that have no vectors of this generation."""
    if not len(segments):
        return segments
    done = _numbers(
        database,
        f"""SELECT segment FROM embedded WHERE generation = {int(generation)}
            AND segment BETWEEN {int(segments[0])} AND {int(segments[-1])}""",
    )
    return np.setdiff1d(segments, done)


@contextmanager
def _among(database: Database, segments: Numbers) -> Iterator[str]:
    """What stands behind IN: a few numbers one by one, which is planned faster, many as a table."""
    if len(segments) <= MAX_INLINE:
        yield f"({', '.join(map(str, segments.tolist())) or 'NULL'})"
        return
    with database.reading(pa.table({"number": pa.array(segments)})) as wanted:
        yield f"(SELECT number FROM {wanted})"


def in_open_sessions(database: Database, segments: Numbers) -> Numbers:
    """Those of some segments whose session is still open."""
    with _among(database, segments) as wanted:
        return _numbers(
            database,
            f"""SELECT g.number FROM segments g JOIN sessions s ON s.id = g.session_id
                WHERE s.is_open AND g.number IN {wanted} ORDER BY g.number""",
        )


def pending_in_open_sessions(database: Database, generation: int) -> Numbers:
    """What was told just now and has no vectors yet."""
    waiting = _numbers(
        database,
        """SELECT number FROM segments WHERE state IN ('active', 'archived')
           AND session_id IN (SELECT id FROM sessions WHERE is_open) ORDER BY number""",
    )
    return without_vectors(database, generation, waiting)


def unlinked(database: Database, generation: int) -> Numbers:
    """Segments that have vectors and wait for their links, in the order in which they came."""
    return _numbers(
        database, f"SELECT segment FROM embedded WHERE generation = {int(generation)} AND NOT linked ORDER BY segment"
    )


def set_linked(database: Database, segments: Sequence[int], linked: bool) -> None:
    with _among(database, np.array(segments, dtype=np.int64)) as done:
        database.run(f"UPDATE embedded SET linked = {linked} WHERE linked <> {linked} AND segment IN {done}")


def _numbers(database: Database, sql: str) -> Numbers:
    return np.asarray(database.arrow(sql).column(0).to_numpy(), dtype=np.int64)


def lines_to_embed(database: Database, segments: Numbers) -> list[PendingLine]:
    """The lines of some segments, by id. They were stored one after the other, so a range of numbers finds them quickly."""
    if not len(segments):
        return []
    with _among(database, segments) as wanted:
        rows = database.rows(
            f"""SELECT id, segment, speaker, role, text FROM lines
                WHERE segment BETWEEN {int(segments.min())} AND {int(segments.max())}
                  AND segment IN {wanted} ORDER BY id"""
        )
    return [PendingLine(row[0], row[1], unescape(row[2]), row[3], unescape(row[4])) for row in rows]


def put(
    database: Database, generation: int, new: NewVectors, segments: Sequence[int], first: int, linked: bool
) -> Numbers:
    """Writes windows with ids from `first` on, and marks the segments as done (also those with nothing to embed)."""
    count, dimension = new.vectors.shape if new.vectors.size else (0, 1)
    ids = np.arange(first, first + count, dtype=np.int64)
    if count:
        database.insert(
            "windows",
            {
                "id": pa.array(ids),
                "generation": pa.array(np.full(count, generation, dtype=np.int32)),
                "segment": pa.array(new.segment),
                "line": pa.array(new.line),
                "start_at": pa.array(new.start),
                "end_at": pa.array(new.end),
            },
        )
        flat = pa.array(np.ascontiguousarray(new.vectors, dtype=np.float32).reshape(-1))
        vectors = pa.FixedSizeListArray.from_arrays(flat, dimension)
        database.insert(f"vectors_{int(generation)}", {"window_id": pa.array(ids), "vector": vectors})
    count = len(segments)
    database.insert(
        "embedded",
        {
            "generation": pa.array([generation] * count, pa.int32()),
            "segment": pa.array(list(segments), pa.int64()),
            "linked": pa.array([linked] * count, pa.bool_()),
        },
    )
    return ids


def for_index(
    database: Database, since: int, after: int, generation: int
) -> Iterator[tuple[Numbers, Numbers, NDArray[np.float32]]]:
    """(window ids, their segments, vectors) of active segments: windows above `after`, or changed after `since`."""
    sql = f"""
    SELECT w.id, w.segment, v.vector FROM windows w
    JOIN vectors_{int(generation)} v ON v.window_id = w.id
    JOIN segments g ON g.number = w.segment
    WHERE w.generation = {int(generation)} AND g.state = 'active' AND (w.id > {int(after)} OR g.changed > {int(since)})
    """
    for batch in database.batches(sql, 8192):
        if batch.num_rows:
            flat = batch.column(2).flatten().to_numpy(zero_copy_only=False)
            ids, segments = (batch.column(i).to_numpy(zero_copy_only=False) for i in range(2))
            yield ids, segments, flat.reshape(batch.num_rows, -1).astype(np.float32, copy=False)
