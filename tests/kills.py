"""What tests that kill processes share: a worker module that runs so many rounds, and a child that does one task.

A process that only imports and forks: each child opens the memory itself, so that no library is forked with its threads running.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


MORE = int(
    os.environ.get("PMG_KILL_ROUNDS", "1")
)  # times as many rounds: `make chaos`. Read now: a test sees none of the person's settings.


def times(few: int) -> int:
    """A few rounds by default, more when asked for."""
    return few * MORE


def run_rounds(worker: str, rounds: int) -> None:
    """`python -m worker FOLDER ROUNDS` in a folder of its own; fails with what it said unless it tells of every round."""
    # A kill leaves the page cache as it is, so a file system in memory shows the same, fifty times faster.
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    try:
        done = subprocess.run(
            [sys.executable, "-m", worker, str(folder / "work"), str(rounds)],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.rstrip().endswith(f"{rounds} rounds")


def in_child(task: Callable[[], None]) -> int:
    """The number of a process that does the task and ends; what goes wrong in it is told on the error stream."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        task()
        code = 0
    finally:
        if code:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(code)


def done_in_child(task: Callable[[], None]) -> bool:
    return os.waitpid(in_child(task), 0)[1] == 0
