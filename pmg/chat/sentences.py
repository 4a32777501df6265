"""A text as its sentences.

Knows: where a sentence ends in the scripts we meet, and that a very short one belongs to the next. Pure.
"""

from __future__ import annotations

import re

from pmg.words import count_words

SHORTEST = 4  # words: less is joined to what follows
_BREAK = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])|\n+")
_ASKS = ("?", "？", "؟")


def split(text: str) -> list[tuple[int, int]]:
    """Sentences as ranges of characters, without the space around them."""
    edges = [0, *(found.end() for found in _BREAK.finditer(text)), len(text)]
    found: list[tuple[int, int]] = []
    start = 0
    for end in edges[1:]:
        if count_words(text[start:end]) >= SHORTEST or end == len(text):
            piece = text[start:end]
            lead = len(piece) - len(piece.lstrip())
            if piece.strip():
                found.append((start + lead, start + len(piece.rstrip())))
            start = end
    return found


def asks(text: str) -> bool:
    return text.rstrip("\"'”’)» ").endswith(_ASKS)
