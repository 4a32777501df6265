"""What the vectors of a memory are like: the mean and spread of any query's cosine follow from it.

Knows: the sample it is measured on. When it is measured anew is known to pmg/index/vector.py, which holds the vectors. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLE = 2_048  # windows: more do not change the figures


@dataclass(frozen=True, slots=True)
class VectorBackground:
    """Mean and covariance of the vectors of a memory."""

    count: int
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @classmethod
    def of(cls, vectors: NDArray[np.float32]) -> VectorBackground:
        return cls(
            len(vectors), vectors.mean(axis=0, dtype=np.float64), np.cov(vectors.T.astype(np.float64), bias=True)
        )

    def cosine(self, query: NDArray[np.float32]) -> tuple[float, float]:
        """Mean and variance of the cosine between this query and the memory."""
        wide = query.astype(np.float64)
        return float(wide @ self.mean), max(float(wide @ self.covariance @ wide), 0.0)


def sampled(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ids spread evenly over all of them: in whatever order they were added, the same."""
    ordered = np.sort(ids)
    places = np.unique(np.linspace(0, len(ordered) - 1, min(SAMPLE, len(ordered))).astype(np.int64))
    return ordered[places]
