"""The candidates of one recall: what meaning and words each found, line by line.

Knows: how the two searches become one set of lines with both scores, and which filters apply before any ranking.
Does not know: how candidates are ranked. A line is the unit here because people ask for what one speaker said; segments follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from pmg.parts import Parts
from pmg.store.contract import Numbers

Scores = NDArray[np.float32]
_NO_NUMBERS: Numbers = np.empty(0, dtype=np.int64)
_NO_SCORES: Scores = np.empty(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Hits:
    """Lines found by one search, best first."""

    line: Numbers
    score: Scores

    @classmethod
    def none(cls) -> Hits:
        return cls(_NO_NUMBERS, _NO_SCORES)


@dataclass(frozen=True, slots=True)
class Aim:
    """One thing to look for by its meaning. A part of a question stands back a little behind the whole."""

    text: str
    vector: NDArray[np.float32]
    behind: float = 0.0  # in spreads of the ordinary cosine


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, by whom not to be answered from, and inside which wall."""

    text: str
    vector: NDArray[np.float32] | None  # None without a model
    namespace: str
    at: datetime  # "last week" is counted from here
    exclude_sessions: tuple[str, ...] = ()
    active: NDArray[np.float32] | None = None  # vectors of the turns already in the conversation
    active_texts: tuple[str, ...] = ()
    aims: tuple[Aim, ...] = ()  # what is looked for by meaning; empty without a model


def by_meaning(parts: Parts, query: Query, k: int) -> Hits:
    """The lines whose best window is nearest to the query."""
    return Hits.none() if query.vector is None else _near(parts, query, query.vector[None, :], k)


def by_aims(parts: Parts, query: Query, k: int) -> Hits:
    """The lines whose best window is nearest to any of what is looked for."""
    return _near(parts, query, np.stack([aim.vector for aim in query.aims]), k) if query.aims else Hits.none()


def _near(parts: Parts, query: Query, vectors: Scores, k: int) -> Hits:
    index = parts.indexes.vector(query.namespace)
    if index is None or not len(index):
        return Hits.none()
    hits = index.search(vectors, min(k, len(index)))
    ids, scores = hits.ids.ravel(), hits.scores.ravel()
    order = np.lexsort((ids, -scores))
    order = order[ids[order] >= 0]
    return _best_of_each(parts.indexes.catalogue.lines_of_windows(ids[order]), scores[order])


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of the query found, and on which scale: see index/lexical.py."""

    hits: Hits
    mean: float
    most: float
    of: Callable[[Numbers], NDArray[np.float64]]

    @classmethod
    def none(cls) -> Words:
        return cls(Hits.none(), 0.0, 1.0, lambda lines: np.zeros(len(lines)))


def by_words(parts: Parts, query: Query, k: int) -> Words:
    index = parts.indexes.lexical(query.namespace)
    if index is None:
        return Words.none()
    weighed = index.weigh(query.text, k)
    hits = Hits(weighed.hits.ids, weighed.hits.scores)
    return Words(hits, weighed.mean, weighed.most, lambda lines: weighed.of(lines).astype(np.float64))


def _best_of_each(lines: Numbers, scores: Scores) -> Hits:
    """Hits come best first, so the first time a line is seen is its best window."""
    _, first = np.unique(lines, return_index=True)
    first.sort()
    return Hits(lines[first], scores[first])


@dataclass(frozen=True, slots=True)
class Ruling:
    """Which segments may be recalled, and why the others may not."""

    allowed: Numbers
    refused: dict[int, str]


def rule(parts: Parts, query: Query, segments: Numbers) -> Ruling:
    """Walls, states and the current session. Indexes hold only active segments; this holds even if one were stale."""
    catalogue = parts.indexes.catalogue
    space = catalogue.namespaces.find(query.namespace)
    may = catalogue.recallable(segments, space)
    excluded = np.array([catalogue.sessions.find(name) for name in query.exclude_sessions], dtype=np.int64)
    current = np.isin(catalogue.segment("session")[segments], excluded)
    refused = {int(number): "of the current session" for number in segments[may & current]}
    return Ruling(segments[may & ~current], refused)


def already_said(parts: Parts, query: Query, segments: Sequence[int]) -> set[int]:
    """Segments too like a turn that is in the conversation already."""
    index = parts.indexes.vector(query.namespace)
    if query.active is None or not len(query.active) or index is None or not segments:
        return set()
    windows, owner = windows_of(parts, np.array(segments, dtype=np.int64))
    if not len(windows):
        return set()
    likeness = (index.vectors_of(windows) @ query.active.T).max(axis=1)
    return {int(number) for number in owner[likeness >= parts.thresholds.context_duplicate]}


def windows_of(parts: Parts, segments: Numbers) -> tuple[Numbers, Numbers]:
    """The indexed windows of some segments and the segment of each."""
    catalogue = parts.indexes.catalogue
    windows = catalogue.windows_of_lines(catalogue.lines_of(segments))
    return windows, catalogue.segments_of_lines(catalogue.lines_of_windows(windows))
