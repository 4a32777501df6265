"""Whose words a question asks for.

Knows: a question that names a speaker wants what that person said; "what did you suggest" wants the assistant's words; "my", the user's.
A person tells of themselves in the first person: such lines are likelier still (OF_ONESELF).
Only speakers of lines in the pool count, so another namespace's names mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Role
from pmg.index.catalogue import ROLES, Catalogue
from pmg.index.terms import document_terms

MAX_QUESTION = 400  # characters: a longer text is no question of one person
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


# Words in which people tell of themselves, as the word index has them.
OF_ONESELF = tuple(dict.fromkeys(document_terms("I my me mine myself we our us")))


@dataclass(frozen=True, slots=True)
class AskedSpeaker:
    """Which lines are by the one asked for, and how that was understood ("" if nobody was)."""

    wanted: NDArray[np.bool_]
    description: str


def named_people(question: str, catalogue: Catalogue, namespace: str) -> list[str]:
    """The people who speak in this namespace and are named in the question, each as it names them; a first name is enough."""
    words = set(_WORD.findall(question[:MAX_QUESTION]))
    called = {code: _called(name, words) for code, name in enumerate(catalogue.speakers.names)}
    return [as_named for code, as_named in called.items() if as_named and _speaks(catalogue, code, namespace)]


def _called(name: str, words: set[str]) -> str:
    """As much of a name as stands among the words; "" for none. A small word of a name ("de") names nobody."""
    known = [part for part in _WORD.findall(name) if part in words]
    return " ".join(known) if any(part[0].isupper() for part in known) else ""


def _speaks(catalogue: Catalogue, speaker: int, namespace: str) -> bool:
    lines = np.flatnonzero(catalogue.line("speaker") == speaker)
    lines = lines[catalogue.line("role")[lines] == ROLES.index(Role.PERSON)]
    segments = catalogue.segments_of_lines(lines)
    return bool(catalogue.recallable(segments, catalogue.namespaces.find(namespace)).any())


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
