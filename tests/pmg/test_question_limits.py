"""A question in SQL is answered with no more than fits, and fills no disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pmg.base.errors import InputError
from pmg.store.duckdb import database as owner
from pmg.store.duckdb.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(tmp_path / "a.duckdb")
    yield opened
    opened.close()


def test_an_answer_that_is_too_large_is_refused(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "MAX_ANSWER", 1_000_000)
    with pytest.raises(InputError, match="more than 1 MB"):
        database.ask("SELECT repeat('x', 2_000_000)", (), 1, 60.0)
    with pytest.raises(InputError, match="more than 1 MB"):
        database.ask("SELECT repeat('x', 1_000) FROM range(5_000)", (), None, 60.0)
    assert len(database.ask("SELECT repeat('x', 1_000) FROM range(500)", (), None, 60.0)) == 500


def test_what_is_spilled_does_not_fill_the_disk(database: Database) -> None:
    assert database.row("SELECT current_setting('max_temp_directory_size')") == ("14.9 GiB",)
