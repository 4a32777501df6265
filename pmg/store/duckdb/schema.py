"""The tables as SQL text; the views over them are in views.py.

Knows: every column and why it is there. Older stores are brought here by migrations.py; rows are written and read by sessions.py,
vectors.py, edges.py, logs.py and maintenance.py.

No foreign keys (DuckDB cannot update list columns of their parents) and no indexes: at a million rows the column scans
that recall needs take milliseconds, and an index would slow every write. Uniqueness is kept by the single writer.
"""

from __future__ import annotations

from pmg.store.duckdb import views

TABLES = """
CREATE TABLE meta (key VARCHAR, value VARCHAR);

CREATE TABLE models (
    generation INTEGER,         -- 1 for the first model, one more at each change
    name VARCHAR, fingerprint VARCHAR, dimension INTEGER,
    state VARCHAR               -- active, building (a re-embed under way) or retired
);

CREATE TABLE sessions (
    id VARCHAR, namespace VARCHAR, conversation VARCHAR, title VARCHAR, source VARCHAR,
    started_at TIMESTAMP, started_offset INTEGER,   -- UTC, and the offset in seconds in which it was said
    ended_at TIMESTAMP, ended_offset INTEGER,
    is_open BOOLEAN,
    meta VARCHAR                -- JSON of what the source said of it
);

CREATE TABLE segments (
    number BIGINT,              -- short name inside this store; grows, never reused
    id VARCHAR,                 -- seg_<session>_<index>
    session_id VARCHAR, idx INTEGER, namespace VARCHAR,
    said_at TIMESTAMP, said_offset INTEGER,
    state VARCHAR,              -- active, duplicate, merged, archived
    stands_for BIGINT,          -- the segment that a duplicate or merged one gave way to, else 0
    hits INTEGER, last_hit TIMESTAMP,
    pinned BOOLEAN, tags VARCHAR[],
    quality FLOAT,              -- 0 to 1, judged when it was written
    content_hash VARCHAR, origin_id VARCHAR,
    changed BIGINT,             -- the change that last altered what the indexes should hold of it
    meta VARCHAR
);

CREATE TABLE lines (
    id BIGINT, segment BIGINT, idx INTEGER,
    speaker VARCHAR, role VARCHAR, text VARCHAR,
    words INTEGER, asserts INTEGER, asks BOOLEAN  -- how much it says by itself: ranking needs it without the text
);

CREATE TABLE windows (
    id BIGINT, generation INTEGER, segment BIGINT, line BIGINT,
    start_at INTEGER, end_at INTEGER  -- characters of the line
);

CREATE TABLE embedded (generation INTEGER, segment BIGINT);

CREATE TABLE edges (
    source BIGINT, target BIGINT, kind VARCHAR, weight FLOAT, origin VARCHAR, created_at TIMESTAMP
);

CREATE TABLE removed (segment BIGINT, line BIGINT, window_id BIGINT, namespace VARCHAR, changed BIGINT);

CREATE TABLE recalls (
    id BIGINT, recalled_at TIMESTAMP, namespace VARCHAR, query VARCHAR, mode VARCHAR, milliseconds DOUBLE
);

CREATE TABLE recall_hits (recall BIGINT, segment BIGINT, role VARCHAR, score DOUBLE);

CREATE TABLE journal (
    id BIGINT, run VARCHAR, written_at TIMESTAMP, actor VARCHAR, action VARCHAR, reason VARCHAR,
    before VARCHAR, after VARCHAR, undone_at TIMESTAMP
);
"""

# The highest number that was ever given: what was removed counts, for no number is used twice.
COUNTERS = {
    "number": "SELECT greatest(max(number), (SELECT max(segment) FROM removed)) FROM segments",
    "line": "SELECT greatest(max(id), (SELECT max(line) FROM removed)) FROM lines",
    "window": "SELECT greatest(max(id), (SELECT max(window_id) FROM removed)) FROM windows",
    "change": "SELECT greatest(max(changed), (SELECT max(changed) FROM removed)) FROM segments",
    "recall": "SELECT max(id) FROM recalls",
    "journal": "SELECT max(id) FROM journal",
}

# Views and macros are derived: they are made anew whenever their text changes, so they need no migration.
VIEWS = views.text()


def vectors_table(generation: int, dimension: int) -> str:
    """A table of its own for each model: the dimension is part of the type, so it cannot be mixed."""
    return f"CREATE TABLE vectors_{int(generation)} (window_id BIGINT, vector FLOAT[{int(dimension)}])"
