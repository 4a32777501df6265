"""The candidates of one recall: what meaning and words each found, line by line.

Knows: how the two searches become one set of lines with both scores, and which filters apply before any ranking. They are ranked
by fixed.py or diffuse_mode.py. A line is the unit here because people ask for what one speaker said; segments follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from pmg.base.project import ProjectScope
from pmg.components import Components
from pmg.index.kindred import kindred_words
from pmg.index.lexical import LexicalIndex
from pmg.store.rows import Numbers

Scores = NDArray[np.float32]
_NO_NUMBERS: Numbers = np.empty(0, dtype=np.int64)
_NO_SCORES: Scores = np.empty(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class LineHits:
    """Lines found by one search, best first."""

    line: Numbers
    score: Scores

    @classmethod
    def none(cls) -> LineHits:
        return cls(_NO_NUMBERS, _NO_SCORES)


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """One thing to look for by its meaning. A part of a question stands back a little behind the whole."""

    text: str
    vector: NDArray[np.float32]
    behind: float = 0.0  # in spreads of the ordinary cosine


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, by whom not to be answered from, and in which namespace."""

    text: str
    vector: NDArray[np.float32] | None  # None without a model
    namespace: str
    at: datetime  # "last week" is counted from here
    exclude_sessions: tuple[str, ...] = ()
    active: NDArray[np.float32] | None = None  # vectors of the turns already in the conversation
    active_texts: tuple[str, ...] = ()
    targets: tuple[SearchTarget, ...] = ()  # what is looked for by meaning; empty without a model
    own_questions: bool = False  # whether what was only asked may be found
    exclude_segments: tuple[int, ...] = ()  # what the asker has already
    scope: ProjectScope | None = None  # None: whatever project it came from


def by_meaning(components: Components, query: Query, k: int) -> LineHits:
    """The lines whose best window is nearest to the query."""
    return LineHits.none() if query.vector is None else _near(components, query, query.vector[None, :], k)


def by_targets(components: Components, query: Query, k: int) -> LineHits:
    """The lines whose best window is nearest to any of what is looked for."""
    return (
        _near(components, query, np.stack([target.vector for target in query.targets]), k)
        if query.targets
        else LineHits.none()
    )


def _near(components: Components, query: Query, vectors: Scores, k: int) -> LineHits:
    index = components.indexes.vector(query.namespace)
    if index is None or not len(index):
        return LineHits.none()
    hits = index.search(vectors, min(k, len(index)))
    ids, scores = hits.ids.ravel(), hits.scores.ravel()
    order = np.lexsort((ids, -scores))
    order = order[ids[order] >= 0]
    return _best_of_each(components.indexes.catalogue.lines_of_windows(ids[order]), scores[order])


@dataclass(frozen=True, slots=True)
class LexicalResult:
    """What the words of the query found, and on which scale: see index/lexical.py."""

    hits: LineHits
    mean: float
    most: float
    of: Callable[[Numbers], NDArray[np.float64]]
    kindred: Callable[
        [Numbers], NDArray[np.float64]
    ]  # how much of the query's words, or of words close to them, a line has
    having: Callable[[Sequence[str], Numbers], NDArray[np.bool_]]  # whether a line has any of these terms

    @classmethod
    def none(cls) -> LexicalResult:
        return cls(LineHits.none(), 0.0, 1.0, _nothing, _nothing, _never)


def _nothing(lines: Numbers) -> NDArray[np.float64]:
    return np.zeros(len(lines))


def _never(terms: Sequence[str], lines: Numbers) -> NDArray[np.bool_]:
    return np.zeros(len(lines), dtype=np.bool_)


def by_words(components: Components, query: Query, k: int, kindred: bool = False) -> LexicalResult:
    index = components.indexes.lexical(query.namespace)
    if index is None:
        return LexicalResult.none()
    weighed = index.weigh(query.text, k)
    hits = LineHits(weighed.hits.ids, weighed.hits.scores)
    return LexicalResult(
        hits,
        weighed.mean,
        weighed.most,
        lambda lines: weighed.of(lines).astype(np.float64),
        _kindred(index, query.text) if kindred else _nothing,
        index.having,
    )


