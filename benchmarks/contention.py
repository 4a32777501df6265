"""How long a person waits while upkeep works beside them, and how long when it does not.

Knows: recalls and written turns, timed one by one, alone and beside a piece of work that goes on until it is told to stop.
Both are timed in turn, so that a machine that is slower for a while is slower for both.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine

ROUNDS = 4
TIMES = 25  # a round
PAUSE_SECONDS = 0.02  # seconds: a person does not ask without a break, and upkeep works in the breaks


@dataclass(frozen=True, slots=True)
class Contention:
    """Milliseconds of one thing a person does: usual, and while the work goes on."""

    what: str
    work: str
    usual_p50: float
    usual_p95: float
    p50: float
    p95: float

    @property
    def ratio(self) -> float:
        return self.p50 / self.usual_p50

    @property
    def ratio_p95(self) -> float:
        return self.p95 / self.usual_p95


def asking(engine: Engine, count: int) -> Callable[[], object]:
    """Recalls of ever other words and vectors of the synthetic memory."""
    random = np.random.default_rng(3)

    def ask() -> object:
        words = " ".join(f"w{w}" for w in np.minimum(random.zipf(1.3, 8), 30_000))
        return engine.recall(f"{words} #{int(random.integers(0, count))}", count=False)

    return ask


def saying(engine: Engine) -> Callable[[], object]:
    """Turns of an open session, each on disk when it returns."""
    session = engine.session("beside upkeep").id

    def say() -> object:
        return engine.add_turn(session, Turn((Line("Ana", Role.USER, "w1 w2 w3 #1"),)))

    return say


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work that is repeated; `halt` cuts short the one in hand."""

    name: str
    step: Callable[[], object]
    halt: Callable[[], object] = lambda: None


def compare(what: str, act: Callable[[], object], job: Job) -> Contention:
    """`act` in turn alone and while another thread works."""
    usual: list[float] = []
    during: list[float] = []
    for _ in range(ROUNDS):
        usual += timed(act)
        done = threading.Event()
        beside = threading.Thread(target=_repeat, args=(job.step, done))
        beside.start()
        during += timed(act)
        done.set()
        job.halt()
        beside.join()
    numbers = [float(np.percentile(found, p)) for found in (usual, during) for p in (50, 95)]
    return Contention(what, job.name, *numbers)


def timed(act: Callable[[], object]) -> list[float]:
    found = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        act()
        found.append(1000 * (time.perf_counter() - begun))
        time.sleep(PAUSE_SECONDS)
    return found


def _repeat(step: Callable[[], object], done: threading.Event) -> None:
    while not done.is_set():
        step()
