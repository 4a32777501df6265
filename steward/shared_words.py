"""What two texts have in common in one sentence: how many rare words stand in a sentence of the one and a sentence of the other.

Knows: sentences as sets of terms, and what a shared term weighs: 1 for a word that this memory has once, near 0 for one that is everywhere.
Pure: terms and their frequencies in, a number out. said_again.py finds the pairs, merge.py decides which are listed.

A fact that changed is told again in one sentence of a longer turn ("now 500 mg twice a day"): the turns as wholes are not alike, the two sentences
share the words that matter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

from pmg.base.sentences import pieces
from pmg.index.terms import document_terms

READ = 3_000  # characters of a line: who pastes more than that does not say it twice

Sentences = Sequence[frozenset[str]]


def sentences(text: str) -> Sentences:
    """Each sentence as its terms."""
    read = text[:READ]
    return [frozenset(document_terms(read[start:end])) for start, end in pieces(read)]


def rarity(term_count: int, documents: int) -> float:
    """From 1 for a term of one document down to 0: its inverse document frequency beside that of the rarest."""
    weight = math.log(1 + (documents - term_count + 0.5) / (term_count + 0.5))
    return max(0.0, weight / math.log(1 + documents)) if documents > 1 else 1.0


def rare_words(a: Sentences, b: Sentences, weights: Mapping[str, float]) -> float:
    """The most that a sentence of the one shares with a sentence of the other, in rare words."""
    return max((sum(weights[term] for term in sorted(x & y)) for x, y in product(a, b) if x & y), default=0.0)
