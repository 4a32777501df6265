"""What an import says of itself."""

from __future__ import annotations

import zipfile
from collections import Counter
from pathlib import Path

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.base.text import counted
from pmg.engine import Engine
from pmg.importers.conversation import Level, Where
from pmg.importers.import_run import import_paths
from pmg.importers.report import ImportReport
from pmg.ingest import pipeline
from pmg.ingest.pipeline import Built
from pmg.ingest.turns import SessionInput
from tests.pmg.importers.memory import chat, export


@pytest.mark.parametrize(("number", "told"), [(0, "0 turns"), (1, "1 turn"), (2, "2 turns"), (1200, "1,200 turns")])
def test_one_turn_is_not_turns(number: int, told: str) -> None:
    assert counted(number, "turn") == told


def test_a_single_turn_reads_well(engine: Engine, tmp_path: Path) -> None:
    report = import_paths(engine, [export(tmp_path / "a.json", chat("1", [("a cat", "purrs")]))])
    assert "chatgpt: 1 turn came in, in 1 session of 1 conversation." in report.text()


def test_remarks_are_grouped_by_cause_with_an_example_and_unknown_kinds_first() -> None:
    report = ImportReport()
    for number in range(30):
        report.problem(
            Where("a.json", f"element {number}").problem(f"message {number} of 'Talk {number}' is no object")
        )
    report.problem(Where("b.json").problem("read as utf-16-le", level=Level.NOTE))
    report.problem(Where("c.bin").problem("no form that any reader knows", level=Level.UNSUPPORTED))
    assert [(cause.level, cause.count) for cause in report.causes()] == [
        (Level.UNSUPPORTED, 1),
        (Level.BROKEN, 30),
        (Level.NOTE, 1),
    ]
    rows = [row.strip() for row in report.text().splitlines() if row.startswith("  ")]
    assert rows[0] == "unsupported: c.bin: no form that any reader knows"
    assert rows[1] == "broken: a.json element 0 (30 times; the first): message 0 of 'Talk 0' is no object"
    assert len(report.to_dict()["problems"]) == 32


def test_a_cause_that_several_files_have_names_them() -> None:
    report = ImportReport()
    for name in ("a.txt", "b.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"):
        report.problem(Where(name).problem("not UTF-8 at byte 6", level=Level.NOTE))
    (row,) = [row.strip() for row in report.text().splitlines() if row.strip().startswith("note:")]
    assert row == "note: a.txt (7 times; the first): not UTF-8 at byte 6 (also b.txt, c.txt, d.txt and 2 more)"


def test_a_zip_that_broke_off_is_called_an_incomplete_download(engine: Engine, tmp_path: Path) -> None:
    export(tmp_path / "conversations.json", *(chat(str(n), [("a cat", "purrs")]) for n in range(20)))
    whole = tmp_path / "export.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.write(tmp_path / "conversations.json", "conversations.json")
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole.read_bytes()[:-200])
    assert "an incomplete download" in import_paths(engine, [cut]).text()


def test_what_an_earlier_run_left_is_said_when_it_is_finished(engine: Engine, tmp_path: Path) -> None:
    # The earlier run: stored, and killed before it embedded.
    turn = Turn((Line("Ana", Role.USER, "the cat is on the roof"),))
    pipeline.store_turns(engine.components, [SessionInput((turn,), source="chatgpt", id="earlier")], engine.redactor)
    report = import_paths(engine, [export(tmp_path / "a.json", chat("1", [("a dog", "barks")]))])
    assert report.resumed == 1
    assert "Finished from an earlier import: 1 turn" in report.text()
    assert import_paths(engine, [tmp_path / "a.json"]).resumed == 0


def test_what_waits_and_what_repeats_is_counted_in_words() -> None:
    report = ImportReport(built=Built(duplicates=1, waiting=2))
    assert "1 turn says what was said before" in report.text()
    assert "2 turns wait for the embedding model" in report.text()


def test_unknown_objects_are_kept_raw_and_listed(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text('[{"novel": "a form that nobody knows"}]', encoding="utf-8")
    report = import_paths(engine, [file])
    assert report.kept_raw == 1 and report.levels[Level.UNSUPPORTED] == 1
    assert any("a form that nobody knows" in entry.after for entry in engine.reads.journal())


def test_pieces_that_were_kept_are_counted_in_words() -> None:
    problem = Where("a.json").problem("odd")
    one, six = (ImportReport(problems=[problem], levels=Counter({problem.level: 1}), kept_raw=n) for n in (1, 6))
    assert "1 piece that could not be read is kept as it is in the journal" in one.text()
    assert "6 pieces that could not be read are kept as they are in the journal" in six.text()
