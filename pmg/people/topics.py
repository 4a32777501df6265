"""What an "entity" of a person's life is: a job, a relationship, a home. A name for some relations and verbs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pmg.base.claim import COMES_FROM, IS_A, KNOWS, LIVES_IN, OWNS, PARTNER_OF, WORKS_AT
from pmg.people.entities import folded
from pmg.store.people import StoredClaim

_JOB = re.compile(
    r"\b(?:job|work|company|startup|business|career|boss|team lead|promoted|promotion|office|employer|position|engineer|manager|intern|internship)\b",
    re.IGNORECASE,
)
_WORK_ROLE = re.compile(
    r"\b(?:of|mom|mum|dad|mother|father|sister|brother|friend|wife|husband|son|daughter)\b", re.IGNORECASE
)
TOPICS = {
    "job": frozenset((WORKS_AT,)),
    "relationship": frozenset((PARTNER_OF,)),
    "location": frozenset((LIVES_IN,)),
    "origin": frozenset((COMES_FROM,)),
    "pets": frozenset((OWNS,)),
    "friends": frozenset((KNOWS,)),
}
_ALSO = {
    "work": "job",
    "career": "job",
    "partner": "relationship",
    "home": "location",
    "city": "location",
    "residence": "location",
    "pet": "pets",
}


def topic_of(name: str) -> str:
    """The topic that a name stands for; "" for one that is not a topic but a thing."""
    plain = folded(name)
    return plain if plain in TOPICS else _ALSO.get(plain, "")


def on_topic(claims: Iterable[StoredClaim], name: str) -> list[StoredClaim]:
    """The claims that belong to a topic, or that name a thing."""
    topic = topic_of(name)
    if not topic:
        wanted = folded(name)
        return [one for one in claims if wanted and wanted in folded(one.claim.object)]
    relations = TOPICS[topic]
    return [one for one in claims if one.claim.relation in relations or (topic == "job" and _about_work(one))]


def _about_work(one: StoredClaim) -> bool:
    claim = one.claim
    if claim.relation == IS_A:
        return _WORK_ROLE.search(claim.object) is None
    return _JOB.search(claim.object) is not None and claim.relation in (
        "start",
        "leave",
        "quit",
        "get",
        "become",
        "lose",
        "begin",
        "found",
        "launch",
        "be",
        "is",
    )
