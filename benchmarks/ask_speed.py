"""How long `ask` takes in a memory of LoCoMo's conversations, repeated under other names until it has the size. No embedding model is there.

Processor time, so that a busy machine gives the same figure. Knows: how the memory is filled, and that the first questions, which fill caches, are left out.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

import numpy as np

from benchmarks.cases import Dataset
from pmg.config import Config
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput

SEGMENTS = 10_000
QUESTIONS = 200
WARM_UP = 5  # questions before the first that counts
BATCH = 20  # sessions


@dataclass(frozen=True, slots=True)
class AskSpeed:
    """Milliseconds of the processor. `after_write_ms` is the first question after a session was added: nothing is remembered then."""

    segments: int
    claims: int
    p50_ms: float
    p95_ms: float
    after_write_ms: float


def run(dataset: Dataset, segments: int = SEGMENTS) -> AskSpeed:
    sessions = _sessions(dataset)
    questions = [question.text for case in dataset.cases for question in case.questions]
    with tempfile.TemporaryDirectory() as scratch, Engine.open(Config(home=Path(scratch)), load=False) as engine:
        held = _filled(engine, sessions, segments)
        times = [_asked(engine, text) for text in questions[:: max(1, len(questions) // QUESTIONS)]]
        after = []
        for text, session in zip(questions[:WARM_UP], sessions, strict=False):
            engine.ingest([session])
            engine.extract()
            after.append(_asked(engine, text))
        (claims,) = engine.sql("SELECT count(*) FROM v_claims").rows[0]
    counted = times[WARM_UP:] or times
    p50, p95 = np.percentile(counted, 50), np.percentile(counted, 95)
    return AskSpeed(held, int(claims), float(p50), float(p95), float(np.median(after)))


def _filled(engine: Engine, sessions: Iterator[SessionInput], segments: int) -> int:
    held = 0
    while held < segments:
        some = list(islice(sessions, BATCH))
        engine.ingest(some)
        held += sum(len(one.turns) for one in some)
    engine.extract()
    return held


def _sessions(dataset: Dataset) -> Iterator[SessionInput]:
    """Every conversation again and again, each time as another one."""
    for turn in count():
        for case in dataset.cases:
            name = f"{case.name}-{turn}".replace("_", "-")  # a session's name has no underscore
            for one in case.sessions:
                yield replace(one, id=f"{name}-{one.id}", conversation=name)


def _asked(engine: Engine, question: str) -> float:
    begun = time.process_time()
    engine.ask(question)
    return 1000 * (time.process_time() - begun)
