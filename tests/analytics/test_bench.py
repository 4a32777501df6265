"""`python -m benchmarks analytics` asks every chart's question, and its synthetic memory has something to answer all of them."""

from __future__ import annotations

from pathlib import Path

from benchmarks import analytics
from pmg.analytics.questions import QUESTIONS


def test_every_question_is_measured_and_answered(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(analytics, "REPEATS", 1)
    costs = list(analytics.measure(1_000, tmp_path))
    assert {cost.question for cost in costs} == {*QUESTIONS, "embedding_map", analytics.FLOOR}
    assert all(cost.rows > 0 for cost in costs)
    table = analytics.markdown([*costs, analytics.sample_cost()])
    assert table.count("\n") == len(costs) + 1
