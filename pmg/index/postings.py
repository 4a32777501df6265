"""Which document has which term how often: immutable blocks of sorted arrays, built, merged and read back.

Knows: the arrays of a block, how to build one from documents, merge several into one and store it as one piece.
Does not know: scores, or which documents have since been removed (the caller passes that in when merging).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import IndexDamaged
from pmg.index.content_files import Array, Piece, read_piece, write_piece
from pmg.index.index_folder import REBUILD, Place

MERGE_BATCH = 2_000_000  # postings moved together: some 50 MB
FREQUENT = 4  # one document in so many: from here on passing over all documents is cheaper than picking out those with the term
MIN_DOCUMENTS = 1024  # documents with a term below which neither costs anything

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of all documents: term t occurs `counts[i]` times in row `rows[i]`, for i from starts[t] to starts[t + 1], rows rising.

    Counts above 255 are kept as 255: BM25 is all but flat there.
    """

    lengths: NDArray[np.uint32]  # terms of each document
    starts: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    _by_row: dict[int, NDArray[np.uint8]] = field(default_factory=dict, repr=False, compare=False)

    def frequent(self, term: int) -> NDArray[np.uint8] | None:
        """The term's count in every row, 0 included, if it is in very many documents; else None.

        Worked out when it is first asked for and kept: a byte a document. There are few such terms, at most `FREQUENT` times as many as
        the mean document has, and most of them are stop words, which hardly any query asks for.
        """
        span = self.span(term)
        having = span.stop - span.start
        if having < MIN_DOCUMENTS or FREQUENT * having < len(self.lengths):
            return None
        known = self._by_row.get(term)
        if known is None:
            known = np.zeros(len(self.lengths), np.uint8)
            known[self.rows[span]] = self.counts[span]
            self._by_row[term] = known
        return known

    def span(self, term: int) -> slice:
        return slice(int(self.starts[term]), int(self.starts[term + 1]))


@dataclass(frozen=True, slots=True)
class PostingBlock:
    """Documents in order of their ids, which are unique within a block."""

    ids: Ints
    segments: Ints
    terms: dict[str, int]
    text: Field
    context: Field

    @property
    def fields(self) -> tuple[Field, Field]:
        return self.text, self.context


@dataclass(slots=True)
class _Growing:
    """A field while its documents are read: the number of each term as it comes."""

    numbers: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    postings: list[int] = field(default_factory=list)  # of each document: its terms and its marks

    def take(self, terms: list[str], marks: Sequence[str], number_of: Callable[[str], int]) -> None:
        self.lengths.append(len(terms))
        self.postings.append(len(terms) + len(marks))
        self.numbers.extend(map(number_of, terms))
        self.numbers.extend(map(number_of, marks))


def build(
    ids: Sequence[int],
    segments: Sequence[int],
    texts: Sequence[list[str]],
    contexts: Sequence[list[str]],
    marks: Sequence[Sequence[str]] = (),
) -> PostingBlock:
    """A block of documents given by their terms; the ids must be unique.

    `marks`, where given, are one a document: terms of its text that do not count in its length, so that no score changes by them.
    """
    order = np.argsort(np.array(ids, dtype=np.int64), kind="stable")
    vocabulary: dict[str, int] = defaultdict(count().__next__)  # a new term gets the next number, all inside C
    text, context = _Growing(), _Growing()
    for at in order.tolist():
        text.take(texts[at], marks[at] if marks else (), vocabulary.__getitem__)
        context.take(contexts[at], (), vocabulary.__getitem__)
    fields = [_field(growing, len(vocabulary)) for growing in (text, context)]
    return PostingBlock(np.array(ids, np.int64)[order], np.array(segments, np.int64)[order], dict(vocabulary), *fields)


def _field(growing: _Growing, terms: int) -> Field:
    lengths = np.array(growing.lengths, dtype=np.uint32)
    rows = np.repeat(np.arange(len(lengths), dtype=np.int64), np.array(growing.postings, dtype=np.int64))
    keys, counts = np.unique(np.array(growing.numbers, np.int64) * len(lengths) + rows, return_counts=True)
    numbers, rows = np.divmod(keys, max(1, len(lengths)))
    starts = np.searchsorted(numbers, np.arange(terms + 1)).astype(np.uint32)
    return Field(lengths, starts, rows.astype(np.uint32), np.minimum(counts, 255).astype(np.uint8))


def merge(blocks: Sequence[PostingBlock], alive: Sequence[Mask]) -> PostingBlock:
    """One block with the living documents of all; no id may live in two of them."""
    ids = np.concatenate([block.ids[mask] for block, mask in zip(blocks, alive, strict=True)])
    segments = np.concatenate([block.segments[mask] for block, mask in zip(blocks, alive, strict=True)])
    order = np.argsort(ids, kind="stable")
    places = np.empty(len(ids), np.uint32)
    places[order] = np.arange(len(ids), dtype=np.uint32)
    vocabulary: dict[str, int] = {}
    sources, start = [], 0
    for block, mask in zip(blocks, alive, strict=True):
        rows = np.zeros(len(mask), np.uint32)
        rows[mask] = places[start : start + int(mask.sum())]
        start += int(mask.sum())
        sources.append(_Source(block, mask, rows, _renumbered(block, mask, vocabulary)))
    fields = [_merged_field(sources, at, len(ids), len(vocabulary)) for at in (0, 1)]
    for one in fields:
        _sort_rows(one)  # a document that was replaced stands in a later block than its neighbours
    return PostingBlock(ids[order], segments[order], vocabulary, *fields)


