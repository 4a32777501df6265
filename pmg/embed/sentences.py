"""A line's sentences as windows of their own.

People say things by the way: "Any tips for packing? I just got a dog, by the way." The vector of the whole is about packing. So a short line of
several sentences is embedded whole and sentence by sentence, and its similarity is the best of them.

Knows: where sentences end. Does not know: models. Pure and linear.
"""

from __future__ import annotations

import re

from pmg.words import count_words

Range = tuple[int, int]

_BREAK = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
SHORTEST = 6  # words: less is joined to the sentence that follows
LONGEST = 150  # words: a longer line is an essay, and its windows are small enough


def sentences(text: str) -> list[Range]:
    """The sentences of a text of up to 150 words, if it has at least two; else none."""
    if len(text) > 20 * LONGEST or count_words(text) > LONGEST:
        return []
    edges = [0, *(found.end() for found in _BREAK.finditer(text)), len(text)]
    found: list[Range] = []
    start = 0
    for end in edges[1:]:
        if count_words(text[start:end]) >= SHORTEST or end == len(text):
            found.append(_trimmed(text, start, end))
            start = end
    found = [(a, b) for a, b in found if a < b]
    if len(found) > 1 and count_words(text[found[-1][0] : found[-1][1]]) < SHORTEST:
        found[-2:] = [(found[-2][0], found[-1][1])]
    return found if len(found) > 1 else []


def _trimmed(text: str, start: int, end: int) -> Range:
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    return start + lead, start + max(lead, len(piece.rstrip()))
