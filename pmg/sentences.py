"""Where sentences end, for everyone who asks: windows, sentence vectors, quotes in an answer, what is asked and what is told.

A sentence ends after a full stop, an exclamation or question mark (and the quotes or brackets that close behind it) where a space follows;
after the wide marks of scripts without spaces at once; and at a line break. Pure and linear. How long a piece must be is the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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
    found: list[Range] = []
    start = 0
    for _, end in pieces(text):
        if end == len(text) or long_enough(text[start:end]):
            found.append(trimmed(text, start, end))
            start = end
    return [(first, last) for first, last in found if first < last]


def asks(sentence: str) -> bool:
    return sentence.rstrip(CLOSERS + " \n\t").endswith(ASKS)


def trimmed(text: str, first: int, last: int) -> Range:
    """The range without the blanks at its ends."""
    piece = text[first:last]
    lead = len(piece) - len(piece.lstrip())
    return first + lead, first + max(lead, len(piece.rstrip()))
