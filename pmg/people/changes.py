"""Which recalled segments tell of something that has changed since, and how the context block says so: "lives_in said 2023-05; changed 2023-09".

A note holds a relation and two months, no word of anybody's. How the block is written stands in pmg/recall.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.base.claim import FUNCTIONAL
from pmg.people.facts import Fact, facts_of
from pmg.people.left_jobs import LEAVING
from pmg.store.people import PeopleReads, StoredClaim


def notes(people: PeopleReads, namespace: str, segments: Sequence[int]) -> dict[str, str]:
    """By segment id; only those of which something was ended by a later claim."""
    relations = sorted(FUNCTIONAL)
    whom = people.subjects(segments, relations)  # what was claimed once has nothing that ended it
    if not whom:
        return {}
    claims = people.claims(namespace, about=whom, relations=[*relations, *LEAVING])
    found: dict[str, dict[str, None]] = {}
    for entity in whom:
        for fact in facts_of([one for one in claims if one.about == entity]):
            for one in (fact.claim, *fact.repeated) if fact.ended_by is not None else ():
                found.setdefault(one.claim.segment, {})[_note(fact, one)] = None
    return {segment: ", ".join(some) for segment, some in found.items()}


def _note(fact: Fact, one: StoredClaim) -> str:
    return f"{one.claim.relation} said {one.claim.said_at:%Y-%m}; changed {fact.end:%Y-%m}"
