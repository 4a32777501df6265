"""Facts that change: which of a person's claims hold, since when, and which a later one has ended.

Knows: that of a functional relation (works_at, lives_in, partner_of) one thing holds at a time, that a later claim ends an earlier one and never deletes it, and that two
that differ without an order in time are a contradiction, not a change. Pure: claims in, facts out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pmg.claim import DISLIKES, FUNCTIONAL, LIKES, LIVES_IN, PARTNER_OF, WORKS_AT, Modality
from pmg.people.entities import folded, is_short_for
from pmg.store.claim_rulings import Ruling
from pmg.store.people import StoredClaim

SURE = 0.5  # a claim that is doubted more than this ends nothing
_OPPOSITE = {LIKES: DISLIKES, DISLIKES: LIKES}


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim that was put forward as a fact, and how long it holds. `ended_by` is the claim that ended it."""

    claim: StoredClaim
    start: date
    end: date | None = None
    ended_by: StoredClaim | None = None
    repeated: tuple[StoredClaim, ...] = ()  # the same, said again


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two claims of which only one can hold. `is_evolution`: they follow each other in time, so both held."""

    a: StoredClaim
    b: StoredClaim
    is_evolution: bool
    suggestion: str


def facts_of(claims: Iterable[StoredClaim]) -> list[Fact]:
    """The facts about one person, in the order of their beginning."""
    stated = [one for one in claims if one.claim.modality is Modality.STATED and one.claim.certainty >= SURE]
    found: list[Fact] = []
    for relation in dict.fromkeys(one.claim.relation for one in stated):
        mine = sorted((one for one in stated if one.claim.relation == relation), key=_order)
        found += _functional(mine) if relation in FUNCTIONAL else _plain(mine)
    return sorted(found, key=lambda fact: (fact.start, fact.claim.id))


def as_of(facts: Iterable[Fact], day: date) -> list[Fact]:
    """Those that held on a day."""
    return [fact for fact in facts if fact.start <= day and (fact.end is None or day < fact.end)]


def began(one: StoredClaim) -> date:
    """Since when it holds: the day its words name, else the day it was said."""
    named, said = one.claim.valid_from, one.claim.said_at.date()
    return min(named, said) if named is not None and one.claim.relation in FUNCTIONAL else named or said


def same(a: str, b: str) -> bool:
    """Whether two objects are one: the same name, a short form, or one that says nothing of its own ("my company")."""
    x, y = folded(a), folded(b)
    return x == y or is_short_for(x, y) or is_unnamed(a) or is_unnamed(b)


def is_unnamed(thing: str) -> bool:
    """ "my company", "the city": no name of its own, so it is whatever was named before."""
    return not thing or not any(word[:1].isupper() for word in thing.split())


def _order(one: StoredClaim) -> tuple[date, date, int]:
    return (one.claim.said_at.date(), began(one), one.id)


def _functional(claims: Sequence[StoredClaim]) -> list[Fact]:
    """One at a time. Two of one day are both kept open: nothing tells which came first."""
    found: list[Fact] = []
    for one in claims:
        if not one.claim.is_positive:
            day = one.claim.valid_to or one.claim.said_at.date()
            found = [
                _ended(fact, day, one)
                if fact.end is None and (not one.claim.object or same(fact.claim.claim.object, one.claim.object))
                else fact
                for fact in found
            ]
            continue
        known = next(
            (fact for fact in reversed(found) if fact.end is None and same(fact.claim.claim.object, one.claim.object)),
            None,
        )
        if known is not None:
            named = one if is_unnamed(known.claim.claim.object) and not is_unnamed(one.claim.object) else known.claim
            found[found.index(known)] = replace(known, claim=named, repeated=(*known.repeated, one))
            continue
        found = [_ended(fact, began(one), one) if fact.end is None and _earlier(fact, one) else fact for fact in found]
        found.append(Fact(one, began(one), one.claim.valid_to))
    return found


def _earlier(fact: Fact, one: StoredClaim) -> bool:
    """Whether what was known came before this: said on an earlier day, or ended by words that tell of a change."""
    if _both_hold(fact.claim, one):
        return False
    last = (fact.repeated or (fact.claim,))[-1]
    return last.claim.said_at.date() < one.claim.said_at.date()


def _ended(fact: Fact, day: date, by: StoredClaim) -> Fact:
    return replace(fact, end=max(day, fact.start), ended_by=by)


def _plain(claims: Sequence[StoredClaim]) -> list[Fact]:
    """Any number at a time; what is denied later ends what was said before."""
    found: list[Fact] = []
    for one in claims:
        key = folded(one.claim.object)
        if one.claim.is_positive:
            known = next((fact for fact in found if fact.end is None and folded(fact.claim.claim.object) == key), None)
            if known is not None:
                found[found.index(known)] = replace(known, repeated=(*known.repeated, one))
            else:
                found.append(Fact(one, began(one), one.claim.valid_to if one.claim.valid_from is None else None))
        else:
            day = one.claim.said_at.date()
            found = [
                _ended(f, day, one) if f.end is None and folded(f.claim.claim.object) == key and f.start < day else f
                for f in found
            ]
    return found


def contradictions(claims: Sequence[StoredClaim]) -> list[Contradiction]:
    """Pairs of which only one can hold at a time, each told apart by time: evolution, or nobody can say which."""
    stated = sorted(
        (c for c in claims if c.claim.modality is Modality.STATED and c.claim.certainty >= SURE), key=_order
    )
    found = []
    for place, b in enumerate(stated):
        a = next((one for one in reversed(stated[:place]) if _excludes(one, b)), None)
        if a is not None:
            ordered = a.claim.said_at.date() < b.claim.said_at.date()
            found.append(Contradiction(a, b, ordered, _suggested(a, b, ordered)))
    return found


def _both_hold(a: StoredClaim, b: StoredClaim) -> bool:
    """Whether a person said so."""
    return a.ruling is Ruling.HOLDS and b.ruling is Ruling.HOLDS


def _excludes(a: StoredClaim, b: StoredClaim) -> bool:
    x, y = a.claim, b.claim
    if _both_hold(a, b) or Ruling.ENDED in (a.ruling, b.ruling):
        return False  # a person has settled it
    if x.relation == y.relation and x.relation in FUNCTIONAL and x.is_positive and y.is_positive:
        return not same(x.object, y.object)
    alike = folded(x.object) == folded(y.object)
    if x.relation == y.relation:
        return alike and bool(x.object) and x.is_positive != y.is_positive and x.valid_from == y.valid_from
    return alike and _OPPOSITE.get(x.relation) == y.relation and x.is_positive == y.is_positive


def _suggested(a: StoredClaim, b: StoredClaim, ordered: bool) -> str:
    if not ordered:
        return f"both were said on {a.claim.said_at.date()}: which of them holds cannot be told"
    what = {LIVES_IN: "moved", WORKS_AT: "changed work", PARTNER_OF: "another relationship"}.get(
        b.claim.relation, "changed"
    )
    return f"{what} between {a.claim.said_at.date()} and {b.claim.said_at.date()}"