@dataclass(frozen=True, slots=True)
class _Source:
    """A block to be merged, with the new row of each living document and the new number of each term in use."""

    block: PostingBlock
    alive: Mask
    rows: NDArray[np.uint32]
    numbers: Ints

    def kept(self, at: int) -> tuple[Mask | slice, Ints]:
        """Which postings of the field stay, and how many of each term."""
        field = self.block.fields[at]
        if self.alive.all():
            return slice(None), np.diff(field.starts).astype(np.int64)
        keep: Mask = self.alive[field.rows]
        return keep, _per_term(field, keep)


def _per_term(field: Field, keep: Mask) -> Ints:
    before = np.concatenate([[0], np.cumsum(keep, dtype=np.int64)])
    each: Ints = np.diff(before[field.starts])
    return each


def _renumbered(block: PostingBlock, alive: Mask, vocabulary: dict[str, int]) -> Ints:
    """The number of each term in the joint vocabulary, which grows; -1 for one that no living document has."""
    used = sum(_per_term(field, alive[field.rows]) for field in block.fields)
    assert isinstance(used, np.ndarray)
    return np.array(
        [
            vocabulary.setdefault(term, len(vocabulary)) if use else -1
            for term, use in zip(block.terms, used.tolist(), strict=True)
        ],
        dtype=np.int64,
    )


def _merged_field(sources: Sequence[_Source], at: int, rows: int, terms: int) -> Field:
    """Counts first, then every posting goes straight to its place: no sort, and little memory beside the result."""
    each = [source.kept(at) for source in sources]
    totals = np.zeros(terms + 1, np.int64)
    for source, (_, counts) in zip(sources, each, strict=True):
        used = source.numbers >= 0
        totals[source.numbers[used] + 1] += counts[used]
    starts = np.cumsum(totals)
    merged = Field(
        np.zeros(rows, np.uint32),
        starts.astype(np.uint32),
        np.empty(starts[-1], np.uint32),
        np.empty(starts[-1], np.uint8),
    )
    free = starts[:-1].copy()  # where the next posting of each term goes
    for source, (keep, counts) in zip(sources, each, strict=True):
        field = source.block.fields[at]
        merged.lengths[source.rows[source.alive]] = field.lengths[source.alive]
        used = source.numbers >= 0
        targets, counts = source.numbers[used], counts[used]
        postings, times, ends = field.rows[keep], field.counts[keep], np.cumsum(counts)
        for terms_here, here in _shares(ends):
            shift = free[targets[terms_here]] - (ends[terms_here] - counts[terms_here])
            place = np.repeat(shift, counts[terms_here])
            place += np.arange(here.start, here.stop)
            merged.rows[place] = source.rows[postings[here]]
            merged.counts[place] = times[here]
        free[targets] += counts
    return merged


def _sort_rows(field: Field) -> None:
    """Every term's rows rising, in place; most often they are."""
    falls = np.concatenate([[False], field.rows[1:] <= field.rows[:-1]])[: len(field.rows)]
    falls[field.starts[:-1][field.starts[:-1] < len(falls)]] = False  # where the next term begins
    if not falls.any():
        return
    for terms, here in _shares(field.starts[1:].astype(np.int64)):
        numbers = np.repeat(np.arange(terms.start, terms.stop), np.diff(field.starts[terms.start : terms.stop + 1]))
        order = np.lexsort((field.rows[here], numbers))
        field.rows[here], field.counts[here] = field.rows[here][order], field.counts[here][order]


def _shares(ends: Ints) -> Iterator[tuple[slice, slice]]:
    """Terms and their postings, some at a time: what a merge holds beside its result does not grow with the memory."""
    total = int(ends[-1]) if len(ends) else 0
    cuts = np.searchsorted(ends, np.arange(MERGE_BATCH, total, MERGE_BATCH), "right")
    places = [0, *np.unique(cuts).tolist(), len(ends)]
    for first, last in pairwise(places):
        if first < last:
            yield slice(first, last), slice(int(ends[first - 1]) if first else 0, int(ends[last - 1]))


def write_block(folder: Place, block: PostingBlock) -> Piece:
    words = np.frombuffer("\n".join(block.terms).encode(), np.uint8)
    sizes = (len(block.ids), len(block.terms), len(block.text.rows), len(block.context.rows), len(words))
    return write_piece(folder, sizes, _arrays(block, words))


def read_block(folder: Place, piece: Piece) -> PostingBlock:
    documents, terms, in_text, in_context, letters = piece.shape
    words = np.empty(letters, np.uint8)
    block = PostingBlock(
        np.empty(documents, np.int64), np.empty(documents, np.int64), {}, *(
            Field(
                np.empty(documents, np.uint32),
                np.empty(terms + 1, np.uint32),
                np.empty(size, np.uint32),
                np.empty(size, np.uint8),
            )
            for size in (in_text, in_context)
        ),
    )  # fmt: skip
    read_piece(folder, piece, _arrays(block, words))
    for one in block.fields:
        _sort_rows(one)  # files from before merges sorted them may hold others
    names = words.tobytes().decode().split("\n") if letters else []
    block.terms.update(zip(names, range(len(names)), strict=True))
    if len(block.terms) != terms:
        raise IndexDamaged(f"a block at {folder} has {len(block.terms)} terms, its catalog {terms}: {REBUILD}")
    return block


def _arrays(block: PostingBlock, words: Array) -> list[Array]:
    """Everything a block holds, in the order it stands on disk."""
    fields = [array for each in block.fields for array in (each.lengths, each.starts, each.rows, each.counts)]
    return [block.ids, block.segments, *fields, words]
