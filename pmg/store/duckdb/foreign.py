"""A database file that may come from somebody else: a backup, another memory, a file in the folder of backups.

Knows: that such a file can hold views, macros and generated columns that read files or the network when they are asked, and which
tables a memory has, by the migrations themselves. So it is opened in a connection without access to anything else
(attached.py), every table must be exactly as a migration made it, and only values go on from it, into a database of our own
making; never a statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from pmg.base.errors import InputError, NotFound, StoreError
from pmg.store.duckdb import migrations, sealed_upkeep
from pmg.store.duckdb.attached import NAME
from pmg.store.duckdb.database import Database, protect
from pmg.store.duckdb.schema import vectors_table
from pmg.store.duckdb.values import wrong_values
from pmg.store.duckdb.views import MACROS, VIEWS
from pmg.store.seal import Key

_BATCH = 8_192  # rows on their way from one database to the other
_MAX_DIMENSIONS = 65_536  # dimensions: more is no model of anybody's, but would take the machine's memory
_UNSAFE = re.compile(r"[/\\\x00-\x1f]|^\.*$")  # in a name that becomes a file's or a folder's
_COPIES = "copies"
Step = Callable[[Database], None]


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file that was looked at: nothing but tables of a memory is in it. `version` is that of its schema."""

    database: Database
    version: int
    tables: tuple[str, ...]
    is_early: bool = False  # one of the first stores, whose lines had a column less

    @property
    def store_id(self) -> str:
        return migrations.get_meta(self.database, "store_id") or ""

    def segments(self) -> int:
        row = self.database.row("SELECT count(*) FROM segments")
        return int(row[0]) if row else 0


@contextmanager
def reading(file: Path, key: Key | None = None) -> Iterator[MemoryFile]:
    """The file, read-only and alone; InputError or StoreError for one that is not a memory through and through."""
    if file.is_dir():
        raise InputError(f"{file} is a folder: give the path of a backup, which is one file.")
    if not file.is_file():
        raise NotFound(
            f"There is no backup {file}: give the path of one. `pmg backup FILE` writes one where you say; those of the steward are in the folder backups."
        )
    database = Database.open_foreign(file, key)
    try:
        yield _looked_at(database)
    finally:
        database.close()


def copied(file: Path, target: Path, *, key: Key | None = None, before: Key | None = None, copies: bool = True) -> int:
    """Its values in a new database under `key`; returns how many segments. Without `copies` it brings no list of files along."""
    with reading(file, before) as source:
        for stale in (target, target.with_name(target.name + ".wal")):
            stale.unlink(missing_ok=True)
        fresh = Database.create(target, key)
        try:
            _fill(source, fresh, copies)
            fresh.run("CHECKPOINT")
            count = source.segments()
        except BaseException:
            fresh.close()
            target.unlink(missing_ok=True)
            raise
        fresh.close()
    with suppress(FileNotFoundError):
        target.with_name(target.name + ".wal").unlink()
    protect(target)
    return count


# looking


def _looked_at(database: Database) -> MemoryFile:
    """Nothing of the file is asked before this is through but its catalogue and `meta`, which is a table then."""
    found = _tables(database)
    expected = _expected(1)
    _same(database, "meta", found, expected)
    version = migrations.checked_version(database)
    early = _expected(version, is_early=True)
    is_early = "lines" in found and found["lines"] == early["lines"] != _expected(version)["lines"]
    expected = early if is_early else _expected(version)
    _same(database, "models", found, expected)
    expected |= _vector_tables(database)
    for name in sorted(expected):
        _same(database, name, found, expected)
    strange = sorted(found.keys() - expected.keys())
    if strange:
        raise _refused(database, f"a table {strange[0]!r} that no memory has")
    _refuse_the_rest(database)
    _refuse_names_that_lead_out(database)
    return MemoryFile(database, version, tuple(sorted(expected)), is_early)


def _tables(database: Database) -> dict[str, str]:
    """Tables by name, each with the statement that would make it: columns, types, defaults, checks, all of it."""
    return {
        str(name): _plain(str(sql))
        for place, schema, name, sql in database.rows(
            "SELECT database_name, schema_name, table_name, sql FROM system.main.duckdb_tables()"
        )
        if (place, schema) == (NAME, "main")
    }


def _plain(sql: str) -> str:
    return " ".join(sql.split())


def _same(database: Database, name: str, found: dict[str, str], expected: dict[str, str]) -> None:
    if name not in found:
        known = "meta" in found and name != "meta"
        what = f"no table {name!r}" if known else "no memory of PMG"
        raise InputError(f"{database.path} is a database, but {what} is in it: it cannot be taken.")
    if found[name] != expected[name]:
        raise _refused(database, f"a table {name!r} with other columns than a memory has")


@lru_cache(maxsize=16)
def _made_by(steps: tuple[Step, ...], is_early: bool) -> tuple[tuple[str, str], ...]:
    scratch = Database.scratch()
    try:
        _make(scratch, steps, is_early)
        return tuple(_tables(scratch).items())
    finally:
        scratch.close()


