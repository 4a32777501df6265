"""Vectors by id, in memory: float32 rows in blocks of fixed size, so that growing never copies what is there.

Knows: which row holds which id; adding, replacing, removing (the last row moves into the gap) and gathering rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

BLOCK_ROWS = 16_384  # 25 MB at 384 dimensions: few enough for a fast search loop, small enough to waste little

Ids = NDArray[np.int64]
Vectors = NDArray[np.float32]
Number = TypeVar("Number", np.float32, np.float64)


class Matrix:
    """`rows` rows, the first ones of each block; row r is row r % BLOCK_ROWS of block r // BLOCK_ROWS."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.rows = 0
        self._blocks: list[Vectors] = []
        self._ids: Ids = np.empty(0, dtype=np.int64)
        self._row_of: NDArray[np.int32] = np.full(1, -1, dtype=np.int32)  # by id: the store's ids are small and dense

    def ids(self) -> Ids:
        """The id of every row, in row order: a view, to be copied by those who keep it."""
        return self._ids[: self.rows]

    def blocks(self) -> Iterator[tuple[int, Vectors]]:
        """The first row and the filled part of each block, as views."""
        for number, block in enumerate(self._blocks):
            start = number * BLOCK_ROWS
            if start < self.rows:
                yield start, block[: self.rows - start]

    def rows_of(self, ids: Ids) -> NDArray[np.int64]:
        """The row of each id, -1 for one that is not here."""
        known = (ids >= 0) & (ids < len(self._row_of))
        return np.where(known, self._row_of[np.where(known, ids, 0)], -1).astype(np.int64)

    def gather(self, rows: NDArray[np.int64]) -> Vectors:
        """A copy of the given rows, which must exist."""
        return self._copied(rows, np.empty((len(rows), self.dimension), dtype=np.float32))

    def gather_double(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same in double precision, for exact scores: one copy instead of two."""
        return self._copied(rows, np.empty((len(rows), self.dimension), dtype=np.float64))

    def _copied(self, rows: NDArray[np.int64], found: NDArray[Number]) -> NDArray[Number]:
        numbers, offsets = np.divmod(rows, BLOCK_ROWS)
        for number in np.unique(numbers):
            at = numbers == number
            found[at] = self._blocks[number][offsets[at]]
        return found

    def reserve(self, rows: int) -> None:
        """Room for `rows` rows in all. Fresh blocks are not touched, so they cost no memory until they are filled."""
        while len(self._blocks) * BLOCK_ROWS < rows:
            self._blocks.append(np.empty((BLOCK_ROWS, self.dimension), dtype=np.float32))
        if len(self._ids) < rows:
            grown = np.empty(max(rows, len(self._ids) * 5 // 4, 1024), dtype=np.int64)
            grown[: self.rows] = self._ids[: self.rows]
            self._ids = grown

    def put(self, ids: Ids, vectors: Vectors) -> NDArray[np.int64]:
        """Add or replace; of an id given twice the last vector stays. Returns the rows written."""
        rows = self.rows_of(ids)
        fresh: dict[int, int] = {}
        for at in np.flatnonzero(rows < 0).tolist():
            rows[at] = fresh.setdefault(int(ids[at]), self.rows + len(fresh))
        self.reserve(self.rows + len(fresh))
        self._ids[self.rows : self.rows + len(fresh)] = list(fresh)
        added = self._ids[self.rows : self.rows + len(fresh)]
        self._make_room(int(added.max(initial=0)) + 1)
        self._row_of[added] = np.arange(self.rows, self.rows + len(fresh), dtype=np.int32)
        self.rows += len(fresh)
        self._write(rows, vectors)
        return rows

    def _make_room(self, ids: int) -> None:
        if ids > len(self._row_of):
            grown = np.full(max(ids, len(self._row_of) * 5 // 4), -1, dtype=np.int32)
            grown[: len(self._row_of)] = self._row_of
            self._row_of = grown

    def _write(self, rows: NDArray[np.int64], vectors: Vectors) -> None:
        """Runs of neighbouring rows as slices: a bulk load is a plain copy. In order, so that the last write stays."""
        breaks = np.flatnonzero((np.diff(rows) != 1) | (rows[1:] % BLOCK_ROWS == 0)) + 1
        edges = [0, *breaks.tolist(), len(rows)]
        for start, end in pairwise(edges):
            if start < end:
                number, offset = divmod(int(rows[start]), BLOCK_ROWS)
                self._blocks[number][offset : offset + end - start] = vectors[start:end]

    def drop(self, ids: Ids) -> list[int]:
        """Remove ids, ignoring unknown ones. Returns the rows whose content changed or went away."""
        touched: list[int] = []
        for id_ in ids.tolist():
            row = int(self._row_of[id_]) if 0 <= id_ < len(self._row_of) else -1
            if row < 0:
                continue
            self._row_of[id_] = -1
            last = self.rows - 1
            if row != last:
                moved = int(self._ids[last])
                self._at(row)[:] = self._at(last)
                self._ids[row] = moved
                self._row_of[moved] = row
            self.rows = last
            touched += [row, last]
        del self._blocks[-(-self.rows // BLOCK_ROWS) + 1 :]  # one spare block stays, so that a seesaw does not allocate
        return touched

    def _at(self, row: int) -> Vectors:
        number, offset = divmod(row, BLOCK_ROWS)
        vector: Vectors = self._blocks[number][offset]
        return vector