def _kindred(index: LexicalIndex, text: str) -> Callable[[Numbers], NDArray[np.float64]]:
    close = index.kindred(text, kindred_words())
    return lambda lines: close.of(lines).astype(np.float64)


def _best_of_each(lines: Numbers, scores: Scores) -> LineHits:
    """Hits come best first, so the first time a line is seen is its best window."""
    _, first = np.unique(lines, return_index=True)
    first.sort()
    return LineHits(lines[first], scores[first])


@dataclass(frozen=True, slots=True)
class CandidateFilter:
    """Which segments may be recalled, and why the others may not."""

    allowed: Numbers
    refused: dict[int, str]


def filter_segments(components: Components, query: Query, segments: Numbers) -> CandidateFilter:
    """Namespaces, states, the current session and one's own questions. Indexes hold only active segments; this holds even if one were stale."""
    catalogue = components.indexes.catalogue
    code = catalogue.namespaces.find(query.namespace)
    may = catalogue.recallable(segments, code)
    excluded = np.array([catalogue.sessions.find(name) for name in query.exclude_sessions], dtype=np.int64)
    current = np.isin(catalogue.segment("session")[segments], excluded)
    asked = _only_asked(components, query, segments)
    given = np.isin(segments, np.array(query.exclude_segments, dtype=np.int64))
    refused = {int(number): "of the current session" for number in segments[may & current]}
    refused |= {int(number): "a question of your own" for number in segments[may & asked & ~current]}
    refused |= {int(number): "given before" for number in segments[may & given & ~asked & ~current]}
    inside = _in_scope(components, query, segments)
    refused |= {int(number): "of another project" for number in segments[may & ~inside & ~given & ~asked & ~current]}
    return CandidateFilter(segments[may & ~current & ~asked & ~given & inside], refused)


def _in_scope(components: Components, query: Query, segments: Numbers) -> NDArray[np.bool_]:
    catalogue = components.indexes.catalogue
    if query.scope is None:
        return np.ones(len(segments), dtype=np.bool_)
    return np.isin(catalogue.segment("session")[segments], catalogue.sessions_in(query.scope))


def _only_asked(components: Components, query: Query, segments: Numbers) -> NDArray[np.bool_]:
    asked = components.indexes.catalogue.segment("asked")[segments]
    return np.asarray(asked & (not query.own_questions))


def filter_context(components: Components, query: Query, segments: Numbers) -> Numbers:
    """Those of some segments that may stand beside a recalled one as its context."""
    catalogue = components.indexes.catalogue
    may = catalogue.showable(segments, catalogue.namespaces.find(query.namespace))
    given = np.isin(segments, np.array(query.exclude_segments, dtype=np.int64))
    return segments[may & ~given & ~_only_asked(components, query, segments) & _in_scope(components, query, segments)]


def already_said(components: Components, query: Query, segments: Sequence[int]) -> set[int]:
    """Segments too like a turn that is in the conversation already."""
    index = components.indexes.vector(query.namespace)
    if query.active is None or not len(query.active) or index is None or not segments:
        return set()
    windows, owner = windows_of(components, np.array(segments, dtype=np.int64))
    if not len(windows):
        return set()
    likeness = (index.vectors_of(windows) @ query.active.T).max(axis=1)
    return {int(number) for number in owner[likeness >= components.thresholds.context_duplicate]}


def windows_of(components: Components, segments: Numbers) -> tuple[Numbers, Numbers]:
    """The indexed windows of some segments and the segment of each."""
    catalogue = components.indexes.catalogue
    windows = catalogue.windows_of_lines(catalogue.lines_of(segments))
    return windows, catalogue.segments_of_lines(catalogue.lines_of_windows(windows))
