"""A kill −9 during merge, archive or backup: each memory is in exactly one state, and the next run carries on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROUNDS = 50


@pytest.mark.crash
@pytest.mark.timeout(900)
def test_fifty_kills_leave_a_whole_memory() -> None:
    # A kill leaves the page cache as it is, so a file system in memory shows the same, fifty times faster.
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.steward.crash_worker", str(folder / "memory"), str(ROUNDS)],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).resolve().parents[2],
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.rstrip().endswith(f"{ROUNDS} rounds")
