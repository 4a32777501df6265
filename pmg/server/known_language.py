"""Whether the embedding model knows the language of a text: what means something close is known only then.

Knows: which model has English alone, and two signs of a text that is not in English. To a model that does not know a language all its texts are alike.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from pmg.embed import bundled
from pmg.embed.embedder import Embedder
from pmg.index.function_words import function_words

ENGLISH_ONLY = frozenset({bundled.SHA256})  # fingerprints; of a model that a person brings it is not known
IN_PIECES = 0.5  # of the words: more of them are cut in no English text but one of names and terms
ENOUGH_WORDS = 6  # "Metformin dosage" is English, and each of its words is cut: pieces are a sign only among more words
READ = 2_000  # characters of a text: its language shows in its beginning
_BEYOND_LATIN = "\u0250"  # letters from here on are in no English word: a few are sign enough
_WORD = re.compile(r"[^\W\d_]+")


def knows_language(embedder: Embedder, text: str) -> bool:
    """False only where the model has English alone and the text shows another language."""
    if embedder.fingerprint not in ENGLISH_ONLY:
        return True
    beginning = text[:READ]
    if function_words(beginning):
        return False
    return _is_too_short(beginning) or _share_in_pieces(embedder, beginning) <= IN_PIECES


def _is_too_short(text: str) -> bool:
    """Whether pieces tell nothing of it: a few words, all in Latin letters. Then it shows no language."""
    words = _WORD.findall(text)
    return len(words) < ENOUGH_WORDS and max(map(max, words), default="") < _BEYOND_LATIN


def _share_in_pieces(embedder: Embedder, text: str) -> float:
    """Of the words, those that the model has only in pieces: a sign for every language, also one whose words nobody listed."""
    starts = [start for start, _ in embedder.token_spans(text).tolist()]
    words = [found.span() for found in _WORD.finditer(text)]
    cut = sum(bisect_left(starts, end) > bisect_right(starts, start) for start, end in words)
    return cut / len(words) if words else 0.0
