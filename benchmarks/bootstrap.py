"""How sure a difference is: the paired bootstrap.

Knows: arrays of per-question figures.
Both rankings answered the same questions, so the questions are drawn, and each draw keeps its pair together:
    d_i = a_i − b_i;   interval = the 2.5 % and 97.5 % quantiles of mean(d*) over draws with replacement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pmg.base.errors import InputError

RESAMPLES = 2_000
SEED = 20_240_501  # any fixed number: the same figures give the same interval
_BATCH = 250  # draws held in memory together


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and its 95 % interval, over so many pairs."""

    mean: float
    low: float
    high: float
    pairs: int

    @property
    def sure(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


def paired(a: Sequence[float], b: Sequence[float], resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
    """The difference a − b; pairs in which either could not be measured are left out."""
    if len(a) != len(b):
        raise InputError(f"{len(a)} figures cannot be paired with {len(b)}: both must be of the same questions.")
    difference = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    difference = difference[~np.isnan(difference)]
    size = len(difference)
    if not size:
        return Interval(np.nan, np.nan, np.nan, 0)
    chance = np.random.default_rng(seed)
    means = [
        difference[chance.integers(0, size, (min(_BATCH, resamples - start), size))].mean(axis=1)
        for start in range(0, resamples, _BATCH)
    ]
    low, high = np.percentile(np.concatenate(means), [2.5, 97.5])
    return Interval(float(difference.mean()), float(low), float(high), size)
