"""Which document has which term how often: immutable blocks of sorted arrays, built, merged and read back.

Knows: the arrays of a block, how to build one from documents, merge several into one and store it as one piece.
Does not know: scores, or which documents have since been removed (the caller passes that in when merging).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmg.errors import IndexDamaged
from pmg.index.manifest import REBUILD
from pmg.index.pieces import Array, Piece, read_piece, write_piece

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of all documents: term t occurs `counts[i]` times in row `rows[i]`, for i from starts[t] to starts[t + 1].

    Counts above 255 are kept as 255: BM25 is all but flat there.
    """

    lengths: NDArray[np.uint32]  # terms of each document
    starts: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    counts: NDArray[np.uint8]

    def span(self, term: int) -> slice:
        return slice(int(self.starts[term]), int(self.starts[term + 1]))


@dataclass(frozen=True, slots=True)
class Block:
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

    def take(self, terms: list[str], vocabulary: dict[str, int]) -> None:
        self.lengths.append(len(terms))
        self.numbers += [vocabulary.setdefault(term, len(vocabulary)) for term in terms]


def build(
    ids: Sequence[int], segments: Sequence[int], texts: Sequence[list[str]], contexts: Sequence[list[str]]
) -> Block:
    """A block of documents given by their terms; the ids must be unique."""
    order = np.argsort(np.array(ids, dtype=np.int64), kind="stable")
    vocabulary: dict[str, int] = {}
    text, context = _Growing(), _Growing()
    for at in order.tolist():
        text.take(texts[at], vocabulary)
        context.take(contexts[at], vocabulary)
    fields = [_field(growing, len(vocabulary)) for growing in (text, context)]
    return Block(np.array(ids, np.int64)[order], np.array(segments, np.int64)[order], vocabulary, *fields)


def _field(growing: _Growing, terms: int) -> Field:
    lengths = np.array(growing.lengths, dtype=np.uint32)
    rows = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    keys, counts = np.unique(np.array(growing.numbers, np.int64) * len(lengths) + rows, return_counts=True)
    return _sorted_field(lengths, keys, np.minimum(counts, 255).astype(np.uint8), terms)


def _sorted_field(lengths: NDArray[np.uint32], keys: Ints, counts: NDArray[np.uint8], terms: int) -> Field:
    """From keys term × documents + row in rising order."""
    numbers, rows = np.divmod(keys, max(1, len(lengths)))
    starts = np.searchsorted(numbers, np.arange(terms + 1)).astype(np.uint32)
    return Field(lengths, starts, rows.astype(np.uint32), counts)


def merge(blocks: Sequence[Block], alive: Sequence[Mask]) -> Block:
    """One block with the living documents of all; no id may live in two of them."""
    ids = np.concatenate([block.ids[mask] for block, mask in zip(blocks, alive, strict=True)])
    segments = np.concatenate([block.segments[mask] for block, mask in zip(blocks, alive, strict=True)])
    order = np.argsort(ids, kind="stable")
    new_row = np.empty(len(ids), np.int64)
    new_row[order] = np.arange(len(ids))
    maps, start = [], 0
    for mask in alive:  # the old row of a living document to its new one
        rows = np.full(len(mask), -1, np.int64)
        count = int(mask.sum())
        rows[mask] = new_row[start : start + count]
        maps.append(rows)
        start += count
    vocabulary, numbers = _joint_vocabulary(blocks, alive)
    fields = [
        _merged_field([block.fields[at] for block in blocks], maps, numbers, len(ids), len(vocabulary)) for at in (0, 1)
    ]
    return Block(ids[order], segments[order], vocabulary, *fields)


def _joint_vocabulary(blocks: Sequence[Block], alive: Sequence[Mask]) -> tuple[dict[str, int], list[Ints]]:
    """The terms that a living document has, and the new number of each term of each block (-1: none has it)."""
    vocabulary: dict[str, int] = {}
    numbers = []
    for block, mask in zip(blocks, alive, strict=True):
        used = np.zeros(len(block.terms), bool)
        for each in block.fields:
            used[np.repeat(np.arange(len(used)), np.diff(each.starts))[mask[each.rows]]] = True
        kept = [
            vocabulary.setdefault(term, len(vocabulary)) if use else -1
            for term, use in zip(block.terms, used.tolist(), strict=True)
        ]
        numbers.append(np.array(kept, np.int64))
    return vocabulary, numbers


def _merged_field(
    fields: Sequence[Field], maps: Sequence[Ints], numbers: Sequence[Ints], rows: int, terms: int
) -> Field:
    lengths = np.zeros(rows, np.uint32)
    keys, counts = [], []
    for each, new_row, number in zip(fields, maps, numbers, strict=True):
        living = new_row >= 0
        lengths[new_row[living]] = each.lengths[living]
        keep = living[each.rows]
        keys.append(np.repeat(number, np.diff(each.starts))[keep] * rows + new_row[each.rows[keep]])
        counts.append(each.counts[keep])
    # the count rides in the low byte, so that one plain sort of numbers orders both
    packed = np.sort(np.concatenate(keys) << 8 | np.concatenate(counts))
    return _sorted_field(lengths, packed >> 8, (packed & 255).astype(np.uint8), terms)


def write_block(folder: Path, block: Block) -> Piece:
    words = np.frombuffer("\n".join(block.terms).encode(), np.uint8)
    sizes = (len(block.ids), len(block.terms), len(block.text.rows), len(block.context.rows), len(words))
    return write_piece(folder, sizes, _arrays(block, words))


def read_block(folder: Path, piece: Piece) -> Block:
    documents, terms, in_text, in_context, letters = piece.shape
    words = np.empty(letters, np.uint8)
    block = Block(
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
    names = words.tobytes().decode().split("\n") if letters else []
    block.terms.update(zip(names, range(len(names)), strict=True))
    if len(block.terms) != terms:
        raise IndexDamaged(f"a block at {folder} has {len(block.terms)} terms, its catalog {terms}: {REBUILD}")
    return block


def _arrays(block: Block, words: Array) -> list[Array]:
    """Everything a block holds, in the order it stands on disk."""
    fields = [array for each in block.fields for array in (each.lengths, each.starts, each.rows, each.counts)]
    return [block.ids, block.segments, *fields, words]
