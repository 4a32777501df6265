"""A first name that several known people have: asked for by it alone, nobody can say which of them is meant. Pure.

Knows: when two people of one first name are two: by their family names, because it was decided or told, or because one conversation has both. A full name,
or a role before the name ("my boss Anna"), says who is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from pmg.people.entities import folded
from pmg.people.knowledge import Knowledge
from pmg.people.roles import UNTOLD, asked_role, bare, is_role, role_of
from pmg.people.route import Route
from pmg.people.subjects import TITLES
from pmg.store.people import Entity, EntityKind

_WORD = re.compile(r"\w[\w-]*")


@dataclass(frozen=True, slots=True)
class SharedName:
    """`people` are the entities of each whom it may mean."""

    name: str
    people: tuple[tuple[int, ...], ...]

    @property
    def note(self) -> str:
        return f"Several people are called {self.name} here: a full name says which of them is meant."


def shared_name(question: str, routed: Route, known: Knowledge) -> SharedName | None:
    """The name of the question that is the first name of several people, if there is one."""
    if routed.is_mine:
        return None
    full = [name for name in routed.people if " " in name]
    asked = question
    for name in full:
        asked = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", asked, flags=re.IGNORECASE)
    for name in _first_names(asked, routed):
        if not asked_role(question, name):
            persons = _persons(known, name)
            if any(_are_two(known, a, b) for a, b in combinations(persons, 2)):
                return SharedName(name, tuple(tuple(one.id for one in person) for person in persons))
    return None


def _first_names(asked: str, routed: Route) -> Iterable[str]:
    """Names that stand alone: known as such, or written as a name. What begins a sentence is written large, whatever it is."""
    alone = {folded(name) for name in routed.people if " " not in name}
    for place, found in enumerate(_WORD.finditer(asked)):
        word = re.sub(r"['’]s\Z", "", found[0])
        is_written_so = place > 0 and word[0].isupper()
        if (is_written_so or folded(word) in alone) and folded(word) not in TITLES and not is_role(folded(word)):
            yield word


def _persons(known: Knowledge, name: str) -> list[tuple[Entity, ...]]:
    """Everybody who has it as their name or their first name, each whole."""
    wanted = folded(name)
    mine = [
        one
        for one in known.entities
        if one.kind is EntityKind.PERSON
        and role_of(one.aliases[0]) != UNTOLD  # who may be any of them
        and any(_is_called(wanted, alias) for alias in (one.name, *one.aliases))
    ]
    groups = dict.fromkeys(known.person(one.id) for one in mine)
    return [tuple(one for one in known.entities if one.id in ids) for ids in groups]


def _is_called(wanted: str, name: str) -> bool:
    said = folded(bare(name))
    return "'s " not in said and (said == wanted or said.startswith(f"{wanted} "))


def _are_two(known: Knowledge, a: tuple[Entity, ...], b: tuple[Entity, ...]) -> bool:
    last_names = [{_last(alias) for one in group for alias in (one.name, *one.aliases)} - {""} for group in (a, b)]
    if all(last_names) and not last_names[0] & last_names[1]:
        return True
    if any(last_names) and {one.conversation for one in a} & {one.conversation for one in b}:
        return not (last_names[0] & last_names[1])  # else the short form would have been taken for the long one's
    return len(known.apart((*a, *b))) > 1


def _last(name: str) -> str:
    words = folded(bare(name)).split()
    return words[-1] if len(words) > 1 else ""
