"""Verify and back up: what is derived is mended, what a person wrote is left alone."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import numpy as np

from pmg.base.model import Kind, Origin
from pmg.engine import Engine
from pmg.store.duckdb import backup
from pmg.store.rows import NewEdges
from steward.steward import Steward
from steward.verify import VerifyPlan
from tests.steward.memories import NOON, recalled, snapshot, tell
from tests.stores import store_of


def looked(engine: Engine) -> VerifyPlan:
    plan = Steward(engine, lambda: NOON).plan(["verify"])["verify"]
    assert isinstance(plan, VerifyPlan)
    return plan


def test_a_whole_memory_is_in_step_and_nothing_is_done(engine: Engine) -> None:
    tell(engine, "one", "The cat sees the vet.", "The dog needs a leash.")
    before = snapshot(engine)
    report = Steward(engine, lambda: NOON).run(["verify"])
    assert "in step" in report.text
    assert (snapshot(engine), engine.reads.journal()) == (before, [])


def test_windows_lost_from_the_index_come_back(engine: Engine) -> None:
    tell(engine, "one", "The cat sees the vet.", "The dog needs a leash.")
    index = engine.indexes.vector("default")
    assert index is not None
    index.remove(np.array([1]))
    assert looked(engine).missing.tolist() == [1]
    Steward(engine, lambda: NOON).run(["verify"])
    assert not looked(engine).index_wrong
    assert sorted(index.ids().tolist()) == [1, 2]


def test_windows_that_should_not_be_there_go(engine: Engine) -> None:
    tell(engine, "one", "The cat sees the vet.", "The dog needs a leash.")
    index = engine.indexes.vector("default")
    assert index is not None
    index.add(np.array([99]), index.vectors_of(np.array([1])))
    assert looked(engine).foreign.tolist() == [99]
    Steward(engine, lambda: NOON).run(["verify"])
    assert not looked(engine).index_wrong
    assert "seg_one_0" in recalled(engine, "cat vet")


def test_links_that_lead_nowhere_go_and_idle_sessions_are_closed(engine: Engine) -> None:
    tell(engine, "one", "The cat sees the vet.")
    store_of(engine).put_edges(NewEdges.one(1, 77, Kind.SUPPORTS, 1.0, Origin.USER))
    opened = engine.session("left open", session_id="idle", started_at=NOON - timedelta(hours=3))
    opened.add(user="The bread is in the oven.", at=NOON - timedelta(hours=3))
    plan = looked(engine)
    assert (plan.orphans.edges, plan.idle) == (1, ("idle",))
    Steward(engine, lambda: NOON).run(["verify"])
    assert looked(engine).summary == "everything is in step"
    assert "seg_idle_0" in recalled(engine, "bread oven")


def test_missing_plain_text_is_written_again(engine: Engine, home: Path) -> None:
    tell(engine, "one", "The cat sees the vet.")
    (file,) = (home / "sessions").rglob("one.md")
    text = file.read_text()
    file.unlink()
    assert looked(engine).unwritten == ("one",)
    Steward(engine, lambda: NOON).run(["verify"])
    assert file.read_text() == text


def test_backups_keep_the_newest_and_never_touch_a_persons_own(engine: Engine, home: Path) -> None:
    tell(engine, "one", "The cat sees the vet.")
    folder = home / "backups"
    folder.mkdir()
    mine = folder / "before-the-move.duckdb"
    engine.backup(mine)
    (folder / ".auto-20250101-000000.duckdb.123.tmp").write_text("half")
    for night in range(9):
        at = NOON + timedelta(days=night)
        Steward(engine, lambda at=at: at).run(["backup"])  # type: ignore[misc]
        (newest,) = folder.glob(f"auto-{at:%Y%m%d}-*.duckdb")
        os.utime(newest, (at.timestamp(), at.timestamp()))
    names = sorted(file.name for file in folder.iterdir())
    assert names == [*(f"auto-202606{day:02d}-120000.duckdb" for day in range(3, 10)), mine.name]
    assert backup.check(folder / names[0]) == 1
    assert (folder / names[0]).stat().st_mode & 0o777 == 0o600
