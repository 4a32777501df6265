"""What upkeep costs, by size: scoring, a merge pass over what is new, a full sweep beside the plain library's.

Knows: a synthetic memory with planted near-duplicates, and what to time. Does not know: how upkeep works.
Every size runs in a process of its own, so that peak memory is that size's own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmg.bench import speed
from pmg.bench.speed import DIMENSION, RowEmbedder, make_sessions, make_vectors
from pmg.config import Config
from pmg.engine import Engine
from pmg.model import State
from steward.steward import Steward

NEW = 1_000
RECALLS = 60
PLANTED = (
    0.01  # share of vectors that are near-duplicates of another: their texts differ, so they end in the review list
)


@dataclass(frozen=True, slots=True)
class StewardResult:
    """Seconds and megabytes for one size; `floor_s` is the plain library's all-against-all of the same vectors."""

    segments: int
    score_s: float
    incremental_s: float
    sweep_s: float
    floor_s: float
    sweep_extra_mb: float  # peak memory of the sweep beyond that of the open memory
    recall_ms: float
    recall_during_ms: float  # while the sweep runs beside it
    pairs: int

    @property
    def sweep_ratio(self) -> float:
        return self.sweep_s / self.floor_s

    @property
    def recall_ratio(self) -> float:
        return self.recall_during_ms / self.recall_ms


def vectors_with_twins(count: int) -> NDArray[np.float32]:
    vectors = make_vectors(count)
    random = np.random.default_rng(19)
    twins = random.choice(count, max(2, int(PLANTED * count)), replace=False)
    half = len(twins) // 2
    vectors[twins[:half]] = vectors[twins[half : 2 * half]]
    vectors[twins[:half]] += 0.01 * random.standard_normal((half, DIMENSION), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def measure(count: int, folder: Path) -> StewardResult:
    vectors = vectors_with_twins(count + NEW)
    with Engine.open(Config(home=folder / "memory"), embedder=RowEmbedder(vectors)) as engine:
        engine.ingest(make_sessions(count))
        steward = Steward(engine)
        alone = _recalls(engine, count, RECALLS)
        score_s = _timed(lambda: steward.run(["score"]))
        held = _peak()
        sweep_s = _timed(lambda: steward.run(["merge"], full=True, bulk=True))
        extra = _peak() - held
        floor_s, _ = speed._plain_faiss(vectors[:count])
        engine.ingest(make_sessions(NEW, count))
        incremental_s = _timed(lambda: steward.run(["merge"], bulk=True))
        during = _during(engine, count)
        pairs = len(engine.store.upkeep.reviews()) + engine.counts().segments[State.MERGED]
    recall_ms, during_ms = float(np.median(alone)), float(np.median(during))
    return StewardResult(count, score_s, incremental_s, sweep_s, floor_s, extra, recall_ms, during_ms, pairs)


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _recalls(engine: Engine, count: int, times: int) -> list[float]:
    random = np.random.default_rng(3)
    found: list[float] = []
    for _ in range(times):
        words = " ".join(f"w{w}" for w in np.minimum(random.zipf(1.3, 8), 30_000))
        query = f"{words} #{int(random.integers(0, count))}"
        begun = time.perf_counter()
        engine.recall(query, count=False)
        found.append(1000 * (time.perf_counter() - begun))
        time.sleep(0.02)  # a person does not ask without a break, and upkeep works in the breaks
    return found


def _during(engine: Engine, count: int) -> list[float]:
    """Recalls while a full sweep runs beside them."""
    steward = Steward(engine)
    beside = threading.Thread(target=lambda: [steward.plan(["merge"], full=True) for _ in range(50)])
    beside.start()
    found = _recalls(engine, count, RECALLS)
    steward.stop()
    beside.join()
    return found


def run(sizes: Sequence[int], on_result: Callable[[StewardResult], None]) -> list[StewardResult]:
    """Each size in a fresh process; results are told as they come."""
    found = []
    for size in sizes:
        done = subprocess.run(
            [sys.executable, "-m", "pmg.bench.steward", str(size)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the benchmark of {size} segments failed:\n{done.stderr[-2000:]}")
        result = StewardResult(**json.loads(done.stdout.splitlines()[-1]))
        found.append(result)
        on_result(result)
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.stdout.write(json.dumps(asdict(measure(int(sys.argv[1]), Path(scratch)))) + "\n")
