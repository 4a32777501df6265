"""Whether a line tells which one, where a question asks "which hospital", "in welchem Krankenhaus": "Gran is in hospital" has the word and names none.

Knows: what stands beside such a word where a line says which one it is: a word before it ("my left knee"), a name, a figure or more of it behind, or what is said to be it ("Hilton is the hotel", "the 42, that's the bus"). Pure.
"""

from __future__ import annotations

import re

from pmg.base.words import STOP_WORDS
from pmg.chat.sentences import split
from pmg.index.terms import document_terms

_ASKED = re.compile(
    r"\b(?:which|what|welche[mnrs]?)\s+(?P<kind>[^\W\d_]{3,40})\b",
    re.IGNORECASE,
)
_ONLY_WHICH = re.compile(
    rf"\W*(?:(?:and|und)\s+)?{_ASKED.pattern}(?:\s+(?:is|was|are|were|ist|war|sind|waren)\s+(?:it|that|this|they|es|das))?\W*",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
# Before a word of which nothing is told; everything else says which one.
_BARE = STOP_WORDS | frozenset(
    """another near outside inside der die das den dem des ein eine einen einem einer im ans ins zum zur vom beim
    mein meine meinen meinem meiner unser unsere unserem unserer sein seine seinem seiner ihr ihre ihrem ihrer""".split()
)
_TELLS_MORE = re.compile(
    r"\W*(?:(?:is|are|was|were|called|named|about|of|by|with|for|that|who|where|ist|sind|war|heißt|namens|von|über|mit|für|wo|bei|an|auf|in)\b|[:=(\"“„‚'‘]|\d)",
    re.IGNORECASE,
)
_IS_SAID_TO_BE_IT = re.compile(
    r"(?:['’]s|\b(?:is|was|are|were|ist|war|sind|waren))\s+(?:the|my|our|der|die|das|mein\w*|unser\w*)\s+$",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[A-ZÄÖÜ]\w|\d")


def lacks_which(question: str, text: str) -> bool:
    """It has the kind of thing that is asked for, and each time without a word that tells one from another."""
    found = _ASKED.search(question)
    kind = set(document_terms(found["kind"])) - STOP_WORDS if found is not None else set()
    told = [bare for start, end in split(text) for bare in _bare(kind, text[start:end])] if kind else []
    return bool(told) and all(told)


def asks_only_which_of(question: str) -> frozenset[str]:
    """The kind, where the question asks nothing else ("which knee is it?"): any line with that word is as near as another."""
    found = _ONLY_WHICH.fullmatch(question)
    return frozenset(document_terms(found["kind"])) - STOP_WORDS if found is not None else frozenset()


def _bare(kind: set[str], sentence: str) -> list[bool]:
    words = list(_WORD.finditer(sentence))
    return [
        _is_bare_before(words[at - 1][0] if at else "")
        and not _IS_SAID_TO_BE_IT.search(sentence[: word.start()])
        and not _is_named_behind(sentence[word.end() :])
        for at, word in enumerate(words)
        if not kind.isdisjoint(document_terms(word[0]))
    ]


def _is_bare_before(word: str) -> bool:
    return not word or word.lower() in _BARE


def _is_named_behind(rest: str) -> bool:
    return _TELLS_MORE.match(rest) is not None or _NAME.search(rest) is not None
