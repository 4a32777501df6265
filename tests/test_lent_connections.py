"""A connection that is lent again is as good as new: it knows nothing of the file before, and who closed it cannot use it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from pmg.base.errors import StoreError
from pmg.store.duckdb import attached, database
from pmg.store.duckdb.database import Database
from tests.lent_connections import LentConnection, lent_again


def real_of(opened: Database) -> object:
    assert isinstance(opened._connection, LentConnection)
    return opened._connection._real


def test_the_next_file_comes_without_anything_of_the_last(tmp_path: Path) -> None:
    with lent_again():
        first = Database.open(tmp_path / "one.duckdb")
        first.run("CREATE TABLE told (text VARCHAR)")
        first.run("INSERT INTO told VALUES ('the key')")
        connection = real_of(first)
        first.close()
        second = Database.open(tmp_path / "two.duckdb")
        assert real_of(second) is connection  # a control: it was lent again
        assert second.rows("SELECT table_name FROM duckdb_tables()") == []
        held = second.rows("SELECT database_name FROM duckdb_databases() WHERE NOT internal ORDER BY 1")
        assert held == [("memory",), ("store",)]
        assert second.rows("SELECT current_setting('temp_directory')") == [(str(tmp_path / "two.duckdb.tmp"),)]
        second.close()
        again = Database.open(tmp_path / "one.duckdb")
        assert again.rows("SELECT text FROM told") == [("the key",)]
        again.close()


def test_who_closed_it_cannot_use_it(tmp_path: Path) -> None:
    with lent_again():
        first = Database.open(tmp_path / "one.duckdb")
        cursor = first.cursor()
        first.close()
        first.close()
        with pytest.raises(duckdb.ConnectionException, match="closed"):
            cursor.execute("SELECT 1")
        with pytest.raises((duckdb.ConnectionException, StoreError), match="closed"):
            first._fresh_cursor()


def test_one_that_was_locked_to_a_file_is_not_lent_again(tmp_path: Path) -> None:
    Database.open(tmp_path / "one.duckdb").close()
    with lent_again():
        locked = Database.open_foreign(tmp_path / "one.duckdb")
        connection = real_of(locked)
        locked.close()
        other = Database.open(tmp_path / "two.duckdb")
        assert real_of(other) is not connection
        other.run("SET memory_limit = '100MB'")  # which a locked one refuses
        other.close()


def test_the_signature_of_an_extension_is_looked_at_outside_of_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "duckdb", duckdb)
    unsigned = tmp_path / "other.duckdb_extension"
    unsigned.write_bytes(attached._extension(duckdb.connect()).read_bytes()[:-256] + bytes(256))
    real = Database.open(tmp_path / "one.duckdb")
    with pytest.raises(StoreError, match="signature"):
        real.run(f"LOAD '{unsigned}'")
    real.close()


def test_outside_the_library_is_the_library(tmp_path: Path) -> None:
    inside = database.duckdb
    with lent_again():
        assert database.duckdb is not inside
    assert database.duckdb is inside
