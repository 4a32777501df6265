"""Edges, by segment number inside and by segment id outside.

Knows: the table edges. Does not know: why an edge is made.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pyarrow as pa

from pmg.model import Edge, Kind, Origin
from pmg.store.contract import NewEdges
from pmg.store.duckdb.database import Database
from pmg.times import from_micros, to_micros


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


def chain(database: Database, first: int, last: int, at: datetime) -> None:
    """Both ways between neighbours of a session, for every segment from `first` to `last` and its predecessor."""
    database.run(
        f"""
        INSERT INTO edges
        WITH new AS (SELECT number, session_id, idx FROM segments WHERE number BETWEEN {int(first)} AND {int(last)}),
             pairs AS (SELECT n.number AS b, p.number AS a FROM new n
                       JOIN segments p ON p.session_id = n.session_id AND p.idx = n.idx - 1)
        SELECT a, b, 'chain', 1.0, 'auto', make_timestamp({to_micros(at)}) FROM pairs
        UNION ALL SELECT b, a, 'chain', 1.0, 'auto', make_timestamp({to_micros(at)}) FROM pairs
        ORDER BY 1, 2
        """
    )


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
