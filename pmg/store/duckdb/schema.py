"""What is derived from the tables: counters, views, and the tables of vectors. migrations.py makes the tables, every column with its reason;
views.py has the text of the views.

The tables have no foreign keys (DuckDB cannot update list columns of their parents) and few indexes: at a million rows the column scans
that recall needs take milliseconds, and an index would slow every write. Uniqueness is kept by the single writer.
"""

from __future__ import annotations

import pyarrow as pa

from pmg.store.duckdb import views

TIMESTAMP = pa.timestamp("us")  # of every column that holds a moment: UTC, without a zone

# The highest number that was ever given: what was removed counts, for no number is used twice.
COUNTERS = {
    "number": "SELECT greatest(max(number), (SELECT max(segment) FROM removed)) FROM segments",
    "line": "SELECT greatest(max(id), (SELECT max(line) FROM removed)) FROM lines",
    "window": "SELECT greatest(max(id), (SELECT max(window_id) FROM removed)) FROM windows",
    "change": "SELECT greatest(max(changed), (SELECT max(changed) FROM removed)) FROM segments",
    "recall": "SELECT max(id) FROM recalls",
    "journal": "SELECT max(id) FROM journal",
    "claim": "SELECT max(id) FROM claims",
    "sealed": "SELECT max(id) FROM sealed",
}

# Views and macros are derived: they are made anew whenever their text changes, so they need no migration.
VIEWS = views.text()


def vectors_table(generation: int, dimension: int) -> str:
    """A table of its own for each model: the dimension is part of the type, so it cannot be mixed."""
    return f"CREATE TABLE vectors_{int(generation)} (window_id BIGINT, vector FLOAT[{int(dimension)}])"
