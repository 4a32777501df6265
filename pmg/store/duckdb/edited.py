"""Segments whose words were changed in place: what was made from the old words goes, and is made again from the new ones.

Knows: hashes, counts of words, windows, vectors, automatic links. Does not know: why the words changed (cleanse.py, chat_quotes.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from pmg.base.model import content_hash
from pmg.base.words import measure
from pmg.store.duckdb import people_cleanup, sessions
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.relation import IS_AUTO_LINK


def generations(database: Database) -> list[int]:
    return [int(row[0]) for row in database.rows("SELECT generation FROM models WHERE state <> 'retired' ORDER BY 1")]


def reset_derived(database: Database, numbers: Sequence[int], change: int) -> list[str]:
    """New hashes and counts for changed words; their windows, vectors and automatic links go and are made again."""
    if not numbers:
        return []
    hashes = {number: content_hash(lines) for number, lines in sessions.lines_of(database, numbers).items()}
    table = pa.table({"n": pa.array(list(hashes), pa.int64()), "h": pa.array(list(hashes.values()), pa.string())})
    with database.reading(table, "edited"):
        inside = "(SELECT n FROM edited)"
        database.run(
            f"""INSERT INTO removed SELECT 0, w.line, w.id, g.namespace, {change} FROM windows w
                JOIN segments g ON g.number = w.segment WHERE w.segment IN {inside}"""
        )
        for generation in generations(database):
            database.run(
                f"DELETE FROM vectors_{generation} WHERE window_id IN (SELECT id FROM windows WHERE segment IN {inside})"
            )
        for name in ("windows", "embedded"):
            database.run(f"DELETE FROM {name} WHERE segment IN {inside}")
        database.run(f"DELETE FROM edges e WHERE (e.source IN {inside} OR e.target IN {inside}) AND {IS_AUTO_LINK}")
        database.run(
            f"UPDATE segments SET content_hash = e.h, changed = {change} FROM edited e WHERE e.n = segments.number"
        )
        rows = database.rows(f"SELECT id, text FROM lines WHERE segment IN {inside}")
        names = database.rows(f"SELECT DISTINCT session_id FROM segments WHERE number IN {inside} ORDER BY 1")
    _measure(database, rows)
    if database.rows(
        "SELECT 1 FROM duckdb_tables() WHERE table_name = 'claims' AND database_name = current_database()"
    ):
        people_cleanup.unmake(database, [row[0] for row in names])  # a backup of an older schema has none
    return [row[0] for row in names]


def _measure(database: Database, rows: Sequence[tuple[Any, ...]]) -> None:
    said = [measure(row[1]) for row in rows]
    table = pa.table(
        {
            "id": pa.array([row[0] for row in rows], pa.int64()),
            "words": pa.array([one.words for one in said], pa.int32()),
            "asserts": pa.array([one.asserts for one in said], pa.int32()),
            "asks": pa.array([one.asks for one in said], pa.bool_()),
        }
    )
    with database.reading(table, "measured") as measured:
        database.run(
            f"""UPDATE lines SET words = m.words, asserts = m.asserts, asks = m.asks
                FROM {measured} m WHERE m.id = lines.id"""
        )
