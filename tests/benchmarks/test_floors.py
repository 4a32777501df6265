"""Ours against the best plain search, on figures made by hand."""

from __future__ import annotations

from benchmarks.cases import RAW
from benchmarks.floors import ALL, gaps
from benchmarks.metrics import Metric
from benchmarks.run import BenchRun, RankedAnswer

R5, CONTEXT = Metric("turn", "R@5"), Metric("context", "500")


def answers(category: str, *figures: float) -> list[RankedAnswer]:
    return [
        RankedAnswer(f"{category}{i}", category, {RAW: {R5: value, CONTEXT: value}}, (1.0,))
        for i, value in enumerate(figures)
    ]


def run(ours: list[float], dense: list[float], bm25: list[float], category: str = "one") -> BenchRun:
    return BenchRun({name: answers(category, *row) for name, row in (("pmg", ours), ("dense", dense), ("bm25", bm25))})


def test_the_best_floor_is_named_and_the_gap_has_its_sign() -> None:
    found = gaps(run([0.0] * 30, [1.0] * 30, [0.5] * 30), ("one",), False)
    assert {gap.category for gap in found} == {ALL, "one"}
    assert all(gap.floor == "dense" and gap.gap.mean == -1.0 and gap.fault for gap in found)


def test_a_gap_that_may_be_chance_is_no_fault() -> None:
    found = gaps(run([1.0, 0.0] * 15, [0.0, 1.0] * 15, [0.0] * 30), ("one",), False)
    assert not any(gap.fault for gap in found)


def test_a_category_with_few_questions_has_no_row_and_one_outside_the_headline_is_not_in_the_total() -> None:
    assert {gap.category for gap in gaps(run([1.0] * 5, [0.0] * 5, [0.0] * 5), ("one",), False)} == {ALL}
    assert {gap.category for gap in gaps(run([1.0] * 25, [0.0] * 25, [0.0] * 25), ("two",), False)} == {"one"}


def test_blocks_have_no_floor_and_a_run_without_floors_has_no_gaps() -> None:
    found = gaps(run([1.0] * 5, [0.0] * 5, [0.0] * 5), ("one",), False)
    assert {gap.metric for gap in found} == {R5}
    assert gaps(BenchRun({"pmg": answers("one", 1.0)}), ("one",), False) == []
