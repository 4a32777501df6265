"""The lines of a result in their own order, and where in each of them the question is met: what the block is filled by.

Knows: the ranking of lines across segments, how rare the question's words are, and which windows of a long line are nearest.
Does not know: how segments were picked, or how a block is filled (pack.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pmg.components import Components
from pmg.embed.sentences import sentences
from pmg.recall.candidates import Query
from pmg.recall.line_pool import background_cosine
from pmg.recall.pack import SHORT, BlockItem
from pmg.recall.passages import NearPart, size
from pmg.recall.picks import Pick


@dataclass(frozen=True, slots=True)
class LinePlace:
    """One line of the result: which item, which of its lines, and its own score (0 where a mode ranks only segments)."""

    item: int
    line: int
    score: float


def line_order(components: Components, items: Sequence[tuple[Pick, BlockItem]]) -> list[LinePlace]:
    """Best first. Where a mode ranks only segments, in the order of the segments."""
    firsts = components.indexes.catalogue.segment("first_line")
    by_line = any(chosen.lines for chosen, _ in items)
    rows = []
    for place, (chosen, item) in enumerate(items):
        first = int(firsts[chosen.segment])
        unranked = (
            chosen.score if by_line and not chosen.lines else 0.0
        )  # brought in by a link: it stands where its segment does
        for i in range(len(item.segment.lines)):
            rows.append(LinePlace(place, i, chosen.lines.get(first + i, unranked)))
    return sorted(rows, key=lambda row: (-row.score, row.item, row.line))


def with_matches(
    components: Components, query: Query, items: Sequence[tuple[Pick, BlockItem]], order: Sequence[LinePlace]
) -> list[tuple[Pick, BlockItem]]:
    """The items with the place of each of their lines, and what of a long line is near to the question."""
    ranks: list[dict[int, int]] = [{} for _ in items]
    for rank, row in enumerate(order):
        ranks[row.item][row.line] = rank
    first = components.indexes.catalogue.segment("first_line")
    near = _nearness(components, query)
    return [
        (chosen, replace(item, ranks=ranks[place], near=_near(item, int(first[chosen.segment]), near)))
        for place, (chosen, item) in enumerate(items)
    ]


Nearness = Callable[[int], "NDArray[np.float64]"]  # line id → of each of its windows


def _near(item: BlockItem, first: int, nearness: Nearness) -> dict[int, tuple[NearPart, ...]]:
    found = {}
    for i, line in enumerate(item.segment.lines):
        if size(line.text) > SHORT:
            values = nearness(first + i)
            if len(values) > 1:
                found[i] = _spread(line.text, values)
    return found


def _spread(text: str, values: NDArray[np.float64]) -> tuple[NearPart, ...]:
    """Which characters each window stands for: the sentences of a short line, else windows of about one length."""
    own = sentences(text)
    if own and len(values) > len(own):
        values = values[-len(own) :]
        return tuple(NearPart(start, end, float(v)) for (start, end), v in zip(own, values, strict=True))
    step = len(text) / len(values)
    return tuple(NearPart(int(i * step), int((i + 1) * step) + 1, float(v)) for i, v in enumerate(values))


def _nearness(components: Components, query: Query) -> Nearness:
    """How far each window of a line stands out from the ordinary, the nearest as 1."""
    index = components.indexes.vector(query.namespace)
    if index is None or not query.targets:
        return lambda line: np.empty(0)
    target = query.targets[0]

    @cache
    def mean_cosine() -> float:  # where no line is long nobody asks for it
        return background_cosine(components, query, target)[0]

    def of(line: int) -> NDArray[np.float64]:
        mean = mean_cosine()
        windows = components.indexes.catalogue.windows_of_lines(np.array([line], dtype=np.int64))
        cosine = index.similarities(target.vector, windows).astype(np.float64)
        above = np.maximum(np.where(np.isnan(cosine), mean, cosine) - mean, 0.0)
        return above / above.max() if len(above) and above.max() > 0 else above

    return of


def rarity(components: Components, namespace: str) -> Callable[[Sequence[str]], Sequence[float]]:
    """The weight of each search term: the rarer in this memory, the more it says."""
    index = components.indexes.lexical(namespace)

    def of(terms: Sequence[str]) -> Sequence[float]:
        if index is None:
            return [1.0] * len(terms)
        seen = np.array(index.frequencies(terms), dtype=np.float64)
        weights: list[float] = np.log(1 + (len(index) - seen + 0.5) / (seen + 0.5)).tolist()
        return weights

    return of
