"""The other forms of a German word: "Pflanze" where "Pflanzen" is asked. Words in Latin letters are stemmed as English (stem.py), which leaves these apart.

Knows: the endings of German nouns, adjectives and verbs. Only for a question that is in German, and only forms that memory has are of use. Pure.
"""

from __future__ import annotations

from functools import lru_cache

from pmg.index.stem import german_stem
from pmg.index.terms import document_terms

_ENDINGS = ("", "e", "en", "n", "er", "ern", "es", "em", "s", "t", "et", "st", "te", "nen")
MIN_STEM = 3  # letters


@lru_cache(maxsize=10_000)
def german_forms(term: str) -> frozenset[str]:
    """The terms of its other forms, whether or not there are such words; none of one without a stem."""
    root = german_stem(term)
    if len(root) < MIN_STEM:
        return frozenset()
    return frozenset(form for ending in _ENDINGS for form in document_terms(root + ending)) - {term}
