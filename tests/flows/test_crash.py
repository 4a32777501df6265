"""kill -9 in the middle of ingest, index save, migration and re-embedding: nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pmg import doctor
from pmg.base.model import Kind
from pmg.engine import Engine
from pmg.store.duckdb import migrations
from pmg.store.duckdb.store import DuckStore
from tests.flows import crash_worker
from tests.flows.crash_worker import reopened
from tests.kills import times
from tests.stores import store_of
from tests.tiers import one_fast

pytestmark = pytest.mark.crash
ROOT = Path(__file__).resolve().parent.parent.parent
Kill = Callable[..., str]


@pytest.fixture(scope="module")
def kill() -> Iterator[Kill]:
    """Runs a job and kills it some milliseconds after so many acknowledged rows; says whether it was still at work."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.flows.crash_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert server.stdin is not None
    assert server.stdout is not None

    def run(job: str, home: Path, acknowledged: Path, seed: int, rows: int, milliseconds: int) -> str:
        server.stdin.write(f"{job}\t{home}\t{acknowledged}\t{seed}\t{rows}\t{milliseconds}\n")
        server.stdin.flush()
        return str(server.stdout.readline().strip())

    yield run
    server.stdin.close()
    server.wait(120)
    server.stdout.close()


def told(file: Path) -> list[list[str]]:
    return [json.loads(row) for row in file.read_text().splitlines()] if file.exists() else []


def check(engine: Engine, acknowledged: Path) -> None:
    """Everything acknowledged is there once, nothing is open or waiting, and the indexes equal the store."""
    rows = store_of(engine).database.rows("SELECT segment, text FROM v_segments")
    stored = dict(rows)
    assert len(stored) == len(rows)
    for _, segment, said in (row for row in told(acknowledged) if row[0] == "turn"):
        assert stored[segment] == f"User: {said}"
    assert [n for n, c in Counter(s.id for s in engine.sessions()).items() if c > 1] == []
    for session in engine.sessions():
        assert not session.is_open
        assert [s.index for s in engine.reads.segments_of(session.id)] == list(range(session.segments))
    counts = engine.counts()
    assert counts.pending == 0
    assert counts.links[Kind.CHAIN] == sum(max(0, s.segments - 1) for s in engine.sessions())
    doubled = "SELECT source, target, kind FROM edges GROUP BY ALL HAVING count(*) > 1"
    assert store_of(engine).database.rows(doubled) == []
    assert [f for f in doctor.examine(engine) if f.level == doctor.BAD] == []


@pytest.mark.parametrize("part", one_fast(range(2)))
def test_a_kill_during_ingest_loses_nothing(kill: Kill, tmp_path: Path, part: int) -> None:
    chance, home, acknowledged = random.Random(part), tmp_path / "memory", tmp_path / "acknowledged"
    for number in range(times(2)):
        assert (
            kill("ingest", home, acknowledged, 100 * part + number, chance.randint(0, 12), chance.randint(0, 60))
            == "killed"
        )
        with reopened(home) as engine:
            check(engine, acknowledged)
    assert [row for row in told(acknowledged) if row[0] == "turn"]


@pytest.mark.slow
def test_a_kill_while_sessions_are_open_loses_nothing_that_was_told(kill: Kill, tmp_path: Path) -> None:
    chance, home, acknowledged = random.Random(5), tmp_path / "memory", tmp_path / "acknowledged"
    for number in range(times(2)):
        assert kill("talk", home, acknowledged, number, chance.randint(1, 14), chance.randint(0, 60)) == "killed"
        with reopened(home) as engine:
            check(engine, acknowledged)
            assert store_of(engine).unlinked_segments(1).tolist() == []
            for _, segment, said in [row for row in told(acknowledged) if row[0] == "turn"][-3:]:
                assert segment in [s.id for s in engine.recall(said, count=False).segments]
    assert [row for row in told(acknowledged) if row[0] == "turn"]


@pytest.mark.slow
def test_a_kill_while_indexes_are_saved_or_rebuilt_loses_nothing(kill: Kill, tmp_path: Path) -> None:
    chance, home, acknowledged = random.Random(7), tmp_path / "memory", tmp_path / "acknowledged"
    for number in range(times(2)):
        assert kill("save", home, acknowledged, number, chance.randint(0, 5), chance.randint(0, 60)) == "killed"
        with reopened(home) as engine:
            check(engine, acknowledged)
    assert [row for row in told(acknowledged) if row[0] == "turn"]


@pytest.mark.slow
def test_a_kill_during_a_change_of_model_leaves_one_model_in_force(kill: Kill, tmp_path: Path) -> None:
    chance, home, acknowledged = random.Random(11), tmp_path / "memory", tmp_path / "acknowledged"
    kill("ingest", home, acknowledged, 1, 30, 0)
    reopened(home).close()
    for number in range(times(2)):
        assert kill("reembed", home, acknowledged, number, chance.randint(1, 3), chance.randint(0, 150)) == "killed"
        with reopened(home) as engine:
            check(engine, acknowledged)
            assert engine.recall("cat vet").receipt.note == ""
    with reopened(home) as engine:  # what was begun can be finished
        following = engine.reads.next_model
        if following is not None:
            engine.reembed(crash_worker.embedder_for(following.name))
        engine.relink()
        check(engine, acknowledged)
        assert [f for f in doctor.examine(engine) if f.level not in (doctor.OK, doctor.CHOICE)] == []


@pytest.mark.slow
def test_a_kill_during_migration_leaves_one_version_or_the_next(
    kill: Kill, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, acknowledged, versions = random.Random(13), tmp_path / "acknowledged", []
    known = migrations.MIGRATIONS
    for number in range(times(3)):
        home = tmp_path / f"memory-{number}"
        with reopened(home) as engine, engine.session(session_id="s1") as session:
            for i in range(3):
                session.add(user=f"the cat {i}")
        kill("migrate", home, acknowledged, number, 1, chance.randint(5, 160))
        monkeypatch.setattr(migrations, "MIGRATIONS", (*known, *crash_worker.STEPS))
        monkeypatch.setattr(migrations, "SCHEMA_VERSION", len(migrations.MIGRATIONS))
        database = migrations.Database.open(home / "memory.duckdb")
        versions.append(migrations.version_of(database) - len(known))
        columns = database.rows("SELECT count(*) FROM duckdb_columns() WHERE column_name LIKE 'extra%'")
        assert columns == [(versions[-1],)]
        database.close()
        store = DuckStore.open(home)  # the rest of the steps
        assert [s.lines[0].text for s in store.segments_of("s1")] == ["the cat 0", "the cat 1", "the cat 2"]
        store.close()
        monkeypatch.undo()
    assert min(versions) < len(crash_worker.STEPS)
