"""What a campaign does to a memory: every verb that writes, and what must be true after it was interrupted anywhere.

A verb says what was acknowledged, one JSON value a line, into a file outside the memory: that file is the truth.
Most verbs work on an open memory (VERBS); some on its directory while nobody has it open (CLOSED).
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from pmg import config as configuration
from pmg import doctor
from pmg.base.errors import WrongModel
from pmg.base.model import Line, Role, Turn
from pmg.base.times import now
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan, resume
from pmg.ingest.turns import SessionInput
from pmg.store import encryption
from pmg.store.duckdb import checkpoint
from pmg.store.restore import restore_backup
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.flows.crash_worker import WideEmbedder

PASSPHRASE, CHEAP = "correct horse battery", 16  # scrypt's cost: nothing is guarded here
OLDER = Path(__file__).resolve().parent.parent / "data" / "schemas" / "v1.duckdb.gz"
WORDS = "cat vet bread oven release blocked soup dinner python test flat rent knee doctor".split()
Say = Callable[[str, str], None]


def opened(home: Path) -> Engine:
    """With checkpoints as often as it takes to meet them, and the model its vectors are of, whichever that is by now."""
    checkpoint.WORKING = 20_000
    values = {"steward": {"rest": 0.0, "backup_keep": 3}}
    config = configuration.with_values(configuration.load(home, {}), values, "test")
    try:
        return Engine.open(config, embedder=WordEmbedder(), passphrase=PASSPHRASE)
    except WrongModel:
        return Engine.open(config, embedder=WideEmbedder(), passphrase=PASSPHRASE)


def text(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=12)) + f" {chance.random()}"


def add(engine: Engine, chance: random.Random, say: Say) -> None:
    session = engine.session(session_id=f"add-{chance.randrange(10**9)}")
    for _ in range(12):
        said = text(chance)
        say(session.add(user=said), f"User: {said}")


def close(engine: Engine, chance: random.Random, say: Say) -> None:
    with engine.session(session_id=f"close-{chance.randrange(10**9)}") as session:
        said = text(chance)
        say(session.add(user=said), f"User: {said}")


def ingest(engine: Engine, chance: random.Random, say: Say) -> None:
    name, texts = f"ingest-{chance.randrange(10**9)}", [text(chance) for _ in range(40)]
    engine.ingest([SessionInput([Turn((Line("User", Role.USER, said),)) for said in texts], id=name)])
    for i, said in enumerate(texts):
        say(f"seg_{name}_{i}", f"User: {said}")


def forget_one(engine: Engine, chance: random.Random, say: Say) -> None:
    """What is being forgotten is promised no longer."""
    known = [s for session in engine.sessions() for s in engine.reads.segments_of(session.id)]
    gone = chance.choice(known).id
    say(gone, "")
    forget(engine, plan(engine, Selection(segments=(gone,))))


def upkeep(engine: Engine, chance: random.Random, say: Say) -> None:
    Steward(engine, lambda: now() + timedelta(days=1)).run(
        ["score", "merge", "archive", "verify"], full=True, bulk=True
    )


def backup(engine: Engine, chance: random.Random, say: Say) -> None:
    Steward(engine, now).run(["backup"], full=True, bulk=True)


def write_out(engine: Engine, chance: random.Random, say: Say) -> None:
    add(engine, chance, say)
    engine._memory.store._checkpoints.write_out(merging=chance.random() < 0.5)  # type: ignore[attr-defined]


def reembed(engine: Engine, chance: random.Random, say: Say) -> None:
    """From one model to the other, links and all."""
    held = engine.reads.model
    engine.reembed(WordEmbedder() if held is not None and held.name == "wide" else WideEmbedder())


def encrypt(home: Path) -> None:
    encryption.encrypt(home, PASSPHRASE, CHEAP)


def decrypt(home: Path) -> None:
    encryption.decrypt(home)


def renew_key(home: Path) -> None:
    encryption.renew(home, PASSPHRASE, cost=CHEAP)


def restore(home: Path) -> None:
    """The backup holds all that was promised when it was made, and nothing was said since."""
    restore_backup(home, max((home / "backups").glob("*.duckdb")))


def migrate(home: Path) -> None:
    opened(home).close()


def keep_as_is(home: Path, told: Path) -> None:
    """What most verbs begin with."""


def encrypted(home: Path, told: Path) -> None:
    encrypt(home)


def of_first_release(home: Path, told: Path) -> None:
    """A memory of the oldest schema, and what it holds, in place of the one that was there."""
    older = gzip.decompress(OLDER.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "memory"
        copy.mkdir()
        (copy / "memory.duckdb").write_bytes(older)
        with opened(copy) as engine:
            rows = engine.sql("SELECT segment, text FROM v_segments ORDER BY segment").rows
    shutil.rmtree(
        home
    )  # only now: where the disk is full the copy above does not open, and memory and list stay as they were
    home.mkdir()
    (home / "memory.duckdb").write_bytes(older)
    told.write_text("".join(json.dumps([segment, said]) + "\n" for segment, said in rows))


VERBS = {verb.__name__: verb for verb in (add, close, ingest, forget_one, upkeep, backup, write_out, reembed)}
CLOSED = {
    encrypt: keep_as_is,
    decrypt: encrypted,
    renew_key: encrypted,
    restore: keep_as_is,
    migrate: of_first_release,
}
NAMES = (*VERBS, *(verb.__name__ for verb in CLOSED))


def do(name: str, home: Path, told: Path, seed: int, before: Callable[[], None] = lambda: None) -> None:
    """One verb on a memory; `before` is called at the moment from which it may be interrupted."""
    for verb, prepare in CLOSED.items():
        if verb.__name__ == name:
            prepare(home, told)
            before()
            return verb(home)
    return _do_open(name, home, told, seed, before)


def _do_open(name: str, home: Path, told: Path, seed: int, before: Callable[[], None]) -> None:
    """Opens the memory, does one thing and closes it."""
    handle = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def say(segment: str, said: str) -> None:
        os.write(handle, (json.dumps([segment, said]) + "\n").encode())

    with opened(home) as engine:
        before()
        VERBS[name](engine, random.Random(seed), say)


def promised(told: Path) -> dict[str, str]:
    rows = [json.loads(row) for row in told.read_text().splitlines()] if told.exists() else []
    held = {segment: said for segment, said in rows if said}
    for segment, said in rows:
        if not said:
            held.pop(segment, None)
    return held


def check(home: Path, told: Path) -> None:
    """Every acknowledged turn is there, word for word; the memory is well, and goes on."""
    with opened(home) as engine:
        resume(engine)
        rows = engine.sql("SELECT segment, text FROM v_segments").rows
        stored = dict(rows)
        assert len(stored) == len(rows)
        lost = [segment for segment, said in promised(told).items() if stored.get(segment) != said]
        assert not lost, f"{len(lost)} acknowledged turns are lost: {lost[:3]}"
        assert [f.what for f in doctor.examine(engine) if f.level == doctor.BAD] == []
        with engine.session(session_id=f"after-{len(rows)}-{os.getpid()}") as session:
            session.add(user="it goes on")
    assert not list(home.glob(".switch*"))
    assert not (home / "switch").exists()
