"""How good topics are: on sessions whose theme is known, beside plain k-means in the same run, and on the sample memory.

Knows: what is measured and how. The labelled sessions come from topic_sessions.py, the measures from partitions.py; the groups from the very
functions that the steward calls. The themes' exchanges are drawn several times each, and ingest would keep a repeated turn once, so these
sessions are embedded here; the sample goes through the engine as any memory does.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import topic_sessions
from benchmarks.partitions import Labels, adjusted_rand, k_means, nmi, purity
from benchmarks.topic_sessions import LabelledSession
from pmg import sample
from pmg.config import Config
from pmg.embed.embedder import Embedder
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from steward.steward import Steward
from steward.topic_groups import SAYS_ENOUGH, TopicUnit, Vectors, centred, directions, group

MIN_SIZE = Config(Path()).steward.topic_size
RUNS = 8  # of each kind of stability
DROPPED_SHARE = 0.1  # of the sessions, in a run that is held against the whole


@dataclass(frozen=True, slots=True)
class Grouping:
    """How one way did on the labelled sessions."""

    name: str
    groups: int
    coverage: float  # of turns in sessions of two or more turns
    purity: float
    nmi: float


@dataclass(frozen=True, slots=True)
class Stability:
    """The adjusted Rand index of one run and another, the mean and the worst of several."""

    name: str
    mean: float
    worst: float


@dataclass(frozen=True, slots=True)
class SampleTopics:
    """The topics of the sample memory, largest first: name, turns."""

    coverage: float
    topics: tuple[tuple[str, int], ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class TopicsReport:
    sessions: int
    themes: int
    ways: tuple[Grouping, ...]
    stability: tuple[Stability, ...]
    sample: SampleTopics | None


def run(embedder: Embedder, home: Path | None = None) -> TopicsReport:
    """Everything; the sample only where a folder is given to open it in."""
    taken = topic_sessions.labelled()
    names = sorted({one.theme for one in taken})
    truth = np.array([names.index(one.theme) for one in taken], dtype=np.int64)
    plain = session_vectors(embedder, [one.session for one in taken])
    units = [TopicUnit(number, one.session.title, ()) for number, one in enumerate(taken)]
    ours = centred(directions(plain, units, embedder.embed), [unit.people for unit in units])
    found = ours_of(ours)
    ways = (
        _judged("topics", taken, truth, found),
        _judged(f"k-means, told k = {len(names)}", taken, truth, k_means(_unit(plain), len(names), 0)),
        _judged("k-means on our vectors", taken, truth, k_means(ours, len(names), 0)),
    )
    shown = None if home is None else sample_topics(embedder, home)
    return TopicsReport(len(taken), len(names), ways, tuple(stabilities(ours, found)), shown)


def ours_of(vectors: Vectors, initial: Labels | None = None, seed: int = 7) -> Labels:
    before = np.full(len(vectors), -1, dtype=np.int64) if initial is None else initial
    return group(vectors, before, MIN_SIZE, seed=seed)


def session_vectors(embedder: Embedder, sessions: Sequence[SessionInput]) -> NDArray[np.float64]:
    """The lines of each session added up as the steward adds windows: a short line by its share."""
    texts = sorted({line.text for session in sessions for turn in session.turns for line in turn.lines})
    rows = dict(zip(texts, embedder.embed(texts), strict=True))
    total = np.zeros((len(sessions), embedder.dimension))
    for at, session in enumerate(sessions):
        for line in (line for turn in session.turns for line in turn.lines):
            total[at] += min(1.0, len(line.text.split()) / SAYS_ENOUGH) * rows[line.text]
    return total


def _judged(name: str, taken: Sequence[LabelledSession], truth: Labels, found: Labels) -> Grouping:
    turns = np.array([len(one.session.turns) for one in taken])
    several = turns >= 2
    covered = turns[several & (found >= 0)].sum() / max(1, turns[several].sum())
    return Grouping(name, len(np.unique(found[found >= 0])), float(covered), purity(truth, found), nmi(truth, found))


def stabilities(vectors: Vectors, found: Labels) -> list[Stability]:
    """Other seeds from nothing; a tenth of the sessions gone, from nothing and as the steward does it: from the last groups."""
    seeds = [adjusted_rand(found, ours_of(vectors, seed=100 * run)) for run in range(1, RUNS + 1)]
    fresh, onward = [], []
    for number in range(RUNS):
        kept = np.sort(
            np.random.default_rng(number).permutation(len(vectors))[: round((1 - DROPPED_SHARE) * len(vectors))]
        )
        fresh.append(adjusted_rand(found[kept], ours_of(vectors[kept], seed=number + 50)))
        onward.append(adjusted_rand(found[kept], ours_of(vectors[kept], found[kept])))
    return [
        _stability("another seed, from nothing", seeds),
        _stability("a tenth dropped, from nothing", fresh),
        _stability("a tenth dropped, from the last run", onward),
    ]


def _stability(name: str, values: Sequence[float]) -> Stability:
    return Stability(name, float(np.mean(values)), float(np.min(values)))


def sample_topics(embedder: Embedder, home: Path) -> SampleTopics:
    """The sample memory as a newcomer has it, and what the steward makes of it."""
    with Engine.open(Config(home), embedder=embedder) as engine:
        engine.ingest(sample.sessions())
        steward = Steward(engine)
        begun = time.process_time()
        steward.run(["links"])
        took = time.process_time() - begun
        found = sorted(steward.topics(), key=lambda topic: (-len(topic.members), topic.id))
        return SampleTopics(
            coverage(engine, {n for topic in found for n in topic.members}),
            tuple((t.name, len(t.members)) for t in found),
            took,
        )


def coverage(engine: Engine, members: set[int]) -> float:
    """The share of the turns in sessions of two or more turns that belong to a topic."""
    catalogue = engine.indexes.catalogue
    numbers = np.arange(1, catalogue.size + 1)
    numbers = numbers[catalogue.segment("state")[numbers] == 0]
    sessions = catalogue.segment("session")[numbers]
    turns = np.bincount(sessions)[sessions]
    wanted = numbers[turns >= 2]
    return float(np.isin(wanted, list(members)).mean()) if len(wanted) else 0.0


def _unit(vectors: NDArray[np.float64]) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), dtype=np.float32)
