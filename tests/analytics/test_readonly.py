"""What is asked in SQL reads this memory and nothing else, and cannot change it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from pmg.analytics import run_sql
from pmg.base.errors import InputError
from pmg.engine import Engine
from pmg.store.duckdb.user_sql import REFUSED_FUNCTIONS, TABLE_FUNCTIONS, functions
from tests.stores import store_of

WRITES = (
    "INSERT INTO meta VALUES ('a', 'b')",
    "UPDATE segments SET hits = 7",
    "DELETE FROM lines",
    "DROP TABLE lines",
    "CREATE TABLE mine (a INTEGER)",
    "CREATE TEMP TABLE mine AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "ALTER TABLE lines DROP COLUMN text",
    "TRUNCATE lines",
    "EXPLAIN ANALYZE DELETE FROM lines",
    "EXPLAIN ANALYZE INSERT INTO meta VALUES ('a', 'b')",
    "SELECT 1; DELETE FROM lines",
    "BEGIN TRANSACTION",
    "COMMIT",
    "CHECKPOINT",
    "VACUUM",
    "SET memory_limit = '1TB'",
    "RESET memory_limit",
    "PRAGMA enable_profiling",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "USE memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "EXPORT DATABASE 'somewhere'",
    "DETACH memory",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
)
INSIDE = (
    "SELECT 1 AS one",
    "VALUES (1), (2)",
    "FROM v_segments",
    "TABLE segments",
    "WITH few AS (SELECT number FROM segments) SELECT count(*) FROM few",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT sum(n) FROM r",
    "SELECT speaker, row_number() OVER (ORDER BY words DESC, speaker) AS place FROM v_lines LIMIT 3",
    "SELECT list_transform([1, 2], lambda x: x + 1) AS made",
    "SELECT * FROM v_lines, unnest([1, 2]) AS u(n) LIMIT 2",
    "PIVOT v_segments ON state IN ('active', 'merged') USING count(*)",
    "SELECT count(*) FROM segments WHERE number IN (SELECT source FROM edges)",
    "EXPLAIN SELECT * FROM v_edges",
    "EXPLAIN ANALYZE SELECT count(*) FROM edges",
    "DESCRIBE segments",
    "DESCRIBE SELECT 1",
    "SHOW TABLES",
    "SUMMARIZE segments",
    "SELECT table_name FROM information_schema.tables",
    "FROM pragma_table_info('segments')",
    "-- a remark\nSELECT 1 /* and another */",
    "SELECT 'read_text(''/etc/passwd'')' AS only_a_text",
)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a secret, under every ending that DuckDB would read."""
    folder = tmp_path_factory.mktemp("outside")
    for ending in ("csv", "txt", "json", "parquet"):
        (folder / f"secret.{ending}").write_text('{"a": "hidden"}\n', encoding="utf-8")
    return folder


@pytest.mark.parametrize("statement", WRITES)
def test_what_is_no_question_is_refused_and_changes_nothing(memory: Engine, statement: str) -> None:
    before = memory.sql("SELECT count(*), sum(hits) FROM segments").rows
    with pytest.raises(InputError):
        memory.sql(statement)
    assert memory.sql("SELECT count(*), sum(hits) FROM segments").rows == before
    assert memory.sql("SELECT count(*) FROM lines").rows[0][0] > 0


@pytest.mark.parametrize("statement", INSIDE)
def test_questions_about_the_memory_are_answered(memory: Engine, statement: str) -> None:
    assert len(memory.sql(statement)) > 0


