"""Thresholds follow from measured pairs by a rule that can be checked by hand."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.base.errors import ConfigError
from pmg.embed import bundled
from pmg.embed.calibrate import Measured, calibrate, measure, random_pairs, shipped_pairs
from pmg.embed.thresholds import BUNDLED, PUBLISHED, Thresholds, thresholds_for
from tests.embedding import WordEmbedder

EVEN = np.linspace(0.0, 1.0, 1001)


def measured(random: float | None = None) -> Measured:
    return Measured(
        paraphrase=0.6 + 0.4 * EVEN,  # 5th percentile 0.62, median 0.80
        question=0.2 + 0.5 * EVEN,  # 5th percentile 0.225
        unrelated=0.4 * EVEN,  # 95th percentile 0.38, 99.9th 0.3996
        random=np.empty(0) if random is None else np.full(5_000, random),
    )


def test_the_floor_costs_at_most_one_true_memory_in_twenty() -> None:
    assert calibrate(measured(), "").floor == 0.225


def test_the_edge_is_halfway_while_the_store_is_small() -> None:
    assert calibrate(measured(), "").edge == pytest.approx((0.3996 + 0.62) / 2, abs=0.001)


@pytest.mark.parametrize(("random", "edge"), [(0.5, 0.5), (0.1, 0.4), (0.9, 0.62)])
def test_the_edge_is_the_stores_own_within_bounds(random: float, edge: float) -> None:
    assert calibrate(measured(random), "").edge == pytest.approx(edge, abs=0.001)


def test_merge_never_falls_below_the_published_value_but_may_rise() -> None:
    assert calibrate(measured(), "").merge == 0.88
    high = replace(measured(), paraphrase=0.9 + 0.1 * EVEN)
    assert calibrate(high, "").merge == 0.95


def test_a_model_with_the_published_anchors_gets_the_published_values() -> None:
    found = calibrate(replace(measured(0.6), question=np.full(10, 0.6), unrelated=np.full(10, 0.6)), PUBLISHED.origin)
    assert found == PUBLISHED


cosines = st.lists(st.floats(-1, 1), min_size=1, max_size=30).map(np.array)


@given(cosines, cosines, cosines, st.floats(-1, 1))
def test_thresholds_are_in_order_whatever_is_measured(
    paraphrase: np.ndarray, question: np.ndarray, unrelated: np.ndarray, random: float
) -> None:
    found = calibrate(Measured(paraphrase, question, unrelated, np.full(3_000, random)), "any")
    values = (found.floor, found.edge, found.link, found.context_duplicate, found.merge, found.ingest_duplicate)
    assert list(values) == sorted(values)
    assert found.extend == found.link


def test_pairs_ship_with_the_project() -> None:
    pairs = shipped_pairs()
    kinds = [pair.kind for pair in pairs]
    assert kinds.count("paraphrase") >= 120
    assert kinds.count("question") >= 40
    assert len({pair.a for pair in pairs} | {pair.b for pair in pairs}) == 2 * len(pairs)


def test_measuring_pairs_each_text_with_its_own_and_with_all_others() -> None:
    found = measure(WordEmbedder())
    paraphrases = len(found.paraphrase)
    questions = len(found.question)
    assert len(found.unrelated) == paraphrases * (paraphrases - 1) + questions * (questions - 1)
    assert np.median(found.paraphrase) > np.median(found.unrelated)


def test_random_pairs_come_from_different_sessions_and_are_the_same_every_time() -> None:
    vectors = np.eye(4, dtype=np.float32)[[0, 0, 1, 1]]
    sessions = np.array([0, 0, 1, 1])
    found = random_pairs(vectors, sessions)
    assert len(found) > 1000
    assert not found.any()  # within a session every pair has cosine 1, across sessions 0
    assert np.array_equal(found, random_pairs(vectors, sessions))


@pytest.mark.parametrize("count", [0, 1])
def test_a_store_with_no_pairs_has_no_random_cosines(count: int) -> None:
    assert len(random_pairs(np.zeros((count, 4), dtype=np.float32), np.zeros(count, dtype=np.int64))) == 0


def test_calibrated_values_win_then_the_models_own_then_the_published() -> None:
    mine = replace(PUBLISHED, edge=0.5, origin="mine")
    assert thresholds_for(bundled.NAME, bundled.SHA256, mine) is mine
    assert thresholds_for("whatever it is called", bundled.SHA256) is BUNDLED
    assert thresholds_for("BAAI/bge-m3", "f") is PUBLISHED
    unknown = thresholds_for("some/model", "f")
    assert replace(unknown, origin=PUBLISHED.origin) == PUBLISHED
    assert "some/model" in unknown.origin
    assert "pmg calibrate" in unknown.origin


@pytest.mark.parametrize("field", [field.name for field in fields(Thresholds) if field.name != "origin"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_threshold_out_of_range_is_refused(field: str, value: float) -> None:
    with pytest.raises(ConfigError, match=field):
        replace(PUBLISHED, **{field: value})
