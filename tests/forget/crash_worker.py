"""A process that forgets and is killed: between two steps, or at any moment; then one that opens the memory again.

    python -m tests.forget.crash_worker FOLDER ROUNDS

Every round begins with a copy of the same memory, with backups, exports, a copy of the words and a journal that quotes them. The backups cost
half of a round, and are clean from the second step on: a few rounds that are killed later do without (`has_backups`).
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from pmg import config as configuration
from pmg.engine import Engine
from pmg.exporters.export import export
from pmg.forget import Selection, forget, plan, resume
from pmg.forget.carry_out import STEPS
from pmg.forget.order import NAME
from pmg.store.duckdb import backup
from tests.embedding import WordEmbedder
from tests.forget.memory import SECRET, fill, holding, tell
from tests.kills import done_in_child, in_child

PART = "under the third blue flowerpot"


def opened(home: Path) -> Engine:
    return Engine.open(configuration.load(home, {}), embedder=WordEmbedder())


def prepare(folder: Path) -> None:
    with opened(folder / "memory") as engine:
        fill(engine)
        tell(engine, "three", [SECRET, "A cold morning in Kiel with rain."])
        engine.recall("who has the third blue flowerpot")
        export(engine, folder / "out.jsonl", "jsonl")
        export(engine, folder / "vault", "markdown")


def back_up(folder: Path) -> None:
    with opened(folder / "memory") as engine:
        for file in backups_in(folder):
            engine.backup(file)


def backups_in(folder: Path) -> tuple[Path, Path]:
    """One that is known by its place, one by the list of copies."""
    return folder / "memory" / "backups" / "one.duckdb", folder / "outside.duckdb"


def has_backups(step: int, rounds: int) -> bool:
    """Killed before they are cleaned, and when they were just cleaned, so that it is done again; with more rounds than one a step, always."""
    return step <= 2 or rounds > STEPS + 1


def work(folder: Path, at: int, ready: int) -> None:
    """`at`: the step before which it ends itself; 0: whoever waits for it does."""
    with opened(folder / "memory") as engine:
        todo = plan(engine, Selection(segments=("seg_one_1",)))
        os.write(ready, b"s")

        def step(what: str, done: int, total: int) -> None:
            if at and what.startswith("forgetting") and done == at:
                os.kill(os.getpid(), signal.SIGKILL)

        forget(engine, todo, step)
        os.write(ready, b"e")


def check(folder: Path, begun: bool, backed_up: bool) -> None:
    """Opening it finishes what was begun; then nothing is left of it, and everything else is there."""
    with opened(folder / "memory") as engine:
        receipt = resume(engine)
        if not begun and receipt is None and engine.reads.numbers_of(["seg_one_1"]):
            return  # killed before the order was written: nothing was promised yet
        assert receipt is None or (receipt.resumed and receipt.clean), receipt.text
        assert [s.id for s in engine.reads.segments_of("one")] == ["seg_one_0", "seg_one_2"]
        assert [s.id for s in engine.reads.segments_of("three")] == ["seg_three_1"]
        assert engine.indexes.sizes()["default"] == (5, 5)
        assert engine.reads.maintenance.orphans().total == 0
        assert "flowerpot" not in engine.recall("spare key bakery flowerpot").context
        assert engine.ingest([]).turns == 0
    assert holding(folder, PART) == [], holding(folder, PART)
    for file in backups_in(folder) if backed_up else ():
        assert backup.check(file) == 5
    assert not (folder / "memory" / NAME).exists()
    assert not list(folder.rglob(".*.rewrite*"))


def one_round(template: Path, folder: Path, at: int, wait: float) -> float:
    """Returns how long the forgetting took, or ran before it was killed."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)
    told, ready = os.pipe()
    pid = in_child(lambda: work(folder, at, ready))
    os.close(ready)
    assert os.read(told, 1) == b"s"
    begun = time.perf_counter()
    if not at and wait >= 0:
        time.sleep(wait)
        os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    took = time.perf_counter() - begun
    ended = os.read(told, 1) == b"e"
    os.close(told)
    assert not at or os.WTERMSIG(status) == signal.SIGKILL
    backed_up = backups_in(template)[1].exists()
    assert done_in_child(lambda: check(folder, bool(at) or ended, backed_up)), (
        f"killed at step {at} or after {wait:.3f} s, the memory is not as it should be"
    )
    return took


def main(folder: Path, rounds: int) -> None:
    plain, template = folder / "plain", folder / "template"
    place = folder / "round"  # always the same: the memory knows where its copies are
    place.mkdir(parents=True)
    assert done_in_child(lambda: prepare(place))
    shutil.copytree(place, plain)
    assert done_in_child(lambda: back_up(place))
    shutil.copytree(place, template)
    whole = one_round(template, place, 0, -1.0)
    for step in range(1, STEPS):
        one_round(template if has_backups(step, rounds) else plain, place, step, 0.0)
    chance = random.Random(7)
    for _ in range(rounds - STEPS):
        one_round(template, place, 0, chance.uniform(0.0, whole))
    sys.stdout.write(f"{rounds} rounds\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
