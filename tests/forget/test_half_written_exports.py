"""An export that was killed half-way leaves text in the clear: the next one there takes it away, and so does forgetting, which tells it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg import config as configuration
from pmg.base.errors import InputError
from pmg.base.half_written import written
from pmg.cli import sql as _sql  # noqa: F401  (adds `sql` to the app)
from pmg.cli.root import app
from pmg.engine import Engine
from pmg.exporters import tables
from pmg.exporters.export import FORMATS, export
from pmg.forget import Selection, forget, plan
from pmg.report import write_report
from pmg.store.forget import EXPORT, KnownCopy
from tests.forget.memory import SECRET, fill, holding
from tests.pmg.test_half_written import left_behind
from tests.tiers import one_fast


class Killed(BaseException):
    pass


@pytest.fixture
def filled(engine: Engine) -> Engine:
    fill(engine)
    return engine


def place_of(out: Path, form: str) -> Path:
    """The folder in which files of an export are written."""
    return next(out.glob("*/*")) if form == "markdown" else out.parent


@pytest.mark.parametrize("form", one_fast(FORMATS))
def test_forgetting_takes_it_away_and_tells_it(filled: Engine, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "exports"
    export(filled, folder / "out", form)
    left = left_behind(place_of(folder / "out", form), SECRET)
    planned = plan(filled, Selection(query="flowerpot"))
    assert planned.exports_deleted >= 1
    receipt = forget(filled, planned)
    assert receipt.clean and holding(folder, SECRET) == []
    assert str(left) in receipt.deleted and str(left) in receipt.text


def test_an_export_that_never_came_to_an_end_is_known(
    filled: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        left_behind(tmp_path, SECRET)
        raise Killed

    monkeypatch.setattr(tables, "write_csv", killed)
    with pytest.raises(Killed):
        export(filled, tmp_path / "out.csv", "csv")
    receipt = forget(filled, plan(filled, Selection(query="flowerpot")))
    assert len(receipt.deleted) == 1 and holding(tmp_path, SECRET) == []


@pytest.mark.parametrize("form", one_fast(FORMATS))
def test_the_next_export_to_the_same_folder_takes_it_away(filled: Engine, tmp_path: Path, form: str) -> None:
    export(filled, tmp_path / "out", form)
    left = left_behind(place_of(tmp_path / "out", form))
    mine = left.with_name("notes.tmp")
    mine.write_text("mine")
    export(filled, tmp_path / "out", form)
    assert not left.exists() and mine.read_text() == "mine"


def test_so_do_a_report_and_an_answer_in_sql(home: Path, tmp_path: Path) -> None:
    with Engine.open(configuration.load(home, {}), load=False, wait=False) as engine:
        fill(engine)
        left = left_behind(tmp_path)
        write_report(engine, tmp_path / "report.html")
        assert not left.exists()
    left = left_behind(tmp_path)
    asked = ["--home", str(home), "sql", "SELECT 1", "--out", str(tmp_path / "one.csv")]
    assert CliRunner().invoke(app, asked).exit_code == 0
    assert not left.exists()


def test_one_that_is_just_being_written_stays_is_told_and_stays_known(filled: Engine, tmp_path: Path) -> None:
    copy = KnownCopy((tmp_path / "out.jsonl").resolve(), EXPORT, "jsonl")
    filled.record_copy(copy)
    with written(copy.path) as stream:
        stream.write(SECRET.encode())
        receipt = forget(filled, plan(filled, Selection(query="flowerpot")))
    assert any("being written now" in told for told in receipt.unreachable)
    assert copy.path.exists() and copy in filled.reads.forgetting.recorded()


@pytest.mark.parametrize("form", one_fast(FORMATS))
def test_a_place_that_is_refused_is_not_noted_and_what_lies_there_stays(
    filled: Engine, tmp_path: Path, form: str
) -> None:
    """`forget` would clean somebody's own notes else."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "mine.md").write_text(SECRET)
    with pytest.raises(InputError, match=r"is a (directory|file)"):
        export(filled, notes / "mine.md" if form == "markdown" else notes, form)
    forget(filled, plan(filled, Selection(query="flowerpot")))
    assert (notes / "mine.md").read_text() == SECRET
