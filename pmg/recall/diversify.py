"""Maximal marginal relevance: each next choice is the best that is unlike those already chosen.

    choose argmax of λ · relevance − (1 − λ) · greatest cosine to what is chosen        relevance scaled to 0–1

Knows: the rule, over the best candidates only. λ = 1 leaves the order as it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]


def mmr(relevance: NDArray[np.float64], vectors: NDArray[np.float32], lam: float, k: int) -> Places:
    """The places of the k choices in order. `relevance` and unit `vectors` are aligned; ties go to the earlier place."""
    count = len(relevance)
    if lam >= 1 or count == 0:
        return np.asarray(np.argsort(-relevance, kind="stable")[:k])
    spread = float(relevance.max() - relevance.min())
    scaled = (relevance - relevance.min()) / spread if spread > 0 else np.ones(count)
    likeness = np.zeros(count)
    taken = np.zeros(count, dtype=bool)
    chosen = []
    for _ in range(min(k, count)):
        worth = np.where(taken, -np.inf, lam * scaled - (1 - lam) * likeness)
        best = int(np.argmax(worth))
        taken[best] = True
        chosen.append(best)
        likeness = np.maximum(likeness, vectors @ vectors[best])
    return np.array(chosen, dtype=np.int64)
