"""What the steward's review list shows of pairs that are known to belong there, beside as many pairs by likeness alone in the same run.

Knows: two sets. The sample memory has pairs planted on purpose (near-duplicates, contradictions, look-alikes). LongMemEval's knowledge updates have two
turns each, in which a person tells a fact and later what became of it; only what the person says is taken in, for only that is compared. Weights
were chosen on the latter, with the counts of the former in view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import longmemeval
from benchmarks.cases import RAW, Case
from pmg import sample
from pmg.base.model import Role, Turn
from pmg.base.progress import Progress, silent
from pmg.config import Config
from pmg.embed.embedder import Embedder
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from steward.merge import MergePlan
from steward.near_pairs import said_again
from steward.retold import MAX_DISTANCE, review_threshold
from steward.steward import Steward
from steward.task import Pace

UPDATES = "knowledge-update"
SPACE = "default"

Pair = frozenset[str]  # two segment ids


@dataclass(frozen=True, slots=True)
class ReviewFound:
    """`floor` is how many of the known pairs are among as many pairs as are listed, taken by likeness alone."""

    name: str
    memories: int
    known: int
    listed: int
    found: int
    floor: int


def run(
    embedder: Embedder, folder: Path, data: Sequence[Path] = (), progress: Progress = silent
) -> Iterator[ReviewFound]:
    yield of_sample(embedder, folder / "sample")
    cases = [case for path in data for case in longmemeval.load(path).cases if case.questions[0].category == UPDATES]
    if cases:
        yield of_updates(embedder, folder, cases, progress)


def of_sample(embedder: Embedder, home: Path) -> ReviewFound:
    known = [frozenset(pair) for pair in sample.pairs()]
    listed, alike = lists(embedder, home, sample.sessions())
    return _counted("the sample's planted pairs", 1, known, [listed], [alike])


def of_updates(embedder: Embedder, folder: Path, cases: Sequence[Case], progress: Progress = silent) -> ReviewFound:
    known: list[Pair] = []
    listed: list[set[Pair]] = []
    alike: list[list[Pair]] = []
    for place, case in enumerate(cases):
        gold = case.questions[0].labels[RAW]
        spoken = [replace(one, turns=[_spoken(turn) for turn in one.turns]) for one in case.sessions]
        mine, likest = lists(embedder, folder / f"memory-{place}", spoken)
        # A name that no other memory has: the sessions of every case are called s0001, s0002 …
        known.append(frozenset(f"{place} {name}" for name in gold.segments))
        listed.append({frozenset(f"{place} {name}" for name in pair) for pair in mine})
        alike.append([frozenset(f"{place} {name}" for name in pair) for pair in likest])
        progress("memories with an updated fact", place + 1, len(cases))
    return _counted("LongMemEval's updated facts", len(cases), known, listed, alike)


def _spoken(turn: Turn) -> Turn:
    """Without the assistant; a turn of nothing else stays, so that every turn keeps its number."""
    mine = tuple(line for line in turn.lines if line.role is Role.USER)
    return replace(turn, lines=mine or turn.lines[:1])


def lists(embedder: Embedder, home: Path, sessions: Sequence[SessionInput]) -> tuple[set[Pair], list[Pair]]:
    """(what the steward lists, every pair that it looks at by likeness)."""
    with Engine.open(Config(home=home), embedder=embedder) as engine:
        engine.ingest(sessions)
        plan = Steward(engine).plan(["merge"], full=True)["merge"]
        assert isinstance(plan, MergePlan)
        parts = engine.components
        near = said_again(parts, SPACE, review_threshold(parts.thresholds) - MAX_DISTANCE, 0, Pace())
        names = {one.number: one.id for one in engine.reads.segments(list(range(1, engine.indexes.catalogue.size + 1)))}
    listed = {frozenset((names[pair.a], names[pair.b])) for pair in plan.blocked}
    alike = [frozenset((names[a], names[b])) for a, b in zip(near.a.tolist(), near.b.tolist(), strict=True)]
    return listed, alike


def _counted(
    name: str, memories: int, known: Sequence[Pair], listed: Sequence[set[Pair]], alike: Sequence[list[Pair]]
) -> ReviewFound:
    shown = {pair for mine in listed for pair in mine}
    likest = {pair for mine, by_likeness in zip(listed, alike, strict=True) for pair in by_likeness[: len(mine)]}
    found, floor = (sum(pair in some for pair in known) for some in (shown, likest))
    return ReviewFound(name, memories, len(known), len(shown), found, floor)
