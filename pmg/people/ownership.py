"""Whose affair the words of a line are: "my race" is the speaker's, "your race" and "that race sounds great" the other's.

Knows: the marks of person in a clause, and the openings with which people react to somebody else's news. Pure.

A clause with more first person than second is the speaker's, with more second than first the one's spoken to. Without either it is the speaker's by half; one that
begins as a reaction is rather the other's. A shared picture is the speaker's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pmg.index.terms import document_terms
from pmg.people.clauses import cut

_FIRST = re.compile(r"\b(?:i|i['’](?:m|ve|d|ll)|my|me|mine|we|our|us|we['’](?:re|ve|d|ll))\b", re.IGNORECASE)
_GERMAN_FIRST = re.compile(r"\b(?:ich|mich|mir|mein(?:e[nmrs]?)?|wir|uns|unser(?:e[nmrs]?)?)\b", re.IGNORECASE)
_SECOND = re.compile(r"\b(?:you|your|yours|you['’](?:re|ve|d|ll)|ya|u)\b", re.IGNORECASE)
_REACTION = re.compile(
    r"(?:that|those|this|these|it|sounds|looks|wow|congrats|congratulations|great|nice|awesome|cool|amazing|glad|love|how|what|so|such|good|well done|"
    r"keep|must)\b",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"\[image: ([^\]]*)\]")
PLAIN, PLAIN_OTHER = 0.5, 0.25  # shares of a clause without a mark: the speaker's, the other's
REACTS, REACTS_OTHER = 0.1, 0.7  # of one that reacts; all four chosen on LoCoMo, one conversation left out at a time


@dataclass(frozen=True, slots=True)
class Owned:
    """The wanted terms of a clause, and how much of it is whose affair."""

    terms: frozenset[str]
    shares: Mapping[str, float]
    start: int
    end: int


def speaks_of_self(text: str) -> bool:
    """Whether whoever says it speaks of themselves: "You can park behind the bakery" is so for anybody."""
    return _FIRST.search(text) is not None or _GERMAN_FIRST.search(text) is not None


def owned(text: str, speaker: str, other: str, wanted: Collection[str]) -> list[Owned]:
    """The clauses of a line that hold a wanted term; `other` is the one spoken to, "" where nobody can tell."""
    sought = frozenset(wanted)
    found = []
    for clause in cut(text, lambda sentence: not sought.isdisjoint(document_terms(sentence))):
        words = text[clause.start : clause.end]
        if terms := sought.intersection(document_terms(words)):
            found.append(Owned(terms, _shares(words, speaker, other), clause.start, clause.end))
    for picture in _PICTURE.finditer(text):
        if terms := sought.intersection(document_terms(picture[1])):
            found.append(Owned(terms, {speaker: 1.0}, *picture.span()))
    return found


def _shares(words: str, speaker: str, other: str) -> dict[str, float]:
    first, second = len(_FIRST.findall(words)), len(_SECOND.findall(words))
    if first > second:
        return {speaker: 1.0}
    if not other:
        return {speaker: PLAIN} if second == first else {}
    if second > first:
        return {other: 1.0}
    mine, theirs = (REACTS, REACTS_OTHER) if _REACTION.match(words) else (PLAIN, PLAIN_OTHER)
    return {speaker: mine, other: theirs}