def outside_reads(folder: Path) -> list[str]:
    csv, text, json, parquet = (folder / f"secret.{ending}" for ending in ("csv", "txt", "json", "parquet"))
    return [
        f"SELECT * FROM read_text('{text}')",
        f"SELECT * FROM main.read_text('{text}')",
        f"SELECT * FROM system.main.read_text('{text}')",
        f"SELECT * FROM \"read_text\"('{text}')",
        f"SELECT * FROM READ_BLOB('{text}')",
        f"SELECT * FROM read_csv('{csv}')",
        f"SELECT * FROM read_csv_auto('{csv}')",
        f"SELECT * FROM sniff_csv('{csv}')",
        f"SELECT * FROM read_json('{json}')",
        f"SELECT * FROM read_ndjson_objects('{json}')",
        f"SELECT * FROM read_parquet('{parquet}')",
        f"SELECT * FROM parquet_metadata('{parquet}')",
        f"SELECT * FROM read_duckdb('{folder}/x.duckdb')",
        f"SELECT * FROM glob('{folder}/*')",
        f"SELECT * FROM '{csv}'",
        f'SELECT * FROM "{csv}"',
        f"FROM '{json}'",
        f"DESCRIBE '{csv}'",
        f"SUMMARIZE '{csv}'",
        f"SHOW '{csv}'",
        f"PIVOT '{csv}' ON a IN (1) USING count(*)",
        f"SELECT (SELECT count(*) FROM '{csv}')",
        f"SELECT * FROM segments WHERE id IN (SELECT content FROM read_text('{text}'))",
        f"SELECT list_transform([1], lambda x: (SELECT count(*) FROM read_text('{text}')))",
        f"WITH a AS (SELECT * FROM '{csv}') SELECT * FROM a",
        f'WITH a AS (WITH "{csv}" AS (SELECT 1) SELECT 1) SELECT * FROM "{csv}"',
        f"SELECT * FROM query('SELECT * FROM read_text(''{text}'')')",
        f"SELECT * FROM query_table('{csv}')",
        f"SELECT * FROM query_table(['{csv}'])",
        f"SELECT json_serialize_plan('SELECT * FROM read_csv(''{csv}'')')",
        f"SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''{text}'')'))",
        f"FROM histogram('{csv}', a)",
        f"COPY segments TO '{folder}/out.csv'",
        f"COPY (SELECT 1) TO '{folder}/out.csv'",
        f"COPY segments FROM '{csv}'",
        f"EXPLAIN ANALYZE COPY segments TO '{folder}/out.csv'",
        f"EXPLAIN ANALYZE SELECT * FROM read_text('{text}')",
        f"ATTACH '{folder}/other.duckdb' AS other",
        f"SELECT 1 UNION ALL SELECT size FROM read_text('{text}')",
        "SELECT getenv('HOME')",
        "SELECT current_setting('secret_directory')",
        "SELECT * FROM duckdb_secrets()",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM pg_settings",
        "SELECT * FROM pg_catalog.pg_settings",
        "SELECT * FROM duckdb_databases",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM which_secret('s3://x', 's3')",
        "SELECT * FROM duckdb_logs",
        "SELECT nextval('s')",
        "SELECT write_log('x')",
        "SELECT * FROM checkpoint()",
        "SELECT * FROM force_checkpoint()",
        "SELECT * FROM arrow_scan(1, 2, 3)",
    ]


def test_no_statement_reaches_outside_the_memory(memory: Engine, outside: Path) -> None:
    before = sorted(file.name for file in outside.iterdir())
    for statement in outside_reads(outside):
        with pytest.raises(InputError):
            print(statement, memory.sql(statement).rows)
    assert sorted(file.name for file in outside.iterdir()) == before


def test_a_table_info_of_a_file_tells_nothing(memory: Engine, outside: Path) -> None:
    with pytest.raises(InputError):
        memory.sql(f"FROM pragma_table_info('{outside}/secret.csv')")


def test_a_variable_of_the_program_is_no_table(memory: Engine) -> None:
    import pyarrow as pa

    hidden = pa.table({"secret": ["x"]})
    with pytest.raises(InputError, match="no table or view 'hidden'"):
        memory.sql("SELECT * FROM hidden")
    assert hidden.num_rows == 1


def test_every_function_that_sounds_like_more_than_reckoning_is_refused(memory: Engine) -> None:
    """A later DuckDB may bring new ones: this test then asks to look at them."""
    doubtful = (
        "read_",
        "write",
        "copy",
        "file_",
        "glob",
        "secret",
        "getenv",
        "setting",
        "exec",
        "query",
        "sleep",
        "nextval",
    )
    known = functions(store_of(memory).database)
    harmless = {"current_query", "current_query_id"}
    let_through = {name for name in known if any(part in name for part in doubtful)} - REFUSED_FUNCTIONS - harmless
    assert not {name for name in let_through if not name.startswith(("regexp_", "parse_"))}
    assert not {name for name in TABLE_FUNCTIONS if any(part in name for part in ("read", "scan", "glob", "query"))}


