"""A text as its sentences, as the chat quotes them.

Knows: that a very short one belongs to the next. Where a sentence ends is known to pmg/base/sentences.py. Pure.
"""

from __future__ import annotations

from pmg.base import sentences
from pmg.base.words import count_words

MIN_WORDS = 4  # words: less is joined to what follows


def split(text: str) -> list[sentences.Range]:
    """Sentences as ranges of characters, without the space around them."""
    return sentences.split(text, lambda piece: count_words(piece) >= MIN_WORDS)
