"""Edges, by segment number inside and by segment id outside.

Knows: the table edges. Which edges are made is decided by pmg/ingest/link.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
import pyarrow as pa

from pmg.base.model import Edge, Kind, Origin
from pmg.base.times import from_micros, to_micros
from pmg.store.duckdb.database import Database
from pmg.store.rows import NewEdges, NewSegment


def put(database: Database, new: NewEdges, at: datetime) -> None:
    count = len(new.source)
    database.insert(
        "edges",
        {
            "source": pa.array(np.asarray(new.source, dtype=np.int64)),
            "target": pa.array(np.asarray(new.target, dtype=np.int64)),
            "kind": pa.array([kind.value for kind in new.kind], pa.string()),
            "weight": pa.array(np.asarray(new.weight, dtype=np.float32)),
            "origin": pa.array([new.origin.value] * count, pa.string()),
            "created_at": pa.array([to_micros(at)] * count, pa.timestamp("us")),
        },
    )


def chain(database: Database, segments: Sequence[NewSegment], first: int, at: datetime) -> None:
    """Both ways between neighbours of a session, for segments that were just written with numbers from `first` on."""
    places = {(segment.session_id, segment.index): first + i for i, segment in enumerate(segments)}
    pairs = [
        (places[segment.session_id, segment.index - 1], first + i)
        for i, segment in enumerate(segments)
        if (segment.session_id, segment.index - 1) in places
    ]
    tied = {later for _, later in pairs}
    loose = [first + i for i, segment in enumerate(segments) if segment.index and first + i not in tied]
    pairs += _predecessors(database, loose)
    ends = np.array([*pairs, *((b, a) for a, b in pairs)], dtype=np.int64).reshape(-1, 2)
    ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    put(database, NewEdges(ends[:, 0], ends[:, 1], [Kind.CHAIN] * len(ends), np.ones(len(ends), np.float32)), at)


# Neighbours of a session that are not tied both ways: what `chain` made and something took away.
_UNTIED = """
    WITH neighbours AS (SELECT number AS b, said_at, lag(number) OVER (PARTITION BY session_id ORDER BY idx) AS a FROM segments),
         pairs AS (SELECT a, b, said_at FROM neighbours WHERE a IS NOT NULL),
         both_ways AS (SELECT a, b, said_at FROM pairs UNION ALL SELECT b, a, said_at FROM pairs)
    SELECT p.a, p.b, 'chain', 1.0, 'auto', p.said_at FROM both_ways p
    ANTI JOIN (SELECT source, target FROM edges WHERE kind = 'chain') e ON e.source = p.a AND e.target = p.b"""


def missing_chain(database: Database) -> int:
    """How many edges the chains of all sessions lack."""
    row = database.row(f"SELECT count(*) FROM ({_UNTIED})")
    return int(row[0]) if row else 0


def restore_chain(database: Database) -> None:
    database.run(f"INSERT INTO edges {_UNTIED} ORDER BY 1, 2")


def _predecessors(database: Database, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """(the one before it in its session, segment), also across a gap: for turns added to a session that was there."""
    if not numbers:
        return []
    listed = ", ".join(map(str, numbers))
    return [
        (before, number)
        for before, number in database.rows(
            f"""SELECT arg_max(p.number, p.idx), n.number FROM segments n
                JOIN segments p ON p.session_id = n.session_id AND p.idx < n.idx
                WHERE n.number IN ({listed}) GROUP BY n.number ORDER BY n.number"""
        )
    ]


def drop(database: Database, source: int, target: int, kind: Kind) -> int:
    found = database.row(
        "SELECT count(*) FROM edges WHERE source = ? AND target = ? AND kind = ?", [source, target, kind.value]
    )
    database.run("DELETE FROM edges WHERE source = ? AND target = ? AND kind = ?", [source, target, kind.value])
    return int(found[0]) if found else 0


def of(database: Database, segment_id: str) -> list[Edge]:
    rows = database.rows(
        """
        WITH me AS (SELECT number FROM segments WHERE id = ?)
        SELECT a.id, b.id, e.kind, e.weight, e.origin, epoch_us(e.created_at)
        FROM edges e JOIN segments a ON a.number = e.source JOIN segments b ON b.number = e.target
        WHERE e.source IN (FROM me) OR e.target IN (FROM me)
        ORDER BY e.kind, e.weight DESC, a.number, b.number
        """,
        [segment_id],
    )
    return [Edge(row[0], row[1], Kind(row[2]), row[3], Origin(row[4]), from_micros(row[5])) for row in rows]
