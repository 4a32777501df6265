"""May two turns be by the same people? A name is somebody's inside one conversation: a namesake elsewhere is somebody else.

Knows: which turns have a speaker with a name, and which sessions were given a conversation, by the catalogue alone. Whether the names are the same is compared by guard/; who is one person across
conversations, pmg/people asks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Role
from pmg.index.catalogue import ROLES, Catalogue
from pmg.store.rows import Numbers

_PERSON = ROLES.index(Role.PERSON)


def same_people(catalogue: Catalogue, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    """Pair by pair: both are of one conversation, or of none that was given, or nobody with a name speaks. The person and their assistant are the same
    everywhere."""
    conversation = catalogue.segment("conversation")
    not_given = _without_conversation(catalogue, a) & _without_conversation(catalogue, b)
    unnamed = ~(_named(catalogue, a) | _named(catalogue, b))
    return np.asarray((conversation[a] == conversation[b]) | not_given | unnamed)


def namesakes(catalogue: Catalogue, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    """Pair by pair: somebody with a name speaks in both, so that a name may be that of two people."""
    return _named(catalogue, a) & _named(catalogue, b)


def _without_conversation(catalogue: Catalogue, segments: Numbers) -> NDArray[np.bool_]:
    """Which of some segments are of a session that was given no conversation: it is then called as the session is."""
    sessions, first, place = np.unique(catalogue.segment("session")[segments], return_index=True, return_inverse=True)
    talks = catalogue.segment("conversation")[segments[first]]
    pairs = zip(sessions.tolist(), talks.tolist(), strict=True)
    own = [catalogue.sessions.names[session] == catalogue.conversations.names[talk] for session, talk in pairs]
    return np.array(own, dtype=np.bool_)[place]


def _named(catalogue: Catalogue, segments: Numbers) -> NDArray[np.bool_]:
    """Which of some segments have a line by somebody with a name."""
    place = np.repeat(np.arange(len(segments)), catalogue.segment("lines")[segments])
    named = np.zeros(len(segments), dtype=np.bool_)
    named[place[catalogue.line("role")[catalogue.lines_of(segments)] == _PERSON]] = True
    return named
