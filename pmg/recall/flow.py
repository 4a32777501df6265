"""Relevance flows along the chain: a line's score is its own and a share of its neighbours'.

The idea: what a short or elliptical line is about stands in the lines around it ("yes, that one"), and the answer to a question stands in
the line after it; a line that says a lot by itself needs nobody. So the share falls with how much the line asserts by itself:

    standing_i = asserts_i / (asserts_i + h)
    flow_i     = (1 − standing_i) · (after · own_{i+1} + (before + asked · [line i−1 asks]) · own_{i−1} + second · (own_{i−2} + own_{i+2}))

Knows: arrays of one pool. Does not know: where the scores come from. A neighbour that is not in the pool counts as ordinary (0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.store.rows import Numbers

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FlowWeights:
    """Measured on two benchmarks together; ± 30 % in any of them moves recall by less than half a point."""

    half: float = 15.0  # asserted words at which a line half stands on its own
    after: float = 0.5
    before: float = 0.25
    asked: float = 0.5
    second: float = 0.25


FLOW = FlowWeights()


def flow(
    own: Scores,
    asserts: NDArray[np.int32],
    asks: NDArray[np.bool_],
    step: Mapping[int, Numbers],
    weights: FlowWeights = FLOW,
) -> dict[int, Scores]:
    """What each line gets from each of its four neighbours, by how many lines away it comes from."""
    share = 1 - standing(asserts, weights.half)
    answered = _at(asks.astype(np.float64), step[-1])
    return {
        1: share * weights.after * _at(own, step[1]),
        -1: share * (weights.before + weights.asked * answered) * _at(own, step[-1]),
        2: share * weights.second * _at(own, step[2]),
        -2: share * weights.second * _at(own, step[-2]),
    }


def standing(asserts: NDArray[np.int32], half: float = FLOW.half) -> Scores:
    """How far a line stands on its own: 0 for one that asserts nothing, towards 1 for one that says a lot."""
    return np.asarray(asserts / (asserts + half), dtype=np.float64)


def _at(values: Scores, rows: Numbers) -> Scores:
    return np.where(rows >= 0, values[rows], 0.0)
