"""How alive each memory is, from use, age and quality.

    score = log2(hits + 1) / log2(max_hits + 1) × 0.5 ^ (days since last active / half-life)

The half-life grows with the quality judged at write time: half of the configured one at quality 0, twice it at quality 1. A
memory that was never recalled counts as recalled once while it is new, so it starts where any other starts and fades only with
time. Knows: the formula, on whole columns. archive.py may use a low score.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from pmg.base.text import counted
from pmg.base.times import to_micros
from pmg.config import StewardConfig as Settings
from pmg.store.maintenance import Signals
from pmg.store.rows import Numbers
from steward import journal
from steward.task import TaskContext, TaskResult

DAY = 86_400_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class ScorePlan:
    number: Numbers
    score: NDArray[np.float32]

    leaving: int = 0  # nothing leaves recall by being scored

    @property
    def summary(self) -> str:
        if not len(self.score):
            return "nothing to score yet"
        low, middle, high = np.percentile(self.score, [10, 50, 90])
        return f"{counted(len(self.score), 'memory', 'memories')} scored (a tenth under {low:.2f}, half under {middle:.2f}, a tenth over {high:.2f})"


def scores(signals: Signals, at: datetime, settings: Settings) -> NDArray[np.float32]:
    """One number from 0 to 1 for each memory. A time in the future, after a clock that jumped, counts as now."""
    moment = to_micros(at)
    age = np.maximum(0, moment - signals.said_at) / DAY
    idle = np.maximum(0, moment - np.maximum(signals.said_at, signals.last_hit)) / DAY
    new = age < settings.new_days
    hits = np.where(new, np.maximum(signals.hits, 1), signals.hits)
    most = _most_hits(signals, hits)
    half_life = settings.half_life_days * 4.0 ** (np.clip(signals.quality, 0, 1) - 0.5)
    return np.asarray(np.log2(hits + 1) / np.log2(most + 1) * 0.5 ** (idle / half_life), dtype=np.float32)


def _most_hits(signals: Signals, hits: Numbers) -> Numbers:
    """The most hits in each memory's own namespace; at least 1."""
    _, namespace = np.unique(np.array(signals.namespace, dtype=np.str_), return_inverse=True)
    most = np.ones(int(namespace.max(initial=0)) + 1, dtype=np.int64)
    np.maximum.at(most, namespace, hits)
    return np.asarray(most[namespace], dtype=np.int64)


def plan(work: TaskContext) -> ScorePlan:
    signals = work.engine.reads.maintenance.signals()
    return ScorePlan(signals.number, scores(signals, work.who.at, work.engine.config.steward))


def apply(work: TaskContext, plan: ScorePlan) -> TaskResult:
    with work.engine.changing() as tables:
        before = journal.packed_scores(*tables.scores())
        tables.put_scores(plan.number, plan.score)
        journal.note(work.engine, work.who, journal.SCORE, plan.summary, before)
        tables.blank_before(journal.SCORE, journal.SCORES_KEPT)
    return TaskResult("score", counted(len(plan.number), "memory scored", "memories scored"), len(plan.number))
