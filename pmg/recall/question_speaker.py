"""Whose words a question asks for.

Knows: a question that names a speaker wants what that person said; "what did you suggest" wants the assistant's words; "my", the user's.
Only speakers of lines in the pool count, so another namespace's names mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.index.catalogue import ROLES
from pmg.model import Role

_WORD = re.compile(r"\w+")
_MINE = frozenset("i my me mine myself we our us".split())
# What an assistant said is asked for in a few ways; "can you recommend" is a new wish, not a memory.
_SAID = (
    "told|said|mentioned|suggested|recommended|gave|given|provided|listed|wrote|written|described|explained|shared|created"
    "|made|came up|advised|proposed|showed|generated|outlined|talked|discussed|offered"
)
_THINGS = "suggestion|recommendation|list|answer|advice|response|reply|explanation|tip|idea|plan|summary|example"
_YOURS = re.compile(
    rf"\byou(?:['’](?:ve|d))?(?: \w+){{0,2}} (?:{_SAID})\b"
    rf"|\byour (?:\w+ )?(?:{_THINGS})s?\b"
    r"|\bremind me\b"
    r"|\b(?:our|we|last|previous|earlier|past)\b(?: \w+){0,2} (?:conversation|chat|discussion|talked|discussed|talk|session)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskedSpeaker:
    """Which lines are by the one asked for, and how that was understood ("" if nobody was)."""

    wanted: NDArray[np.bool_]
    description: str


def who(question: str, speakers: Sequence[str], speaker: NDArray[np.int32], role: NDArray[np.int8]) -> AskedSpeaker:
    """`speakers` are names by code; `speaker` and `role` are row for row the codes of the pool's lines."""
    people = role == ROLES.index(Role.PERSON)
    words = set(_WORD.findall(question.lower()))
    present = np.unique(speaker[people]).tolist()
    named = [code for code in present if words & set(_WORD.findall(speakers[code].lower()))]
    if named and len(named) < len(present):
        description = " and ".join(speakers[code] for code in named)
        return AskedSpeaker(people & np.isin(speaker, named), f"said by {description}")
    user, assistant = role == ROLES.index(Role.USER), role == ROLES.index(Role.ASSISTANT)
    if assistant.any() and _YOURS.search(question):
        return AskedSpeaker(assistant, "what the assistant said")
    if user.any() and words & _MINE:
        return AskedSpeaker(user, "what you said")
    return AskedSpeaker(np.zeros(len(role), dtype=np.bool_), "")
