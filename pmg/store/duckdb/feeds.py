"""What the indexes and the in-memory graph are built from, as Arrow columns and plain records.

Knows: which rows each of them needs, and how to ask for only those changed since a watermark. pmg/index/indexes.py asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from pmg.base.text import unescape
from pmg.base.times import from_micros
from pmg.store.duckdb.database import Database
from pmg.store.rows import IndexLine, Numbers, Removed

# As sessions.py writes a turn's meta: JSON in order of its keys. Inside a value the quotes would be escaped.
ASKED = """coalesce(contains(g.meta, '"asked": "yes"'), false)"""
# A moment that somebody made unreadable is 1970, as where its turn is shown: one row takes no index with it.
SAID_AT = (
    "CASE WHEN g.said_at BETWEEN TIMESTAMP '0001-01-02' AND TIMESTAMP '9999-12-31' THEN epoch_us(g.said_at) ELSE 0 END"
)
SAID_OFFSET = "CASE WHEN abs(g.said_offset) < 86400 THEN g.said_offset ELSE 0 END"


def changed_segments(database: Database, since: int) -> Numbers:
    """Every segment changed after `since`, and every one removed since then."""
    table = database.arrow(
        f"""SELECT number FROM segments WHERE changed > {int(since)}
            UNION SELECT segment FROM removed WHERE changed > {int(since)} ORDER BY 1"""
    )
    return np.asarray(table.column(0).to_numpy(), dtype=np.int64)


def catalogue(database: Database, since: int) -> tuple[pa.Table, pa.Table]:
    """Segments and lines changed after `since`, the columns that ranking needs without the text.

    No line of a segment that came between the two questions: its segment is told the next time, and the line with it.
    """
    segments = database.arrow(
        f"""SELECT g.number, g.session_id, g.idx, g.namespace, g.state, {SAID_AT} AS said_at, {SAID_OFFSET} AS said_offset, g.stands_for,
                   coalesce(s.conversation, '') AS conversation, coalesce(s.title, '') AS title, s.source, s.source = 'document' AS is_document, {ASKED} AS is_asked
            FROM segments g JOIN sessions s ON s.id = g.session_id
            WHERE g.changed > {int(since)} ORDER BY g.number"""
    )
    newest = segments.column("number")[-1].as_py() if segments.num_rows else 0
    lines = database.arrow(
        f"""SELECT l.id, l.segment, l.idx, l.speaker, l.role, l.words, l.asserts, l.asks
            FROM lines l JOIN segments g ON g.number = l.segment
            WHERE g.changed > {int(since)} AND g.number <= {int(newest)} ORDER BY l.id"""
    )
    return segments, lines


def edges(database: Database) -> pa.Table:
    """All edges but chains, which follow from session and position."""
    return database.arrow("SELECT source, target, kind, weight FROM edges WHERE kind <> 'chain'")


def removed_since(database: Database, since: int) -> Removed:
    table = database.arrow(f"SELECT segment, line FROM removed WHERE changed > {int(since)}")
    return Removed(*(np.asarray(table.column(i).to_numpy(), dtype=np.int64) for i in range(2)))


def windows(database: Database, after: int, generation: int) -> tuple[Numbers, Numbers]:
    """Window ids above `after` with the lines they are cut from."""
    table = database.arrow(
        f"SELECT id, line FROM windows WHERE generation = {int(generation)} AND id > {int(after)} ORDER BY id"
    )
    return np.asarray(table.column(0).to_numpy(), dtype=np.int64), np.asarray(
        table.column(1).to_numpy(), dtype=np.int64
    )


def unindexed_windows(database: Database, since: int, generation: int) -> Numbers:
    """Windows whose segment stopped being active, or was removed, after `since`."""
    table = database.arrow(
        f"""SELECT w.id FROM windows w JOIN segments g ON g.number = w.segment
            WHERE w.generation = {int(generation)} AND g.changed > {int(since)} AND g.state <> 'active'
            UNION SELECT window_id FROM removed WHERE changed > {int(since)} AND window_id > 0"""
    )
    return np.asarray(table.column(0).to_numpy(), dtype=np.int64)


def index_lines(database: Database, since: int) -> Iterator[list[IndexLine]]:
    """The lines of active segments changed after `since`, in batches, by line id."""
    sql = f"""
    SELECT l.id, l.segment, g.namespace, l.speaker, l.text, coalesce(s.title, '') AS title, {SAID_AT} AS said_at, {SAID_OFFSET} AS said_offset
    FROM lines l JOIN segments g ON g.number = l.segment JOIN sessions s ON s.id = g.session_id
    WHERE g.state = 'active' AND g.changed > {int(since)} ORDER BY l.id
    """
    for batch in database.batches(sql, 4096):
        columns = [batch.column(i).to_pylist() for i in range(batch.num_columns)]
        yield [
            IndexLine(
                i, segment, namespace, unescape(speaker), unescape(text), unescape(title), from_micros(at, offset)
            )
            for i, segment, namespace, speaker, text, title, at, offset in zip(*columns, strict=True)
        ]
