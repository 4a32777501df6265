"""Questions in SQL, asked by a person: checked, then answered.

Knows: what there is to ask about, and the order: parse, check, run. Does not know: what the answer is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pmg.store.answer import Answer
from pmg.store.duckdb import readonly
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.macros import MACROS
from pmg.store.duckdb.views import VIEWS


def ask(database: Database, statement: str, parameters: Sequence[Any], limit: int | None, seconds: float) -> Answer:
    inner = readonly.without_explain(statement)
    readonly.refuse_unless_reading(database.parsed(inner), _relations(database), _functions(database), _macros())
    return database.ask(statement, parameters, limit, seconds)


def _relations(database: Database) -> list[str]:
    """Tables, our own views and DuckDB's catalogue. A view somebody put into a file that was restored is not ours."""
    own = [view.name for view in VIEWS]
    found = database.rows(
        """SELECT table_name FROM duckdb_tables() UNION
           SELECT view_name FROM duckdb_views() WHERE internal AND view_name NOT LIKE 'duckdb_logs%'"""
    )
    return [*own, *(name for (name,) in found)]


def _functions(database: Database) -> list[str]:
    kinds = "('scalar', 'aggregate', 'macro', 'window')"
    return [
        name
        for (name,) in database.rows(
            f"SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN {kinds} AND internal"
        )
    ]


def _macros() -> list[str]:
    return [macro.name for macro in MACROS]
