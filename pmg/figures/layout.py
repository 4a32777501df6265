"""Where the nodes of a small graph stand: the same graph always stands the same way.

Knows: layouts by forces, pushed apart, and in rings. Does not know: what the nodes are. No randomness: every start is a spiral.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
GOLDEN = np.pi * (3 - np.sqrt(5))
ROUNDS = 300


def spiral(count: int) -> Points:
    """Evenly over a disc, the first in the middle."""
    k = np.arange(count)
    radius = np.sqrt(k / max(count - 1, 1))
    return np.stack([radius * np.cos(k * GOLDEN), radius * np.sin(k * GOLDEN)], axis=1)


def forces(sizes: Sequence[float], links: Sequence[tuple[int, int, float]]) -> Points:
    """Fruchterman and Reingold's rule: all push each other away, links pull, the middle holds. `sizes` are radii."""
    count = len(sizes)
    place, radius = spiral(count), np.asarray(sizes, dtype=np.float64)
    if count < 2:
        return place
    ideal = np.sqrt(4.0 / count)
    apart = ideal + (radius[:, None] + radius[None, :])
    pull = np.zeros((count, count))
    strongest = max((weight for _, _, weight in links), default=1.0) or 1.0
    for a, b, weight in links:
        pull[a, b] = pull[b, a] = weight / strongest
    for step in range(ROUNDS):
        way = place[:, None, :] - place[None, :, :]
        distance = np.maximum(np.linalg.norm(way, axis=2), 1e-6)
        push = apart**2 / distance - pull * distance**2 / ideal
        np.fill_diagonal(push, 0.0)
        move = (way / distance[:, :, None] * push[:, :, None]).sum(axis=1) - 0.35 * place
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        place = place + move / length * np.minimum(length, 0.12 * (1 - step / ROUNDS))
    return place


def apart(place: Points, boxes: Points) -> Points:
    """Stretched over [-1, 1] and then pushed apart until no two boxes (width and height of each) lie on each other."""
    if len(place) < 2:
        return np.zeros_like(place)
    low, high = place.min(axis=0), place.max(axis=0)
    place = 2 * (place - low) / np.maximum(high - low, 1e-9) - 1
    size = (boxes[:, None, :] + boxes[None, :, :]) / 2
    for _ in range(ROUNDS):
        way = place[:, None, :] - place[None, :, :]
        over = np.maximum(size - np.abs(way), 0.0)
        over[over.min(axis=2) <= 0] = 0.0
        index = np.arange(len(place))
        over[index, index] = 0.0
        if not over.any():
            break
        # The shorter way out, and for two in one place a settled one: the later goes right.
        sign = np.where(way == 0, np.sign(index[:, None] - index[None, :])[:, :, None], np.sign(way))
        shorter = over == over.min(axis=2, keepdims=True)
        place = place + 0.3 * (sign * over * shorter).sum(axis=1)
    return place


def rings(parents: Mapping[int, int], order: Sequence[int]) -> dict[int, tuple[float, float]]:
    """A tree around its root: each node inside the slice of its parent, a ring further out.

    `parents` leads from node to parent (the root is not in it); `order` has every node, the root first.
    """
    children: dict[int, list[int]] = {}
    for node in order[1:]:
        children.setdefault(parents[node], []).append(node)
    leaves = dict.fromkeys(order, 0)
    for node in reversed(order):
        leaves[node] = max(1, sum(leaves[child] for child in children.get(node, ())))
    placed = {order[0]: (0.0, 0.0)}
    slices = {order[0]: (0.0, 2 * np.pi)}
    depth = {order[0]: 0}
    for node in order:
        begin, end = slices[node]
        share = (end - begin) / max(1, sum(leaves[child] for child in children.get(node, ())))
        for child in children.get(node, ()):
            width = share * leaves[child]
            slices[child], depth[child] = (begin, begin + width), depth[node] + 1
            angle = np.pi / 2 - (begin + width / 2)  # the best child stands at the top, the others go clockwise
            ring = depth[child] + 0.15 * (depth[child] == 1)  # the first ring has labels and wants room
            placed[child] = (float(ring * np.cos(angle)), float(ring * np.sin(angle)))
            begin += width
    return placed
