"""Questions in SQL, asked by a person: checked, then answered.

Knows: what there is to ask about, and the order: parse, check, run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pmg.base.text import escape
from pmg.store.duckdb import readonly
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.macros import MACROS
from pmg.store.duckdb.views import VIEWS
from pmg.store.sql_result import SqlResult


def ask(
    database: Database,
    statement: str,
    parameters: Sequence[Any],
    functions: frozenset[str],
    limit: int | None,
    seconds: float,
) -> SqlResult:
    statement = escape(statement)  # as stored text is: what no database can hold is then found too
    values = [escape(value) if isinstance(value, str) else value for value in parameters]
    parsed = database.parsed(readonly.without_explain(statement))
    readonly.refuse_unless_reading(parsed, _relations(database), functions, [macro.name for macro in MACROS])
    return database.ask(statement, values, limit, seconds)


def _relations(database: Database) -> list[str]:
    """Tables, our own views and DuckDB's catalogue. A view somebody put into a file that was restored is not ours."""
    own = [view.name for view in VIEWS]
    found = database.rows(
        """SELECT table_name FROM duckdb_tables() UNION
           SELECT view_name FROM duckdb_views() WHERE internal AND view_name NOT LIKE 'duckdb_logs%'"""
    )
    return [*own, *(name for (name,) in found if name not in readonly.REFUSED_VIEWS)]


def functions(database: Database) -> frozenset[str]:
    """DuckDB's own, those with a value. The same as long as the process lives, and slow to list."""
    kinds = "('scalar', 'aggregate', 'macro', 'window')"
    sql = f"SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN {kinds} AND internal"
    return frozenset(name for (name,) in database.rows(sql))
