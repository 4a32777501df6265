"""Maximal marginal relevance over hand-made vectors."""

from __future__ import annotations

import numpy as np

from pmg.recall.diversify import mmr

EAST, ALMOST_EAST, NORTH = [1.0, 0.0], [0.999, 0.0447], [0.0, 1.0]
VECTORS = np.array([EAST, ALMOST_EAST, NORTH], dtype=np.float32)


def test_lambda_one_keeps_the_order_of_relevance() -> None:
    assert mmr(np.array([1.0, 3.0, 2.0]), VECTORS, 1.0, 3).tolist() == [1, 2, 0]


def test_a_near_copy_gives_way_to_something_else() -> None:
    assert mmr(np.array([1.0, 0.9, 0.6]), VECTORS, 0.5, 2).tolist() == [0, 2]


def test_the_most_relevant_is_always_first() -> None:
    assert mmr(np.array([0.2, 0.9, 0.6]), VECTORS, 0.3, 1).tolist() == [1]


def test_equal_candidates_come_in_their_order() -> None:
    same = np.array([EAST] * 4, dtype=np.float32)
    assert mmr(np.ones(4), same, 0.7, 4).tolist() == [0, 1, 2, 3]


def test_no_candidates_give_no_choice() -> None:
    assert mmr(np.zeros(0), np.zeros((0, 2), dtype=np.float32), 0.7, 5).tolist() == []


def test_asking_for_more_than_there_are_gives_all_once() -> None:
    assert sorted(mmr(np.array([1.0, 2.0, 3.0]), VECTORS, 0.7, 10).tolist()) == [0, 1, 2]
