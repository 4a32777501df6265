"""Relevance flows along the chain: a line's score is its own and a share of its neighbours'.

The idea: what a short or elliptical line is about stands in the lines around it ("yes, that one"), and the answer to a question stands in
the line after it; a line that says a lot by itself needs nobody. So the share falls with how much the line asserts by itself:

    standing_i = asserts_i / (asserts_i + h)
    above_i    = max(own_i, 0): a neighbour that is less than ordinary takes nothing away
    flow_i     = (1 − standing_i) · (after · above_{i+1} + (before + asked · [line i−1 asks]) · above_{i−1} + second · (above_{i−2} + above_{i+2}))

A turn of several lines, a message and its answer, has its context inside: its lines take only the tenth part from other turns. Else a
session about the topic of a question would push all its exchanges before the one of another session that has the answer.

Knows: arrays of one pool. A neighbour that is not in the pool counts as ordinary (0).
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
    """How they were chosen stands in docs/recall.md."""

    half: float = 25.0  # asserted words at which a line half stands on its own
    after: float = 0.5
    before: float = 0.1
    asked: float = 0.75
    second: float = 0.25
    across: float = 0.1  # of all this, for what comes into a turn of several lines from another turn


FLOW = FlowWeights()


def flow(
    own: Scores,
    asserts: NDArray[np.int32],
    asks: NDArray[np.bool_],
    turn: Numbers,
    step: Mapping[int, Numbers],
    weights: FlowWeights = FLOW,
) -> dict[int, Scores]:
    """What each line gets from each of its four neighbours, by how many lines away it comes from. Lines of one turn stand together."""
    above = np.maximum(own, 0.0)
    share = 1 - standing(asserts, weights.half)
    answered = _at(asks.astype(np.float64), step[-1])
    several = np.zeros(len(turn), dtype=np.bool_)
    several[1:] |= turn[1:] == turn[:-1]
    several[:-1] |= turn[1:] == turn[:-1]

    def part(places: int, weight: float | Scores) -> Scores:
        outside = several & (turn[step[places]] != turn)
        return np.asarray(share * weight * np.where(outside, weights.across, 1.0) * _at(above, step[places]))

    return {
        1: part(1, weights.after),
        -1: part(-1, weights.before + weights.asked * answered),
        2: part(2, weights.second),
        -2: part(-2, weights.second),
    }


def standing(asserts: NDArray[np.int32], half: float = FLOW.half) -> Scores:
    """How far a line stands on its own: 0 for one that asserts nothing, towards 1 for one that says a lot."""
    return np.asarray(asserts / (asserts + half), dtype=np.float64)


def _at(values: Scores, rows: Numbers) -> Scores:
    return np.where(rows >= 0, values[rows], 0.0)
