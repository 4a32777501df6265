"""What a person might do next, from a few signs. Pure: numbers in, sentences out, each with the command that does it.

Knows: the rules below and their reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pmg.doctor import OK, Finding

MIN_MEMORIES = 20  # memories: under this a share says nothing
LONELY = 0.5  # share without a semantic link: with more the graph does not help recall
UNASKED = 0.05  # share ever recalled
EMPTY = 0.8  # share of recalls with something to show


@dataclass(frozen=True, slots=True)
class HealthSigns:
    active: int
    used: int  # of them, ever recalled
    unlinked: int  # of them, without a semantic link
    recalls: int
    pending: int  # without vectors
    reviews: int  # pairs that wait for a decision
    topics: int
    answered: float  # share of recalls with something to show


def suggestions(signs: HealthSigns, health: Sequence[Finding]) -> list[str]:
    """The most pressing first; never empty."""
    found = [f"{finding.what}: {finding.mend}" for finding in health if finding.level != OK and finding.mend]
    if signs.active == 0:
        return [*found, "Nothing is stored here yet: `pmg import FILE` brings your history, `pmg demo` shows a sample."]
    if signs.pending:
        found.append(f"{signs.pending} memories have no vectors yet: open the memory with its model (`pmg doctor`).")
    if signs.reviews:
        pairs = "1 pair sounds" if signs.reviews == 1 else f"{signs.reviews} pairs sound"
        found.append(f"{pairs} alike and may differ: `pmg steward review` shows them side by side.")
    if not signs.topics and signs.active >= MIN_MEMORIES:
        found.append("No topics were found yet: `pmg steward run links` finds them.")
    if signs.active >= MIN_MEMORIES and signs.unlinked > LONELY * signs.active:
        share = signs.unlinked / signs.active
        found.append(
            f"{share:.0%} of memories have no semantic link: `pmg calibrate` fits the thresholds to your memory."
        )
    if signs.recalls >= MIN_MEMORIES and signs.answered < EMPTY:
        found.append(f"{1 - signs.answered:.0%} of recalls had nothing to show: look at some in the recall preview.")
    if signs.recalls == 0:
        found.append("Nothing was recalled yet: connect an assistant, or ask with `pmg recall`.")
    elif signs.active >= MIN_MEMORIES and signs.used < UNASKED * signs.active:
        found.append(
            f"Only {signs.used / signs.active:.0%} of memories were ever recalled: most lie idle; that is not wrong by itself."
        )
    return found or ["Nothing needs your hand."]
