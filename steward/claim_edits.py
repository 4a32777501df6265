"""What a person says about a claim: it is wrong, it reads otherwise, or which of two that exclude each other holds. Each a journal entry.

Knows: which rulings each answer means, and how they are journaled. What a ruling does to a claim stands in pmg/store/ruled_claims.py; how it is
put back in identity_undo.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum

from pmg.base.errors import InputError, NotFound
from pmg.people.entities import folded
from pmg.people.facts import exclude_each_other
from pmg.people.knowledge import Knowledge
from pmg.store.claim_rulings import ClaimRuling, Ruling
from pmg.store.people import StoredClaim
from pmg.store.rows import JournalEntry
from pmg.store.ruled_claims import ruling_on
from steward.identity_undo import CLAIM, ruling_row
from steward.namespaces import NAMESPACE_KEY
from steward.task import TaskContext

MAX_OBJECT = 300  # characters of a correction: a claim's object is a few words


class Resolution(StrEnum):
    """What a person says of two claims that cannot both hold."""

    FIRST = "first"  # only the first holds
    SECOND = "second"
    BOTH = "both"
    FIRST_THEN_SECOND = "first then second"  # it changed
    SECOND_THEN_FIRST = "second then first"


def correct(work: TaskContext, namespace: str, claim: int, words: str) -> None:
    """Other words for a claim's object; none says that it is wrong."""
    clean = work.engine.redactor.redact(" ".join(words.split())).text
    if len(clean) > MAX_OBJECT:
        raise InputError(f"The correction has {len(clean)} characters: {MAX_OBJECT} at most. Say it shorter.")
    with work.engine.changing():
        one = _claim(work, namespace, claim)
        ruling = ruling_on(one, Ruling.CORRECTED, clean) if clean else ruling_on(one, Ruling.WRONG)
        _keep(work, namespace, [ruling], "corrected" if clean else "set aside as wrong")


def resolve(work: TaskContext, namespace: str, first: int, second: int, how: Resolution) -> None:
    """Which of two claims holds that cannot both hold."""
    with work.engine.changing():
        a, b = _claim(work, namespace, first), _claim(work, namespace, second)
        if not _are_of_one(work, namespace, a, b) or not exclude_each_other(a, b):
            raise InputError(
                f"Claims {first} and {second} are not two that exclude each other: there is nothing to settle. "
                "`pmg people show` lists those that cannot both hold; `pmg people correct` sets one aside as wrong."
            )
        _keep(work, namespace, _rulings(a, b, how), f"settled: {how.value}")


def _are_of_one(work: TaskContext, namespace: str, a: StoredClaim, b: StoredClaim) -> bool:
    """Of one person as far as was decided: people of one name are shown as one until they are told apart."""
    known = Knowledge.read(work.engine.reads.people, namespace)
    mine = {one.id for one in known.owner()}
    if a.about == b.about or b.about in known.person(a.about) or {a.about, b.about} <= mine:
        return True
    people = [one for one in known.entities if one.id in (a.about, b.about)]
    return folded(a.claim.subject) == folded(b.claim.subject) and len(known.apart(people)) == 1


def _rulings(a: StoredClaim, b: StoredClaim, how: Resolution) -> list[ClaimRuling]:
    if how is Resolution.BOTH:
        return [ruling_on(a, Ruling.HOLDS), ruling_on(b, Ruling.HOLDS)]
    if how in (Resolution.SECOND, Resolution.SECOND_THEN_FIRST):
        a, b = b, a
    if how in (Resolution.FIRST, Resolution.SECOND):
        return [ruling_on(b, Ruling.WRONG)]
    return [ruling_on(a, Ruling.ENDED, ended=b.claim.said_at.date())]


def _claim(work: TaskContext, namespace: str, claim: int) -> StoredClaim:
    found = next((one for one in work.engine.reads.people.claims(namespace) if one.id == claim), None)
    if found is None:
        raise NotFound(f"There is no claim {claim} here: it was read again or forgotten meanwhile. Look again.")
    return found


def _keep(work: TaskContext, namespace: str, made: Sequence[ClaimRuling], reason: str) -> None:
    known = {one.place: one for one in work.engine.reads.people.rulings(namespace)}
    work.engine.put_rulings((), made)
    who = work.who
    entries = []
    for one in made:
        before = known.get(one.place)
        # The segment comes first: forgetting it empties the entry.
        was = json.dumps({"segment": one.segment, "ruling": ruling_row(before) if before else None})
        now = json.dumps({"ruling": ruling_row(one), NAMESPACE_KEY: namespace})
        entries.append(JournalEntry(0, who.run, who.at, who.actor, CLAIM, reason, was, now))
    work.engine.write_journal(entries)
