"""Views and macros: documented column by column, of one namespace, and right."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from pmg.analytics import questions, vectors
from pmg.analytics.date_range import ALL, CHOSEN, NAMES, DateRange, named
from pmg.analytics.questions import QUESTIONS
from pmg.base.errors import ConfigError, InputError, NotFound
from pmg.engine import Engine
from pmg.store.duckdb.views import MACROS, VIEWS
from tests.analytics.memory import CANARY, START


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_every_view_has_the_columns_that_are_explained(memory: Engine, view) -> None:  # type: ignore[no-untyped-def]
    assert memory.sql(f"FROM {view.name} LIMIT 1").columns == list(view.columns)


@pytest.mark.parametrize("macro", MACROS, ids=lambda macro: macro.name)
def test_every_macro_has_the_columns_that_are_explained(memory: Engine, macro) -> None:  # type: ignore[no-untyped-def]
    assert memory.sql(f"FROM {macro.name}('default')").columns == list(macro.columns)


def test_every_macro_is_a_question_of_the_charts() -> None:
    assert set(QUESTIONS) == {macro.name for macro in MACROS}
    assert {name for name, question in QUESTIONS.items() if question.ranged} == {
        macro.name for macro in MACROS if "since" in macro.parameters
    }


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_question_tells_anything_of_another_namespace(memory: Engine, name: str) -> None:
    mine = questions.ask(memory, name, "default").table
    assert CANARY not in str(mine.to_pylist())
    assert not questions.ask(memory, name, "nobody").table.num_rows or name in ("recall_funnel",)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_namespace_counts_the_same_with_and_without_a_neighbour(memory: Engine, name: str) -> None:
    """Both namespaces hold the same turns: what one counts must not depend on the other."""
    mine, theirs = (questions.ask(memory, name, namespace).table for namespace in ("default", "other"))
    assert mine.num_rows > 0 or name in ("upkeep", "tag_counts")
    if name in ("growth", "activity", "usefulness", "states", "quality_by_age", "hit_counts"):
        counted = "segments"
        assert sum(mine.column(counted).to_pylist()) == sum(theirs.column(counted).to_pylist()) == 24


def test_vectors_come_from_one_namespace(memory: Engine) -> None:
    shown = vectors.embedding_map(memory, "default").table
    assert shown.num_rows > 0
    assert CANARY not in str(shown.to_pylist())
    assert vectors.sample(memory, "nobody").vectors.shape[0] == 0
    assert vectors.embedding_map(memory, "nobody").table.num_rows == 0
    assert vectors.similarity(memory, "nobody").table.num_rows == 0


def test_a_namespace_cannot_break_out_of_its_quotes(memory: Engine) -> None:
    with pytest.raises(ConfigError):
        questions.ask(memory, "growth", "x') UNION SELECT 1 --")
    with pytest.raises(ConfigError):
        vectors.map_statement("x' OR true --", [1])


def test_growth_adds_up_and_keeps_what_was_before_the_range(memory: Engine) -> None:
    rows = questions.ask(memory, "growth", "default").table.to_pylist()
    assert [(row["day"], row["source"], row["segments"]) for row in rows[:1]] == [(date(2026, 1, 5), "chat", 4)]
    assert max(row["total"] for row in rows if row["source"] == "chat") == 16
    later = questions.ask(memory, "growth", "default", DateRange(date(2026, 1, 20))).table.to_pylist()
    assert [row["total"] for row in later if row["source"] == "chat"] == [16]


def test_a_range_is_cut_at_the_days_given(memory: Engine) -> None:
    whole = questions.ask(memory, "activity", "default").table.to_pylist()
    assert whole == [{"weekday": 1, "hour": 9, "segments": 24}]
    first = questions.ask(memory, "activity", "default", DateRange(START.date(), START.date() + timedelta(days=1)))
    assert first.table.to_pylist() == [{"weekday": 1, "hour": 9, "segments": 4}]
    assert "since := DATE '2026-01-05', until := DATE '2026-01-06'" in first.sql


def test_the_funnel_narrows(memory: Engine) -> None:
    steps = questions.ask(memory, "recall_funnel", "default").table.column("segments").to_pylist()
    assert steps == sorted(steps, reverse=True)
    assert steps[0] == 24 and steps[2] > 0


def test_recalls_are_counted_with_their_times(memory: Engine) -> None:
    (row,) = questions.ask(memory, "recall_days", "default").table.to_pylist()
    assert row["recalls"] == 3 and row["empty"] == 0 and row["shown"] > 0
    assert 0 < row["p50_ms"] <= row["p95_ms"]


def test_degrees_count_every_active_memory_once_a_sort(memory: Engine) -> None:
    active = memory.sql("SELECT count(*) FROM segments WHERE namespace = 'other' AND state = 'active'").rows[0][0]
    rows = questions.ask(memory, "degrees", "other").table.to_pylist()
    for sort in ("semantic", "typed"):
        assert sum(row["segments"] for row in rows if row["sort"] == sort) == active
    ends = memory.sql("SELECT count(*) FROM v_edges WHERE namespace = 'other' AND kind = 'semantic'").rows[0][0]
    assert sum(row["degree"] * row["segments"] for row in rows if row["sort"] == "semantic") <= 2 * ends


def test_fading_is_reckoned_from_the_configured_half_life(memory: Engine) -> None:
    asked = questions.ask(memory, "half_lives", "default")
    assert "days := 60" in asked.sql
    assert all(0 < row["expected"] <= 1 for row in asked.table.to_pylist())


def test_an_unknown_question_is_answered_with_the_list(memory: Engine) -> None:
    with pytest.raises(NotFound, match="growth"):
        questions.ask(memory, "grwth", "default")


def test_ranges_by_name() -> None:
    today = date(2026, 3, 31)
    assert named(ALL, today) == DateRange()
    assert named("last 7 days", today) == DateRange(date(2026, 3, 25), date(2026, 4, 1))
    assert named(CHOSEN, today, "2026-01-01", "2026-01-31") == DateRange(date(2026, 1, 1), date(2026, 2, 1))
    assert named(CHOSEN, today, "", "") == DateRange()
    assert set(NAMES) >= {ALL, CHOSEN}


@pytest.mark.parametrize(("since", "until"), [("soon", ""), ("2026-02-02", "2026-02-01"), ("", "9999-12-31")])
def test_a_range_that_makes_no_sense_is_told(since: str, until: str) -> None:
    with pytest.raises(InputError):
        named(CHOSEN, date(2026, 3, 31), since, until)


def test_a_map_is_the_same_every_time_and_parts_topics(memory: Engine) -> None:
    one, two = (vectors.embedding_map(memory, "default").table for _ in range(2))
    assert one.equals(two)
    cats = [row["x"] for row in one.to_pylist() if "cat" in row["text"]]
    bread = [row["x"] for row in one.to_pylist() if "bread" in row["text"].lower()]
    assert max(cats) < min(bread) or max(bread) < min(cats)


def test_similarity_shares_add_up_to_one(memory: Engine) -> None:
    data = vectors.similarity(memory, "default")
    for kind in ("random pairs", "linked pairs"):
        share = sum(row["share"] for row in data.table.to_pylist() if row["pairs"] == kind)
        assert share == pytest.approx(1.0)
    assert set(data.marks) >= {"edge", "floor", "merge"}
