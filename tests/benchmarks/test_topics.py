"""The benchmark of topics: its measures on groups one can reckon by hand, and sessions that are the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import topic_sessions
from benchmarks.partitions import adjusted_rand, k_means, nmi, purity
from benchmarks.topics import run
from tests.embedding import WordEmbedder

pytestmark = pytest.mark.slow

TRUTH = np.array([0, 0, 0, 1, 1, 1], dtype=np.int64)


def test_equal_groups_agree_whatever_their_numbers() -> None:
    other = np.array([5, 5, 5, 2, 2, 2], dtype=np.int64)
    assert (purity(TRUTH, other), adjusted_rand(TRUTH, other)) == (1.0, 1.0)
    assert nmi(TRUTH, other) == pytest.approx(1.0)


def test_one_in_the_wrong_group_costs_what_it_should() -> None:
    found = np.array([0, 0, 1, 1, 1, 1], dtype=np.int64)
    assert purity(TRUTH, found) == pytest.approx(5 / 6)
    # pairs: 4 together in both, 6 in the truth, 7 found, 15 in all (Hubert and Arabie)
    assert adjusted_rand(TRUTH, found) == pytest.approx((4 - 6 * 7 / 15) / ((6 + 7) / 2 - 6 * 7 / 15))


def test_what_has_no_group_is_wrong() -> None:
    assert purity(TRUTH, np.array([0, 0, -1, 1, 1, -1], dtype=np.int64)) == pytest.approx(4 / 6)
    assert purity(TRUTH, np.full(6, -1, dtype=np.int64)) == 0.0


def test_one_group_for_all_tells_nothing() -> None:
    assert nmi(TRUTH, np.zeros(6, dtype=np.int64)) == pytest.approx(0.0)
    assert adjusted_rand(TRUTH, np.zeros(6, dtype=np.int64)) == pytest.approx(0.0)


def test_k_means_finds_what_lies_apart() -> None:
    points = np.array([[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]], dtype=np.float32)
    assert adjusted_rand(TRUTH, k_means(points, 2, 0)) == 1.0


def test_the_sessions_are_many_of_twelve_themes_and_the_same_every_time() -> None:
    first, again = topic_sessions.labelled(), topic_sessions.labelled()
    assert first == again
    assert len(first) >= 300
    assert len({one.theme for one in first}) == 12
    themes = topic_sessions.themes()
    assert all(len(set(theme.exchanges)) == len(theme.exchanges) >= 12 for theme in themes.values())
    for one in first:
        said = [(turn.lines[0].text, turn.lines[1].text) for turn in one.session.turns]
        own = sum(exchange in themes[one.theme].exchanges for exchange in said)
        assert own >= max(1, len(said) - 2)  # at most one digression and some small talk


def test_a_run_gives_every_figure() -> None:
    found = run(WordEmbedder())
    assert found.ways[0].name == "topics"
    assert all(0 <= way.purity <= 1 and 0 <= way.nmi <= 1 and 0 <= way.coverage <= 1 for way in found.ways)
    assert len(found.stability) == 3
    assert found.sample is None
