"""The rankings that are measured side by side on one store: ours, the published expansion, and the floors.

Knows: how to ask the engine and its indexes, and how an answer becomes a ranking of lines, segments and sessions.
All of them search the same indexes of the same memory: there is no side door.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.cases import BenchQuestion, LineRef
from benchmarks.evidence import shown_lines
from benchmarks.metrics import BUDGETS, Ranked, firsts
from pmg.engine import Engine
from pmg.recall import fuse
from pmg.recall.receipt import Recalled
from pmg.store.rows import Numbers

Ranker = Callable[[Engine, BenchQuestion], Ranked]
Knobs = Mapping[str, Any]

OURS = "pmg"
PUBLISHED: Knobs = {"mode": "fixed", "fusion": "rrf", "top_k": 3, "lateral": 3, "vertical": 2}
RANKED_SEGMENTS = 100  # asked of recall for the rankings: ten sessions and twenty lines are well inside
FLOOR_DEPTH = 2_000  # windows or lines a floor ranks: more than any memory of these benchmarks brings
_NONE: Numbers = np.empty(0, dtype=np.int64)


def rankers(knobs: Knobs = {}, budgets: Sequence[int] = BUDGETS) -> dict[str, Ranker]:  # noqa: B006  (never changed)
    """All rankings of one run by name. `knobs` are given to ours alone."""
    return {
        OURS: by_recall(knobs, budgets),
        "fixed": by_recall(PUBLISHED, budgets),
        "rrf": floor(both),
        "bm25": floor(words),
        "dense": floor(meaning),
    }


# through the engine's own verb


def by_recall(knobs: Knobs, budgets: Sequence[int]) -> Ranker:
    """Recall as everybody calls it: once for a long ranking, then with its own limit for a block of each size."""

    def rank(engine: Engine, question: BenchQuestion) -> Ranked:
        wide = recall(engine, question, {**knobs, "limit": RANKED_SEGMENTS})
        blocks = {budget: recall(engine, question, {**knobs, "budget_tokens": budget}) for budget in budgets}
        return Ranked(
            [LineRef(line.segment, line.line) for line in wide.lines],
            [segment.id for segment in wide.segments],
            firsts(segment.session_id for segment in wide.segments),
            {budget: shown_lines(found, question) for budget, found in blocks.items()},
            tuple(found.milliseconds for found in (blocks.values() or [wide])),
        )

    return rank


def recall(engine: Engine, question: BenchQuestion, knobs: Knobs) -> Recalled:
    """Asked at the question's own moment, where it has one: "last week" means the week before that."""
    # Uncounted: a question must not change the memory that the next one is asked of.
    return engine.recall(question.text, at=question.at, count=False, **knobs)


# the floors: one index alone, or both


def floor(search: Callable[[Engine, str], Numbers]) -> Ranker:
    """A ranking of line ids, best first, with nothing else done to it."""

    def rank(engine: Engine, question: BenchQuestion) -> Ranked:
        begun = time.perf_counter()
        with engine.indexes.lock.reading():
            lines = search(engine, question.text)
            elapsed = 1000 * (time.perf_counter() - begun)
            return named(engine, lines, elapsed)

    return rank


def words(engine: Engine, text: str) -> Numbers:
    """BM25 alone."""
    index = engine.indexes.lexical(engine.config.namespace)
    return _NONE if index is None else np.asarray(index.search(text, FLOOR_DEPTH).ids, dtype=np.int64)


def meaning(engine: Engine, text: str) -> Numbers:
    """Dense alone: a line stands where its best window stands."""
    index = engine.indexes.vector(engine.config.namespace)
    embedder = engine.model.ready()
    if index is None or embedder is None or not len(index):
        return _NONE
    hits = index.search(embedder.embed([text]), min(FLOOR_DEPTH, len(index)))
    windows = hits.ids[0][hits.ids[0] >= 0]
    return np.array(firsts(engine.indexes.catalogue.lines_of_windows(windows).tolist()), dtype=np.int64)


def both(engine: Engine, text: str) -> Numbers:
    """Reciprocal rank fusion of the two, k = 60."""
    return fuse.rrf([meaning(engine, text), words(engine, text)], k=60)[0]


def named(engine: Engine, lines: Numbers, milliseconds: float) -> Ranked:
    """Line ids as the names that gold is written in."""
    catalogue = engine.indexes.catalogue
    codes = catalogue.segment("session")[catalogue.segments_of_lines(lines)].tolist()
    refs = refs_of(engine, lines)
    sessions = firsts(catalogue.sessions.names[code] for code in codes)
    return Ranked(refs, firsts(ref.segment for ref in refs), sessions, {}, (milliseconds,))


def refs_of(engine: Engine, lines: Numbers) -> list[LineRef]:
    catalogue = engine.indexes.catalogue
    segments = catalogue.segments_of_lines(lines)
    names = catalogue.ids_of(set(segments.tolist()))
    offsets = (lines - catalogue.segment("first_line")[segments]).tolist()
    return [LineRef(names[number], line) for number, line in zip(segments.tolist(), offsets, strict=True)]
