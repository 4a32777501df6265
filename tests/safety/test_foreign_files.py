"""A database file from somebody else is read for its values and never asked: no view, macro or generated column of it runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from pmg.base.errors import InputError, PmgError, StoreError
from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.ingest.turns import SessionInput
from pmg.store.duckdb import backup, foreign
from pmg.store.duckdb.store import DuckStore
from pmg.store.restore import contents, restore_backup
from tests.pmg.test_migrations import FIXTURES, put_fixture
from tests.tiers import one_fast

Open = Callable[..., Engine]
Change = Callable[[duckdb.DuckDBPyConnection, Path], None]
SECRET = "the words of another file"


def as_view(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("CREATE TABLE kept AS SELECT * FROM lines")
    other.execute("DROP INDEX lines_by_segment")
    other.execute("DROP TABLE lines")
    other.execute(
        f"""CREATE VIEW lines AS SELECT k.* REPLACE ((SELECT content FROM read_text('{secret}')) AS text) FROM kept k"""
    )


def extra_view(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute(f"CREATE VIEW mine AS SELECT * FROM read_text('{secret}')")


def our_view_with_other_words(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute(f"CREATE OR REPLACE VIEW v_segments AS SELECT content AS text FROM read_text('{secret}')")


def macro(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute(f"CREATE MACRO epoch_us(x) AS (SELECT content FROM read_text('{secret}'))")


def generated(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("ALTER TABLE sessions RENAME TO old")
    columns = "id VARCHAR, namespace VARCHAR, conversation VARCHAR, title VARCHAR GENERATED ALWAYS AS ('x' || id)"
    rest = """source VARCHAR, started_at TIMESTAMP, started_offset INTEGER, ended_at TIMESTAMP, ended_offset INTEGER,
              is_open BOOLEAN, meta VARCHAR"""
    other.execute(f"CREATE TABLE sessions ({columns}, {rest})")
    other.execute("DROP TABLE old")


def extra_column(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("ALTER TABLE edges ADD COLUMN note VARCHAR")


def other_type(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("ALTER TABLE edges ALTER weight TYPE DOUBLE")


def default(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("ALTER TABLE edges ALTER weight SET DEFAULT 7")


def extra_table(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("CREATE TABLE mine (a INTEGER)")


def sequence(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("CREATE SEQUENCE mine")


def made_type(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("CREATE TYPE mine AS ENUM ('a')")


def index(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("CREATE INDEX mine ON edges (source)")


def schema(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("CREATE SCHEMA mine")


def missing_table(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("DROP TABLE edges")


def session_that_leads_out(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("UPDATE sessions SET id = '../../../' || id")


def namespace_that_leads_out(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("UPDATE segments SET namespace = '..'")


def model_of_no_size(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("UPDATE models SET dimension = -1")


def broken_schema_number(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
    other.execute("UPDATE meta SET value = '4; DROP' WHERE key = 'schema_version'")


# What could not be read back or shown: a statement each, and how the refusal names it.
WRONG_VALUES = [
    ("UPDATE sessions SET meta = '{{{{'", "sessions.meta in row 1 ('theirs'): '{{{{' is no JSON object of texts"),
    ("UPDATE sessions SET meta = '[1]'", "sessions.meta in row 1"),
    ("UPDATE segments SET meta = '{\"a\": 1}'", "segments.meta in row 1"),
    ("UPDATE sessions SET title = repeat('x', 2000000)", "sessions.title in row 1 ('theirs')"),
    ("UPDATE lines SET speaker = repeat('x', 2000000)", "lines.speaker in row 1"),
    ("UPDATE sessions SET title = NULL", "sessions.title in row 1 ('theirs'): nothing stands there"),
    ("UPDATE sessions SET started_at = 'infinity'", "sessions.started_at in row 1"),
    ("UPDATE segments SET said_at = '0001-01-01 00:00:00'", "segments.said_at in row 1"),
    ("UPDATE segments SET said_offset = 90000", "segments.said_offset in row 1"),
    ("UPDATE segments SET state = 'gone'", "'gone' is none of active, duplicate, merged, archived"),
    ("UPDATE segments SET quality = 'NaN'", "segments.quality in row 1"),
    ("UPDATE segments SET number = -number", "segments.number in row 1"),
    ("UPDATE segments SET tags = ['a', repeat('x', 2000000)]", "segments.tags in row 1"),
    ("UPDATE lines SET role = 'king' WHERE idx = 0", "lines.role in row 1"),
    ("INSERT INTO edges VALUES (1, 1, 'knows', 1, 'auto', '2026-01-01')", "edges.kind in row 1"),
    ("INSERT INTO edges VALUES (1, 1, 'supports', 'inf', 'auto', '2026-01-01')", "edges.weight in row 1"),
    ("UPDATE vectors_1 SET vector = list_transform(vector, x -> 'NaN'::FLOAT)", "vectors_1.vector in row 1"),
    ("INSERT INTO claim_rulings VALUES (1, 0, 0, 'a', 'b', 'wrong', '', 'infinity')", "claim_rulings.ended in row 1"),
]  # fmt: skip


HOSTILE = (
    as_view, extra_view, macro, generated, extra_column, other_type, default, extra_table, sequence, made_type, index, schema,
    missing_table, session_that_leads_out, namespace_that_leads_out, model_of_no_size, broken_schema_number,
)  # fmt: skip


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup as PMG writes it."""
    from pmg import config as configuration
    from tests.embedding import WordEmbedder

    folder = tmp_path_factory.mktemp("template")
    with Engine.open(configuration.load(folder / "other", {}), embedder=WordEmbedder()) as engine:
        with engine.session(session_id="theirs") as session:
            session.add(user="the cat of somebody else sleeps")
        engine.backup(folder / "backup.duckdb")
    return folder / "backup.duckdb"