def _make(database: Database, steps: Sequence[Step], is_early: bool) -> None:
    """The tables by this PMG's own statements."""
    for number, step in enumerate(steps, 1):
        step(database)
        if number == 1 and is_early:  # step 5 gives them the column, at the end of the table
            database.run("ALTER TABLE lines DROP COLUMN asserts")


def _expected(version: int, is_early: bool = False) -> dict[str, str]:
    return dict(_made_by(tuple(migrations.MIGRATIONS[:version]), is_early))


def _vector_tables(database: Database) -> dict[str, str]:
    rows = database.rows(f"SELECT generation, dimension FROM {NAME}.main.models WHERE state <> 'retired'")
    for generation, dimension in rows:
        if not (isinstance(generation, int) and isinstance(dimension, int) and 0 < dimension <= _MAX_DIMENSIONS):
            raise _refused(database, f"a model of {dimension} dimensions")
    try:
        return dict(_vectors_made(tuple(sorted(rows))))
    except StoreError:
        raise _refused(database, "two models of one generation") from None


@lru_cache(maxsize=16)
def _vectors_made(models: tuple[tuple[int, int], ...]) -> tuple[tuple[str, str], ...]:
    scratch = Database.scratch()
    try:
        for generation, dimension in models:
            scratch.run(vectors_table(generation, dimension))
        return tuple(_tables(scratch).items())
    finally:
        scratch.close()


def _refuse_the_rest(database: Database) -> None:
    """Views and macros of our names come with every backup and are never used; whatever else there is was put there by somebody."""
    views, macros = {view.name for view in VIEWS}, {macro.name for macro in MACROS}
    # Each: which catalogue function lists them, the column with their names, what a memory may have of them.
    for kind, source, column, allowed in (
        ("view", "duckdb_views", "view_name", views),
        ("macro", "duckdb_functions", "function_name", macros),
        ("sequence", "duckdb_sequences", "sequence_name", set()),
        ("type", "duckdb_types", "CASE WHEN internal THEN '' ELSE type_name END", {""}),
        ("index", "duckdb_indexes", "index_name", {"lines_by_segment"}),
        ("schema", "duckdb_schemas", "schema_name", {"main", "information_schema", "pg_catalog"}),
    ):
        listed = database.rows(f"SELECT database_name, {column} FROM system.main.{source}()")
        strange = sorted({str(name) for place, name in listed if place == NAME} - allowed)
        if strange:
            raise _refused(database, f"a {kind} {strange[0]!r}")


def _refuse_names_that_lead_out(database: Database) -> None:
    """Ids of sessions and namespaces become names of files and folders."""
    for table, column in (("sessions", "id"), ("sessions", "namespace"), ("segments", "namespace")):
        for batch in database.batches(f'SELECT DISTINCT "{column}" FROM {NAME}.main."{table}"', _BATCH):
            for name in _valid(database, batch).column(0).to_pylist():
                if name is None or len(name) > 200 or _UNSAFE.search(name):
                    raise _refused(database, f"a {column} of {table} that cannot name a file ({str(name)[:40]!r})")


def _refused(database: Database, what: str) -> InputError:
    return InputError(
        f"{database.path} holds {what}: it was not made by PMG alone, or was changed since, and is not opened further. "
        f"Nothing was taken from it."
    )


def refuse_wrong_values(source: MemoryFile) -> None:
    """What this PMG could not read back, or show: asked before it becomes, or comes into, a memory."""
    wrong = next(wrong_values(source.database, source.tables), None)
    if wrong is not None:
        raise _refused(source.database, str(wrong))


# copying


def _fill(source: MemoryFile, target: Database, copies: bool) -> None:
    """Our own statements make the tables; the file gives values only. Its views are left behind: the next open makes ours."""
    with target.writing():
        _make(target, migrations.MIGRATIONS[: source.version], source.is_early)
        target.run("DELETE FROM meta")
        for generation, dimension in source.database.rows(
            f"SELECT generation, dimension FROM {NAME}.main.models WHERE state <> 'retired'"
        ):
            target.run(vectors_table(generation, dimension))
        for table in source.tables:
            if table != _COPIES or copies:
                _pour(source.database, target, table)
        target.run("DELETE FROM meta WHERE key = 'views'")
        if target.key is None:
            sealed_upkeep.drop_boxes(target)
        elif source.database.key is not None:
            sealed_upkeep.reseal(target, target.key, source.database.key)


def _pour(source: Database, target: Database, table: str) -> None:
    for batch in source.batches(f'SELECT * FROM {NAME}.main."{table}"', _BATCH):
        whole = _valid(source, batch)
        target.insert(f'"{table}"', dict(zip(whole.schema.names, whole.columns, strict=True)))


def _valid(source: Database, batch: pa.RecordBatch) -> pa.RecordBatch:
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid:
        raise _refused(source, "text that is no text") from None
    return batch
