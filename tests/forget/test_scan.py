"""The scan beside whatever else removes files: a log that is rotated, a temporary file, a folder of an old backup."""

from __future__ import annotations

import shutil
from pathlib import Path

from pmg.engine import Engine
from pmg.forget import Selection, plan
from pmg.forget.scan import scan
from tests.forget.memory import fill


def test_a_file_or_folder_that_is_removed_while_the_scan_runs_holds_nothing_and_stops_nothing(
    engine: Engine, home: Path
) -> None:
    fill(engine)
    todo = plan(engine, Selection(segments=("seg_one_1",)))
    assert todo.pieces is not None
    before = scan(engine, todo.pieces)
    first, folder = home / "0-first.txt", home / "zz"
    first.write_text("stays")
    folder.mkdir()
    for name in ("log.txt", "old.duckdb", "old.parquet"):
        (folder / name).write_text("soon gone")

    def remove(_what: str, done: int, _total: int) -> None:
        if done == 1:
            shutil.rmtree(folder)

    after = scan(engine, todo.pieces, progress=remove)
    assert not folder.exists()
    assert after.files == before.files + 1
    assert {one.place for one in after.residue} == {one.place for one in before.residue}
