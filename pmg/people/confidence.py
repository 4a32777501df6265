"""How likely a line is to answer: the confidence beside it.

Knows: four traits of a found line, and a logistic function of them that was fitted on LoCoMo's questions, in memories of a few sessions and in whole ones; docs/people.md has what it reaches where
it was not fitted. A fact that was read from a claim is as likely as claims are right, times how sure its speaker sounds. Pure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

TRAITS = ("share", "first", "ahead", "size")
WEIGHTS = (-1.061, 1.143, 0.625, 3.597, -0.354)  # bias first; `python -m benchmarks people` prints what is fitted
CLAIMS_RIGHT = 0.92  # of a claim, as labelled by hand


@dataclass(frozen=True, slots=True)
class LineTraits:
    """`share` of the question's terms, by weight, that the line holds as the affair of the one asked about."""

    share: float
    is_first: bool  # of the lines that are shown
    ahead: float  # by how much its share is above the best other line's; below, if negative
    lines: int  # in this memory: among more of them, the same share is easier to come by

    @property
    def values(self) -> tuple[float, ...]:
        return (self.share, float(self.is_first), self.ahead, math.log10(max(self.lines, 1)))


def chance(traits: LineTraits) -> float:
    value = WEIGHTS[0] + sum(weight * x for weight, x in zip(WEIGHTS[1:], traits.values, strict=True))
    return 1 / (1 + math.exp(-value))


def of_claim(certainty: float) -> float:
    return CLAIMS_RIGHT * certainty
