"""Who is joined to whom: undirected neighbours as sorted arrays that grow cheaply.

Knows: edges by the numbers of their ends, a code for their kind, and their weight.

Edges stand in a few sorted blocks, each several times smaller than the one before it. New ones become a small block at the
end, and two blocks are merged when they come near each other in size: so adding costs about the same however many there are,
and looking up reads a handful of blocks. An edge stands in its block twice, once from each end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
MERGE_RATIO = 4  # times larger than the next: fewer blocks to look into against more merging

# One number holds both ends and the kind, so that a block is one sorted array: 29 bits an end, 5 for the kind.
_KIND_BITS, _END_BITS = 5, 29
_SOURCE_SHIFT = _KIND_BITS + _END_BITS
_END_MASK, _KIND_MASK = (1 << _END_BITS) - 1, (1 << _KIND_BITS) - 1


@dataclass(frozen=True, slots=True)
class Links:
    """Edges that touch some segments, row for row: from one of them, to the other end."""

    source: Numbers
    target: Numbers
    kind: NDArray[np.int8]
    weight: NDArray[np.float32]

    def of_kinds(self, codes: list[int]) -> Links:
        return self.where(np.isin(self.kind, codes))

    def where(self, rows: NDArray[np.bool_]) -> Links:
        return Links(self.source[rows], self.target[rows], self.kind[rows], self.weight[rows])


@dataclass(frozen=True, slots=True)
class _Block:
    key: Numbers
    weight: NDArray[np.float32]


class Adjacency:
    """Made empty or by `of_edges`; grows by `add`. Rows always come by source, target, kind and weight, however they came in."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []

    @classmethod
    def of_edges(
        cls, source: Numbers, target: Numbers, kind: NDArray[np.int8], weight: NDArray[np.float32]
    ) -> Adjacency:
        made = cls()
        made.add(source, target, kind, weight)
        return made

    def add(self, source: Numbers, target: Numbers, kind: NDArray[np.int8], weight: NDArray[np.float32]) -> None:
        if not len(source):
            return
        key = np.concatenate([_packed(source, target, kind), _packed(target, source, kind)])
        self._blocks.append(_sorted(key, np.tile(weight, 2)))
        while len(self._blocks) > 1 and len(self._blocks[-2].key) < MERGE_RATIO * len(self._blocks[-1].key):
            last, before = self._blocks.pop(), self._blocks.pop()
            self._blocks.append(_merged(before, last))

    def of(self, segments: Numbers) -> Links:
        segments = np.sort(segments)
        found = [_rows(block, segments) for block in self._blocks]
        key = np.concatenate([part.key for part in found]) if found else np.empty(0, dtype=np.int64)
        weight = np.concatenate([part.weight for part in found]) if found else np.empty(0, dtype=np.float32)
        if sum(len(part.key) > 0 for part in found) > 1:
            one = _sorted(key, weight)
            key, weight = one.key, one.weight
        target, kind = (key >> _KIND_BITS) & _END_MASK, (key & _KIND_MASK).astype(np.int8)
        return Links(key >> _SOURCE_SHIFT, target, kind, weight)


def runs(first: Numbers, count: NDArray[Any]) -> Numbers:
    """first[0], first[0] + 1, … count[0] times, then the same for the next: without a Python loop."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(first - (ends - count), count) + np.arange(total, dtype=np.int64)


def _packed(source: Numbers, target: Numbers, kind: NDArray[np.int8]) -> Numbers:
    return (source.astype(np.int64) << _SOURCE_SHIFT) | (target.astype(np.int64) << _KIND_BITS) | kind.astype(np.int64)


def _merged(large: _Block, small: _Block) -> _Block:
    """One sorted block of two, without sorting and without a copy of both on the way."""
    places = np.searchsorted(large.key, small.key)
    return _settled(np.insert(large.key, places, small.key), np.insert(large.weight, places, small.weight))


def _sorted(key: Numbers, weight: NDArray[np.float32]) -> _Block:
    order = np.argsort(key, kind="stable")
    return _settled(key[order], weight[order])


def _settled(key: Numbers, weight: NDArray[np.float32]) -> _Block:
    same = np.flatnonzero(key[1:] == key[:-1])
    if len(same):  # the same ends and kind twice, by another maker: the lighter first, whichever came first
        rows = np.union1d(same, same + 1)
        weight[rows] = weight[rows][np.lexsort((weight[rows], key[rows]))]
    return _Block(key, weight)


def _rows(block: _Block, segments: Numbers) -> _Block:
    low = np.searchsorted(block.key, segments << _SOURCE_SHIFT, "left")
    high = np.searchsorted(block.key, (segments + 1) << _SOURCE_SHIFT, "left")
    rows = runs(low, high - low)
    return _Block(block.key[rows], block.weight[rows])
