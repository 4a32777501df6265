"""Whom a question is about, in which conversations, and what kind of answer it wants. Pure.

Knows: names in a question, "I" as the person whose memory it is, "what did Anna tell Ben" as one conversation, counting and listing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pmg.index.terms import document_terms, query_terms
from pmg.people.entities import folded
from pmg.people.subjects import WORD_NAMES
from pmg.recall.question_focus import sought

_MINE = re.compile(r"\b(?:i|my|me|mine|myself|we|our|ich|mich|mir|mein\w*)\b", re.IGNORECASE)
_TELLS = re.compile(
    r"\b(?:tell|told|say to|said to|talk to|talked to|talk with|mention to|write to|discuss with)\b", re.IGNORECASE
)
_COUNTS = re.compile(r"\bhow (?:many|often)\b|\bwie (?:viele|oft)\b", re.IGNORECASE)
_LISTS = re.compile(
    r"^(?:list|name|show me)\b|\b(?:which|what) (?:\w+ ){0,2}\w+(?<![su])s (?:did|has|have|does|do)\b|\ball (?:the )?\w+s\b",
    re.IGNORECASE,
)


class AnswerKind(StrEnum):
    FACT = "fact"
    COUNT = "count"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Route:
    """`people` are names as they are known; `partner` is the one it was told to, which makes it one conversation's question."""

    people: tuple[str, ...]
    partner: str
    kind: AnswerKind
    is_mine: bool = False

    @property
    def scope(self) -> str:
        return f"between {self.people[0]} and {self.partner}" if self.partner and self.people else "all conversations"


def route(question: str, names: Iterable[str]) -> Route:
    """`names` are the people who are known."""
    people = _named(question, names)
    kind = (
        AnswerKind.COUNT
        if _COUNTS.search(question)
        else AnswerKind.LIST
        if _LISTS.search(question)
        else AnswerKind.FACT
    )
    if len(people) > 1 and _TELLS.search(question):
        return Route(people[:1], people[1], kind)
    return Route(people, "", kind, not people and _MINE.search(question) is not None)


def _named(question: str, names: Iterable[str]) -> tuple[str, ...]:
    """Whom it names, in its order. A name inside a longer one is nobody's: "Anna Berg" is not Anna, who may be another."""
    found: list[tuple[int, str]] = []
    left = question
    for name in sorted(dict.fromkeys(names), key=lambda one: (-len(one), one)):
        if (place := _stands(name, left)) >= 0:
            found.append((place, name))
            left = re.sub(
                rf"(?<!\w){re.escape(name)}(?!\w)", lambda whole: "\0" * len(whole[0]), left, flags=re.IGNORECASE
            )
    return tuple(name for _, name in sorted(found))


def _stands(name: str, question: str) -> int:
    """Where a name stands in a question; -1 where it does not. One that is a word too must be written as a name, and not begin the question."""
    if not name or "'s " in name or name.lower() not in question.lower():
        return -1
    is_word = folded(name) in WORD_NAMES
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, 0 if is_word or len(name) < 4 else re.IGNORECASE)
    return -1 if found is None or (is_word and found.start() == 0) else found.start()


def asked_words(question: str, names: Sequence[str]) -> dict[str, str]:
    """The terms of what is asked for, each once with the word it comes from, without the names of people.

    A term is a stem and no word to search for: "house" is "hous", and that would be stemmed once more."""
    bare = question
    for name in sorted({name for name in names if name in question}, key=lambda name: (-len(name), name)):
        bare = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", bare)
    text = sought(bare) if query_terms(sought(bare)) else bare
    words = {term: word for word in reversed(text.split()) for term in document_terms(word)}
    return {term: words.get(term, term) for term in dict.fromkeys(query_terms(text))}
