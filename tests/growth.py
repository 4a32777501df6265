"""How processor time grows with the length of a text: a ratio within one run, so that no machine is too slow for it."""

from __future__ import annotations

import time
from collections.abc import Callable

LINEAR = 8.0  # four times the text: linear is 4, quadratic 16
_MEASURED = 0.002  # seconds of processor time, enough for its clock


ATTEMPTS = 3  # what is quadratic is so every time, what was held up by other work is not


def growth(run: Callable[[str], object], text: Callable[[int], str], size: int) -> float:
    """Time for 4 × size over time for size, the best of three each; measured again where that is much."""
    small, large = text(size), text(4 * size)
    found = _growth(run, small, large)
    for _ in range(ATTEMPTS - 1):
        if found < LINEAR:
            break
        found = min(found, _growth(run, small, large))
    return found


def _growth(run: Callable[[str], object], small: str, large: str) -> float:
    rounds = _rounds(run, small)
    return min(seconds(run, large, rounds) for _ in range(3)) / min(seconds(run, small, rounds) for _ in range(3))


def _rounds(run: Callable[[str], object], text: str) -> int:
    rounds = 1
    while seconds(run, text, rounds) < _MEASURED:
        rounds *= 2
    return rounds


def seconds(run: Callable[[str], object], text: str, rounds: int) -> float:
    before = time.thread_time()
    for _ in range(rounds):
        run(text)
    return time.thread_time() - before
