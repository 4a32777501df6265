"""The order of turns: what either line of an exchange shares with the question counts; lines between people stand as they are."""

from __future__ import annotations

import numpy as np

from pmg.recall.diffuse_mode import TURN, by_turns
from pmg.recall.line_pool import LinePool
from pmg.recall.scores import LineScores


def pool(segments: list[int]) -> LinePool:
    zeros = np.zeros(len(segments))
    return LinePool(
        np.arange(len(segments)), np.array(segments), zeros, zeros, zeros, zeros, np.ones(len(segments), dtype=bool), {}
    )


def scores(own: list[float], total: list[float]) -> LineScores:
    zeros = np.zeros(len(own))
    return LineScores(zeros, zeros, zeros, {}, zeros, zeros, zeros, np.array(own), zeros, np.array(total))


def test_of_two_exchanges_the_one_that_shares_more_with_the_question_comes_first() -> None:
    # rows 0 and 1 are one exchange, 2 and 3 another; the lines that stand for them are 0 and 2
    near = scores(own=[1.0, 0.0, 4.0, 1.0], total=[10.0, 2.0, 9.5, 3.0])
    assert by_turns(pool([1, 1, 2, 2]), near, np.array([0, 2])).tolist() == [2, 0]


def test_the_answer_of_an_exchange_speaks_for_it_too() -> None:
    near = scores(own=[1.0, 1.0, 1.0, 1.0 + 0.6 / TURN], total=[10.0, 2.0, 9.5, 3.0])
    assert by_turns(pool([1, 1, 2, 2]), near, np.array([0, 2])).tolist() == [2, 0]


def test_lines_between_people_keep_their_order_and_their_places_among_exchanges() -> None:
    alone = scores(own=[0.0, 9.0], total=[10.0, 9.5])
    assert by_turns(pool([1, 2]), alone, np.array([0, 1])).tolist() == [0, 1]
    mixed = scores(own=[1.0, 0.0, 0.0, 9.0, 1.0], total=[10.0, 2.0, 9.8, 9.5, 3.0])
    assert by_turns(pool([1, 1, 2, 3, 3]), mixed, np.array([0, 2, 3])).tolist() == [3, 2, 0]


def test_of_equal_exchanges_the_lower_line_stays_first() -> None:
    equal = scores(own=[1.0, 1.0, 1.0, 1.0], total=[9.0, 1.0, 9.0, 1.0])
    assert by_turns(pool([1, 1, 2, 2]), equal, np.array([0, 2])).tolist() == [0, 2]
