"""A benchmark by size, every size in a process of its own, so that peak memory is that size's own.

Knows: how a module of this room is run for one size and how its result comes back.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any


def run_each(module: str, sizes: Sequence[int]) -> Iterator[dict[str, Any]]:
    """`python -m module SIZE` for each size, one after the other; what each told, as it comes."""
    for size in sizes:
        yield ask(module, str(size))


def ask(module: str, *words: str) -> dict[str, Any]:
    """`python -m module WORDS…`, and what it answered."""
    done = subprocess.run([sys.executable, "-m", module, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the benchmark {module} {words[0]} failed:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def answer(found: dict[str, Any]) -> None:
    """The other end: the result in the last line."""
    sys.stdout.write(json.dumps(found) + "\n")


def tell(measure: Callable[[int, Path], dict[str, Any]]) -> None:
    """Measures the size on the command line in a scratch folder and answers with it."""
    with tempfile.TemporaryDirectory() as scratch:
        answer(measure(int(sys.argv[1]), Path(scratch)))


def peak_mb() -> float:
    """The most memory that this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024**2 if sys.platform == "darwin" else peak / 1024  # macOS counts bytes, Linux kilobytes
