"""How well two ways of putting the same things into groups agree: purity, normalised mutual information, adjusted Rand index.

Knows: two lists of labels in, a number out; what has no group (-1) counts as a group of its own. k-means stands beside them as the plain way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]


def table(a: Sequence[int] | Labels, b: Sequence[int] | Labels) -> NDArray[np.float64]:
    """How many things have label i in the one and j in the other."""
    rows, columns = (np.unique(np.asarray(side), return_inverse=True)[1] for side in (a, b))
    found = np.zeros((int(rows.max()) + 1, int(columns.max()) + 1))
    np.add.at(found, (rows, columns), 1)
    return found


def purity(truth: Labels, found: Labels) -> float:
    """The share that carries the label most common in its group. What has no group is wrong."""
    inside = found >= 0
    if not inside.any():
        return 0.0
    return float(table(truth[inside], found[inside]).max(axis=0).sum() / len(truth))


def nmi(truth: Labels, found: Labels) -> float:
    """Mutual information over the mean of the two entropies: 1 where each tells the other, 0 where they have nothing to do with each other."""
    joint = table(truth, found) / len(truth)
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    there = joint > 0
    mutual = float((joint[there] * np.log(joint[there] / np.outer(rows, columns)[there])).sum())
    mean = (_entropy(rows) + _entropy(columns)) / 2
    return mutual / mean if mean > 0 else 1.0


def _entropy(shares: NDArray[np.float64]) -> float:
    there = shares[shares > 0]
    return float(-(there * np.log(there)).sum())


def adjusted_rand(a: Labels, b: Labels) -> float:
    """The share of pairs on which both agree, above what chance would give (Hubert and Arabie 1985)."""
    counted = table(a, b)
    both = _pairs(counted).sum()
    first, second = _pairs(counted.sum(axis=1)).sum(), _pairs(counted.sum(axis=0)).sum()
    expected = first * second / max(float(_pairs(np.array([len(a)]))[0]), 1.0)
    most = (first + second) / 2
    return float((both - expected) / (most - expected)) if most != expected else 1.0


def _pairs(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(counts * (counts - 1) / 2)


def k_means(vectors: NDArray[np.float32], count: int, seed: int, tries: int = 10, rounds: int = 100) -> Labels:
    """Lloyd's algorithm from k-means++ starts; the tightest of some tries."""
    data, random = vectors.astype(np.float64), np.random.default_rng(seed)
    best, tightest = np.zeros(len(data), dtype=np.int64), np.inf
    for _ in range(tries):
        centres, group = _starts(data, count, random), np.full(len(data), -1, dtype=np.int64)
        for _ in range(rounds):
            now = np.argmin(_distances(data, centres), axis=1)
            if np.array_equal(now, group):
                break
            group = now
            for number in np.unique(group).tolist():
                centres[number] = data[group == number].mean(axis=0)
        spread = float(_distances(data, centres)[np.arange(len(data)), group].sum())
        if spread < tightest:
            best, tightest = group, spread
    return best


def _starts(data: NDArray[np.float64], count: int, random: np.random.Generator) -> NDArray[np.float64]:
    chosen = [data[random.integers(len(data))]]
    for _ in range(count - 1):
        away = _distances(data, np.array(chosen)).min(axis=1)
        chosen.append(data[random.choice(len(data), p=away / away.sum())])
    return np.array(chosen)


def _distances(data: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.float64]:
    squared = (data**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1)[None] - 2 * data @ centres.T
    return np.asarray(np.maximum(squared, 0.0))
