"""The pool of lines that one recall ranks: what the searches found, and what stands beside it.

Knows: how hits become a pool with both scores for every line, exact, and with each line's place in its session.
Everything is about the pool, never about all lines, so it costs the same in a large memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.components import Components
from pmg.index.catalogue import Catalogue
from pmg.recall.candidates import LexicalResult, LineHits, Query, SearchTarget, filter_context
from pmg.store.rows import Numbers

Scores = NDArray[np.float64]
USUAL_SPREAD, USUAL_LINES = 0.1, 20


@dataclass(frozen=True, slots=True)
class LinePool:
    """Lines in order of id; every array is row for row. `step[n]` is the row of the line n places on in its session, or -1."""

    line: Numbers
    segment: Numbers
    cosine: Scores  # to the nearest of what is looked for; what is ordinary where a line has no vector
    meaning: Scores  # how far that stands out, in spreads of the ordinary cosine
    bm25: Scores  # of the line's own text
    kindred: Scores  # share of the question's words, or of words close to them, that it has, over the ordinary line's
    found: NDArray[np.bool_]  # by one of the searches, not only brought in as a neighbour
    step: dict[int, Numbers]

    def column(self, catalogue: Catalogue, name: str) -> NDArray[np.generic]:
        return catalogue.line(name)[self.line]


@dataclass(frozen=True, slots=True)
class Background:
    """What is ordinary for the words of this query in this memory: the scale on which its hits stand out."""

    bm25_mean: float
    bm25_most: float  # Σ idf of the query's terms that occur at all: what a line with every one of them would about get


def gather(
    components: Components, query: Query, segments: Numbers, meaning: LineHits, words: LexicalResult
) -> LinePool:
    """All lines of the found segments and of their neighbours in the chain."""
    catalogue = components.indexes.catalogue
    near = np.unique(np.concatenate([segments, *(catalogue.chain(segments, n) for n in (-2, -1, 1, 2))]))
    near = filter_context(components, query, near[near > 0])
    lines = np.sort(catalogue.lines_of(near))
    found = np.isin(lines, np.concatenate([meaning.line, words.hits.line]))
    steps = {n: _rows(lines, at) for n, at in _neighbouring_lines(catalogue, lines).items()}
    owners = catalogue.segments_of_lines(lines)
    kindred = words.kindred(lines)
    return LinePool(lines, owners, *likeness(components, query, lines), words.of(lines), kindred, found, steps)


def _neighbouring_lines(catalogue: Catalogue, lines: Numbers) -> dict[int, Numbers]:
    """The lines one and two places on (back if negative) in the same session, across the borders of turns; 0 where it ends."""
    before, after = _previous(catalogue, lines), _next(catalogue, lines)
    return {-2: _previous(catalogue, before), -1: before, 1: after, 2: _next(catalogue, after)}


def _next(catalogue: Catalogue, lines: Numbers) -> Numbers:
    owner = catalogue.segments_of_lines(lines)
    last = catalogue.segment("first_line")[owner] + catalogue.segment("lines")[owner] - 1
    after = catalogue.segment("first_line")[catalogue.segment("next")[owner]]
    return np.where(lines == 0, 0, np.where(lines < last, lines + 1, after))


def _previous(catalogue: Catalogue, lines: Numbers) -> Numbers:
    owner = catalogue.segments_of_lines(lines)
    first = catalogue.segment("first_line")[owner]
    before = catalogue.segment("previous")[owner]
    last = catalogue.segment("first_line")[before] + catalogue.segment("lines")[before] - 1
    return np.where(lines == 0, 0, np.where(lines > first, lines - 1, np.where(before > 0, last, 0)))


def _rows(lines: Numbers, wanted: Numbers) -> Numbers:
    """Where each wanted line is in the pool; -1 if it is not."""
    place = np.minimum(np.searchsorted(lines, wanted), len(lines) - 1) if len(lines) else wanted
    return np.where((wanted > 0) & (lines[place] == wanted), place, -1) if len(lines) else place


def likeness(components: Components, query: Query, lines: Numbers) -> tuple[Scores, Scores]:
    """For every line the cosine of its best window to the nearest aim, exactly, and how far it stands out."""
    scales = [background_cosine(components, query, target) for target in query.targets]
    cosine, meaning = np.full(len(lines), max((mean for mean, _ in scales), default=0.0)), np.zeros(len(lines))
    index = components.indexes.vector(query.namespace)
    if index is None or not query.targets or not len(lines):
        return cosine, meaning
    windows = components.indexes.catalogue.windows_of_lines(lines)
    rows = np.searchsorted(lines, components.indexes.catalogue.lines_of_windows(windows))
    for place, (target, (mean, spread)) in enumerate(zip(query.targets, scales, strict=True)):
        best = _best_window(index.similarities(target.vector, windows).astype(np.float64), rows, len(lines))
        known = np.isfinite(best)
        cosine[known] = np.maximum(cosine[known], best[known]) if place else best[known]
        standing = (best - mean) / spread - target.behind
        meaning[known] = np.maximum(meaning[known], standing[known]) if place else standing[known]
    return cosine, meaning


def _best_window(likenesses: Scores, rows: Numbers, count: int) -> Scores:
    best = np.full(count, -np.inf)
    known = ~np.isnan(likenesses)
    np.maximum.at(best, rows[known], likenesses[known])
    return best


def background(words: LexicalResult) -> Background:
    return Background(words.mean, max(words.most, 1e-9))


def background_cosine(components: Components, query: Query, target: SearchTarget) -> tuple[float, float]:
    """Mean and spread of the cosine between what is looked for and this memory."""
    found = components.indexes.vector_background(query.namespace)
    if found is None:
        return 0.0, 1.0
    mean, variance = found.cosine(target.vector)
    # A handful of lines cannot say how much cosines vary: the usual spread counts as so many lines more.
    total = found.count * variance + USUAL_LINES * USUAL_SPREAD**2
    return mean, (total / (found.count + USUAL_LINES)) ** 0.5
