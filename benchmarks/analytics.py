"""What every chart's question costs, by size of the memory.

Knows: how each question is timed on a synthetic memory, beside a plain count of its largest table as the floor. Vectors are not in it: the two charts that use them take a sample of fixed size, which is timed apart.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import synthetic_store
from pmg.analytics import vectors
from pmg.analytics.date_range import DateRange
from pmg.analytics.questions import QUESTIONS
from pmg.store.duckdb.store import DuckStore

SIZES = (10_000, 100_000, 1_000_000)
REPEATS = 5  # times each is asked; the fastest counts: whatever else runs on the machine only makes it slower
NAMESPACE = "default"
FLOOR = "floor: count the edges"


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds on the clock and of all cores together: on a busy machine only the second says what the question itself costs."""

    segments: int
    question: str
    clock_ms: float
    cpu_ms: float
    rows: int


def asked() -> dict[str, str]:
    """Every question by its name, and the floor."""
    numbers = list(range(1, 10_000, 5))
    return {
        FLOOR: "SELECT count(*) FROM edges WHERE kind <> 'chain'",
        **{name: question.statement(NAMESPACE, DateRange()) for name, question in QUESTIONS.items()},
        "embedding_map": vectors.map_statement(NAMESPACE, numbers),
    }


def measure(segments: int, folder: Path) -> Iterator[Cost]:
    home = folder / f"memory-{segments}"
    synthetic_store.make(home, segments)
    store = DuckStore.open(home)
    try:
        for name, statement in asked().items():
            yield _cost(segments, name, partial(_rows, store, statement))
    finally:
        store.close()


def _rows(store: DuckStore, statement: str) -> int:
    return len(store.ask(statement, seconds=600))


def sample_cost() -> Cost:
    """The arithmetic of the two charts on a sample of vectors: the same at every size."""
    random = np.random.default_rng(5)
    made = random.standard_normal((vectors.MAX_VECTORS, 384), dtype=np.float32)
    return _cost(0, "PCA and pairs of the sample", lambda: len(vectors.plane(made)[0]) + len(made[::2] @ made[1::2].T))


def _cost(segments: int, name: str, run: Callable[[], int]) -> Cost:
    clock, cpu, rows = [], [], 0
    for _ in range(REPEATS + 1):
        begun, worked = time.perf_counter(), time.process_time()
        rows = run()
        clock.append(1000 * (time.perf_counter() - begun))
        cpu.append(1000 * (time.process_time() - worked))
    return Cost(segments, name, min(clock[1:]), min(cpu[1:]), rows)


def run(sizes: Sequence[int], on_cost: Callable[[Cost], None]) -> list[Cost]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            for cost in measure(size, Path(folder)):
                found.append(cost)
                on_cost(cost)
    return [*found, sample_cost()]


def markdown(costs: Sequence[Cost]) -> str:
    """One row a question, one pair of columns a size, and how the cost grew from the first size to the last."""
    sizes = sorted({cost.segments for cost in costs if cost.segments})
    at = {(cost.question, cost.segments): cost for cost in costs}
    head = (
        "| question | " + " | ".join(f"{size:,} | cpu" for size in sizes) + (" | growth |" if len(sizes) > 1 else " |")
    )
    lines = [head, "|---|" + "--:|--:|" * len(sizes) + ("--:|" if len(sizes) > 1 else "")]
    for name in dict.fromkeys(cost.question for cost in costs if cost.segments):
        cells = [f"{at[name, size].clock_ms:,.0f} ms | {at[name, size].cpu_ms:,.0f}" for size in sizes]
        growth = at[name, sizes[-1]].cpu_ms / max(at[name, sizes[0]].cpu_ms, 0.1)
        lines.append(f"| {name} | " + " | ".join(cells) + (f" | {growth:,.1f} × |" if len(sizes) > 1 else " |"))
    return "\n".join(lines)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
