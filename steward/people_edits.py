"""What a person says about people and claims, each a journal entry that can be undone exactly.

Who is who: that two people of one name are one or two, and names given by hand. A claim is wrong, it reads otherwise, or which of two that exclude each other
holds. Does not know: why (pmg/people/reconcile.py gives the reasons), what a ruling does to a claim (pmg/store/people.py), or how either is put
back (put_back.py).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pmg.base.errors import InputError, NotFound
from pmg.base.times import to_micros
from pmg.engine import Engine
from pmg.people.entities import folded
from pmg.people.facts import exclude_each_other
from pmg.people.knowledge import Knowledge
from pmg.people.reconcile import PersonVerdict, reconcile_people
from pmg.store.people import ClaimRuling, Entity, Identity, IdentityDecision, Ruling, StoredClaim, ruling_on
from pmg.store.rows import JournalEntry
from steward.namespaces import NAMESPACE_KEY
from steward.put_back import CLAIM, IDENTITY, RENAME, row_of, ruling_row
from steward.task import TaskContext


def reconcile(work: TaskContext, namespace: str) -> list[PersonVerdict]:
    """Decides on every pair that nobody has decided on; UNSURE ones wait for a person."""
    with work.engine.changing():
        found = reconcile_people(work.engine.reads.people, namespace)
        for one in found:
            _keep(work, namespace, one.a, one.b, one.verdict, one.reason)
    return found


def waiting(engine: Engine, namespace: str) -> list[tuple[Entity, Entity, IdentityDecision]]:
    """Pairs that nobody could tell apart or together: for a person's eye."""
    known = Knowledge.read(engine.reads.people, namespace)
    by_id = {one.id: one for one in known.entities}
    return [
        (by_id[d.a], by_id[d.b], d)
        for d in known.decisions
        if d.verdict is Identity.UNSURE and d.a in by_id and d.b in by_id
    ]


def decide(work: TaskContext, namespace: str, a: int, b: int, verdict: Identity) -> None:
    """A person's word: it stands before whatever was decided."""
    with work.engine.changing():
        by_id = {one.id: one for one in work.engine.reads.people.entities(namespace)}
        missing = next((one for one in (a, b) if one not in by_id), None)
        if missing is not None or a == b:
            raise NotFound(f"There are no two people {a} and {b}. `pmg people list` gives their numbers.")
        _keep(work, namespace, by_id[a], by_id[b], verdict, "asked for")


def split(work: TaskContext, namespace: str, entity: int) -> None:
    """One part of a person becomes somebody else: apart from every part it was joined to, in one run, so that one undo takes it back."""
    with work.engine.changing():
        by_id = {one.id: one for one in work.engine.reads.people.entities(namespace)}
        joined = [
            one
            for one in work.engine.reads.people.decisions(namespace)
            if one.verdict is Identity.MERGE and entity in (one.a, one.b)
        ]
        if not joined:
            raise NotFound(f"{entity} is part of nobody else. `pmg people list` shows which numbers are one person.")
        for one in joined:
            _keep(work, namespace, by_id[one.a], by_id[one.b], Identity.SEPARATE, "asked for")


def rename(work: TaskContext, namespace: str, entity: int, name: str) -> None:
    """A name for one of them; an empty one takes it away again."""
    with work.engine.changing():
        if entity not in {one.id for one in work.engine.reads.people.entities(namespace)}:
            raise NotFound(f"There is nobody with the number {entity}. `pmg people list` gives their numbers.")
        before = work.engine.reads.people.given_names(namespace).get(entity, "")
        name = work.engine.redactor.redact(name).text  # the journal holds what the store holds
        work.engine.name_entity(entity, name)
        _write(
            work, RENAME, "asked for", {"name": [entity, before]}, {"name": [entity, name], NAMESPACE_KEY: namespace}
        )


def _keep(work: TaskContext, namespace: str, a: Entity, b: Entity, verdict: Identity, reason: str) -> None:
    low, high = sorted((a.id, b.id))
    known = Knowledge.read(work.engine.reads.people, namespace).decided(low, high)
    made = IdentityDecision(low, high, verdict, reason, work.who.actor, to_micros(work.who.at))
    work.engine.put_identities([known] if known else [], [made])
    _write(
        work,
        IDENTITY,
        f"{verdict.value}: {reason}",
        {"identity": row_of(known)} if known else {},
        {"identity": row_of(made), NAMESPACE_KEY: namespace},
    )


def _write(work: TaskContext, action: str, reason: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    who = work.who
    work.engine.write_journal(
        [JournalEntry(0, who.run, who.at, who.actor, action, reason, json.dumps(before), json.dumps(after))]
    )


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
        _keep_rulings(work, namespace, [ruling], "corrected" if clean else "set aside as wrong")


def resolve(work: TaskContext, namespace: str, first: int, second: int, how: Resolution) -> None:
    """Which of two claims holds that cannot both hold."""
    with work.engine.changing():
        a, b = _claim(work, namespace, first), _claim(work, namespace, second)
        if not _are_of_one(work, namespace, a, b) or not exclude_each_other(a, b):
            raise InputError(
                f"Claims {first} and {second} are not two that exclude each other: there is nothing to settle. "
                "`pmg people show` lists those that cannot both hold; `pmg people correct` sets one aside as wrong."
            )
        _keep_rulings(work, namespace, _rulings(a, b, how), f"settled: {how.value}")


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


def _keep_rulings(work: TaskContext, namespace: str, made: Sequence[ClaimRuling], reason: str) -> None:
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
