"""Older schemas are brought up step by step; a newer one is refused, untouched."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pmg.base.errors import StoreTooNew
from pmg.base.model import Kind
from pmg.engine import Engine
from pmg.store import encryption
from pmg.store.duckdb import migrations
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME, DuckStore
from tests.tiers import one_fast

pytestmark = pytest.mark.usefixtures("memories_made_anew")
SCHEMAS = Path(__file__).resolve().parent.parent / "data" / "schemas"
FIXTURES = sorted(file.name.removesuffix(".duckdb.gz") for file in SCHEMAS.glob("*.duckdb.gz"))
VERSIONS = range(1, migrations.SCHEMA_VERSION + 1)

# The text of each step. A step that is edited makes two kinds of databases with one number: add a new step instead.
STEPS = (
    "2226b264ea73d025", "5e11a5e19d947d98", "e9c1a4dc4bf7c6f0", "15f9f54ba5436c17", "0b37cbed9ecdd7b1", "f59511bcaa91a77d",
    "990c90f84b640ed2", "92ed0cbd8d7afc69", "3a62559cecebae26", "522455b13e333f0e", "d8043d7eb61ae27c",
    "7642a1ade83e5ac8",
)  # fmt: skip


def put_fixture(home: Path, name: str) -> None:
    """A database as the PMG of that schema left it; tests/data/schemas/make.py was run with that version's code."""
    home.mkdir(parents=True)
    (home / FILE_NAME).write_bytes(gzip.decompress((SCHEMAS / f"{name}.duckdb.gz").read_bytes()))


def schema_of(database: Database) -> list[tuple[object, ...]]:
    return database.rows(
        """SELECT table_name, column_name, data_type FROM duckdb_columns() JOIN duckdb_tables() USING (table_oid, table_name)
           WHERE NOT starts_with(table_name, 'vectors_') ORDER BY ALL"""
    )


