"""What tests that kill processes share: a worker module that runs so many rounds, and a child that does one task.

A process that only imports and forks: each child opens the memory itself, so that no library is forked with its threads running.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


_FORKS = """
import json, os, sys, traceback
answers = os.fdopen(os.dup(1), "w")  # what a child prints is none
os.dup2(2, 1)
import {imports}
for row in sys.stdin:
    code, *sys.argv[1:] = json.loads(row)
    pid = os.fork()
    if not pid:
        try:
            exec(code, {{}})
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=answers, flush=True)
"""


@contextmanager
def forking(imports: str) -> Iterator[Callable[..., int]]:
    """Runs code with some arguments in a child of a process that has imported a module already, and says how it ended (−9: killed)."""
    command = [sys.executable, "-c", _FORKS.format(imports=imports)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdin is not None and server.stdout is not None

        def run(code: str, *arguments: str) -> int:
            server.stdin.write(json.dumps([code, *arguments]) + "\n")
            server.stdin.flush()
            return int(server.stdout.readline())

        yield run
        server.stdin.close()


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
