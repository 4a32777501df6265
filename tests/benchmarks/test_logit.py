"""The small fit, on data whose weights are known."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.logit import logistic_regression


def test_the_chance_of_a_yes_is_found_and_a_weight_keeps_its_sign() -> None:
    random = np.random.default_rng(7)
    rows = random.normal(3.0, 2.0, size=(4000, 2))
    yes = (random.random(4000) < 1 / (1 + np.exp(-(-2 + 1.5 * rows[:, 0])))).astype(float)
    bias, weights = logistic_regression(rows, yes, np.ones(4000), (1, 1), 0.01)
    assert bias == pytest.approx(-2, abs=0.3) and weights == pytest.approx((1.5, 0), abs=0.15)
    _, held = logistic_regression(rows, yes, np.ones(4000), (-1, 1), 0.01)
    assert held[0] == 0.0
