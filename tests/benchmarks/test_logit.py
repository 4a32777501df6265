"""The two small fits, on data whose weights are known."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.logit import ChoiceQuestion, conditional_logit, logistic_regression


def choices(weights: tuple[float, ...], count: int) -> list[ChoiceQuestion]:
    random = np.random.default_rng(7)
    found = []
    for _ in range(count):
        rows = random.normal(size=(8, len(weights)))
        powers = np.exp(rows @ np.array(weights))
        right = np.zeros(8)
        right[random.choice(8, p=powers / powers.sum())] = 1.0
        found.append(ChoiceQuestion(rows, right, 1.0))
    return found


def test_the_weights_by_which_rows_were_chosen_are_found() -> None:
    assert conditional_logit(choices((2.0, -1.0, 0.0), 2000), (0, 0, 0), 0.01) == pytest.approx((2, -1, 0), abs=0.15)


def test_a_weight_keeps_its_sign() -> None:
    found = conditional_logit(choices((2.0, -1.0), 500), (1, 1), 0.01)
    assert found[0] > 1 and found[1] == 0.0


def test_a_question_that_counts_nothing_teaches_nothing() -> None:
    some = choices((2.0,), 300)
    wrong = [ChoiceQuestion(one.rows, 1 - one.right, 0.0) for one in some]
    assert conditional_logit([*some, *wrong], (0,), 0.1) == pytest.approx(conditional_logit(some, (0,), 0.1), rel=0.05)


def test_the_chance_of_a_yes_is_found() -> None:
    random = np.random.default_rng(7)
    rows = random.normal(3.0, 2.0, size=(4000, 2))
    yes = (random.random(4000) < 1 / (1 + np.exp(-(-2 + 1.5 * rows[:, 0])))).astype(float)
    bias, weights = logistic_regression(rows, yes, np.ones(4000), (1, 1), 0.01)
    assert bias == pytest.approx(-2, abs=0.3) and weights == pytest.approx((1.5, 0), abs=0.15)