def changed(template: Path, folder: Path, change: Change) -> Path:
    secret, file = folder / "secret.txt", folder / "hostile.duckdb"
    secret.write_text(SECRET)
    shutil.copyfile(template, file)
    with duckdb.connect(str(file)) as other:
        change(other, secret)
    return file


@pytest.mark.parametrize("change", HOSTILE, ids=lambda change: change.__name__)
def test_a_file_that_is_not_a_memory_through_and_through_is_refused(
    template: Path, tmp_path: Path, change: Change
) -> None:
    file = changed(template, tmp_path, change)
    before = file.read_bytes()
    for use in (lambda: backup.check(file), lambda: restore_backup(tmp_path / "new", file)):
        with pytest.raises((InputError, StoreError)) as problem:
            use()
        assert SECRET not in str(problem.value)
    assert file.read_bytes() == before
    assert not (tmp_path / "new" / "memory.duckdb").exists()


@pytest.mark.parametrize(("statement", "told"), WRONG_VALUES)
def test_a_backup_with_a_value_that_cannot_be_read_is_refused_by_table_column_and_row(
    template: Path, tmp_path: Path, engine: Engine, statement: str, told: str
) -> None:
    file = changed(template, tmp_path, lambda other, _: other.execute(statement))
    for use in (lambda: contents(file), lambda: restore_backup(tmp_path / "new", file)):
        with pytest.raises(InputError) as problem:
            use()
        assert told in str(problem.value) and len(str(problem.value)) < 600
    assert not (tmp_path / "new" / "memory.duckdb").exists()
    assert told in import_paths(engine, [file], ImportOptions()).text()
    assert not engine.sessions()


def test_what_pmg_itself_stores_is_never_refused(sample_home: Path, open_engine: Open, tmp_path: Path) -> None:
    assert contents(sample_home / "memory.duckdb").segments > 100
    engine, long = open_engine(), "\ud800" * 1_200_000
    turn = Turn((Line(long, Role.PERSON, "the cat"),), origin_id=long)
    engine.ingest([SessionInput([turn], long, long, long, meta={"a": long})])
    engine.backup(tmp_path / "long.duckdb")
    assert contents(tmp_path / "long.duckdb").segments == 1


@pytest.mark.parametrize("change", [as_view, macro, generated, our_view_with_other_words], ids=lambda c: c.__name__)
def test_an_import_of_a_hostile_memory_brings_nothing_of_this_machine_in(
    template: Path, tmp_path: Path, engine: Engine, change: Change
) -> None:
    changed(template, tmp_path, change)
    other = tmp_path / "their-memory"
    other.mkdir()
    shutil.copyfile(tmp_path / "hostile.duckdb", other / "memory.duckdb")
    report = import_paths(engine, [other], ImportOptions())
    assert "incoming" not in report.text(), "it is told of the file that was named, not of our copy"
    assert SECRET not in str(engine._memory.store.database.rows("FROM lines"))  # type: ignore[attr-defined]
    assert bool(report.levels) == (change is not our_view_with_other_words), report.text()


