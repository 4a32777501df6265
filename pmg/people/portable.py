"""Decisions about who is who, names given by hand and rulings on claims, out of one memory and into another.

Claims and entities follow from the words and are made again there; what people decided does not. Knows: how an entity is found again by its conversation, kind and
name. How a row of an export is written stands in pmg/store/records.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pmg.people.entities import folded
from pmg.store.people import (
    Entity,
    EntityKey,
    EntityKind,
    IdentityDecision,
    PeopleReads,
    PortableDecision,
    PortableName,
    PortableRow,
    PortableRuling,
)


def portable(people: PeopleReads, namespace: str) -> Iterator[PortableRow]:
    """What was decided in one namespace: in the order of the entities, then of the claims."""
    keys = {one.id: _key(one) for one in people.entities(namespace)}
    for one in people.decisions(namespace):
        if one.a in keys and one.b in keys:
            yield PortableDecision(keys[one.a], keys[one.b], one.verdict, one.reason, one.actor, one.decided_at)
    for entity, name in sorted(people.given_names(namespace).items()):
        if entity in keys:
            yield PortableName(keys[entity], name)
    for ruling in people.rulings(namespace):
        yield PortableRuling(namespace, ruling)


def keys_of(row: PortableDecision | PortableName) -> tuple[EntityKey, ...]:
    return (row.of,) if isinstance(row, PortableName) else (row.a, row.b)


def _key(one: Entity) -> EntityKey:
    """By a name that was said: one that was given is not in the words from which it will be made again."""
    return EntityKey(one.namespace, one.conversation, one.kind, one.aliases[0])


@dataclass(frozen=True, slots=True)
class ArrivedDecisions:
    """What another memory decided, with the numbers of this one; `missing` were about somebody who is not here."""

    decisions: tuple[IdentityDecision, ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    missing: int = 0


@dataclass(slots=True)
class _Here:
    """Who is known in one namespace, and what was decided there already: that stands."""

    entities: dict[tuple[str, EntityKind, str], int] = field(default_factory=dict)
    decided: set[tuple[int, int]] = field(default_factory=set)
    named: set[int] = field(default_factory=set)

    @classmethod
    def read(cls, people: PeopleReads, namespace: str) -> _Here:
        entities = {
            (one.conversation, one.kind, folded(alias)): one.id
            for one in people.entities(namespace)
            for alias in one.aliases
        }
        decided = {(one.a, one.b) for one in people.decisions(namespace)}
        return cls(entities, decided, set(people.given_names(namespace)))

    def find(self, key: EntityKey) -> int:
        return self.entities.get((key.conversation, key.kind, folded(key.name)), 0)


def arrived(
    people: PeopleReads, rows: Iterable[PortableDecision | PortableName], namespace: str = ""
) -> ArrivedDecisions:
    """`namespace` takes the place of theirs, if it is named. What was decided here already is left as it is."""
    by_namespace: dict[str, _Here] = {}
    decisions: list[IdentityDecision] = []
    names: list[tuple[int, str]] = []
    missing = 0
    for row in rows:
        into = namespace or keys_of(row)[0].namespace
        here = (
            by_namespace.setdefault(into, _Here.read(people, into)) if into not in by_namespace else by_namespace[into]
        )
        found = [here.find(key) for key in keys_of(row)]
        if 0 in found or len(set(found)) < len(found):
            missing += 1
        elif isinstance(row, PortableName):
            names += [(found[0], row.name)] if found[0] not in here.named else []
        elif (pair := (min(found), max(found))) not in here.decided:
            decisions.append(IdentityDecision(*pair, row.verdict, row.reason, row.actor, row.decided_at))
    return ArrivedDecisions(tuple(decisions), tuple(names), missing)
