"""Words of a clause with their places, contractions opened: "I'm" is "i" and "am".

Knows: how English joins words. Pure.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*['’]?|\d+(?:[.,:]\d+)*|\S")
_WHOLE = {
    "can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not"),
    "gonna": ("going", "to"), "wanna": ("want", "to"), "gotta": ("got", "to"), "ain't": ("is", "not"), "im": ("i", "am"),
    "ive": ("i", "have"), "dont": ("do", "not"), "didnt": ("did", "not"), "cant": ("can", "not"),
}  # fmt: skip
_ENDINGS = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s"}


class PlacedWord(NamedTuple):
    word: str  # small letters, ' for ’
    start: int
    end: int
    text: str  # as it stands


def tokens(text: str, start: int = 0, end: int | None = None) -> list[PlacedWord]:
    """The parts of a contraction share its place."""
    found: list[PlacedWord] = []
    for match in _WORD.finditer(text, start, len(text) if end is None else end):
        word = match[0].lower().replace("’", "'")
        found += [PlacedWord(part, match.start(), match.end(), match[0]) for part in _opened(word)]
    return found


def _opened(word: str) -> tuple[str, ...]:
    if "'" not in word:
        return _WHOLE.get(word, (word,)) if len(word) < 7 else (word,)
    if word in _WHOLE:
        return _WHOLE[word]
    if word.endswith("n't"):
        return (word[:-3], "not")
    head, mark, tail = word.rpartition("'")
    ending = _ENDINGS.get(mark + tail)
    return (head, ending) if ending and head else (word,)
