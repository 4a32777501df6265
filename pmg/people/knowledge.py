"""What is known of some people at one moment, as one value: entities, who of them are one person, and their claims.

Everything about people that is asked (tools.py, reconcile.py, ask.py) is asked of this. Knows: how a name finds its entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pmg.base.model import USER_NAME
from pmg.people.entities import folded, is_short_for
from pmg.people.roles import UNTOLD, bare, exclude, role_of
from pmg.store.people import Entity, EntityKind, Identity, IdentityDecision, PeopleReads, StoredClaim


@dataclass(frozen=True, slots=True)
class Knowledge:
    entities: Sequence[Entity]
    decisions: Sequence[IdentityDecision]

    @classmethod
    def read(cls, people: PeopleReads, namespace: str) -> Knowledge:
        return cls(people.entities(namespace), people.decisions(namespace))

    def named(self, name: str, kind: EntityKind | None = EntityKind.PERSON) -> list[Entity]:
        """Everybody of that name: first those who have exactly it, else those for whom it is short."""
        wanted = folded(name)
        mine = [one for one in self.entities if kind is None or one.kind is kind]
        exact = [one for one in mine if wanted in _called(one)]
        return exact or [
            one for one in mine if any(is_short_for(wanted, folded(alias)) for alias in (one.name, *one.aliases))
        ]

    def person(self, entity: int) -> frozenset[int]:
        """The entities that were decided to be this one."""
        found, border = {entity}, [entity]
        while border:
            here = border.pop()
            for one in self.decisions:
                other = one.b if one.a == here else one.a if one.b == here else 0
                if other and one.verdict is Identity.MERGE and other not in found:
                    found.add(other)
                    border.append(other)
        return frozenset(found)

    def apart(self, entities: Iterable[Entity]) -> list[tuple[Entity, ...]]:
        """The people whom these are, each whole: one while nobody decided otherwise; once two were kept apart, each by themselves."""
        some = list(entities)
        persons = list(dict.fromkeys(self.person(one.id) for one in some))
        several = [one for one in some if any(name.endswith(")") for name in one.aliases)]  # hardly ever any
        apart = [(a.id, b.id) for a in several for b in some if are_told_apart(a, b)]
        whose = {entity: at for at, ids in enumerate(persons) for entity in ids}
        apart += [(one.a, one.b) for one in self.decisions if one.verdict is Identity.SEPARATE]
        if all(whose[a] == whose[b] for a, b in apart if a in whose and b in whose):
            persons = [frozenset().union(*persons)] if persons else []
        places = {one.id: at for at, one in enumerate(self.entities)}
        return [
            tuple(self.entities[at] for at in sorted(places[one] for one in ids if one in places)) for ids in persons
        ]

    def people(self) -> list[tuple[Entity, ...]]:
        """Every person once, with all entities that are that person; most mentioned first."""
        left = {one.id: one for one in self.entities if one.kind is EntityKind.PERSON}
        mine = {one.id for one in self.owner()}
        found = []
        for one in sorted(left.values(), key=lambda e: (-e.mentions, e.id)):
            if one.id in left:
                same = mine if one.id in mine else self.person(one.id)
                found.append(tuple(left.pop(i) for i in sorted(same) if i in left))
        return found

    def owner(self) -> list[Entity]:
        """The person whose memory this is: under every name their own lines have, and whoever was decided to be them."""
        everywhere = [one.id for one in self.entities if one.kind is EntityKind.PERSON and not one.conversation]
        ids = frozenset().union(*(self.person(one) for one in everywhere)) if everywhere else frozenset()
        return [one for one in self.entities if one.id in ids]

    def owner_names(self) -> frozenset[str]:
        """What their own lines call them, folded: by name in a history, and as the chat calls whoever types."""
        mine = [one for one in self.entities if one.kind is EntityKind.PERSON and not one.conversation]
        return frozenset(map(folded, (USER_NAME, *(name for one in mine for name in (one.name, *one.aliases)))))

    def decided(self, a: int, b: int) -> IdentityDecision | None:
        pair = (min(a, b), max(a, b))
        return next((one for one in self.decisions if (one.a, one.b) == pair), None)


def _called(one: Entity) -> set[str]:
    """What an entity is called, folded; one of several of a name also by the name alone."""
    names = (one.name, *one.aliases)
    return {folded(name) for name in (*names, *(bare(name) for name in names if name.endswith(")")))}


def are_told_apart(a: Entity, b: Entity) -> bool:
    """Whether two of one conversation have one name and roles that one person cannot both have ("Anna (sister)" and "Anna (boss)")."""
    said = [(one.aliases or (one.name,))[0] for one in (a, b)]  # a name that was given by hand tells no role
    if a.conversation != b.conversation or folded(bare(said[0])) != folded(bare(said[1])):
        return False
    x, y = map(role_of, said)
    return UNTOLD not in (x, y) and x != y and (not x or not y or exclude(x, y))


def about(claims: Iterable[StoredClaim], entities: Iterable[int]) -> list[StoredClaim]:
    wanted = set(entities)
    return [one for one in claims if one.about in wanted]
