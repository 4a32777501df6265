"""The parts of a score, on pools small enough to check by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pmg.config import RecallConfig
from pmg.recall.flow import FLOW, flow, standing
from pmg.recall.line_pool import Background, LinePool
from pmg.recall.scores import WEIGHTS, LineFacts, score

APART = np.array([1, 2, 3])  # every line a turn of its own


def pool(cosine: list[float], bm25: list[float]) -> LinePool:
    rows = np.arange(1, 4)
    step = {1: np.array([1, 2, -1]), -1: np.array([-1, 0, 1]), 2: np.array([2, -1, -1]), -2: np.array([-1, -1, 0])}
    meaning = (np.array(cosine) - 0.3) / 0.1
    return LinePool(rows, rows, np.array(cosine), meaning, np.array(bm25), np.zeros(3), np.ones(3, dtype=bool), step)


def facts(asserts: list[int], asks: list[bool] | None = None) -> LineFacts:
    no = np.zeros(3, dtype=bool)
    return LineFacts(np.array(asserts, dtype=np.int32), np.array(asks or [False] * 3), no, no, no, no, np.zeros(3))


ORDINARY = Background(bm25_mean=1.0, bm25_most=10.0)


def test_meaning_and_words_are_how_far_a_line_stands_out() -> None:
    found = score(pool([0.5, 0.3, 0.3], [1.0, 11.0, 1.0]), ORDINARY, facts([1000] * 3), RecallConfig())
    assert found.meaning.tolist() == pytest.approx([2.0, 0.0, 0.0])
    assert found.words.tolist() == pytest.approx([0.0, WEIGHTS.words, 0.0])


def test_a_line_that_says_nothing_takes_from_its_neighbours_and_one_that_says_much_hardly() -> None:
    own = np.array([4.0, 0.0, 0.0])
    step = pool([0, 0, 0], [0, 0, 0]).step
    empty = flow(own, np.zeros(3, dtype=np.int32), np.zeros(3, dtype=bool), APART, step)
    full = flow(own, np.full(3, int(99 * FLOW.half), dtype=np.int32), np.zeros(3, dtype=bool), APART, step)
    assert empty[-1].tolist() == [0.0, FLOW.before * 4.0, 0.0]
    assert full[-1][1] == pytest.approx(0.01 * FLOW.before * 4.0, rel=0.02)


def test_the_line_after_a_question_takes_more() -> None:
    own = np.array([4.0, 0.0, 0.0])
    asked = flow(
        own, np.zeros(3, dtype=np.int32), np.array([True, False, False]), APART, pool([0, 0, 0], [0, 0, 0]).step
    )
    assert asked[-1][1] == (FLOW.before + FLOW.asked) * 4.0


def test_a_line_before_a_match_takes_from_it_too() -> None:
    own = np.array([0.0, 4.0, 0.0])
    found = flow(own, np.zeros(3, dtype=np.int32), np.zeros(3, dtype=bool), APART, pool([0, 0, 0], [0, 0, 0]).step)
    assert found[1].tolist() == [FLOW.after * 4.0, 0.0, 0.0]


def test_a_neighbour_less_than_ordinary_takes_nothing_away() -> None:
    own = np.array([-4.0, 1.0, -4.0])
    found = flow(own, np.zeros(3, dtype=np.int32), np.zeros(3, dtype=bool), APART, pool([0, 0, 0], [0, 0, 0]).step)
    assert [part[1] for part in found.values()] == [0.0] * 4


def test_a_turn_of_several_lines_takes_little_from_other_turns_and_all_from_its_own() -> None:
    own = np.array([4.0, 0.0, 0.0])
    nothing, silent = np.zeros(3, dtype=np.int32), np.zeros(3, dtype=bool)
    step = pool([0, 0, 0], [0, 0, 0]).step
    outside = flow(own, nothing, silent, np.array([1, 2, 2]), step)
    inside = flow(own, nothing, silent, np.array([1, 1, 2]), step)
    assert outside[-1][1] == pytest.approx(FLOW.across * FLOW.before * 4.0)
    assert outside[-2][2] == pytest.approx(FLOW.across * FLOW.second * 4.0)
    assert inside[-1][1] == FLOW.before * 4.0
    assert inside[-2][2] == FLOW.second * 4.0


def test_words_close_to_the_question_s_count_as_far_as_the_knob_says() -> None:
    near = replace(pool([0.3] * 3, [1.0] * 3), kindred=np.array([0.5, 0.0, 0.0]))
    found = score(near, ORDINARY, facts([1000] * 3), RecallConfig())
    assert found.kindred.tolist() == [0.5 * WEIGHTS.kindred, 0.0, 0.0]
    assert found.own[0] == pytest.approx(0.5 * WEIGHTS.kindred)
    assert not score(near, ORDINARY, facts([1000] * 3), RecallConfig(kindred=0.0)).kindred.any()


def test_every_knob_switches_its_part_off() -> None:
    yes = np.ones(3, dtype=bool)
    description = LineFacts(np.array([5, 5, 5], dtype=np.int32), ~yes, yes, yes, yes, yes, np.ones(3))
    off = score(
        pool([0.5, 0.5, 0.5], [2.0, 2.0, 2.0]), ORDINARY, description, RecallConfig(chain=0.0, speaker=0.0, dates=0.0)
    )
    on = score(pool([0.5, 0.5, 0.5], [2.0, 2.0, 2.0]), ORDINARY, description, RecallConfig())
    assert not off.flowed.any()
    assert not off.speaker.any()
    assert not off.date.any()
    assert on.flowed.all()
    assert on.speaker.tolist() == [WEIGHTS.speaker + WEIGHTS.of_self + WEIGHTS.recounts] * 3
    assert on.date.tolist() == [WEIGHTS.date + WEIGHTS.tells_when] * 3
    assert on.total.tolist() == pytest.approx((on.own + on.flowed + on.speaker + on.date + on.substance).tolist())


def test_standing_grows_with_what_is_asserted_and_saturates() -> None:
    grown = standing(np.array([0, FLOW.half, 100_000], dtype=np.int32))
    assert grown.tolist() == pytest.approx([0.0, 0.5, 1.0], abs=1e-3)
    assert WEIGHTS.substance > 0
