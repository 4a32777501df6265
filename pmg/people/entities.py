"""Whom and what claims name: each an entity of its kind, with its aliases, inside one conversation.

Knows: which kind a name is from the relation it stands in; that the same name with another case or accent is the same, that a short form is the long one's if it
is nobody else's, and that look-alikes (Anna and Hannah, Jon and John) stay apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pmg.base.claim import (
    BLOCKED_BY,
    CAUSED_BY,
    COMES_FROM,
    DEPENDS_ON,
    IS_A,
    KNOWS,
    LIVES_IN,
    OWNS,
    PART_OF,
    PARTNER_OF,
    USES,
    WORKS_AT,
    Claim,
)
from pmg.people.things import is_work
from pmg.store.people import Entity, EntityKind

_OBJECTS = {
    WORKS_AT: EntityKind.ORGANISATION, PART_OF: EntityKind.ORGANISATION, LIVES_IN: EntityKind.PLACE, COMES_FROM: EntityKind.PLACE,
    PARTNER_OF: EntityKind.PERSON, KNOWS: EntityKind.PERSON, USES: EntityKind.TOOL, DEPENDS_ON: EntityKind.TOOL, BLOCKED_BY: EntityKind.THING,
    CAUSED_BY: EntityKind.EVENT,
}  # fmt: skip
_WORK = frozenset((DEPENDS_ON, BLOCKED_BY, CAUSED_BY, USES))
_PROPER = re.compile(
    r"[A-ZÀ-ÞА-Я\u3040-\u9fff\uac00-\ud7af]|\d|[a-z]+[-._][\w.-]+|(?:the |our )?(?:release|project|service|api)",
    re.UNICODE,
)
_ARTICLE = re.compile(r"\A(?:the|our|my|a|an)\s+", re.IGNORECASE)
_PET = re.compile(
    r"(?:dog|cat|puppy|pup|kitten|kitty|rabbit|bunny|hamster|parrot|bird|turtle|tortoise|snake|lizard|gecko|horse|guinea|pet|fish) of\b"
)
MIN_LETTERS = 3  # letters of a short form: "Mel" is Melanie, "Al" is nobody in particular


@dataclass(slots=True)
class Register:
    """The entities of one conversation while its claims are read. `fresh` are those that were not there before."""

    namespace: str
    conversation: str
    next_id: int
    known: dict[tuple[EntityKind, str], Entity] = field(default_factory=dict)
    fresh: list[Entity] = field(default_factory=list)

    @classmethod
    def of(cls, namespace: str, conversation: str, entities: Iterable[Entity], next_id: int) -> Register:
        made = cls(namespace, conversation, next_id)
        for one in entities:
            if one.conversation in (conversation, ""):
                for name in one.aliases:
                    made.known[(one.kind, folded(name))] = one
        return made

    def entity(self, name: str, kind: EntityKind, is_owner: bool = False) -> int:
        """The entity of that name and kind; a new one where there is none."""
        key = (kind, folded(name))
        found = self.known.get(key) or self._longer(name, kind)
        if found is None:
            found = Entity(self.next_id, self.namespace, "" if is_owner else self.conversation, kind, name, (name,))
            self.next_id += 1
            self.fresh.append(found)
        self.known[key] = found
        return found.id

    def _longer(self, name: str, kind: EntityKind) -> Entity | None:
        """The one whose name begins with this one, word for word or as a short form, if there is exactly one: nobody who is known by another family name."""
        short = folded(name)
        fits = {
            one.id: one for (other, known), one in self.known.items() if other is kind and is_short_for(short, known)
        }
        others = {
            one.id for (_, known), one in self.known.items() if one.id in fits and are_two_full_names(short, known)
        }
        left = [one for one in fits.values() if one.id not in others]
        return left[0] if len(left) == 1 else None


def is_short_for(a: str, b: str) -> bool:
    """Whether one folded name can be a short form of the other: "anna" of "anna schmidt", "mel" of "melanie"; never "jon" of "john"."""
    short, long = sorted((a, b), key=len)
    if short == long or len(short) < MIN_LETTERS or "'s " in long or long.endswith(")"):
        return False  # "Anna (boss)" is one of several of that name, and not what "Anna" is short for
    first = long.split(" ")[0]
    return long.startswith(short + " ") or (
        " " not in short and first.startswith(short) and len(first) - len(short) >= 2
    )


def are_two_full_names(a: str, b: str) -> bool:
    """Whether two folded names have two family names: "anna" may be either of "anna berg" and "anna weiss", who are not each other."""
    x, y = a.split(), b.split()
    return len(x) > 1 and len(y) > 1 and x[-1] != y[-1] and not is_short_for(a, b)


def folded(name: str) -> str:
    """Without case, accents and articles: how two spellings of one name are compared."""
    if name.isascii():
        return " ".join(_ARTICLE.sub("", name.strip(), count=1).lower().split())
    plain = unicodedata.normalize("NFKD", _ARTICLE.sub("", name.strip(), count=1))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).casefold().split())


def subject_kind(claim: Claim, people: Mapping[str, object]) -> EntityKind:
    if claim.subject in people:
        return EntityKind.PERSON
    if claim.relation == IS_A and _PET.match(claim.object):
        return EntityKind.PET
    if (
        claim.relation in _WORK or (claim.relation == PART_OF and is_work(claim.subject))
    ) and "'s " not in claim.subject:
        return EntityKind.PROJECT
    return EntityKind.PERSON


def object_kind(claim: Claim) -> EntityKind | None:
    """What the object is, where it is a name of its own; None for a description."""
    if not claim.object or _PROPER.match(claim.object) is None:
        return None
    if claim.relation == OWNS:
        return EntityKind.PET if claim.object.isalpha() else None
    return _OBJECTS.get(claim.relation)


def kinds_of(claims: Sequence[Claim], people: Mapping[str, object]) -> dict[str, EntityKind]:
    """The kind of every subject; what is once known to be a pet is one in every claim."""
    kinds: dict[str, EntityKind] = {}
    for claim in claims:
        kind = subject_kind(claim, people)
        if kind is not EntityKind.PERSON or claim.subject not in kinds:
            kinds[claim.subject] = kind
    return kinds


def renamed(entity: Entity, name: str) -> Entity:
    return replace(entity, name=name)
