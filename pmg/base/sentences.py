"""Where sentences end, for everyone who asks: windows, sentence vectors, quotes in an answer, what is asked and what is told.

A sentence ends after a full stop, an exclamation or question mark (and the quotes or brackets that close behind it) where a space follows;
after the wide marks of scripts without spaces at once; and at a line break. Pure, and quick on any text. How long a piece must be is the caller's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from itertools import pairwise

Range = tuple[int, int]  # characters of the text: first, one past the last

STOPS = ".!?…؟۔।"
WIDE_STOPS = "。！？｡"  # no space follows these
CLOSERS = "\"'”’»)]」』）"
ASKS = ("?", "？", "؟")
_CLOSING = f"[{re.escape(CLOSERS)}]"
# A small letter after a closing quote goes on with the sentence around it: He asked "why?" and left.
_BREAK = re.compile(rf"(?<=[{STOPS}])(?:\s+|{_CLOSING}+\s+(?![a-z]))|(?<=[{WIDE_STOPS}]){_CLOSING}*|\n+")


def pieces(text: str) -> list[Range]:
    """The sentences in their order; together they are the whole text."""
    return list(pairwise([0, *(found.end() for found in _BREAK.finditer(text)), len(text)]))


def split(text: str, long_enough: Callable[[str], bool]) -> list[Range]:
    """The sentences without the blanks around them; one that is not long enough is joined to what follows."""
    ends = [end for _, end in pieces(text)]

    def is_enough(start: int, piece: int) -> bool:
        return long_enough(text[start : ends[piece]])

    found: list[Range] = []
    start = at = 0
    while at < len(ends):
        at = _closing(at, len(ends) - 1, partial(is_enough, start))
        found.append(trimmed(text, start, ends[at]))
        start, at = ends[at], at + 1
    return [(first, last) for first, last in found if first < last]


def _closing(at: int, last: int, is_enough: Callable[[int], bool]) -> int:
    """The first piece from `at` on that makes the sentence long enough, else the last.

    What is enough stays enough. So the steps double, and thousands of blank pieces cost a few looks instead of one each.
    """
    ahead, step = at, 1
    while ahead < last and not is_enough(ahead):
        at, ahead, step = ahead + 1, min(ahead + step, last), 2 * step
    return bisect_left(range(last + 1), True, at, ahead, key=is_enough)


def asks(sentence: str) -> bool:
    return sentence.rstrip(CLOSERS + " \n\t").endswith(ASKS)


def trimmed(text: str, first: int, last: int) -> Range:
    """The range without the blanks at its ends."""
    piece = text[first:last]
    lead = len(piece) - len(piece.lstrip())
    return first + lead, first + max(lead, len(piece.rstrip()))
