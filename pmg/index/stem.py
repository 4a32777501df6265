"""The stem of a word, by the Snowball project's algorithms (PyStemmer), chosen word by word from its letters.

A memory mixes languages, and so does a text. Guessing the language of a text would stem a word one way in a long line and another way in a
short question. So the script decides: what is stored and what is asked always meet. Words in Latin letters are stemmed as English,
whatever their language; a word with a letter that its script's language does not use (Ukrainian among Cyrillic, Persian among Arabic)
stays as it is.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import Stemmer

from pmg.base.patterns import plain

VERSION = (
    f"2, Snowball {Stemmer.version()}"  # raise the number when the rule here changes: word indexes are then rebuilt
)
MIN_LETTERS = 3  # letters: a shorter word has no ending to lose

_LANGUAGES = (
    ("english", plain(r"[a-z']+")),
    ("russian", plain(r"[\u0430-\u044f\u0451]+")),
    ("greek", plain(r"[\u03ac-\u03ce\u0390]+")),
    ("arabic", plain(r"[\u0621-\u063a\u0641-\u0652]+")),
    ("armenian", plain(r"[\u0561-\u0587]+")),
    ("hindi", plain(r"[\u0901-\u0963]+")),
    ("tamil", plain(r"[\u0b82-\u0bcd]+")),
)


class _Stemmers(threading.local):
    """A stemmer has a state of its own and must not be shared between threads. Its cache is off: `stem` has one for all of them."""

    def __init__(self) -> None:
        self._made: dict[str, Stemmer.Stemmer] = {}

    def of(self, language: str) -> Stemmer.Stemmer:
        if language not in self._made:
            self._made[language] = Stemmer.Stemmer(language, 0)
        return self._made[language]


_STEMMERS = _Stemmers()


@lru_cache(maxsize=200_000)  # the vocabulary of a memory: a word is worked out once
def stem(word: str) -> str:
    """The stem of a word in small letters; of one whose letters tell no language, the word itself."""
    if len(word) < MIN_LETTERS:
        return word
    for language, letters in _LANGUAGES:
        if letters.fullmatch(word):
            return str(_STEMMERS.of(language).stemWord(word)) or word
    return word
