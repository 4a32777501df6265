"""What was forgotten does not come back by the next import: of the same export, or of a copy of the memory made by hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.forget import Selection, forget, plan
from pmg.importers.import_run import import_paths
from tests.forget.memory import SECRET, fill, holding, tell

EXPORT = Path(__file__).resolve().parents[1] / "data" / "exports" / "claude" / "2025-content.json"


def texts(engine: Engine) -> list[str]:
    return [line.text for s in engine.sessions() for g in engine.reads.segments_of(s.id) for line in g.lines]


def test_importing_the_same_export_again_leaves_it_forgotten(engine: Engine) -> None:
    import_paths(engine, [EXPORT])
    first = engine.sessions()[0]
    turns = engine.reads.segments_of(first.id)
    before = texts(engine)
    forget(engine, plan(engine, Selection(segments=(turns[0].id,))))
    left = texts(engine)
    assert len(left) < len(before)
    report = import_paths(engine, [EXPORT])
    assert texts(engine) == left
    assert report.skipped["turns that were forgotten"] == 1


@pytest.mark.slow
def test_a_session_forgotten_whole_stays_away_with_its_title(engine: Engine, home: Path) -> None:
    import_paths(engine, [EXPORT])
    titles = {s.title for s in engine.sessions()}
    gone = engine.sessions()[0]
    forget(engine, plan(engine, Selection(sessions=(gone.id,))))
    import_paths(engine, [EXPORT])
    assert engine.reads.session(gone.id) is None
    assert {s.title for s in engine.sessions()} == titles - {gone.title}


@pytest.mark.slow
def test_a_title_that_quoted_it_is_not_brought_back(engine: Engine, tmp_path: Path) -> None:
    fill(engine)
    tell(engine, "three", ["Of no importance to anybody here.", SECRET], title=SECRET)
    export(engine, tmp_path / "a.jsonl", "jsonl")
    shutil.copy(tmp_path / "a.jsonl", tmp_path / "by-hand.jsonl")  # PMG does not know of this copy
    forget(engine, plan(engine, Selection(segments=("seg_three_1",))))
    import_paths(engine, [tmp_path / "by-hand.jsonl"])
    session = engine.reads.session("three")
    assert session is not None and session.title == ""
    assert SECRET not in texts(engine)


def test_a_backup_copied_by_hand_does_not_bring_it_back(engine: Engine, home: Path, tmp_path: Path) -> None:
    fill(engine)
    engine.backup(tmp_path / "b.duckdb")
    shutil.copy(tmp_path / "b.duckdb", tmp_path / "by-hand.duckdb")
    forget(engine, plan(engine, Selection(sessions=("one",))))
    report = import_paths(engine, [tmp_path / "by-hand.duckdb"])
    assert report.skipped["turns that were forgotten"] == 3
    assert [s.id for s in engine.sessions()] == ["two"]
    assert holding(home, "third blue flowerpot") == []
