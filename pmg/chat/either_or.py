"""Whether a question offers two things to choose from, and a later line says the other one: "is the shelf made of birch or pine?".

Knows: how such a question reads in English and German. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pmg.base.sentences import asks
from pmg.base.words import STOP_WORDS
from pmg.chat.excerpts import ExcerptPiece
from pmg.index.terms import document_terms

MAX_READ = 300  # characters of a question in which it offers them
_OFFERS = re.compile(
    r"(?P<one>[^\W_]+),? (?:or|oder) (?:(?:the|an?|my|our|in|on|at|to|by|with|from|of|aus|von|bei|nach|zu|der|die|das|den|dem|ein\w*|im|am|mit) )*(?P<other>[^\W_]+)",
    re.IGNORECASE,
)


def says_the_other(question: str, answer: ExcerptPiece, found: Iterable[ExcerptPiece]) -> bool:
    """Whether the answer has one of the two, and a later line of its session, or one with another word of the question, has the other alone."""
    offered = _OFFERS.search(question, 0, MAX_READ)
    if offered is None:
        return False
    one, other = (set(document_terms(offered[name])) - STOP_WORDS for name in ("one", "other"))
    if not one or not other or one & other:
        return False
    said = set(document_terms(answer.text))
    if one.isdisjoint(said) == other.isdisjoint(said):
        return False
    mine, theirs = (other, one) if one.isdisjoint(said) else (one, other)
    rest = set(document_terms(question)) - STOP_WORDS - one - other
    return any(_is_later(line, answer) and _says(line, theirs, mine, answer.passage.session_id, rest) for line in found)


def _is_later(line: ExcerptPiece, answer: ExcerptPiece) -> bool:
    return (line.passage.at, line.passage.index) > (answer.passage.at, answer.passage.index)


def _says(line: ExcerptPiece, wanted: set[str], unwanted: set[str], session: str, rest: set[str]) -> bool:
    terms = set(document_terms(line.text))
    is_of_it = line.passage.session_id == session or not rest.isdisjoint(terms)
    return is_of_it and not wanted.isdisjoint(terms) and unwanted.isdisjoint(terms) and not asks(line.text)
