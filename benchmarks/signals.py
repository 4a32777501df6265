"""What recall knew of every candidate of a question: for error analysis, and to try other weights without asking again.

Knows: the pool of a question with its signals and where the gold stands in it, and how that is written down, a question a line.
recall/scores.py has the formula, folds.py chooses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import RAW, BenchQuestion, Gold, LineRef
from benchmarks.rankings import Knobs, refs_of
from pmg.base.errors import InputError
from pmg.base.times import now
from pmg.config import RecallConfig, with_values
from pmg.engine import Engine
from pmg.recall import diffuse_mode, pipeline
from pmg.recall.diffuse_mode import Gathered
from pmg.recall.scores import WEIGHTS, LineScores, ScoreWeights, score

FIRST = 10  # candidates of a question that are written down beside its gold


@dataclass(frozen=True, slots=True)
class QuestionSignals:
    """One question's candidates. `refs` are row for row with the pool; `floored` are rows that recall would not give."""

    question: str
    text: str
    category: str
    gold: Gold
    refs: Sequence[LineRef]
    floored: NDArray[np.bool_]
    known: Gathered
    settings: RecallConfig

    def scores(self, weights: ScoreWeights = WEIGHTS) -> LineScores | None:
        pool, facts = self.known.pool, self.known.facts
        return (
            None if pool is None or facts is None else score(pool, self.known.background, facts, self.settings, weights)
        )

    def order(self, scores: LineScores) -> list[int]:
        """The rows of the pool, best first, as recall ranks them; links are left out of it."""
        total = np.where(self.floored, -np.inf, np.round(scores.total, 9))
        rows = np.lexsort((np.arange(len(total)), -total))
        return [int(row) for row in rows[: int((~self.floored).sum())]]


def collect(engine: Engine, question: BenchQuestion, knobs: Knobs) -> QuestionSignals:
    """The same search as recall's, up to where weights come in."""
    settings = with_values(engine.config, {"recall": dict(knobs)}, "--set").recall
    components, namespace = engine.components, engine.config.namespace
    query = pipeline.embed(components, question.text, settings, namespace, (), (), question.at or now())
    with components.indexes.lock.reading():
        known = diffuse_mode.gathered(components, query, settings)
        refs: Sequence[LineRef] = ()
        floored = np.zeros(0, dtype=np.bool_)
        if known.pool is not None and known.facts is not None:
            refs = refs_of(engine, known.pool.line)
            scores = score(known.pool, known.background, known.facts, settings)
            best, _ = diffuse_mode.ranked(components, known.pool, scores)
            floored = ~np.isin(known.pool.segment, known.pool.segment[best])
    gold = question.labels.get(RAW) or next(iter(question.labels.values()))
    return QuestionSignals(question.id, question.text, question.category, gold, refs, floored, known, settings)


def described(one: QuestionSignals) -> dict[str, Any]:
    """The gold with its rank and signals, and the first candidates with theirs: what a person needs to see why."""
    row: dict[str, Any] = {"question": one.question, "text": one.text, "category": one.category}
    row["cues"] = list(one.known.cues)
    scores = one.scores()
    ranks = {} if scores is None else {at: place + 1 for place, at in enumerate(one.order(scores))}
    places = {ref: at for at, ref in enumerate(one.refs)}
    gold = sorted(one.gold.lines)
    row["gold"] = [_candidate(ref, places.get(ref), ranks, scores, one) for ref in gold]
    first = sorted(ranks, key=lambda at: ranks[at])[:FIRST]
    row["first"] = [_candidate(one.refs[at], at, ranks, scores, one) for at in first]
    return row


def _candidate(
    ref: LineRef, at: int | None, ranks: dict[int, int], scores: LineScores | None, one: QuestionSignals
) -> dict[str, Any]:
    """`rank` is null for a line outside the pool or under the floor."""
    found: dict[str, Any] = {"segment": ref.segment, "line": ref.line, "rank": None if at is None else ranks.get(at)}
    if at is None or scores is None or one.known.pool is None:
        return found
    parts = {
        name: getattr(scores, name)
        for name in ("meaning", "words", "kindred", "flowed", "speaker", "date", "substance", "total")
    }
    found["signals"] = {name: round(float(part[at]), 3) for name, part in parts.items()}
    found["found_by_search"] = bool(one.known.pool.found[at])
    return found


def write(file: Path, rows: Iterable[QuestionSignals]) -> None:
    text = "".join(json.dumps(described(row), ensure_ascii=False) + "\n" for row in rows)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{file} cannot be written: {problem.strerror}.") from None
