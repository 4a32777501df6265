"""A small fit in numpy: how likely something is (a logistic regression).

    P(yes) = 1 / (1 + e^−(bias + w·x))

It holds every weight to its sign where one is given, keeps weights small (ridge, on columns of spread 1), and is the same in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Loss = Callable[[Array], tuple[float, Array]]
STEPS, MIN_STEP = 500, 1e-9  # more steps change no digit that is kept


def logistic_regression(
    rows: Array, yes: Array, counts: Array, signs: Sequence[int], ridge: float
) -> tuple[float, Array]:
    """The bias and a weight a column."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    scaled = np.column_stack([np.ones(len(rows)), (rows - middle) / spread])
    counts, ridge = counts / counts.sum(), ridge / len(counts)
    free = np.array([0.0, *np.ones(rows.shape[1])])  # the bias is not held small

    def loss(weights: Array) -> tuple[float, Array]:
        scores = scaled @ weights
        chance = 1 / (1 + np.exp(-np.clip(scores, -60, 60)))
        off = float(counts @ (np.logaddexp(0, scores) - yes * scores))
        return off + ridge * float(free @ weights**2), scaled.T @ (counts * (chance - yes)) + 2 * ridge * free * weights

    found = descend(loss, np.zeros(scaled.shape[1]), np.array([0, *signs]))
    weights: Array = found[1:] / spread
    return float(found[0] - weights @ middle), weights


def descend(loss: Loss, start: Array, signs: NDArray[np.int64]) -> Array:
    """Accelerated projected descent: a step that does not lower the loss is halved, and the momentum begins anew."""
    at, ahead, speed, step = start, start, 1.0, 1.0
    known = loss(at)[0]
    for _ in range(STEPS):
        value, slope = loss(ahead)
        while True:
            to = _held(ahead - step * slope, signs)
            moved = to - ahead
            reached = loss(to)[0]
            if reached <= value + slope @ moved + moved @ moved / (2 * step) + 1e-12 or step < MIN_STEP:
                break
            step /= 2
        if reached > known:
            ahead, speed = at, 1.0
            continue
        if np.abs(to - at).max() < MIN_STEP and speed > 1.0:
            return to
        faster = (1 + (1 + 4 * speed**2) ** 0.5) / 2
        ahead = to + (speed - 1) / faster * (to - at)
        at, known, speed = to, reached, faster
    return at


def _held(weights: Array, signs: NDArray[np.int64]) -> Array:
    return np.where(signs > 0, np.maximum(weights, 0), np.where(signs < 0, np.minimum(weights, 0), weights))
