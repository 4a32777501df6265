"""Words that a question and a memory share, marked in the memory's text.

Knows: that two words are the same if search by words takes them for the same.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pmg.base.words import STOP_WORDS
from pmg.index.terms import query_terms
from pmg.ui.render import safe

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
MIN_LETTERS = 3  # letters: shorter words are everywhere
Terms = frozenset[str]


def terms_of(question: str) -> Terms:
    words = (word for word in _WORD.findall(question) if len(word) >= MIN_LETTERS and word.lower() not in STOP_WORDS)
    return frozenset(term for word in words for term in query_terms(word))


@lru_cache(maxsize=20_000)  # a page says the same words again and again
def _terms_of_word(word: str) -> Terms:
    return frozenset(query_terms(word))


def marked(text: str, terms: Terms) -> str:
    """The text as harmless HTML with `<mark>` around shared words."""
    if not terms:
        return safe(text)
    pieces, at = [], 0
    for found in _WORD.finditer(text):
        word = found.group()
        if len(word) >= MIN_LETTERS and not terms.isdisjoint(_terms_of_word(word)):
            pieces += [safe(text[at : found.start()]), f"<mark>{safe(word)}</mark>"]
            at = found.end()
    return "".join([*pieces, safe(text[at:])])
