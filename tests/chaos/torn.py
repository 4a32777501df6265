"""Runs verbs in children, each torn at one of its writes, and looks at what they left.

LD_PRELOAD=tear.so python -m tests.chaos.torn FOLDER ROUNDS SEED

With more rounds than verbs, every verb runs whole first and says how many changes it makes. With one round a verb that is a quarter of the work, so
the number is guessed, a fifth above what it was when it was last counted: a verb that makes fewer ends unharmed, says how many, and is torn
within those.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from pathlib import Path

from tests.chaos import tear, verbs
from tests.kills import done_in_child, in_child

# Changes of each verb on the memory that `main` makes, as `counted` tells them.
ABOUT = {
    "add": 113, "close": 77, "ingest": 83, "forget_one": 256, "upkeep": 80, "backup": 99, "write_out": 142, "reembed": 98,
    "encrypt": 136, "decrypt": 134, "renew_key": 135, "restore": 112, "migrate": 92,
}  # fmt: skip


def run(folder: Path, template: Path, name: str, seed: int, number: int) -> tuple[int, int]:
    """How the child ended, and how many changes it had made by then."""
    home, told = folder / "memory", folder / "told"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(template / "memory", home)
    shutil.copyfile(template / "told", told)
    reading, writing = os.pipe()

    def work() -> None:
        verbs.do(name, home, told, seed, lambda: tear.arm(home, number))
        os.write(writing, str(tear.seen()).encode())

    status = os.waitpid(in_child(work), 0)[1]
    os.close(writing)
    said = os.read(reading, 100)
    os.close(reading)
    return os.WEXITSTATUS(status), int(said or 0)


def counted(folder: Path, template: Path, seed: int) -> dict[str, int]:
    sizes = {}
    for name in verbs.NAMES:
        ended, sizes[name] = run(folder, template, name, seed, tear.NEVER)
        assert (ended, sizes[name] > 0) == (0, True), f"{name} ends with {ended} after {sizes[name]} changes"
    return sizes


def guessed() -> dict[str, int]:
    return {name: ABOUT[name] * 6 // 5 for name in verbs.NAMES}


def main(folder: Path, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    template = folder / "template"
    template.mkdir(parents=True)
    for i, name in enumerate(("ingest", "add", "backup")):
        assert done_in_child(lambda name=name, i=i: verbs.do(name, template / "memory", template / "told", i))  # type: ignore[misc]
    sizes = counted(folder, template, seed) if rounds > len(verbs.NAMES) else guessed()
    for done in range(rounds):
        name = verbs.NAMES[done % len(verbs.NAMES)]
        number = chance.randint(1, sizes[name])
        ended, made = run(folder, template, name, seed, number)
        if ended == 0:  # it makes fewer than was thought
            assert made > 0, f"{name} makes no changes"
            sizes[name], number = made, chance.randint(1, made)
            ended, _ = run(folder, template, name, seed, number)
        assert ended in (0, tear.TORN), f"{name} torn at {number} of {sizes[name]} ended with {ended}"
        assert done_in_child(lambda: verbs.check(folder / "memory", folder / "told")), (
            f"{name} torn at {number} of {sizes[name]} (seed {seed}): the memory is not as it should be"
        )
    sys.stdout.write(f"{sizes}\n{rounds} rounds\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
