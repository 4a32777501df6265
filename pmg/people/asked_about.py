"""Of whom a question asks for facts: somebody by name, one of several of that name by their role, or a relative of the one who asks.

"Where does my sister live?" asks about her, not about oneself; "my boss Anna" is not my sister of that name. Knows: how roles are found in claims. Whom a question names stands in
route.py, which lines answer in ask.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.claim import IS_A, KNOWS, OWNS, PARTNER_OF
from pmg.people.answer import Asking
from pmg.people.asked_relation import asked_relation
from pmg.people.entities import folded
from pmg.people.knowledge import Knowledge
from pmg.people.roles import UNTOLD, asked_role, has, is_role, role_in, role_of
from pmg.people.route import Route
from pmg.store.people import Entity, EntityKind

_OF_MINE = re.compile(
    r"\b(?:do|does|did|is|was|are|were|has|had|will)(?: not|n['’]t)? (?:my|our) (?:\w+ ){0,2}?(?P<role>\w+)\b|\b(?:my|our) (?:\w+ )?(?P<whose>\w+)['’]s\b",
    re.IGNORECASE,
)


# "Am I still dating Daniel?" names Daniel and asks about oneself.
_OF_ME = re.compile(
    r"\b(?:am|do|did|was|have|had|will|would|can|should) (?:i|we)\b|\b(?:bin|habe|war|hatte|wohne|lebe|arbeite) ich\b",
    re.IGNORECASE,
)


def relative_asked(question: str, routed: Route) -> str:
    """The role of whoever is asked about, if it is a relative or acquaintance of the one who asks; "" if it is themselves or somebody by name."""
    if asked_relation(question) == PARTNER_OF and has("partner", _role(question)):
        return ""  # "Who is my partner?" asks about oneself
    return _role(question) if routed.is_mine else ""


def _role(question: str) -> str:
    for found in _OF_MINE.finditer(question):
        role = (found["role"] or found["whose"]).lower()
        if is_role(role):
            return role
    return ""


def groups_asked(asking: Asking, known: Knowledge, routed: Route) -> list[list[int]]:
    """The entities of each person of whom facts are asked; two of one name who were decided to be two are two, unless the question says which."""
    role = relative_asked(asking.question, routed)
    if role:
        return [[one.id for one in group] for group in known.apart(_relatives(asking, known, routed, role))]
    if not routed.is_mine and _OF_ME.search(asking.question):
        mine = [one for one in known.entities if one.kind is EntityKind.PERSON and not one.conversation]
        return [[one.id for one in group] for group in known.apart(mine)]
    several = [
        group
        for name in routed.people
        for group in _of_role(asking, asked_role(asking.question, name), known.apart(known.named(name)))
    ]
    return [[one.id for one in group] for group in dict.fromkeys(several)]


def namesakes_told(known: Knowledge, routed: Route) -> tuple[str, ...]:
    """That several people have a name that was asked for."""
    several = {
        name: sum(any(role_of(one.name) != UNTOLD for one in group) for group in known.apart(known.named(name)))
        for name in routed.people
    }
    return tuple(
        f"{count} people are called {name} here: each line names its conversation."
        for name, count in several.items()
        if count > 1
    )


def _of_role(asking: Asking, role: str, groups: Sequence[tuple[Entity, ...]]) -> Sequence[tuple[Entity, ...]]:
    """Whoever has the role, if one is asked for and told of any of them: as one, for a role and a name together are somebody's."""
    if not role or len(groups) < 2:
        return groups
    held = _having(asking, [one.id for group in groups for one in group], role)
    mine = [group for group in groups if any(one.id in held or has(role_of(one.name), role) for one in group)]
    return [tuple(one for group in mine for one in group)] if mine else groups


def _relatives(asking: Asking, known: Knowledge, routed: Route, role: str) -> list[Entity]:
    """Whoever the one who asks has told to be that, by name or without one."""
    me = [one for name in routed.people for one in known.named(name)]
    told = asking.reads.people.claims(
        asking.namespace, about=[one.id for one in me], relations=[KNOWS, OWNS, PARTNER_OF]
    )
    mine = {one.object_entity for one in told if one.object_entity}
    held = _having(asking, sorted(mine), role) if mine else set()
    if has("partner", role):
        held |= {one.object_entity for one in told if one.claim.relation == PARTNER_OF and one.claim.is_positive}
    unnamed = {folded(f"{name}'s {role}") for one in me for name in (one.name, *one.aliases)}
    return [
        one
        for one in known.entities
        if one.kind is EntityKind.PERSON and (one.id in held or folded(one.name) in unnamed)
    ]


def _having(asking: Asking, ids: Sequence[int], role: str) -> set[int]:
    claims = asking.reads.people.claims(asking.namespace, about=list(ids), relations=[IS_A])
    return {one.about for one in claims if (told := role_in(one.claim.object)) is not None and has(told[0], role)}
