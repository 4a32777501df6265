"""`pmg sql` on a terminal."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner, Result

from pmg.cli import console
from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.engine import Engine
from tests.analytics.memory import fill


@pytest.fixture
def pmg(home: Path, open_engine: Callable[..., Engine]) -> Callable[..., Result]:
    load_commands()
    engine = open_engine()
    fill(engine, "default")
    with engine.session(title="escape") as session:
        session.add(user="red \x1b[31m and =1+1", assistant="fine")
    engine.close()
    (home / "config.toml").write_text(
        '[embed]\nmodel = "words"\n', encoding="utf-8"
    )  # the stand-in, not the bundled one

    def run(*words: str, given: str = "") -> Result:
        return CliRunner().invoke(app, ["--home", str(home), *words], input=given)

    return run


def test_a_table_shows_rows_and_makes_escapes_visible(pmg: Callable[..., Result]) -> None:
    done = pmg("sql", "SELECT text FROM v_lines WHERE text LIKE 'red%'")
    assert done.exit_code == 0, done.output
    assert "\x1b[31m" not in done.output and "\\x1b[31m" in done.output


def test_a_table_says_when_there_is_more(pmg: Callable[..., Result]) -> None:
    done = pmg("sql", "SELECT * FROM range(500)")
    assert "100 rows, and more" in done.output
    assert "3 rows, and more" in pmg("sql", "--limit", "3", "SELECT * FROM range(500)").output


def test_a_cell_is_whole_where_another_program_reads_it(pmg: Callable[..., Result]) -> None:
    done = pmg("sql", "SELECT repeat('long ', 60) || 'end' AS text, 7 AS n UNION ALL SELECT 'short', 12 ORDER BY n")
    assert "cut" not in done.output
    head, long, short = done.stdout.splitlines()[:3]
    assert head.startswith("text ") and long == f"{'long ' * 60}end  7" and short == f"{'short':120} 12"


def test_a_cell_that_is_cut_for_a_terminal_is_told(pmg: Callable[..., Result]) -> None:
    screen, said = io.StringIO(), io.StringIO()
    out, err = console.console(file=screen, force_terminal=True, width=200), console.console(file=said)
    with console.typed_at(replace(console.terminal(), out=out, err=err)):
        pmg("sql", "SELECT repeat('long ', 60) || 'end' AS text")
        assert "…" in screen.getvalue() and "end" not in screen.getvalue()
        assert "long cells are cut: --format csv" in said.getvalue()
        pmg("sql", "SELECT 'short' AS text")
    assert said.getvalue().count("cut") == 1


def test_csv_and_json_go_to_the_terminal(pmg: Callable[..., Result]) -> None:
    done = pmg("sql", "--format", "csv", "SELECT speaker, lines FROM people('default') ORDER BY speaker")
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert rows[0] == ["speaker", "lines"] and ["Mara", "24"] in rows
    told = json.loads(
        pmg("sql", "--format", "json", "SELECT DATE '2026-01-05' AS day, 1.5::DECIMAL(4,2) AS d, [1] AS l").stdout
    )
    assert told == [{"day": "2026-01-05", "d": 1.5, "l": [1]}]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("INTERVAL 287 SECOND", "00:04:47"),
        ("INTERVAL 14 MONTH + INTERVAL 1 DAY", "1 year 2 months 1 day"),
        ("INTERVAL (-90) MINUTE", "-01:30:00"),
        ("INTERVAL 1500 MILLISECOND", "00:00:01.5"),
        ("INTERVAL 0 DAY", "00:00:00"),
    ],
)
def test_a_duration_reads_as_one(pmg: Callable[..., Result], asked: str, told: str) -> None:
    assert json.loads(pmg("sql", f"SELECT {asked} AS took", "--format", "json").stdout) == [{"took": told}]
    assert told in pmg("sql", f"SELECT {asked} AS took").stdout


def test_two_columns_of_one_name_are_both_shown_and_written(pmg: Callable[..., Result], tmp_path: Path) -> None:
    question = "SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a"
    shown = pmg("sql", question)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.split() == ["a", "a", "a_1", "a", "1", "2", "3", "4"]
    assert json.loads(pmg("sql", "--format", "json", question).stdout) == [{"a": 1, "a_2": 2, "a_1": 3, "a_3": 4}]
    file = tmp_path / "twice.parquet"
    assert pmg("sql", "--format", "parquet", "--out", str(file), question).exit_code == 0
    assert parquet.read_table(file).to_pylist() == [{"a": 1, "a_2": 2, "a_1": 3, "a_3": 4}]


def test_an_answer_is_written_into_a_file_of_its_owner(pmg: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "lines.parquet"
    done = pmg("sql", "--format", "parquet", "--out", str(file), "FROM v_lines")
    assert done.exit_code == 0, done.output
    assert parquet.read_table(file).num_rows == 50
    assert file.stat().st_mode & 0o777 == 0o600
    assert pmg("sql", "--out", str(tmp_path / "a.csv"), "SELECT * FROM range(500)").exit_code == 0
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 501


def test_the_question_may_come_from_standard_input(pmg: Callable[..., Result]) -> None:
    assert "segments" in pmg("sql", "-", given="SHOW TABLES").output


@pytest.mark.parametrize(
    "words",
    [
        ("sql", "DELETE FROM lines"),
        ("sql", "SELECT * FROM read_text('/etc/passwd')"),
        ("sql", "--format", "xml", "SELECT 1"),
        ("sql", "--format", "parquet", "SELECT 1"),
        ("sql", "--limit", "-1", "SELECT 1"),
        ("sql", "SELECT nothing"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_exit_code_1(pmg: Callable[..., Result], words: tuple[str, ...]) -> None:
    done = pmg(*words)
    assert done.exit_code == 1
    assert "pmg: " in done.output and "Traceback" not in done.output
