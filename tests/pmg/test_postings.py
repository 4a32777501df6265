"""Merging blocks of postings: however much is moved at once, the merged block is the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pmg.index import postings
from pmg.index.postings import PostingBlock, build, merge


def documents(dice: random.Random, first: int) -> PostingBlock:
    count = dice.randrange(1, 60)
    texts = [[f"t{min(int(dice.paretovariate(0.8)), 400)}" for _ in range(dice.randrange(30))] for _ in range(count)]
    contexts = [[f"c{dice.randrange(9)}"] for _ in range(count)]
    ids = list(range(first, first + count))
    return build(ids, [number // 2 for number in ids], texts, contexts)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("at_once", [1, 7, 50])
def test_a_merge_in_many_shares_equals_a_merge_in_one(seed: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(seed)
    blocks = [documents(dice, first) for first in range(0, 100 * dice.randrange(1, 5), 100)]
    share = [dice.choice([1.0, 0.7, 0.1]) for _ in blocks]
    alive = [
        np.array([dice.random() < keep for _ in block.ids], dtype=np.bool_)
        for block, keep in zip(blocks, share, strict=True)
    ]
    whole = merge(blocks, alive)
    monkeypatch.setattr(postings, "MERGE_BATCH", at_once)
    shared = merge(blocks, alive)
    assert list(shared.terms.items()) == list(whole.terms.items())
    words = np.empty(0, np.uint8)
    for one, other in zip(postings._arrays(shared, words), postings._arrays(whole, words), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_merge_of_blocks_whose_ids_interleave_equals_a_block_built_at_once() -> None:
    # A document that is replaced comes in a later block than those around it; `having` looks rows up as a rising list.
    dice = random.Random(5)
    texts = {number: [f"t{dice.randrange(6)}" for _ in range(8)] for number in range(40)}
    chosen = [[number for number in range(40) if number % 3 == rest] for rest in (2, 0, 1)]
    blocks = [build(ids, ids, [texts[number] for number in ids], [["c"]] * len(ids)) for ids in chosen]
    merged = merge(blocks, [np.ones(len(block.ids), bool) for block in blocks])
    at_once = build(list(range(40)), list(range(40)), [texts[number] for number in range(40)], [["c"]] * 40)
    for one, other in zip(merged.fields, at_once.fields, strict=True):
        for term in at_once.terms:
            mine, fresh = one.span(merged.terms[term]), other.span(at_once.terms[term])
            np.testing.assert_array_equal(one.rows[mine], other.rows[fresh])
            np.testing.assert_array_equal(one.counts[mine], other.counts[fresh])