def test_a_view_that_a_restored_file_brought_is_not_asked(memory: Engine, outside: Path) -> None:
    database = store_of(memory).database
    database.run(f"CREATE VIEW planted AS SELECT * FROM read_text('{outside}/secret.txt')")
    try:
        with pytest.raises(InputError, match="planted"):
            memory.sql("FROM planted")
    finally:
        database.run("DROP VIEW planted")


def test_an_answer_stops_at_its_limit_and_says_so(memory: Engine) -> None:
    answer = memory.sql("SELECT * FROM range(1000000000)", limit=3)
    assert (answer.rows, answer.more) == ([(0,), (1,), (2,)], True)
    assert memory.sql("SELECT * FROM range(3)", limit=3).more is False
    assert run_sql(memory, "SELECT * FROM range(9)", limit=2).schema.metadata == {b"more": b"true"}
    assert run_sql(memory, "SELECT * FROM range(2)", limit=2).schema.metadata is None


def test_a_question_that_takes_too_long_is_stopped(memory: Engine) -> None:
    with pytest.raises(InputError, match=r"longer than 0\.2 s"):
        memory.sql("SELECT count(*) FROM range(10000000000) a, range(1000) b", seconds=0.2)
    assert memory.sql("SELECT 1").rows == [(1,)]


@pytest.mark.parametrize(
    "statement",
    [
        "PIVOT v_lines ON role USING count(*)",
        "FROM (PIVOT v_lines ON role USING count(*))",
        "WITH a AS (FROM v_lines) PIVOT a ON role",
    ],
)
def test_a_pivot_without_its_values_is_told_what_it_needs(memory: Engine, statement: str) -> None:
    with pytest.raises(InputError, match="A PIVOT is answered with its values written out"):
        memory.sql(statement)


@pytest.mark.parametrize("statement", ["", "  ", ";", "-- hi", "/* nothing */"])
def test_an_empty_question_is_told_as_one(memory: Engine, statement: str) -> None:
    with pytest.raises(InputError, match="The question is empty"):
        memory.sql(statement)


def test_values_are_given_apart(memory: Engine) -> None:
    found = memory.sql("SELECT count(*) FROM v_segments WHERE namespace = ? AND hits >= ?", ["default", 0])
    assert found.rows == [(24,)]


def test_an_answer_comes_as_rows_arrow_and_a_data_frame(memory: Engine) -> None:
    answer = memory.sql("SELECT 'a' AS letter, 1 AS number UNION ALL SELECT '<b>', 2 ORDER BY number")
    assert answer.columns == ["letter", "number"]
    assert answer.rows == [("a", 1), ("<b>", 2)]
    assert answer.arrow().num_rows == len(answer.df()) == len(answer) == 2
    assert "<b>" not in answer._repr_html_()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("INTERVAL 287 SECOND", timedelta(seconds=287)),
        ("INTERVAL (-1500) MICROSECOND", timedelta(microseconds=-1500)),
        ("INTERVAL 14 MONTH", pa.MonthDayNano([14, 0, 0])),
        ("INTERVAL 2000000000 DAY", pa.MonthDayNano([0, 2_000_000_000, 0])),  # longer than Python knows
    ],
)
def test_a_duration_is_a_timedelta_where_there_is_one(memory: Engine, asked: str, told: object) -> None:
    assert memory.sql(f"SELECT {asked}").rows == [(told,)]


@pytest.mark.parametrize("statement", ["", "   ", ";", "SELEC 1", "SELECT FROM", "SELECT '", "(" * 2000 + "1"])
def test_what_cannot_be_read_is_told_as_a_sentence(memory: Engine, statement: str) -> None:
    with pytest.raises(InputError):
        memory.sql(statement)


def test_what_no_database_can_hold_is_asked_for_as_it_is_stored(memory: Engine) -> None:
    broken = "half \ud83d"
    (row,) = memory.sql(f"SELECT '{broken}' = ?", [broken]).rows
    assert row == (True,)
