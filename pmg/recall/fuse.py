"""Joining two ranked lists into one: by rank, or by score.

Knows: reciprocal rank fusion and the sum of scaled scores, over segments. Pure: arrays in, arrays out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pmg.store.rows import Numbers

Scores = NDArray[np.float64]
RRF_K = 60  # the published smoothing constant


def rrf(lists: list[Numbers], k: int = RRF_K) -> tuple[Numbers, Scores]:
    """score(d) = Σ over lists 1 / (k + rank), rank from 1. Scales never meet, so none needs calibrating."""
    return _sorted([(numbers, 1.0 / (k + 1.0 + np.arange(len(numbers), dtype=np.float64))) for numbers in lists])


def scaled(lists: list[tuple[Numbers, NDArray[np.float32]]]) -> tuple[Numbers, Scores]:
    """score(d) = Σ over lists (s − s_min) / (s_max − s_min), each list on its own scale from 0 to 1."""
    return _sorted([(numbers, _unit(scores.astype(np.float64))) for numbers, scores in lists])


def _unit(scores: Scores) -> Scores:
    if not len(scores):
        return scores
    low, high = float(scores.min()), float(scores.max())
    # The last of a list is still a hit: it keeps a little, so that being found by both always counts.
    return 0.05 + 0.95 * (scores - low) / (high - low) if high > low else np.ones_like(scores)


def _sorted(parts: list[tuple[Numbers, Scores]]) -> tuple[Numbers, Scores]:
    """Best first; ties go to the lower number."""
    numbers = np.concatenate([n for n, _ in parts]) if parts else np.empty(0, dtype=np.int64)
    scores = np.concatenate([s for _, s in parts]) if parts else np.empty(0)
    distinct, place = np.unique(numbers, return_inverse=True)
    total = np.zeros(len(distinct))
    np.add.at(total, place, scores)
    order = np.lexsort((distinct, -total))
    return distinct[order], total[order]
