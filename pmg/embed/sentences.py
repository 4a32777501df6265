"""A line's sentences as windows of their own.

People say things by the way: "Any tips for packing? I just got a dog, by the way." The vector of the whole is about packing. So a short line of
several sentences is embedded whole and sentence by sentence, and its similarity is the best of them.

pmg/base/sentences.py knows where a sentence ends; here is which of them get a vector. Pure and linear.
"""

from __future__ import annotations

from pmg.base.sentences import Range, split
from pmg.base.words import count_words

MIN_WORDS = 6  # words: less is joined to the sentence that follows
MAX_WORDS = 150  # words: a longer line is an essay, and its windows are small enough


def sentences(text: str) -> list[Range]:
    """The sentences of a text of up to 150 words, if it has at least two; else none."""
    if len(text) > 20 * MAX_WORDS or count_words(text) > MAX_WORDS:
        return []
    found = split(text, _long_enough)
    if len(found) > 1 and not _long_enough(text[slice(*found[-1])]):
        found[-2:] = [(found[-2][0], found[-1][1])]
    return found if len(found) > 1 else []


def _long_enough(piece: str) -> bool:
    return count_words(piece) >= MIN_WORDS
