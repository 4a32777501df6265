"""The copy that stands for a new memory in the tests is as one that was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.store.duckdb.store import DuckStore


def told(home: Path) -> tuple[str, list[object]]:
    """The id of a new memory, and everything else it holds."""
    store = DuckStore.open(home)
    rows = store.database.rows
    held = [
        rows("SELECT table_name, column_name, data_type, column_default FROM duckdb_columns() ORDER BY ALL"),
        rows("SELECT view_name, sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL"),
        rows("SELECT function_name, parameters FROM duckdb_functions() WHERE NOT internal ORDER BY ALL"),
        rows("SELECT key, value FROM meta WHERE key <> 'store_id' ORDER BY ALL"),
    ]
    store.close()
    return store.store_id, held


def test_a_copied_memory_is_as_one_that_was_made(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    first, second = told(tmp_path / "one"), told(tmp_path / "two")
    request.getfixturevalue("memories_made_anew")
    made = told(tmp_path / "made")
    assert len({first[0], second[0], made[0]}) == 3
    assert first[1] == second[1] == made[1]
