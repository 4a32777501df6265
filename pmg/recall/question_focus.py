"""What a question is after, apart from how it is asked.

Knows: the frames in which people put a question ("how many … do I", "can you recommend some", "I was wondering if you could remind
me of"), and where a question has several parts. English only; any other question stays as it is.

A memory says "I bought two ferns", never "how many plants did I acquire": without its frame the question lies nearer to what
was said. And what was said about one half of "my visit to the museum and the concert" says nothing of the other: each part is
looked for by itself too. And people say "I", not their own name: what is asked of Tim is looked for as Tim would say it too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.index.terms import query_terms

MAX_PARTS = 4
MIN_WORDS = 2  # of what is left: less says nothing by itself

_UNITS = "days|weeks|months|years|hours|minutes|times|total|different|more|money|time"
_COUNT = (
    rf"how (?:many|much|long|often|old|far)(?: (?:{_UNITS}))*(?: (?:did|do|does|have|has|had|passed|is|are|was|were))?"
)
_REQUEST = (
    r"(?:(?:can|could|would|will) you|you (?:can|could|would|will)) (?:please )?"
    r"(?:recommend|suggest|remind me(?: (?:of|about|what|which|how|who|where|when))?|tell me|help me|give me|explain)?"
    r"(?: some| any)?"
)
_OCCASION = r"i(?:['’]m| am) (?:planning|thinking|looking|trying|wondering|going|curious)[^.,?]*?(?:,|\band\b|\.)"
_LEAD = rf"{_OCCASION}|i was wondering(?: if|,)|do you (?:remember|know|have any)"
_WH = r"(?:what|when|where|why|who(?:m|se)?|which|how)(?: (?:is|are|was|were|did|do|does|has|have|had|will|kind of|type of))?"
_FRAME = re.compile(rf"^\s*(?:{_COUNT}|{_REQUEST}|{_LEAD})\s+", re.IGNORECASE)
_ANY_FRAME = re.compile(rf"^\s*(?:{_COUNT}|{_REQUEST}|{_LEAD}|{_WH})\s+", re.IGNORECASE)
_BEGINS_WITH_OCCASION = re.compile(rf"^\s*(?:{_OCCASION})", re.IGNORECASE)
_JOINTS = re.compile(r"\b(?:and|or|then|between|since|before|after)\b|[,;]", re.IGNORECASE)
_MARKS = " ,.?!'\"“”‘’"
MAX_QUESTION = 400  # characters: a longer text is no question with a frame, and is taken as it is


def sought(question: str) -> str:
    """The question without its frame, as a statement would say it; the question itself if it has none."""
    bare = _without(question, _FRAME)
    return bare if bare != _plain(question) else question


def with_occasion(question: str) -> tuple[str, ...]:
    """The question as it stands, where it opens with its occasion and that says more than what `sought` leaves of it.

    "I'm planning a trip to Denver soon. Any tips on what to do there?" is about Denver, and only its opening says so; "I'm planning another
    trip and was wondering about the name of the deli near the Vatican" is about the deli.
    """
    opening = _BEGINS_WITH_OCCASION.search(question) if len(question) <= MAX_QUESTION else None
    if opening is None or len(query_terms(opening[0])) <= len(query_terms(sought(question))):
        return ()
    return (question,)


def parts_of(question: str) -> tuple[str, ...]:
    """What is asked for, part by part; nothing where it is one thing."""
    if len(question) > MAX_QUESTION:
        return ()
    pieces = [piece.strip(_MARKS) for piece in _JOINTS.split(_without(question, _ANY_FRAME))]
    whole = [piece for piece in pieces if len(piece.split()) >= MIN_WORDS]
    return tuple(whole[:MAX_PARTS]) if len(whole) > 1 else ()


def as_told(question: str, people: Sequence[str]) -> str:
    """What is asked of people as they would say it themselves: "What are Tim's plans?" as "my plans". Nobody says their own name."""
    told = question
    for name in sorted(map(re.escape, people), key=lambda name: (-len(name), name)):  # "Tim Reed" before "Tim"
        told = re.sub(rf"\b{name}\b", "I", re.sub(rf"\b{name}['’]s\b", "my", told))
    return _without(told, _ANY_FRAME)


def _without(question: str, frame: re.Pattern[str]) -> str:
    if len(question) > MAX_QUESTION:
        return _plain(question)
    left = question.strip()
    for _ in range(3):  # "I'm planning a trip and I was wondering if you could remind me of …" has three
        shorter = frame.sub("", left)
        if shorter == left or len(shorter.split()) < MIN_WORDS:
            break
        left = shorter
    return _plain(left)


def _plain(text: str) -> str:
    return text.strip().rstrip("?.! ")
