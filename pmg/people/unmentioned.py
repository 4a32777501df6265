"""Whether a question about oneself takes something for granted that one never spoke of: "the name of my hamster" where only a cat was told of.

Knows: that the members of a closed kind (kinds.py) exclude each other, and how to weigh what was said of the one that is asked for against what was said of another. Words of no
closed kind say nothing here: what somebody calls differently they may well have told. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pmg.base.words import STOP_WORDS
from pmg.index.function_words import function_words
from pmg.index.terms import document_terms
from pmg.people import kinds

# By how much of the question's other terms, by weight, another of the kind must be ahead. On LongMemEval's 103 questions 0.1 to 0.4 do the same.
MIN_LEAD = 0.3
MIN_SHARED_TERMS = 2  # and how many of them its line must hold, if what is asked for was spoken of at all: one word in common may be chance
# An answer to these may lie in what an assistant said, or nowhere yet: nothing is taken for granted.
_NOT_OF_ME = re.compile(
    r"(?<!tell )(?<!told )\byou\b|\byour\b|\b(?:recommend|suggest\w*|tips|advice|ideas|should i|can i|could i|may i|would|previous (?:chat|conversation))\b",
    re.IGNORECASE,
)
_SOUGHT = re.compile(r"\b(?:what|which|welche[rsnm]?)\s+(?:kind of |type of |sort of )?([\w'’-]+)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Unmentioned:
    """`word` as it is asked for; `is_named`: it was spoken of, but not of this; `instead` is the place of the best line about another of its kind,
    or of one that says more of the rest of the question; -1 where there is none."""

    word: str
    is_named: bool
    instead: int
    other: str  # the word of that line for another of the kind, "" where it has none


def asked_things(question: str) -> dict[str, str]:
    """The words of closed kinds that a question takes for granted, by their terms. What follows "which" is what it looks for."""
    if _NOT_OF_ME.search(question):
        return {}
    sought = {term for found in _SOUGHT.finditer(question) for term in document_terms(found[1])[:1]}
    silent = function_words(question) | STOP_WORDS  # "nicht" is no niece
    words = {
        term: word
        for word in _WORD.findall(question)
        if word.lower() not in silent
        for term in document_terms(word)[:1]
    }
    return {term: word for term, word in words.items() if term not in sought and kinds.same(term)}


def unmentioned(things: Mapping[str, str], weights: Mapping[str, float], mine: Sequence[str]) -> Unmentioned | None:
    """The first of these things of which one's own lines (`mine`) do not speak here; None if they speak of all of them."""
    held = [frozenset(document_terms(text)) for text in mine]
    for term, word in things.items():
        names, rest = kinds.same(term), {t: w for t, w in weights.items() if t != term}
        rivals = kinds.others(term) - set(weights)
        of_it = [_covered(rest, terms) for terms in held if names & terms]
        of_others = [(_covered(rest, terms), -place) for place, terms in enumerate(held) if rivals & terms]
        best, place = max(of_others, default=(-1.0, 1))
        is_ahead = bool(of_it) and best - max(of_it) > MIN_LEAD and len(rest.keys() & held[-place]) >= MIN_SHARED_TERMS
        if not of_it or is_ahead:
            # A line that shares nothing else with the question tells nothing instead; one that does may tell it by another name: "I parked the Golf", of a car.
            covers, near = max(((_covered(rest, terms), -i) for i, terms in enumerate(held)), default=(0.0, 1))
            if covers > max(best, 0.0):
                return Unmentioned(word, bool(of_it), -near, "")
            return Unmentioned(word, bool(of_it), *((-place, _word_of(mine[-place], rivals)) if best > 0 else (-1, "")))
    return None


def _covered(rest: Mapping[str, float], terms: frozenset[str]) -> float:
    """The share of the question's other terms that a line holds."""
    return sum(weight for term, weight in rest.items() if term in terms) / (sum(rest.values()) or 1.0)


def _word_of(text: str, terms: frozenset[str]) -> str:
    return next((word for word in _WORD.findall(text) if terms.intersection(document_terms(word)[:1])), "")
