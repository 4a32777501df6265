"""The paired bootstrap."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.bootstrap import paired
from pmg.base.errors import InputError


def test_a_constant_difference_is_certain() -> None:
    found = paired([0.75] * 20, [0.5] * 20)
    assert (found.mean, found.low, found.high) == (0.25, 0.25, 0.25)
    assert found.sure


def test_pairs_stay_together() -> None:
    """Figures that vary widely but always differ by the same are as certain as constant ones."""
    base = np.random.default_rng(1).random(50)
    found = paired((base + 0.125).tolist(), base.tolist())
    assert found.high - found.low == pytest.approx(0.0, abs=1e-12)


def test_the_interval_is_that_of_the_normal_law_where_it_holds() -> None:
    difference = np.random.default_rng(2).normal(0.1, 1.0, 2_000)
    found = paired(difference.tolist(), [0.0] * 2_000)
    half = 1.96 * float(difference.std()) / math.sqrt(2_000)
    assert found.low == pytest.approx(found.mean - half, abs=0.006)
    assert found.high == pytest.approx(found.mean + half, abs=0.006)


def test_no_difference_is_not_sure() -> None:
    assert not paired([1.0, 0.0] * 30, [0.0, 1.0] * 30).sure


def test_the_same_figures_give_the_same_interval() -> None:
    a, b = np.random.default_rng(3).random((2, 100)).tolist()
    assert paired(a, b) == paired(a, b)


def test_pairs_without_a_figure_are_left_out() -> None:
    found = paired([1.0, math.nan, 1.0], [0.0, 0.0, math.nan])
    assert (found.mean, found.pairs) == (1.0, 1)
    assert paired([math.nan], [0.0]).pairs == 0


def test_figures_of_different_questions_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be paired"):
        paired([1.0], [])
