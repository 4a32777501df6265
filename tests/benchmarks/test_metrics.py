"""The figures, against values computed by hand."""

from __future__ import annotations

import math

import pytest

from benchmarks.cases import Gold, LineRef
from benchmarks.metrics import Metric, Ranked, all_at, any_at, firsts, mean, measure, recall_at


def test_recall_is_the_fraction_of_the_gold_among_the_first_k() -> None:
    ranked = ["a", "b", "c", "d"]
    assert recall_at(ranked, {"b", "d", "x"}, 2) == pytest.approx(1 / 3)
    assert recall_at(ranked, {"b", "d", "x"}, 4) == pytest.approx(2 / 3)
    assert recall_at(ranked, {"b", "d"}, 10) == 1.0


def test_any_needs_one_and_all_needs_every_one() -> None:
    ranked = ["a", "b", "c"]
    assert any_at(ranked, {"c", "x"}, 2) == 0.0
    assert any_at(ranked, {"c", "x"}, 3) == 1.0
    assert all_at(ranked, {"c", "x"}, 3) == 0.0
    assert all_at(ranked, {"a", "c"}, 3) == 1.0


def test_without_gold_there_is_no_figure_and_means_leave_it_out() -> None:
    assert all(math.isnan(figure([], set(), 5)) for figure in (recall_at, any_at, all_at))
    assert mean([1.0, math.nan, 0.0]) == 0.5
    assert math.isnan(mean([]))


def test_a_session_stands_where_its_best_segment_stands() -> None:
    assert firsts(["s2", "s1", "s2", "s3", "s1"]) == ["s2", "s1", "s3"]


def test_every_level_is_measured_by_its_own_list() -> None:
    gold = Gold(frozenset({LineRef("g", 0), LineRef("h", 1)}), frozenset({"s1", "s2"}))
    lines = [LineRef(f"x{i}", 0) for i in range(7)] + [LineRef("h", 1)]
    contexts = {
        500: frozenset({LineRef("h", 1)}),
        1000: frozenset({LineRef("h", 1), LineRef("g", 0)}),
        2000: frozenset(),
    }
    found = measure(Ranked(lines, ["g", "x", "h"], ["s2", "s3"], contexts), gold)
    assert found[Metric("turn", "R@5")] == 0.0
    assert found[Metric("turn", "R@10")] == 0.5
    assert found[Metric("segment", "R@5")] == 1.0
    assert found[Metric("session", "any@5")] == 1.0
    assert found[Metric("session", "all@10")] == 0.0
    assert [found[Metric("context", str(budget))] for budget in (500, 1000, 2000)] == [0.5, 1.0, 0.0]


def test_a_floor_has_no_context_figures() -> None:
    gold = Gold(frozenset({LineRef("g", 0)}), frozenset({"s1"}))
    assert not [m for m in measure(Ranked([], [], []), gold) if m.level == "context"]
