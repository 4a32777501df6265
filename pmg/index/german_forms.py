"""The other forms of a German word: "Pflanze" where "Pflanzen" is asked. Words in Latin letters are stemmed as English (stem.py), which leaves these apart.

Knows: the endings that change a word's form and not its meaning; "-er" does too often ("Messe", "Messer"). Only for a question that is in German, and only forms that memory
has are of use. Pure.
"""

from __future__ import annotations

from functools import lru_cache

from pmg.index.terms import document_terms

_ENDINGS = ("e", "en", "n", "es", "em", "s", "t", "et", "te")
MIN_ROOT = 4  # letters, but for a word that is shorter itself


@lru_cache(maxsize=10_000)
def german_forms(term: str) -> frozenset[str]:
    """The terms of its other forms, whether or not there are such words; none of one with a figure in it."""
    if not term.isalpha() or len(term) < MIN_ROOT - 1:
        return frozenset()
    cut = (term.removesuffix(ending) for ending in _ENDINGS if term.endswith(ending))
    roots = (term, *(root for root in cut if len(root) >= MIN_ROOT))
    return frozenset(form for root in roots for ending in ("", *_ENDINGS) for form in document_terms(root + ending)) - {
        term
    }
