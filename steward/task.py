"""What every task is given: the memory, in whose name it works, and the pace it keeps.

Knows: how upkeep makes room for the person, and what a plan and a result look like. The tasks stand in tasks.py.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pmg.base.progress import Progress, silent
from pmg.components import Components
from pmg.engine import Engine
from steward.journal import Actor

MAX_WAIT = 0.25  # seconds: a stream of searches may slow upkeep down but not stop it
T = TypeVar("T")


class Pace:
    """Between steps upkeep sleeps a share of the time the step took, and waits while somebody is searching."""

    def __init__(self, rest: float = 0.0, busy: Callable[[], bool] = lambda: False) -> None:
        self._rest = rest
        self._busy = busy
        self._stop = threading.Event()
        self._began = time.perf_counter()

    def stop(self) -> None:
        """The step in hand is finished; no other is begun."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def go(self) -> bool:
        """Before each step: makes room, then says whether to go on."""
        took = time.perf_counter() - self._began
        if self._rest > 0:
            self._stop.wait(min(MAX_WAIT, self._rest * took))
            until = time.perf_counter() + MAX_WAIT
            while self._busy() and time.perf_counter() < until and not self.stopping:
                time.sleep(0.003)
        self._began = time.perf_counter()
        return not self.stopping

    def chunks(self, items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
        for start in range(0, len(items), size):
            if not self.go():
                return
            yield items[start : start + size]


@dataclass(frozen=True, slots=True)
class TaskContext:
    engine: Engine
    who: Actor
    pace: Pace = field(default_factory=Pace)
    progress: Progress = silent
    full: bool = False  # look at everything, not only at what is new
    namespace: str = ""  # the namespace to work in; empty: the whole memory

    @property
    def components(self) -> Components:
        return self.engine.components


class TaskPlan(Protocol):
    """What a task would do, before it does it."""

    @property
    def leaving(self) -> int:
        """How many memories it would take out of recall."""

    @property
    def summary(self) -> str:
        """In plain words."""


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What a task did, in plain words; `asks` is set when it stopped to ask instead."""

    task: str
    said: str
    changed: int = 0
    asks: str = ""
