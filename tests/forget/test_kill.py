"""A kill −9 while something is forgotten: the next open finishes it, and nothing is left of it anywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROUNDS = 24


@pytest.mark.crash
@pytest.mark.timeout(900)
def test_twenty_four_kills_are_finished_at_the_next_open() -> None:
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.forget.crash_worker", str(folder), str(ROUNDS)],
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