def test_a_view_of_our_name_is_left_behind_and_ours_is_made(
    template: Path, tmp_path: Path, home: Path, open_engine: Callable[..., Engine]
) -> None:
    file = changed(template, tmp_path, our_view_with_other_words)
    assert restore_backup(home, file).segments == 1
    assert open_engine().sql("SELECT text FROM v_segments").rows == [("User: the cat of somebody else sleeps",)]


def test_the_connection_on_a_foreign_file_reaches_nothing_else(template: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    with foreign.reading(template) as found:
        for statement in (
            f"SELECT * FROM read_text('{secret}')",
            f"COPY (SELECT 1) TO '{tmp_path / 'out.csv'}'",
            f"ATTACH '{tmp_path / 'new.duckdb'}' AS new",
            "SET enable_external_access = true",
            "INSTALL httpfs",
            "LOAD httpfs",
            "CREATE TABLE edges2 (a INTEGER)",
        ):
            with pytest.raises(StoreError):
                found.database.run(statement)
    assert [p.name for p in tmp_path.iterdir()] == ["secret.txt"]


def test_forgetting_refuses_a_hostile_file_among_the_backups_and_says_so(
    template: Path, tmp_path: Path, engine: Engine, home: Path
) -> None:
    with engine.session(session_id="mine") as session:
        session.add(user="the spare key lies under the blue flowerpot")
        session.add(user="the bakery opens at seven")
    (home / "backups").mkdir()
    file = changed(template, tmp_path, as_view).rename(home / "backups" / "hostile.duckdb")
    receipt = forget(engine, plan(engine, Selection(segments=("seg_mine_0",))))
    assert any("hostile.duckdb" in told for told in receipt.unreachable)
    assert file.exists()
    assert SECRET not in receipt.text


@pytest.mark.slow
def test_the_list_of_exports_of_another_memory_does_not_come_along(
    template: Path, tmp_path: Path, home: Path, open_engine: Callable[..., Engine]
) -> None:
    victim = tmp_path / "taxes.jsonl"
    victim.write_text("mine")

    def listed(other: duckdb.DuckDBPyConnection, secret: Path) -> None:
        other.execute("INSERT INTO copies VALUES (?, 'export', 'zip', now()::TIMESTAMP)", [str(victim)])

    restore_backup(home, changed(template, tmp_path, listed))
    engine = open_engine()
    assert engine.reads.forgetting.recorded() == []
    forget(engine, plan(engine, Selection(sessions=("theirs",))))
    assert victim.read_text() == "mine"


def test_a_log_beside_a_foreign_file_is_read_with_the_same_care(template: Path, tmp_path: Path) -> None:
    """What was not written into the file yet is replayed when it is opened: inside the same namespaces."""
    file = tmp_path / "open.duckdb"
    shutil.copyfile(template, file)
    (tmp_path / "secret.txt").write_text(SECRET)
    with duckdb.connect(str(file)) as other:
        other.execute("PRAGMA disable_checkpoint_on_shutdown")
        other.execute("SET wal_autocheckpoint = '1TB'")
        extra_view(other, tmp_path / "secret.txt")
    assert (tmp_path / "open.duckdb.wal").exists()
    with pytest.raises(PmgError, match="a view 'mine'"):
        backup.check(file)


@pytest.mark.parametrize("name", one_fast(FIXTURES))
@pytest.mark.parametrize("migrated", [False, True])
def test_a_backup_of_every_older_schema_is_still_taken(tmp_path: Path, name: str, migrated: bool) -> None:
    older = tmp_path / "older"
    put_fixture(older, name)
    if migrated:
        DuckStore.open(older).close()
    assert restore_backup(tmp_path / "new", older / "memory.duckdb").segments == 4
    store = DuckStore.open(tmp_path / "new")
    assert len(store.sessions()) == 2
    assert store.database.rows("SELECT 1 FROM lines WHERE asserts IS NULL") == []
    store.close()
