"""Two people of one name in one conversation: "my sister Anna" and "my boss Anna" are told apart by what they are to the one who speaks of them.

    a session       a name that one speaker gives to two roles: each claim goes to the role that is named in its clause, or was named last, near enough
    a conversation  a role that excludes the one an earlier session told of that name is somebody else

They are called "Anna (sister)" and "Anna (boss)". Whom nobody can tell is "Anna (?)", for a person's eye (reconcile.py). Pure; which roles exclude each other stands in roles.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pmg.base.claim import IS_A, Claim, SpokenLine
from pmg.people.entities import folded
from pmg.people.roles import UNTOLD, called, differ, exclude, role_in
from pmg.people.subjects import KIN, MAX_DISTANCE, Gender

_ONE = "|".join(sorted((noun for noun, gender in KIN.items() if gender is not Gender.MANY), key=len, reverse=True))
_ROLE = re.compile(rf"\b(?:my|our) (?:\w+ ){{0,2}}?(?P<role>{_ONE})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _RoleMention:
    """Where a speaker names a role: the place of the line, and the character in it."""

    line: int
    at: int
    role: str


def told_apart(claims: Sequence[Claim], lines: Sequence[SpokenLine]) -> list[Claim]:
    """The claims of one session, each about the one of a name whom it is about."""
    several = _several(_roles(claims))
    if not several:
        return list(claims)
    places = {(line.segment, line.line): place for place, line in enumerate(lines)}
    mentions = {speaker: _mentions(lines, speaker) for speaker in dict.fromkeys(whose for _, whose in several)}
    found = []
    for claim in claims:
        place = places[claim.segment, claim.line]
        for (name, whose), names in several.items():
            if name in (claim.subject, claim.object) and (whose == claim.speaker or claim.subject == name):
                role = _meant(claim, place, mentions[whose], list(names))
                claim = _of(claim, name, names.get(role) or called(name, role))
        found.append(claim)
    return found


def _several(told: Mapping[tuple[str, str], Sequence[str]]) -> dict[tuple[str, str], dict[str, str]]:
    """The names that one speaker gives to two roles: what each of the two is called. "My sister Anna Berg" keeps her full name beside "my boss Anna"."""
    found = {}
    for (name, whose), roles in told.items():
        longer = {
            role: full
            for (full, other), some in told.items()
            if other == whose and _is_called(full, name) and full != name
            for role in some
        }
        names = longer | {role: called(name, role) for role in roles}
        if any(differ(roles[0], role) for role in names):
            found[name, whose] = names
    return found


def _is_called(full: str, name: str) -> bool:
    """Whether a name is that one, or begins with it; "Anna (boss)" is another than Anna."""
    return full == name or (full.startswith(f"{name} ") and not full.endswith(")"))


def _roles(claims: Iterable[Claim]) -> dict[tuple[str, str], list[str]]:
    """By name and by whose role it is: every role that is told."""
    found: dict[tuple[str, str], list[str]] = {}
    for claim in claims:
        role = role_in(claim.object) if claim.relation == IS_A else None
        if role is not None:
            roles = found.setdefault((claim.subject, role[1]), [])
            roles += [role[0]] if role[0] not in roles else []
    return found


def _mentions(lines: Sequence[SpokenLine], speaker: str) -> list[_RoleMention]:
    return [
        _RoleMention(place, found.start(), found["role"].lower())
        for place, line in enumerate(lines)
        if line.speaker == speaker
        for found in _ROLE.finditer(line.text)
    ]


def _meant(claim: Claim, place: int, mentions: Sequence[_RoleMention], roles: Sequence[str]) -> str:
    """The role in the claim's clause; else the last one before it."""
    role = role_in(claim.object) if claim.relation == IS_A else None
    if role is not None and role[0] in roles:
        return role[0]
    mine = [one for one in mentions if one.role in roles]
    inside = [one for one in mine if one.line == place and claim.start <= one.at < claim.end]
    if inside:
        return inside[0].role
    before = [one for one in mine if place - MAX_DISTANCE < one.line and (one.line, one.at) < (place, claim.start)]
    return before[-1].role if before else UNTOLD


def _of(claim: Claim, name: str, one: str) -> Claim:
    return replace(
        claim,
        subject=one if claim.subject == name else claim.subject,
        object=one if claim.object == name else claim.object,
    )


# across the sessions of one conversation


@dataclass(slots=True)
class KnownRoles:
    """What is told of the people of one conversation, by folded name: the roles of whoever has the plain name, and whether others of that name are known."""

    plain: dict[str, set[tuple[str, str]]]
    shared: set[str]

    @classmethod
    def none(cls) -> KnownRoles:
        return cls({}, set())

    def learn(self, claims: Iterable[Claim]) -> None:
        for (name, whose), roles in _roles(claims).items():
            self.plain.setdefault(folded(name), set()).update((role, whose) for role in roles)

    def told_apart(self, claims: Sequence[Claim], speakers: Collection[str]) -> list[Claim]:
        """A role that excludes what an earlier session told of that name is another's; a bare name that two have is nobody's for sure."""
        told = _roles(claims)
        names: dict[str, str] = {}
        for name in dict.fromkeys(claim.subject for claim in claims if claim.subject not in speakers):
            roles = [(role, whose) for (one, whose), some in told.items() if one == name for role in some]
            known = self._known(folded(name))
            other = [role for role, whose in roles if any(whose == mine and exclude(role, old) for old, mine in known)]
            if other:
                names[name] = called(name, other[0])
                self.shared |= {folded(name), folded(name).split(" ")[0]}
            elif not roles and folded(name) in self.shared:
                names[name] = called(name, UNTOLD)
        if not names:
            return list(claims)
        return [
            replace(
                claim, subject=names.get(claim.subject, claim.subject), object=names.get(claim.object, claim.object)
            )
            for claim in claims
        ]

    def _known(self, name: str) -> set[tuple[str, str]]:
        """Of that name, in full or in short: "my boss Anna" is not the sister Anna Berg."""
        return {
            role
            for one, roles in self.plain.items()
            if _is_called(one, name) or _is_called(name, one)
            for role in roles
        }