class Recorder:
    """Takes the place of a database and keeps what a step would run."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def run(self, sql: str, _values: object = None) -> None:
        self.statements.append(" ".join(re.sub("--.*", "", sql).split()))

    def rows(self, sql: str, _values: object = None) -> list[tuple[object, ...]]:
        """As of a database that has none of what is asked for: a step then does all of its work."""
        self.run(sql)
        return []

    @contextmanager
    def reading(self, _table: object, name: str) -> Iterator[str]:
        yield name

    @property
    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.statements).encode()).hexdigest()[:16]


@pytest.mark.parametrize("number", VERSIONS)
def test_a_step_is_as_it_was(number: int) -> None:
    recorder = Recorder()
    migrations.MIGRATIONS[number - 1](recorder)  # type: ignore[arg-type]
    known = STEPS[number - 1] if number <= len(STEPS) else "not there yet"
    assert recorder.digest == known, f"step {number} was edited: leave it and add a new one. A new one: add its digest"


@pytest.mark.parametrize("version", VERSIONS)
def test_every_schema_has_its_stored_database(version: int) -> None:
    assert f"v{version}" in FIXTURES, f"run tests/data/schemas/make.py tests/data/schemas/v{version}.duckdb.gz"


@pytest.mark.parametrize("name", FIXTURES)
def test_a_stored_database_of_every_schema_opens_and_holds_its_rows(
    open_engine: Callable[..., Engine], home: Path, name: str
) -> None:
    put_fixture(home, name)
    engine = open_engine()
    assert migrations.version_of(engine.reads.database) == migrations.SCHEMA_VERSION  # type: ignore[attr-defined]
    assert sorted(session.title for session in engine.sessions()) == ["Older memory 0", "Older memory 1"]
    assert sum(engine.counts().segments.values()) == 4
    assert engine.segment("seg_older-0_2").lines[0].text == "My landlord raised the rent to 950 euros."
    assert Kind.RELATED_TO in {edge.kind for edge in engine.edges("seg_older-1_0")}
    found = engine.recall("What flour does the sourdough need?").segments
    assert "seg_older-0_1" in {one.id for one in found}
    with engine.session("Newer") as session:  # and it can be written to
        session.add(user="The sourdough was good.", assistant="Glad to hear it.")
    assert sum(engine.counts().segments.values()) == 5


def test_claims_of_a_stored_database_are_there_before_anything_is_read_again(home: Path) -> None:
    put_fixture(home, "v8")
    store = DuckStore.open(home)
    found = {(one.claim.relation, one.claim.segment) for one in store.people.claims("default")}
    assert ("raise", "seg_older-0_2") in found
    assert [one.name for one in store.people.entities("default") if not one.conversation] == ["User"]
    store.close()


def test_an_encrypted_database_of_the_first_schema_opens_too(open_engine: Callable[..., Engine], home: Path) -> None:
    put_fixture(home, "v1")
    passphrase = "a long " + "passphrase"
    encryption.encrypt(home, passphrase, 16)
    database = Database.open(home / FILE_NAME)
    assert migrations.version_of(database) == 1  # encrypting alone migrates nothing
    database.close()
    engine = open_engine(passphrase=passphrase)
    assert engine.segment("seg_older-0_2").lines[0].text == "My landlord raised the rent to 950 euros."
    assert migrations.version_of(engine.reads.database) == migrations.SCHEMA_VERSION  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", one_fast(FIXTURES))
def test_a_migrated_database_has_the_tables_of_a_fresh_one(home: Path, tmp_path: Path, name: str) -> None:
    put_fixture(home, name)
    schemas = []
    for place in (home, tmp_path / "fresh"):
        store = DuckStore.open(place)
        schemas.append(schema_of(store.database))
        for view in ("v_sessions", "v_segments", "v_edges", "v_recalls"):
            store.database.rows(f"SELECT * FROM {view}")
        if place == home:
            assert store.database.rows("SELECT count(*) FROM recalls") == [(1,)]
            assert store.database.rows("SELECT min(asserts) > 0 FROM lines WHERE idx = 0") == [(True,)]
        store.close()
    assert schemas[0] == schemas[1]


@pytest.mark.parametrize("version", one_fast(VERSIONS))
def test_the_steps_make_the_database_that_their_version_had(home: Path, tmp_path: Path, version: int) -> None:
    put_fixture(home, f"v{version}")
    database = Database.open(home / FILE_NAME)
    stored = schema_of(database)
    database.close()
    database = Database.open(tmp_path / "made.duckdb")
    for step in migrations.MIGRATIONS[:version]:
        with database.writing():
            step(database)
    made = schema_of(database)
    database.close()
    # Step 1 was changed once before the first release: `asserts` is the one difference, and step 5 mends it.
    assert set(made) - set(stored) == ({("lines", "asserts", "INTEGER")} if version == 1 else set())
    assert not set(stored) - set(made)


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


def test_the_end_of_a_session_that_was_kept_in_utc_is_on_the_clock_of_its_last_turn(home: Path) -> None:
    home.mkdir(parents=True)
    database = Database.open(home / FILE_NAME)
    for number in range(1, 12):
        with database.writing():
            migrations.MIGRATIONS[number - 1](database)
            migrations.put_meta(database, "schema_version", str(number))
    last, given = "TIMESTAMP '2026-11-18 14:15:16'", "TIMESTAMP '2026-11-18 15:00:00'"
    for name, ended in (("s1", last), ("s2", given), ("s3", "NULL")):
        columns = "(id, namespace, conversation, title, source, started_at, started_offset, ended_at, ended_offset, is_open, meta)"
        told = f"('{name}', 'default', '{name}', '', 'api', {last}, 39600, {ended}, 0, {ended == 'NULL'}, '')"
        database.run(f"INSERT INTO sessions {columns} VALUES {told}")
        turn = f"({name[1]}, '{name}', 0, {last}, 39600)"
        database.run(f"INSERT INTO segments (number, session_id, idx, said_at, said_offset) VALUES {turn}")
    database.close()
    store = DuckStore.open(home)
    try:
        ends = {name: session.ended_at for name in ("s1", "s2", "s3") if (session := store.session(name))}
    finally:
        store.close()
    assert [None if at is None else at.isoformat() for at in ends.values()] == [
        "2026-11-19T01:15:16+11:00",
        "2026-11-18T15:00:00+00:00",  # an end that was given stays
        None,
    ]


def test_turns_of_a_session_left_open_by_an_older_version_are_told_to_the_indexes_again(home: Path) -> None:
    """It kept them out of the indexes until the close, and the indexes believe that they have seen them."""
    home.mkdir(parents=True)
    database = Database.open(home / FILE_NAME)
    for number in range(1, 7):
        with database.writing():
            migrations.MIGRATIONS[number - 1](database)
            migrations.put_meta(database, "schema_version", str(number))
    for name, is_open in (("s1", True), ("s2", False)):
        columns = "(id, namespace, title, source, started_at, started_offset, is_open, meta)"
        database.run(f"INSERT INTO sessions {columns} VALUES ('{name}', 'default', '', 'api', now(), 0, {is_open}, '')")
        database.run(
            f"INSERT INTO segments (number, session_id, idx, changed) VALUES ({name[1]}, '{name}', 0, {name[1]})"
        )
    database.run("INSERT INTO embedded VALUES (1, 2)")
    database.close()
    store = DuckStore.open(home)
    try:
        assert store.changed_segments(2).tolist() == [1]
        assert store.last_change() == 3
        assert store.unlinked_segments(1).tolist() == []  # what was embedded before was linked with it
    finally:
        store.close()
