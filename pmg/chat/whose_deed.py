"""Whose deed a line tells of, where somebody is asked for their own: "Dan is reading a novel" is none of the books that I read.

Knows: the verb of such a question in English, and who does the same in a line: nobody named is the one who writes ("Planted garlic"). Pure.
"""

from __future__ import annotations

import re

from pmg.base.calendar_words import WEEKDAYS
from pmg.base.verbs import ADVERBS, BE, is_past, plain
from pmg.chat.sentences import split

_ASKED = re.compile(
    r"\b(?:did|do|have|had|am|are|was|were|will|can|could|should)\s+(?:i|we)\s+(?P<rest>.+)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OWN = frozenset("i we i'm i've i'd i'll we're we've we'd we'll im ive".split())
_HELPERS = BE | ADVERBS | frozenset("have has had did do does will would can could should to not never and i'm".split())
_TIMES = frozenset("yesterday today tonight tomorrow this last morning evening night on at in".split()) | frozenset(
    WEEKDAYS
)


def asked_deed(question: str) -> str:
    """The plain form of what I or we are asked to have done; "" where the question asks no such thing."""
    found = _ASKED.search(question)
    words = [word.lower() for word in _WORD.findall(found["rest"])] if found else []
    return next((plain(word) for word in words if word not in _HELPERS), "")


def is_anothers(deed: str, text: str) -> bool:
    """Every sentence that tells of the deed tells it of somebody else."""
    told = [own for start, end in split(text) for own in _doers(deed, text[start:end])] if deed else []
    return bool(told) and not any(told)


def is_own(deed: str, text: str) -> bool:
    """Some sentence tells that one did it oneself."""
    return any(any(_doers(deed, text[start:end])) for start, end in split(text))


def _doers(deed: str, sentence: str) -> list[bool]:
    """For each time that the deed is told in the sentence, whether one did it oneself."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence)]
    return [_is_own(words[:at]) for at, word in enumerate(words) if plain(word) == deed]


def _is_own(before: list[str]) -> bool:
    subject = [word for word in before if word not in _HELPERS and word not in _TIMES and not is_past(word)]
    return not subject or not _OWN.isdisjoint(before)
