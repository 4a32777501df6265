"""What the crash tests kill: a process that forks workers, lets each work for a while and ends it with SIGKILL.

Reads lines `job home acknowledged seed rows milliseconds`: the worker is killed that long after it has said that many rows,
so a busy machine changes nothing. Answers `killed` or `ended`. A worker appends what the engine has
acknowledged to a file, one JSON value a line; that file is the truth the tests hold the reopened memory against.
Forking saves the second that importing takes: a round costs little more than the time its worker is given.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmg import config as configuration
from pmg.base.errors import WrongModel
from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.store.duckdb import migrations
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import DuckStore
from tests.embedding import WordEmbedder

WORDS = "cat vet bread oven release blocked soup dinner python test flat rent knee doctor".split()
Say = Callable[[object], None]


class WideEmbedder(WordEmbedder):
    """The stand-in with another number of dimensions."""

    def __init__(self) -> None:
        super().__init__("wide")
        self.dimension += 8

    def embed(self, texts: object, progress: object = None) -> NDArray[np.float32]:
        narrow = super().embed(texts)  # type: ignore[arg-type]
        return np.concatenate([narrow, np.zeros((len(narrow), 8), np.float32)], axis=1)


def embedder_for(name: str) -> WordEmbedder:
    return WideEmbedder() if name == "wide" else WordEmbedder()


def reopened(home: Path) -> Engine:
    """The memory with the model its vectors are of, whichever that is after a kill."""
    config = configuration.load(home, {})
    try:
        return Engine.open(config, embedder=embedder_for("words"))
    except WrongModel:
        return Engine.open(config, embedder=embedder_for("wide"))


def text(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=6)) + f" {chance.random()}"


def ingest(home: Path, say: Say, seed: int) -> None:
    """Turn by turn and whole sessions at once, in two namespaces; the indexes are saved in between."""
    chance = random.Random(seed)
    with reopened(home) as engine:
        say(["begun"])
        for count in range(1000):
            name, namespace = f"s-{seed}-{count}", chance.choice(["default", "other"])
            if count % 3 != 2:
                with engine.session(session_id=name, namespace=namespace) as session:
                    for _ in range(chance.randint(1, 4)):
                        said = text(chance)
                        say(["turn", session.add(user=said), said])
            else:
                texts = [text(chance) for _ in range(5)]
                turns = [Turn((Line("User", Role.USER, said),)) for said in texts]
                engine.ingest([SessionInput(turns, id=name, namespace=namespace)])
                for i, said in enumerate(texts):
                    say(["turn", f"seg_{name}_{i}", said])
            if count % 4 == 0:
                engine.indexes.save()


def talk(home: Path, say: Say, seed: int) -> None:
    """Sessions that go on: nothing is ever closed, the background embeds, and now and then the indexes are saved."""
    chance = random.Random(seed)
    with reopened(home) as engine:
        say(["begun"])
        sessions = [engine.session(session_id=f"t-{seed}-{i}") for i in range(3)]
        for count in range(1000):
            said = text(chance)
            say(["turn", chance.choice(sessions).add(user=said), said])
            if count % 5 == 4:
                engine.settle()
            if count % 7 == 6:
                engine.indexes.save()


def save(home: Path, say: Say, seed: int) -> None:
    with reopened(home) as engine:
        say(["begun"])
        for count in range(1000):
            with engine.session(session_id=f"v-{seed}-{count}") as session:
                said = f"{WORDS[count % len(WORDS)]} {seed} {count}"
                say(["turn", session.add(user=said), said])
            engine.indexes.save()
            if count % 3 == 2:
                engine.rebuild()


def reembed(home: Path, say: Say, seed: int) -> None:
    with reopened(home) as engine:
        say(["begun"])
        for _ in range(1000):
            held = engine.reads.model
            assert held is not None
            engine.reembed(embedder_for("words" if held.name == "wide" else "wide"))
            say(["model", held.name])


def add_column(number: int) -> Callable[[Database], None]:
    def step(database: Database) -> None:
        database.run(f"ALTER TABLE segments ADD COLUMN extra_{number} INTEGER DEFAULT 0")
        database.run(f"UPDATE segments SET extra_{number} = number + {number}")

    return step


STEPS = tuple(add_column(number) for number in range(12))


def migrate(home: Path, say: Say, seed: int) -> None:
    """An older store under a PMG that knows twelve steps more."""
    migrations.MIGRATIONS = (*migrations.MIGRATIONS, *STEPS)
    migrations.SCHEMA_VERSION = len(migrations.MIGRATIONS)
    say(["begun"])
    DuckStore.open(home).close()
    say(["migrated"])


JOBS = {job.__name__: job for job in (ingest, talk, save, reembed, migrate)}


def work(job: str, home: str, acknowledged: str, seed: int) -> None:
    log = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def say(what: object) -> None:
        os.write(log, (json.dumps(what) + "\n").encode())

    try:
        JOBS[job](Path(home), say, seed)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def main() -> None:
    for row in sys.stdin:
        job, home, acknowledged, seed, rows, milliseconds = row.rstrip("\n").split("\t")
        with Path(acknowledged).open("ab+") as log:
            log.seek(0, os.SEEK_END)
            worker = os.fork()
            if worker == 0:
                work(job, home, acknowledged, int(seed))
            said, ended, status = 0, 0, 0
            while not ended and said < int(rows):
                time.sleep(0.001)
                said += log.read().count(b"\n")
                ended, status = os.waitpid(worker, os.WNOHANG)
        time.sleep(int(milliseconds) / 1000)
        if not ended:
            os.kill(worker, signal.SIGKILL)
            _, status = os.waitpid(worker, 0)
        print("killed" if os.WIFSIGNALED(status) else f"ended {os.WEXITSTATUS(status)}", flush=True)


if __name__ == "__main__":
    main()
