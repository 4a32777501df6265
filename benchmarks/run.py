"""One run of a benchmark: every memory built through the engine, every question asked of every ranking.

Knows: the loop, and that each case gets a store of its own that is thrown away.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.cases import BenchQuestion, Case, Dataset
from benchmarks.metrics import Metric, measure
from benchmarks.rankings import Ranker
from pmg import config as configuration
from pmg.base.model import State
from pmg.base.progress import Progress, silent
from pmg.embed.embedder import Embedder
from pmg.engine import Engine

Watch = Callable[[Case, Engine, BenchQuestion], None]


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """What one ranking reached on one question, under each label set."""

    question: str
    category: str
    figures: Mapping[str, Mapping[Metric, float]]
    milliseconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BenchRun:
    """Answers of each ranking, all in the same order of questions, and what was built to get them."""

    answers: Mapping[str, Sequence[RankedAnswer]]
    counts: Counter[str] = field(default_factory=Counter)


def run(
    dataset: Dataset,
    embedder: Embedder,
    rankers: Mapping[str, Ranker],
    progress: Progress = silent,
    watch: Watch | None = None,
) -> BenchRun:
    """The same file, model and rankings give the same answers. `watch` is shown every question while its memory is open."""
    answers: dict[str, list[RankedAnswer]] = {name: [] for name in rankers}
    counts: Counter[str] = Counter()
    total, asked = sum(len(case.questions) for case in dataset.cases), 0
    for place, case in enumerate(dataset.cases):
        progress("building memories", place, len(dataset.cases))
        with memory(case, embedder, counts) as engine:
            for question in case.questions:
                progress("asking questions", asked, total)
                if watch is not None:
                    watch(case, engine, question)
                for name, rank in rankers.items():
                    ranked = rank(engine, question)
                    figures = {label: measure(ranked, gold) for label, gold in question.labels.items()}
                    answers[name].append(RankedAnswer(question.id, question.category, figures, ranked.milliseconds))
                asked += 1
    progress("building memories", len(dataset.cases), len(dataset.cases))
    progress("asking questions", asked, total)
    return BenchRun(answers, counts)


@contextmanager
def memory(case: Case, embedder: Embedder, counts: Counter[str]) -> Iterator[Engine]:
    """The case as a real memory with the defaults; the person's own settings and home stay out of it."""
    with tempfile.TemporaryDirectory(prefix="pmg-bench-") as folder:
        config = configuration.load(Path(folder) / "memory", {})
        with Engine.open(config, embedder=embedder) as engine:
            done = engine.ingest(case.sessions)
            counts.update(memories=1, sessions=done.sessions, segments=done.turns, duplicates=done.built.duplicates)
            counts.update(links=sum(done.built.edges.values()), redacted=sum(done.redacted.values()))
            counts.update(gold_lines_left_out_as_duplicates=_lost(engine, case))
            yield engine


def _lost(engine: Engine, case: Case) -> int:
    """Gold lines in segments that were taken for repeats: no ranking can find them, and the report says how many there are."""
    lines = {ref for question in case.questions for gold in question.labels.values() for ref in gold.lines}
    numbers = engine.reads.numbers_of(sorted({ref.segment for ref in lines}))
    gone = {s.id for s in engine.reads.segments(sorted(numbers.values())) if s.state is not State.ACTIVE}
    return sum(ref.segment in gone for ref in lines)


def machine() -> dict[str, str | int]:
    """What the figures were made on; no name of it."""
    import platform

    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
    }
