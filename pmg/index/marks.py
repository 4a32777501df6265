"""What a line is, beside the words it has, as terms of its own in the word index: found like any word, counted by no score.

Knows: whether somebody tells what they did ("I finally went", "we bought"): in the first person, the past tense, and no question. English only.
The order of words says so, which the index does not keep; so it is read once, when a line is indexed.
"""

from __future__ import annotations

import re

from pmg.base.verbs import ADVERBS, is_past
from pmg.base.words import assertion

VERSION = 1  # raise it when a line gets other marks than before: word indexes are then rebuilt
RECOUNTS = "i did"  # with a blank, as no word of a text has one
READ = 4_000  # characters of a line: beyond that it is a document, not something said

_FIRST_PERSON = re.compile(r"\b(?:[Ii]|[Ww]e)((?: [A-Za-z]+){1,4})")
_BETWEEN = ADVERBS | {"never"}  # words that may stand before the verb


def marks_of(text: str) -> tuple[str, ...]:
    """The marks of one line."""
    return (RECOUNTS,) if recounts(text) else ()


def recounts(text: str) -> bool:
    """Whether the speaker tells what they did. "I have been" and "I'd go" do not: that goes on, or never was."""
    head = text[:READ]
    return _did(head) and _did(assertion(head)[0])  # most lines fail the first, which is cheap


def _did(text: str) -> bool:
    return any(is_past(_verb(found[1].lower().split())) for found in _FIRST_PERSON.finditer(text))


def _verb(words: list[str]) -> str:
    return next((word for word in words if word not in _BETWEEN), "")
