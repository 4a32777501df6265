"""The score: the formula, the half-life that follows quality, and fairness to what is new."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from pmg.base.times import to_micros
from pmg.config import StewardConfig as Settings
from pmg.engine import Engine
from pmg.store.maintenance import Signals
from steward.score import scores
from steward.steward import Steward
from tests.steward.memories import NOON, snapshot, tell
from tests.stores import store_of


def signals(
    hits: list[int], idle_days: list[float], quality: list[float], namespace: list[str] | None = None
) -> Signals:
    said = np.array([to_micros(NOON - timedelta(days=1000))] * len(hits), dtype=np.int64)
    used = np.array([to_micros(NOON - timedelta(days=d)) for d in idle_days], dtype=np.int64)
    count = len(hits)
    return Signals(
        np.arange(1, count + 1),
        namespace or ["default"] * count,
        said,
        np.where(np.array(hits) > 0, used, -1),
        np.array(hits),
        np.array(quality),
        np.zeros(count, dtype=np.bool_),
        np.full(count, np.nan),
    )


def test_it_is_the_published_formula_at_middling_quality() -> None:
    found = scores(signals([7, 3, 1], [0, 60, 120], [0.5] * 3), NOON, Settings())
    assert found == pytest.approx([1.0, np.log2(4) / np.log2(8) * 0.5, np.log2(2) / np.log2(8) * 0.25], abs=1e-6)


def test_better_memories_fade_more_slowly() -> None:
    low, middle, high = scores(signals([1, 1, 1], [60] * 3, [0.0, 0.5, 1.0]), NOON, Settings())
    assert [low, middle, high] == pytest.approx([0.25, 0.5, 0.5**0.5], abs=1e-6)


def test_other_namespaces_do_not_count() -> None:
    found = scores(signals([1, 1000], [0, 0], [0.5, 0.5], ["mine", "theirs"]), NOON, Settings())
    assert found == pytest.approx([1.0, 1.0])


def test_what_is_new_is_not_punished_and_what_is_old_and_unused_is_nothing(engine: Engine) -> None:
    tell(engine, "old", "The landlord of the flat is called Brandt.", at=NOON - timedelta(days=400))
    tell(engine, "new", "The doctor wants to see my knee again.", at=NOON - timedelta(hours=1))
    Steward(engine, lambda: NOON).run(["score"])
    old, new = engine.reads.maintenance.segment_rows([1, 2])
    assert old.score == 0.0
    assert new.score is not None
    assert new.score > 0.9


@pytest.mark.parametrize("jump", [timedelta(days=-365), timedelta(days=3650), timedelta(days=-40_000)])
def test_a_clock_that_jumps_gives_numbers_from_0_to_1(engine: Engine, jump: timedelta) -> None:
    tell(engine, "one", "The garden needs new soil and seeds.", "The tomato plants need sun.")
    store_of(engine).add_hits([1, 1], NOON)
    Steward(engine, lambda: NOON + jump).run(["score"])
    for row in engine.reads.maintenance.segment_rows([1, 2]):
        assert row.score is not None
        assert 0.0 <= row.score <= 1.0


def test_a_pass_can_be_undone_until_the_next_one(engine: Engine) -> None:
    tell(engine, "one", "The garden needs new soil and seeds.")
    steward = Steward(engine, lambda: NOON)
    first = steward.run(["score"])
    store_of(engine).add_hits([1, 1, 1], NOON)
    before = snapshot(engine)
    second = Steward(engine, lambda: NOON + timedelta(days=90)).run(["score"])
    assert snapshot(engine) != before
    with pytest.raises(Exception, match="later pass"):
        steward.undo(first.run)
    steward.undo(second.run)
    assert snapshot(engine) == before
