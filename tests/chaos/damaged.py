"""Kills at any moment, damage to files beside and inside a memory, and disks without room; each round looked at afterwards.

python -m tests.chaos.damaged FOLDER ROUNDS SEED
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from pmg.base.errors import DiskFull, PmgError
from pmg.store import disk_space
from tests.chaos import verbs
from tests.kills import done_in_child, in_child

# What may be harmed and must be put right by itself, or need not be there at all.
DERIVED = ("memory.duckdb.wal", "memory.duckdb.wal.copy", "index", "sessions", "owner.lock")


def kill(home: Path, told: Path, name: str, seed: int, chance: random.Random) -> None:
    """Killed at a moment between the opening and a little after the verb's usual end."""
    reading, writing = os.pipe()
    pid = in_child(lambda: verbs.do(name, home, told, seed, lambda: os.write(writing, b"s") and None))
    os.close(writing)
    os.read(reading, 1)
    time.sleep(chance.uniform(0.0, 1.0))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reading)


def damage(home: Path, told: Path, name: str, seed: int, chance: random.Random) -> None:
    """Killed, and then one of the files that can be made again is cut, changed or gone."""
    kill(home, told, name, seed, chance)
    files = sorted(
        f for part in DERIVED for f in ([home / part] if (home / part).is_file() else (home / part).rglob("*"))
    )
    harmed = chance.choice([f for f in files if f.is_file()])
    if harmed.name == "memory.duckdb.wal.copy" or not (home / "switch").exists():
        _harm(harmed, chance)


def _harm(file: Path, chance: random.Random) -> None:
    data = bytearray(file.read_bytes())
    how = chance.choice(["gone", "cut", "changed"]) if data else "gone"
    if how == "gone":
        file.unlink()
    elif how == "cut":
        file.write_bytes(data[: chance.randrange(len(data))])
    else:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        file.write_bytes(data)


def full(home: Path, told: Path, name: str, seed: int, chance: random.Random) -> None:
    """The disk fills up after some transactions: what is refused is refused in words."""
    left = chance.randint(0, 25)

    def free(_: Path) -> int:
        nonlocal left
        left -= 1
        return 10**12 if left > 0 else 100_000

    def work() -> None:
        disk_space.free_bytes = free  # type: ignore[assignment]
        try:
            verbs.do(name, home, told, seed)
        except DiskFull:
            pass
        except PmgError as problem:
            assert "free" in str(problem), problem

    assert done_in_child(work), f"{name} on a full disk ended badly"


CAMPAIGNS = {campaign.__name__: campaign for campaign in (kill, damage, full)}


def main(folder: Path, rounds: int, seed: int) -> None:
    template = folder / "template"
    template.mkdir(parents=True)
    for i, name in enumerate(("ingest", "add", "backup")):
        assert done_in_child(lambda name=name, i=i: verbs.do(name, template / "memory", template / "told", i))  # type: ignore[misc]
    home, told = folder / "memory", folder / "told"
    for number in range(rounds):
        chance = random.Random(1_000_003 * seed + number)
        campaign = list(CAMPAIGNS)[number % len(CAMPAIGNS)]
        name = chance.choice(verbs.NAMES)
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(template / "memory", home)
        shutil.copyfile(template / "told", told)
        CAMPAIGNS[campaign](home, told, name, number, chance)
        assert done_in_child(lambda: verbs.check(home, told)), (
            f"{campaign} during {name} (seed {seed}, round {number}): the memory is not as it should be"
        )
    sys.stdout.write(f"{rounds} rounds\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
