"""The whole campaign: `make chaos`. At least a thousand rounds of torn writes, kills, damage and full disks, over every verb.

    python -m tests.chaos.run [ROUNDS] [SEED]

Rounds are shared out over the processors; a round that fails names its campaign, verb, seed and number, which repeat it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tests.chaos import tear
from tests.kills import ROOT

ROUNDS, SHARE = 1_050, 35  # in all, and by one process


def campaign(folder: Path, module: str, rounds: int, seed: int, preload: Path | None = None) -> str:
    """What went wrong, or nothing. A kill leaves the page cache as it is, so a file system in memory shows the same."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    if preload is not None:
        environment["LD_PRELOAD"] = str(preload)
    place = folder / f"{module.rpartition('.')[2]}-{seed}"
    done = subprocess.run(
        [sys.executable, "-m", module, str(place), str(rounds), str(seed)],
        capture_output=True, text=True, check=False, cwd=ROOT, env=environment,
    )  # fmt: skip
    whole = done.returncode == 0 and done.stdout.rstrip().endswith(f"{rounds} rounds")
    return "" if whole else f"{module}, seed {seed}:\n{done.stderr[-3000:]}"


def main(rounds: int = ROUNDS, seed: int = 1) -> int:
    begun = time.monotonic()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as name, ThreadPoolExecutor(os.cpu_count()) as workers:
        folder = Path(name)
        library = tear.build(folder) if tear.compiler() else None
        if library is None:
            sys.stdout.write("No C compiler: writes are not torn, only killed.\n")
        jobs = []
        for number in range(max(1, rounds // SHARE)):
            torn = library is not None and number % 2 == 0
            module, preload = ("tests.chaos.torn", library) if torn else ("tests.chaos.damaged", None)
            jobs.append(workers.submit(campaign, folder, module, SHARE, 1000 * seed + number, preload))
        wrong = []
        for number, job in enumerate(as_completed(jobs), 1):
            wrong += [told] if (told := job.result()) else []
            sys.stderr.write(f"\r{number * SHARE:,} of {len(jobs) * SHARE:,} rounds, {len(wrong)} wrong ")
            sys.stderr.flush()
    minutes = (time.monotonic() - begun) / 60
    sys.stdout.write(
        "\n".join(["", *wrong, f"{len(jobs) * SHARE} rounds in {minutes:.0f} minutes, {len(wrong)} went wrong.\n"])
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*(int(value) for value in sys.argv[1:])))
