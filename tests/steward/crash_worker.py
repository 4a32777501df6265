"""Run as a module by test_kill.py: does upkeep in children that are killed with −9, and looks at what they left."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import time
from collections import Counter
from datetime import timedelta
from functools import partial
from pathlib import Path

from pmg import config as configuration
from pmg.base.errors import InputError
from pmg.base.model import State
from pmg.engine import Engine
from pmg.store.duckdb import backup
from steward import archive
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.kills import done_in_child, in_child
from tests.steward.memories import NOON, tell
from tests.stores import store_of

CITIES = "Berlin Ulm Kiel Bonn Jena Köln Hof Trier Mainz Celle Fulda Essen".split()
TEXTS = [
    text
    for city in CITIES
    for text in (f"My sister and I moved to {city} last spring.", f"my sister and I moved to {city} last spring!")
]
HITS = len(TEXTS)


def opened(home: Path) -> Engine:
    values = {"steward": {"rest": 0.0, "backup_keep": 3}}
    return Engine.open(configuration.with_values(configuration.load(home, {}), values, "test"), embedder=WordEmbedder())


def fill(home: Path) -> None:
    with opened(home) as engine:
        tell(engine, "all", *TEXTS)
        store_of(engine).add_hits(range(1, len(TEXTS) + 1), NOON)


def work(home: Path, seed: int, ready: int) -> None:
    """Merge, archive, back up, undo and restore without end, until the kill; says when each step begins."""
    chance = random.Random(seed)
    with opened(home) as engine:
        steward = Steward(engine, lambda: NOON + timedelta(days=900))
        while True:
            os.write(ready, b"s")  # a step begins
            step(steward, chance)


def step(steward: Steward, chance: random.Random) -> None:
    kind = chance.choice(["merge", "merge", "archive", "restore", "backup", "undo", "undo"])
    if kind in ("merge", "backup"):
        steward.run([kind], full=True, bulk=True)
    elif kind == "archive":
        some = chance.sample(range(1, len(TEXTS) + 1), 4)
        archive.move(steward._work("test"), some, State.ACTIVE, State.ARCHIVED, "test")
    elif kind == "restore":
        steward.restore([one.segment.id for one in steward.search_archive(limit=100)])
    else:
        runs = list(dict.fromkeys(e.run for e in steward.history(400) if e.undone_at is None and e.action == "merge"))
        if runs:
            with contextlib.suppress(InputError):  # refused: something later builds on it
                steward.undo(chance.choice(runs))


def check(home: Path) -> None:
    with opened(home) as engine:
        segments = engine.reads.segments_of("all")
        assert [s.lines[0].text for s in segments] == TEXTS
        merged = [s for s in segments if s.state is State.MERGED]
        names = {s.id for s in segments}
        assert all((s.stands_for in names) == (s.state is State.MERGED) for s in segments)
        # each hit is counted once among those that are not merged: a half-done merge would count some twice or never
        assert sum(s.hits for s in segments if s.state is not State.MERGED) == HITS
        live = [e for e in engine.reads.journal(100_000) if e.undone_at is None]
        assert sum(e.action == "merge" for e in live) == len(merged)
        active = sum(s.state is State.ACTIVE for s in segments)
        assert engine.indexes.sizes()["default"] == (active, active)
        assert engine.reads.maintenance.orphans().total == 0
        for file in sorted((home / "backups").glob("auto-*.duckdb"))[-1:]:
            assert backup.check(file) == len(TEXTS)
        assert archive.search(Steward(engine)._work("check"), "", "default") is not None


def main(home: Path, rounds: int) -> None:
    assert done_in_child(lambda: fill(home))
    chance = random.Random(5)
    for number in range(rounds):
        told, ready = os.pipe()
        pid = in_child(partial(work, home, number, ready))
        for _ in range(chance.randint(2, 5)):  # the kill is timed by steps, so that it bites on a slow machine too
            begun = time.perf_counter()
            assert os.read(told, 1) == b"s"
        time.sleep(chance.uniform(0.0, 0.8) * (time.perf_counter() - begun))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(told)
        os.close(ready)
        assert done_in_child(lambda: check(home)), f"round {number} left the memory wrong"
    with opened(home) as engine:
        done = Counter(entry.action for entry in engine.reads.journal(100_000))
    assert min(done["merge"], done["archive"], done["backup"], done["undo"]) > 0, done
    sys.stdout.write(f"{rounds} rounds\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
