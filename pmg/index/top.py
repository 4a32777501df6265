"""The best few of many scores, without sorting all of them.

Knows: arrays of scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RUN = 64  # scores looked at together


def bound(scores: NDArray[np.float32], k: int) -> float:
    """A score that at least k rows reach: the k-th best of the best of every run. -inf where there are too few runs to tell."""
    runs = len(scores) // RUN
    if runs <= k:
        return float("-inf")
    best = scores[: runs * RUN].reshape(runs, RUN).max(axis=1)
    return float(np.partition(best, runs - k)[runs - k])


def best_rows(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The rows of the k highest scores, in no order; which of equal ones is not said."""
    rows = np.flatnonzero(scores >= bound(scores, k))
    if len(rows) > k:
        rows = rows[np.argpartition(scores[rows], len(rows) - k)[len(rows) - k :]]
    return rows
