"""Older schemas are brought up step by step; a newer one is refused, untouched."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.errors import StoreTooNew
from pmg.store.duckdb import migrations
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME, DuckStore


def older(home: Path, version: int) -> None:
    """A database as a PMG of that schema left it."""
    home.mkdir(parents=True)
    database = Database.open(home / FILE_NAME)
    for number in range(1, version + 1):
        with database.writing():
            migrations.MIGRATIONS[number - 1](database)
            migrations.put_meta(database, "schema_version", str(number))
    database.run("INSERT INTO sessions VALUES ('s1', 'default', '', 'Old', 'api', now(), 0, now(), 0, false, '')")
    database.close()


@pytest.mark.parametrize("version", range(1, migrations.SCHEMA_VERSION + 1))
def test_a_store_of_every_older_schema_opens_with_what_it_holds(home: Path, version: int) -> None:
    older(home, version)
    store = DuckStore.open(home)
    try:
        assert [s.title for s in store.sessions()] == ["Old"]
        assert migrations.version_of(store.database) == migrations.SCHEMA_VERSION
        for view in ("v_sessions", "v_segments", "v_edges", "v_recalls"):
            store.database.rows(f"SELECT * FROM {view}")
    finally:
        store.close()


def test_a_newer_schema_is_refused_and_not_a_byte_is_changed(home: Path) -> None:
    DuckStore.open(home).close()
    database = Database.open(home / FILE_NAME)
    migrations.put_meta(database, "schema_version", str(migrations.SCHEMA_VERSION + 1))
    database.close()
    before = (home / FILE_NAME).read_bytes()
    with pytest.raises(StoreTooNew, match=r"has schema \d+; this PMG knows up to \d+.*Upgrade PMG"):
        DuckStore.open(home)
    assert (home / FILE_NAME).read_bytes() == before
    with pytest.raises(StoreTooNew):  # and the refusal holds no lock
        DuckStore.open(home)


def test_a_step_that_fails_leaves_the_version_before_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DuckStore.open(home).close()

    def broken(database: Database) -> None:
        database.run("CREATE TABLE half_done (a INTEGER)")
        raise RuntimeError("power cut")

    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, broken))
    monkeypatch.setattr(migrations, "SCHEMA_VERSION", len(migrations.MIGRATIONS))
    with pytest.raises(RuntimeError):
        DuckStore.open(home)
    monkeypatch.undo()
    store = DuckStore.open(home)
    try:
        assert store.database.rows("SELECT 1 FROM duckdb_tables() WHERE table_name = 'half_done'") == []
    finally:
        store.close()


def test_views_are_made_again_when_their_text_changes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DuckStore.open(home).close()
    monkeypatch.setattr(migrations, "VIEWS", "CREATE OR REPLACE VIEW v_edges AS SELECT 7 AS seven;")
    store = DuckStore.open(home)
    try:
        assert store.database.rows("SELECT seven FROM v_edges") == [(7,)]
    finally:
        store.close()


def test_every_store_has_an_id_of_its_own_that_stays(home: Path, tmp_path: Path) -> None:
    ids = []
    for place in (home, home, tmp_path / "other"):
        store = DuckStore.open(place)
        ids.append(store.store_id)
        store.close()
    assert ids[0] == ids[1] != ids[2]
