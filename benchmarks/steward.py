"""What upkeep costs, by size: scoring, a merge pass over what is new, a full sweep beside the plain library's.

Knows: a synthetic memory with planted near-duplicates, and what to time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import speed, subprocesses
from benchmarks.contention import Contention, Job, asking, compare, saying
from benchmarks.speed import DIMENSION, RowEmbedder, make_sessions, make_vectors
from pmg.base.model import State
from pmg.config import Config
from pmg.engine import Engine
from steward.steward import Steward

NEW_SEGMENTS = 1_000
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
    pairs: int
    contention: tuple[Contention, ...]  # what a person waits, usually and while upkeep works

    @property
    def sweep_ratio(self) -> float:
        return self.sweep_s / self.floor_s


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
    vectors = vectors_with_twins(count + NEW_SEGMENTS)
    with Engine.open(Config(home=folder / "memory"), embedder=RowEmbedder(vectors)) as engine:
        engine.ingest(make_sessions(count))
        steward = Steward(engine)
        score_s = _timed(lambda: steward.run(["score"]))
        held = subprocesses.peak_mb()
        sweep_s = _timed(lambda: steward.run(["merge"], full=True, bulk=True))
        extra = subprocesses.peak_mb() - held
        floor_s, _ = speed._plain_faiss(vectors[:count])
        engine.ingest(make_sessions(NEW_SEGMENTS, count))
        incremental_s = _timed(lambda: steward.run(["merge"], bulk=True))
        pairs = len(engine.reads.maintenance.reviews()) + engine.counts().segments[State.MERGED]
        waits = measure_contention(engine, count, folder / "backup.duckdb")
    return StewardResult(count, score_s, incremental_s, sweep_s, floor_s, extra, pairs, waits)


def measure_contention(engine: Engine, count: int, file: Path) -> tuple[Contention, ...]:
    """Recalling and saying something while a full sweep runs and while a backup is written, over and over."""
    acts = {"recall": asking(engine, count), "add a turn": saying(engine)}
    sweeping = _Sweeping(engine)
    jobs = (Job("merge sweep", sweeping.step, sweeping.halt), Job("backup", lambda: engine.backup(file)))
    return tuple(compare(what, act, job) for job in jobs for what, act in acts.items())


class _Sweeping:
    """A steward that was stopped stays so: each sweep has its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._steward = Steward(engine)

    def step(self) -> None:
        self._steward = Steward(self._engine)
        self._steward.run(["merge"], full=True, bulk=True)

    def halt(self) -> None:
        self._steward.stop()


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def run(sizes: Sequence[int], on_result: Callable[[StewardResult], None]) -> list[StewardResult]:
    """Results are told as they come."""
    found = []
    for told in subprocesses.run_each("benchmarks.steward", sizes):
        waits = tuple(Contention(**one) for one in told.pop("beside"))
        found.append(StewardResult(**told, contention=waits))
        on_result(found[-1])
    return found


if __name__ == "__main__":
    subprocesses.tell(lambda size, folder: asdict(measure(size, folder)))
