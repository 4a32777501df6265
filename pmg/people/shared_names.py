"""A first name that several known people have: asked for by it alone, nobody can say which of them is meant. Pure.

Knows: when two people of one first name are two: by their family names, because it was decided or told, or because one conversation has both. A full name,
or a role before the name ("my boss Anna"), says who is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from pmg.base.calendar_words import GERMAN_WEEKDAYS, MONTHS, ONLY_GERMAN_MONTHS, WEEKDAYS
from pmg.base.words import SMALL_NUMBERS
from pmg.people.entities import folded
from pmg.people.knowledge import Knowledge
from pmg.people.roles import UNTOLD, asked_role, bare, is_role, role_of
from pmg.people.route import Route
from pmg.people.subjects import TITLES
from pmg.store.people import Entity, EntityKind

_WORD = re.compile(r"\w[\w-]*")
_TIMES = frozenset((*MONTHS, *ONLY_GERMAN_MONTHS, *WEEKDAYS, *GERMAN_WEEKDAYS))
_BEFORE_A_THING = frozenset(
    (
        "the a an this that der die das den dem des ein eine einen einem einer in im hundred thousand hundert tausend"
    ).split()
) | frozenset(SMALL_NUMBERS)


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
    for name in names_alone(asked, routed.people):
        if not asked_role(question, name):
            persons = _persons(known, name)
            if _are_several(known, persons):
                return SharedName(name, tuple(tuple(one.id for one in person) for person in persons))
    return None


def first_names(question: str, names: Iterable[str]) -> list[str]:
    """Those that stand alone in the question and begin the full name of somebody known."""
    begin = {folded(name.split(" ")[0]) for name in names if " " in name}
    return [name for name in names_alone(question, ()) if folded(name) in begin]


def names_alone(asked: str, people: Iterable[str]) -> Iterable[str]:
    """First names that stand alone: known as such (`people`), or written as a name. What begins a sentence is written large, whatever it is."""
    alone = {folded(name) for name in people if " " not in name}
    words = list(_WORD.finditer(asked))
    for place, found in enumerate(words):
        word = re.sub(r"['’]s\Z", "", found[0])
        is_written_so = place > 0 and word[0].isupper()
        if (is_written_so or folded(word) in alone) and not _is_no_name(asked, words, place):
            yield word


def _is_no_name(asked: str, words: Sequence[re.Match[str]], place: int) -> bool:
    """A title, a role, a month ("in May"), a thing or a currency ("the Rose", "hundred Mark"), or the first word of a longer name."""
    word = folded(words[place][0])
    if word in TITLES or is_role(word) or word in _TIMES:
        return True
    before = words[place - 1][0].lower() if place else ""
    if before.isdigit() or before in _BEFORE_A_THING:
        return True
    following = words[place + 1] if place + 1 < len(words) else None
    is_next = following is not None and asked[words[place].end() : following.start()] == " "
    return is_next and following is not None and following[0][0].isupper()


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
    groups = list(dict.fromkeys(known.person(one.id) for one in mine))
    by_id = {one.id: one for one in known.entities}
    return [tuple(by_id[one] for one in sorted(ids) if one in by_id) for ids in groups]


def _is_called(wanted: str, name: str) -> bool:
    said = folded(bare(name))
    return "'s " not in said and (said == wanted or said.startswith(f"{wanted} "))


def _are_several(known: Knowledge, persons: Sequence[tuple[Entity, ...]]) -> bool:
    """Whether any two of them are two: a name in many conversations has many bearers, so pairs are only made of what differs."""
    if len(persons) < 2:
        return False
    last_names = [_last_names(person) for person in persons]
    if any(a and b and not a & b for a, b in combinations(set(last_names), 2)):
        return True
    inside: dict[str, set[frozenset[str]]] = {}
    for person, names in zip(persons, last_names, strict=True):
        for conversation in {one.conversation for one in person}:
            inside.setdefault(conversation, set()).add(names)
    # one with a family name and one without: else the short form would have been taken for the long one's
    if any(frozenset() in names and len(names) > 1 for names in inside.values()):
        return True
    return len(known.apart(one for person in persons for one in person)) > 1


def _last_names(person: Iterable[Entity]) -> frozenset[str]:
    return frozenset(_last(alias) for one in person for alias in (one.name, *one.aliases)) - {""}


def _last(name: str) -> str:
    words = folded(bare(name)).split()
    return words[-1] if len(words) > 1 else ""
