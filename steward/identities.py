"""Who is who: decisions that two people of one name are one or two, and names given by hand, each a journal entry that can be undone exactly.

Knows: how a decision is kept and journaled. Does not know: why (pmg/people/reconcile.py gives the reasons), or how it is put back (identity_undo.py).
"""

from __future__ import annotations

import json
from typing import Any

from pmg.base.errors import NotFound
from pmg.base.times import to_micros
from pmg.engine import Engine
from pmg.people.knowledge import Knowledge
from pmg.people.reconcile import PersonVerdict, reconcile_people
from pmg.store.people import Entity, Identity, IdentityDecision
from pmg.store.rows import JournalEntry
from steward.identity_undo import IDENTITY, RENAME, row_of
from steward.namespaces import NAMESPACE_KEY
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
