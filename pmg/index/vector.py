"""Nearest vectors by inner product: the cosine, since the embedder's vectors have length one.

Knows: FAISS (the only module that does, beside the benchmark that measures it), exact search over the matrix, the compressed codes that take over in large
memories, and how the index is kept on disk.

Every score handed out is computed the same way (in double precision, rounded once), and ties go to the lower id, so
the same vectors give the same answer in whatever order they were added, alone or in a batch.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass

import faiss
import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import IndexDamaged, InputError
from pmg.index.content_files import Piece, is_there, read_catalog, read_piece, write_catalog, write_piece
from pmg.index.index_folder import Place
from pmg.index.manifest import Manifest
from pmg.index.matrix import BLOCK_ROWS, Ids, Matrix, Vectors
from pmg.index.top import best_rows
from pmg.index.vector_background import VectorBackground, sampled

COMPRESS_FROM = 300_000  # an exact search costs 29 ms there on one core, the compressed one 11
BY_PRODUCT = 4  # queries from which FAISS's matrix product beats looking at them one by one
EXTRA_CANDIDATES = 8  # candidates beyond k: lets the rounding of a fast search be mended and ties be seen
REFINE, CANDIDATES = 10, 2000  # compressed candidates for each one asked for, and at least: all are scored exactly
ROUNDING = 5e-6  # how far a single-precision score of unit vectors may be from the exact one
DEAD_SHARE = 0.2  # of the codes belonging to removed vectors, above which they are built anew
PAGE_ROWS = 1024  # a piece on disk: adding one session rewrites 1.5 MB at 384 dimensions
QUERY_BATCH = 64  # in a search of everything
SEARCH_BATCH = 4096  # queries: bounds the memory of the candidates
SCORE_BATCH = 2048  # rows: bounds the memory of exact scoring
TRAIN_ROWS = 20_000
assert BLOCK_ROWS % PAGE_ROWS == 0

Scores = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VectorHits:
    """The best ids of each query, best first: id -1 and score -inf where there are fewer than asked for."""

    ids: Ids
    scores: Scores


@dataclass(frozen=True, slots=True)
class _Found:
    """Candidate rows of each query (-1: none); whatever was not found scores at most `rest`."""

    rows: Rows
    rest: Scores


class _Codes:
    """One bit a dimension (RaBitQ, fast scan): proposes candidates. It cannot remove, so a label of -1 marks the dead."""

    def __init__(self, index: faiss.Index, labels: Ids, base: Piece | None) -> None:
        self.index = index
        self.labels = labels  # the id of each code, in the order they were added
        self.place = {id_: at for at, id_ in enumerate(labels.tolist()) if id_ >= 0}
        self.base = base  # on disk: the first codes, as they were built

    @classmethod
    def of(cls, matrix: Matrix) -> _Codes:
        # the random rotation (of a fixed seed) spreads what a vector says over all its bits
        spec = f"RR{matrix.dimension},RaBitQfs"
        codes = cls(
            faiss.index_factory(matrix.dimension, spec, faiss.METRIC_INNER_PRODUCT), np.empty(0, np.int64), None
        )
        _, first = next(matrix.blocks())
        codes.index.train(first[:TRAIN_ROWS])
        for start, block in matrix.blocks():
            codes.add(matrix.ids()[start : start + len(block)], block)
        return codes

    @classmethod
    def restored(cls, index: faiss.Index, labels: Ids, base: Piece, matrix: Matrix) -> _Codes:
        """From what was saved: vectors that came after the codes were written are encoded again."""
        codes = cls(index, labels[: index.ntotal], base)
        missing = np.array([id_ for id_ in matrix.ids().tolist() if id_ not in codes.place], np.int64)
        if len(missing):
            codes.add(missing, matrix.gather(matrix.rows_of(missing)))
        return codes

    def add(self, ids: Ids, vectors: Vectors) -> None:
        self.drop(ids)
        self.index.add(vectors)
        self.place.update(zip(ids.tolist(), range(len(self.labels), len(self.labels) + len(ids)), strict=True))
        self.labels = np.concatenate([self.labels, ids])

    def drop(self, ids: Ids) -> None:
        gone = [self.place.pop(id_) for id_ in ids.tolist() if id_ in self.place]
        self.labels[gone] = -1

    @property
    def worn(self) -> bool:
        return len(self.labels) - len(self.place) > DEAD_SHARE * len(self.labels)

    def propose(self, queries: Vectors, k: int, matrix: Matrix) -> Rows:
        wanted = min(max(k * REFINE, CANDIDATES), len(self.labels))
        _, found = self.index.search(queries, wanted)
        ids = np.where(found >= 0, self.labels[found], -1)
        rows: Rows = matrix.rows_of(ids.reshape(-1)).reshape(ids.shape)
        return rows


class VectorIndex:
    """All vectors of one namespace. Its methods may be called from several threads; they take turns."""

    def __init__(self, dimension: int, threads: int | None = None, compress_from: int = COMPRESS_FROM) -> None:
        if dimension < 1:
            raise InputError(f"a vector needs at least one dimension, not {dimension}")
        self.dimension = dimension
        self.manifest: Manifest | None = None  # what is on disk, once saved or loaded
        self._threads = threads
        self._compress_from = compress_from
        self._matrix = Matrix(dimension)
        self._codes: _Codes | None = None
        self._background: VectorBackground | None = None  # as last measured; None: the vectors changed since
        self._longest = 1.0  # the length of the longest vector: scales the rounding error
        self._folder: Place | None = None  # where the pages below are
        self._pages: list[Piece | None] = []  # what is on disk of each page; None: changed since
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return self._matrix.rows

    @property
    def compressed(self) -> bool:
        """Whether searches go through the compressed codes; scores are exact either way."""
        with self._lock:
            return self._ready_codes() is not None

    def ids(self) -> Ids:
        with self._lock:
            return self._matrix.ids().copy()

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Add vectors, or replace those whose id is there; of an id given twice the last one stays."""
        ids, vectors = np.asarray(ids, dtype=np.int64), np.ascontiguousarray(vectors, dtype=np.float32)
        self._check(ids, vectors)
        if not len(ids):
            return
        with self._lock:
            self._longest = max(self._longest, float(np.sqrt(np.einsum("ij,ij->i", vectors, vectors).max())))
            rows = self._matrix.put(ids, vectors)
            self._background = None
            self._changed(np.unique(rows // PAGE_ROWS).tolist())
            if self._codes is not None:
                once = np.unique(ids)
                self._codes.add(once, self._matrix.gather(self._matrix.rows_of(once)))

    def remove(self, ids: Ids) -> int:
        """Remove the vectors of these ids, ignoring unknown ones; how many were there."""
        ids = np.asarray(ids, dtype=np.int64)
        with self._lock:
            before = len(self)
            touched = self._matrix.drop(ids)
            if len(self) < before:
                self._background = None
            self._changed({row // PAGE_ROWS for row in touched})
            if self._codes is not None:
                self._codes.drop(ids)
            return before - len(self)

    def search(self, queries: Vectors, k: int) -> VectorHits:
        """The k best vectors of each query [q, d]: equal to sorting all of them by (score, then lower id)."""
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        self._check(np.arange(len(queries)), queries)
        if k < 1:
            raise InputError(f"a search for {k} results: ask for at least 1")
        hits = VectorHits(np.full((len(queries), k), -1, np.int64), np.full((len(queries), k), -np.inf, np.float32))
        with self._lock:
            if len(self) and len(queries):
                for start in range(0, len(queries), SEARCH_BATCH):
                    part = slice(start, start + SEARCH_BATCH)
                    self._fill(VectorHits(hits.ids[part], hits.scores[part]), queries[part], k)
        return hits

    def similarities(self, query: Vectors, ids: Ids) -> Scores:
        """The exact score of each of the given ids; NaN for one that is not here."""
        query = np.ascontiguousarray(query, dtype=np.float32).reshape(1, -1)
        self._check(np.zeros(1, np.int64), query)
        with self._lock:
            rows = self._matrix.rows_of(np.asarray(ids, dtype=np.int64))
            scores = np.full(len(rows), np.nan, np.float32)
            scores[rows >= 0] = self._score(query, rows[None, rows >= 0])[0]
            return scores

    def scores(self, query: Vectors) -> Scores:
        """The score of every vector, in the order of `ids()`, in single precision: for statistics over all of them."""
        query = np.ascontiguousarray(query, dtype=np.float32).reshape(1, -1)
        self._check(np.zeros(1, np.int64), query)
        with self._lock:
            parts = [block @ query[0] for _, block in self._matrix.blocks()]
        return np.concatenate(parts) if parts else np.empty(0, np.float32)

    def vectors_of(self, ids: Ids) -> Vectors:
        """A copy of the vectors of these ids, in their order."""
        ids = np.asarray(ids, dtype=np.int64)
        with self._lock:
            rows = self._matrix.rows_of(ids)
            if (rows < 0).any():
                raise InputError(f"no vector with id {int(ids[rows < 0][0])} in the index: ask only for ids it has")
            return self._matrix.gather(rows)

    def background(self) -> VectorBackground | None:
        """What the vectors here are like, from a sample spread evenly over them; None below two, which have no spread."""
        with self._lock:
            if self._background is None and len(self) >= 2:
                self._background = VectorBackground.of(self.vectors_of(sampled(self.ids())))
            return self._background

    def save(self, folder: Place, manifest: Manifest) -> Manifest:
        """Write what changed since the last save into the same folder; returns the manifest as written."""
        with self._lock:
            if folder != self._folder:
                self._forget_saved()
            pages = [self._save_page(folder, page) for page in range(-(-len(self) // PAGE_ROWS))]
            self._pages, self._folder = [*pages], folder
            self.manifest = write_catalog(folder, [*pages, *self._save_codes(folder)], manifest, len(self))
            return self.manifest

    @classmethod
    def load(
        cls,
        folder: Place,
        expected: Manifest,
        dimension: int,
        threads: int | None = None,
        compress_from: int = COMPRESS_FROM,
    ) -> VectorIndex:
        """The index saved in `folder`, or IndexDamaged if it is missing, foreign or corrupt in a single bit."""
        manifest, pieces = read_catalog(folder, expected)
        index = cls(dimension, threads, compress_from)
        index._matrix.reserve(manifest.rows)
        for piece in (piece for piece in pieces if len(piece.shape) == 2):
            index._load_page(folder, piece)
        index._load_codes(folder, [piece for piece in pieces if len(piece.shape) == 1])
        if len(index) != manifest.rows:
            raise IndexDamaged(f"the index at {folder} has {len(index)} rows, its manifest {manifest.rows}")
        index.manifest, index._folder = manifest, folder
        return index

    def _check(self, ids: Ids, vectors: Vectors) -> None:
        if vectors.ndim != 2 or vectors.shape[1] != self.dimension or ids.shape != (len(vectors),):
            raise InputError(
                f"vectors of shape {vectors.shape} for {len(ids)} ids: give one row of {self.dimension} numbers each"
            )
        if len(ids) and ids.min() < 0:
            raise InputError(f"the id {int(ids.min())} is negative: ids of the store count from 0")
        for start in range(0, len(vectors), BLOCK_ROWS):
            good = np.isfinite(vectors[start : start + BLOCK_ROWS]).all(axis=1)
            if not good.all():
                at = start + int(np.argmin(good))
                raise InputError(f"the vector at {at} (id {int(ids[at])}) holds NaN or infinity: embed its text again")

    def _fill(self, hits: VectorHits, queries: Vectors, k: int) -> None:
        """Candidates, their exact scores, the best k of them; queries whose ties reach beyond them are searched whole."""
        found = self._candidates(queries, k)
        step = max(1, SCORE_BATCH // found.rows.shape[1])
        for start in range(0, len(queries), step):
            part = slice(start, start + step)
            self._rank(hits, part, found.rows[part], self._score(queries[part], found.rows[part]))
        slack = ROUNDING * self._longest * np.maximum(1.0, np.linalg.norm(queries, axis=1))
        unclear = np.flatnonzero(hits.scores[:, -1] <= found.rest + slack)
        for start in range(0, len(unclear), QUERY_BATCH):
            self._settle(hits, queries, unclear[start : start + QUERY_BATCH], slack)

    def _settle(self, hits: VectorHits, queries: Vectors, which: Rows, slack: NDArray[np.float64]) -> None:
        """Score exactly every vector that may belong to the best: many equal ones, of which the lowest ids count."""
        bound = (hits.scores[which, -1] - 2 * slack[which])[:, None]
        rough = [(start, queries[which] @ block.T >= bound) for start, block in self._matrix.blocks()]
        for place, at in enumerate(which.tolist()):
            rows = np.concatenate([start + np.flatnonzero(near[place]) for start, near in rough])
            parts = [
                self._score(queries[at : at + 1], rows[None, start : start + SCORE_BATCH])
                for start in range(0, len(rows), SCORE_BATCH)
            ]
            self._rank(hits, slice(at, at + 1), rows[None, :], np.concatenate(parts, axis=1))

    def _rank(self, hits: VectorHits, part: slice, rows: Rows, scores: Scores) -> None:
        """Put the best of the scored rows into the hits, ties to the lower id."""
        ids = np.where(rows >= 0, self._matrix.ids()[rows], -1)
        order = np.lexsort((ids, -scores), axis=-1)[:, : hits.ids.shape[1]]
        hits.ids[part, : order.shape[1]] = np.take_along_axis(ids, order, axis=1)
        hits.scores[part, : order.shape[1]] = np.take_along_axis(scores, order, axis=1)

    def _score(self, queries: Vectors, rows: Rows) -> Scores:
        """The exact score of row rows[q, i] for query q; -inf where the row is -1."""
        flat = np.maximum(rows, 0).reshape(-1)
        vectors = self._matrix.gather_double(flat).reshape(*rows.shape, self.dimension)
        # einsum, not a BLAS product: it sums each row in the same order wherever the row stands
        exact = np.einsum("qfd,qd->qf", vectors, queries.astype(np.float64))
        scores: Scores = np.where(rows >= 0, exact, -np.inf).astype(np.float32)
        return scores

    def _candidates(self, queries: Vectors, k: int) -> _Found:
        if self._threads is not None:
            faiss.omp_set_num_threads(self._threads)  # holds for the calling thread only, so it is set each time
        # FAISS turns to matrix products from this many numbers on
        faiss.cvar.distance_compute_blas_threshold = BY_PRODUCT * self.dimension
        codes = self._ready_codes()
        if codes is not None:
            return _Found(codes.propose(queries, k, self._matrix), np.full(len(queries), -np.inf, np.float32))
        fetch = min(k + EXTRA_CANDIDATES, len(self))
        if len(queries) < BY_PRODUCT:
            return self._scan(queries, fetch)
        rows, scores = [], []
        for start, block in self._matrix.blocks():
            near, at = faiss.knn(queries, block, min(fetch, len(block)), faiss.METRIC_INNER_PRODUCT)
            rows.append(at + start)
            scores.append(near)
        return _best(np.concatenate(rows, axis=1), np.concatenate(scores, axis=1), fetch, fetch < len(self))

    def _scan(self, queries: Vectors, fetch: int) -> _Found:
        """The same for a few queries: FAISS gives a query one core, a product with the matrix uses all of them.

        All blocks are written into one row of scores, so that the best are looked for once.
        """
        rows, rest = np.empty((len(queries), fetch), np.int64), np.full(len(queries), -np.inf, np.float32)
        scores = np.empty(len(self), np.float32)
        for place, query in enumerate(queries):
            for start, block in self._matrix.blocks():
                np.matmul(block, query, out=scores[start : start + len(block)])
            rows[place] = best_rows(scores, fetch)
            if fetch < len(self):
                rest[place] = scores[rows[place]].min()
        return _Found(rows, rest)

    def _ready_codes(self) -> _Codes | None:
        """The codes if the index is large enough for them, built or rebuilt when they are due."""
        if len(self) < self._compress_from or not len(self):
            self._codes = None
        elif self._codes is None or self._codes.worn:
            self._codes = _Codes.of(self._matrix)
        return self._codes

    def _changed(self, pages: Iterable[int]) -> None:
        for page in pages:
            if page < len(self._pages):
                self._pages[page] = None

    def _forget_saved(self) -> None:
        self._pages = []
        if self._codes is not None:
            self._codes.base = None

    def _page(self, page: int) -> tuple[Ids, Vectors]:
        first = page * PAGE_ROWS
        ids = self._matrix.ids()[first : first + PAGE_ROWS]
        for start, block in self._matrix.blocks():
            if start <= first < start + len(block):
                return ids, block[first - start : first - start + len(ids)]
        raise AssertionError(f"page {page} lies outside {len(self)} rows")

    def _save_page(self, folder: Place, page: int) -> Piece:
        saved = self._pages[page] if page < len(self._pages) else None
        ids, vectors = self._page(page)
        if saved is not None and saved.shape[0] == len(ids) and is_there(folder, saved):
            return saved
        return write_piece(folder, (len(ids), self.dimension), [ids, vectors])

    def _load_page(self, folder: Place, piece: Piece) -> None:
        rows, dimension = piece.shape
        if dimension != self.dimension:
            raise IndexDamaged(f"the index at {folder} has {dimension} dimensions, the model {self.dimension}")
        ids, vectors = np.empty(rows, np.int64), np.empty((rows, dimension), np.float32)
        read_piece(folder, piece, [ids, vectors])
        self.add(ids, vectors)
        self._pages.append(piece)

    def _save_codes(self, folder: Place) -> list[Piece]:
        """The codes as they were built, once; and which of them still stand for what, each time."""
        codes = self._ready_codes()
        if codes is None:
            return []
        if codes.base is None or not is_there(folder, codes.base):
            data = faiss.serialize_index(codes.index)
            codes.base = write_piece(folder, (data.size,), [data])
        return [codes.base, write_piece(folder, (len(codes.labels),), [codes.labels])]

    def _load_codes(self, folder: Place, pieces: list[Piece]) -> None:
        if len(pieces) != 2:
            return
        data = np.empty(pieces[0].shape, np.uint8)
        labels = np.empty(pieces[1].shape, np.int64)
        read_piece(folder, pieces[0], [data])
        read_piece(folder, pieces[1], [labels])
        self._codes = _Codes.restored(faiss.deserialize_index(data), labels, pieces[0], self._matrix)


def _best(rows: Rows, scores: Scores, count: int, more: bool) -> _Found:
    """The `count` best candidates of all blocks, and the score that the rest cannot exceed if there is `more`."""
    if rows.shape[1] > count:
        keep = np.argpartition(-scores, count - 1, axis=1)[:, :count]
        rows, scores = np.take_along_axis(rows, keep, axis=1), np.take_along_axis(scores, keep, axis=1)
    rest = scores.min(axis=1) if more else np.full(len(rows), -np.inf, np.float32)
    return _Found(rows, rest)
