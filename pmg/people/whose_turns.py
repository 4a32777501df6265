"""The turns that are one person's: what they said, and what was said of them. For whoever forgets a person.

Knows: that a namesake in another conversation is somebody else. What forgetting does with them stands in pmg/forget.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.store.contract import StoreReads
from pmg.store.forget import ForgetFilter
from pmg.store.people import Entity


def turns_said_by(reads: StoreReads, namespace: str, person: Sequence[Entity]) -> list[str]:
    """In the conversations in which they are this person, by id. `person` is everything that is one."""
    inside = {one.conversation for one in person if one.conversation}
    names = dict.fromkeys(name for one in person for name in (one.name, *one.aliases))
    sessions = {one.id for one in reads.sessions(namespace) if one.conversation in inside}
    numbers = {number for name in names for number in reads.forgetting.chosen(ForgetFilter(namespace, person=name))}
    return [one.id for one in reads.segments(sorted(numbers)) if one.session_id in sessions]


def turns_about(reads: StoreReads, namespace: str, person: Sequence[Entity]) -> list[str]:
    """From which a claim about them was read, whoever said it."""
    claims = reads.people.claims(namespace, about=[one.id for one in person])
    return list(dict.fromkeys(one.claim.segment for one in claims))
