"""Whom the page lists: people, each once however many conversations know them, and other things by kind.

Knows: that the owner of the memory is "You", and how a number of the page's address finds its row. What is known of one of them stands in
person_data.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pmg.base.errors import NotFound
from pmg.base.model import YOU
from pmg.engine import Engine
from pmg.people.entities import folded
from pmg.people.extract import VERSION
from pmg.people.knowledge import Knowledge
from pmg.store.people import Entity, EntityKind, Identity
from pmg.ui.people.claim_text import yours


@dataclass(frozen=True, slots=True)
class EntityRow:
    """One of the list. `parts` are the entities that it is made of, each of one conversation."""

    parts: tuple[Entity, ...]
    is_you: bool = False
    perhaps: int = 1  # people of this name that nobody told apart: the others stand on the page of this one

    @property
    def id(self) -> int:
        return self.parts[0].id

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(one.id for one in self.parts)

    @property
    def kind(self) -> EntityKind:
        return self.parts[0].kind

    @property
    def name(self) -> str:
        return YOU if self.is_you else yours(self.parts[0].name)

    @property
    def mentions(self) -> int:
        return sum(one.mentions for one in self.parts)

    @property
    def conversations(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.conversation for one in self.parts if one.conversation))

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it goes by, as the lines have them."""
        return tuple(dict.fromkeys(name for one in self.parts for name in (one.name, *one.aliases)))


def rows(known: Knowledge) -> list[EntityRow]:
    """You first, then people, then everything else; each kind by how often it is named."""
    people, mine = known.people(), known.owner()
    others = [EntityRow(group) for group in people if not set(group) & set(mine)]
    ranked = sorted(others, key=lambda row: (-row.mentions, row.id))
    you = [EntityRow(tuple(sorted(mine, key=lambda one: -one.mentions)), True)] if mine else []
    return [*you, *ranked, *_things(known)]


def _things(known: Knowledge) -> list[EntityRow]:
    """What is no person is the same in every conversation that calls it so."""
    groups: dict[tuple[EntityKind, str], list[Entity]] = {}
    for one in known.entities:
        if one.kind is not EntityKind.PERSON:
            groups.setdefault((one.kind, folded(one.name)), []).append(one)
    order = list(EntityKind)
    found = [EntityRow(tuple(group)) for group in groups.values()]
    return sorted(found, key=lambda row: (order.index(row.kind), -row.mentions, row.id))


def listed(engine: Engine, namespace: str) -> list[EntityRow]:
    return rows(Knowledge.read(engine.reads.people, namespace))


def row_of(known: Sequence[EntityRow], entity: int) -> EntityRow:
    found = next((row for row in known if entity in row.ids), None)
    if found is None:
        raise NotFound("Whoever that was is not known here any more: renamed, merged or forgotten meanwhile.")
    return found


def namesakes(known: Knowledge, everybody: Sequence[EntityRow], row: EntityRow) -> list[EntityRow]:
    """Other people of exactly this name, of whom nobody decided that they are somebody else."""
    apart = {(one.a, one.b) for one in known.decisions if one.verdict is Identity.SEPARATE}
    return [
        one
        for one in everybody
        if one.kind is row.kind is EntityKind.PERSON and one.id != row.id and not (one.is_you or row.is_you)
        and folded(one.name) == folded(row.name)
        and not any((min(a, b), max(a, b)) in apart for a in one.ids for b in row.ids)
    ]  # fmt: skip


def once(known: Knowledge, everybody: Sequence[EntityRow]) -> list[EntityRow]:
    """Each name once, unless two of that name were told apart."""
    of_name: dict[str, list[EntityRow]] = {}
    for row in everybody:
        of_name.setdefault(folded(row.name), []).append(row)
    kept, left = [], set[int]()
    for row in everybody:
        alike = of_name[folded(row.name)]
        same = namesakes(known, alike, row) if len(alike) > 1 else []
        if row.id not in left:
            kept.append(replace(row, perhaps=1 + len(same)))
            left |= {one.id for one in same}
    return kept


def matching(known: Sequence[EntityRow], words: str, kind: str) -> list[EntityRow]:
    """Those that go by a name with these words, of one kind if one is named."""
    wanted = folded(words)
    return [
        row
        for row in known
        if (not kind or row.kind.value == kind)
        and (not wanted or any(wanted in folded(name) for name in (row.name, *row.names)))
    ]


def waiting(engine: Engine) -> int:
    """Closed sessions whose claims are still to be read."""
    return len(engine.reads.people.waiting(VERSION))
