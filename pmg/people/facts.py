"""Facts that change: which of a person's claims hold, since when, and which a later one has ended.

Knows: that of a functional relation (works_at, lives_in, partner_of) one thing holds at a time, that a later claim ends an earlier one and never deletes it, and that two
that differ without an order in time are a contradiction, not a change. What was over when it was told ends nothing, what is still to come begins on its own day, and what the
speaker took back was never a fact. Pure: claims in, facts out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pmg.base.claim import DISLIKES, FUNCTIONAL, IS_A, LIKES, LIVES_IN, NEVER, PARTNER_OF, WORKS_AT, Modality
from pmg.people.entities import folded
from pmg.people.left_jobs import left_jobs
from pmg.people.same_thing import is_unnamed, may_be_one, same
from pmg.store.people import Ruling, StoredClaim

SURE = 0.6  # a claim that is doubted more than this is no fact and ends none: "maybe" has 0.5, "probably" 0.7
_OPPOSITE = {LIKES: DISLIKES, DISLIKES: LIKES}
_ABOUT = timedelta(days=31)  # "I quit last month" names no day: so far it may be off


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim that was put forward as a fact, and how long it holds. `ended_by` is the claim that ended it."""

    claim: StoredClaim
    start: date
    end: date | None = None
    ended_by: StoredClaim | None = None
    repeated: tuple[StoredClaim, ...] = ()  # the same, said again

    @property
    def is_former(self) -> bool:
        """Only that it was once is known, not since when or until when: "I used to live in Rome"."""
        return self.start == self.end and self.ended_by is None and self.claim.ruling is not Ruling.ENDED

    @property
    def last_said(self) -> date:
        return (self.repeated or (self.claim,))[-1].claim.said_at.date()

    def is_open(self, day: date) -> bool:
        return self.end is None or self.end > day


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two claims of which only one can hold. `is_evolution`: they follow each other in time, so both held."""

    a: StoredClaim
    b: StoredClaim
    is_evolution: bool
    suggestion: str


def facts_of(claims: Iterable[StoredClaim]) -> list[Fact]:
    """The facts about one person, in the order of their beginning."""
    stated = _stated(claims)
    stated = sorted((*stated, *left_jobs(stated)), key=_order)
    found: list[Fact] = []
    for relation in dict.fromkeys(one.claim.relation for one in stated):
        mine = [one for one in stated if one.claim.relation == relation]
        found += _functional(mine) if relation in FUNCTIONAL else _plain(mine)
    return sorted(found, key=lambda fact: (fact.start, fact.claim.id))


def as_of(facts: Iterable[Fact], day: date) -> list[Fact]:
    """Those that held on a day."""
    return [fact for fact in facts if fact.start <= day and fact.is_open(day)]


def holding(facts: Iterable[Fact], today: date) -> list[Fact]:
    """Those that hold, as far as anybody said: neither over by today nor still to come."""
    return [fact for fact in facts if fact.is_open(today) and not is_to_come(fact, today)]


def is_to_come(fact: Fact, today: date) -> bool:
    """ "I'm moving to Warsaw on 25 January", before that day."""
    claim = fact.claim.claim
    return claim.relation in FUNCTIONAL and fact.start > max(today, claim.said_at.date())


def began(one: StoredClaim) -> date:
    """Since when it holds: the day its words name, else the day it was said."""
    return one.claim.valid_from or one.claim.said_at.date()


def is_over(one: StoredClaim) -> bool:
    """Whether it held no more when it was said: "I used to live in Rome", "I lived in Rome in 2019"."""
    end, said = one.claim.valid_to, one.claim.said_at.date()
    return one.claim.is_positive and end is not None and end.toordinal() <= said.toordinal() + 1


def _stated(claims: Iterable[StoredClaim]) -> list[StoredClaim]:
    """What was put forward as a fact and not taken back since, in the order in which it was said."""
    stated = [one for one in claims if one.claim.modality is Modality.STATED and one.claim.certainty >= SURE]
    denials = [one for one in stated if not one.claim.is_positive and one.claim.object]
    return sorted((one for one in stated if not any(_takes_back(other, one) for other in denials)), key=_order)


def _takes_back(denial: StoredClaim, one: StoredClaim) -> bool:
    """ "I misspoke, I don't live in Kiel" says that it never was; "I'm not moving to Kiel after all" comes before it would have begun."""
    a, b = denial.claim, one.claim
    if a.relation != b.relation or b.relation not in FUNCTIONAL or not b.is_positive or not same(a.object, b.object):
        return False
    if (b.said_at, one.id) >= (a.said_at, denial.id):
        return False
    return a.valid_from == NEVER or began(one) > a.said_at.date()


def _order(one: StoredClaim) -> tuple[date, date, int]:
    return (one.claim.said_at.date(), began(one), one.id)


def _functional(claims: Sequence[StoredClaim]) -> list[Fact]:
    """One at a time. Two of one day are both kept open: nothing tells which came first."""
    found: list[Fact] = []
    for one in claims:
        if not one.claim.is_positive:
            found = [_ended(fact, _denied_from(one), one) if _denies(one, fact) else fact for fact in found]
        elif is_over(one):
            found = _with_former(found, one)
        else:
            found = _with_current(found, one)
    return found


def _denied_from(one: StoredClaim) -> date:
    return one.claim.valid_to or one.claim.valid_from or one.claim.said_at.date()


def _denies(one: StoredClaim, fact: Fact) -> bool:
    """Whether a denial is of this. One without a name ("I quit my job in 2010") is not of what was told to hold long after it."""
    if not fact.is_open(one.claim.said_at.date()):
        return False
    if one.claim.object:
        return same(fact.claim.claim.object, one.claim.object)
    return _denied_from(one).toordinal() + _ABOUT.days >= fact.last_said.toordinal()


def _with_former(found: Sequence[Fact], one: StoredClaim) -> list[Fact]:
    """With what was over when it was told: it ends nothing but itself, and that only where its words say that it is over."""
    since, until, said = one.claim.valid_from, one.claim.valid_to or one.claim.said_at.date(), one.claim.said_at.date()
    for place, fact in enumerate(found):
        if not fact.is_open(said) or fact.last_said >= said or not same(fact.claim.claim.object, one.claim.object):
            continue
        if since is None and until >= fact.last_said and _tells_its_end(one):
            return [*found[:place], _ended(fact, until, one), *found[place + 1 :]]
        if since >= fact.start if since is not None else not _tells_its_end(one):
            return [*found[:place], replace(fact, repeated=(*fact.repeated, one)), *found[place + 1 :]]
    end = until if since is not None or _tells_its_end(one) else said
    return [*found, Fact(one, min(since or end, end), end)]


def _tells_its_end(one: StoredClaim) -> bool:
    """ "I used to work there" ended before it was said; "I worked there all day" held up to that day, and may hold still."""
    end = one.claim.valid_to
    return one.ruling is Ruling.ENDED or (end is not None and end <= one.claim.said_at.date())


def _with_current(found: Sequence[Fact], one: StoredClaim) -> list[Fact]:
    """With what holds or is to come: it ends what it replaces on the day it begins."""
    said, start, until = one.claim.said_at.date(), began(one), one.claim.valid_to
    for place, fact in reversed([*enumerate(found)]):
        if fact.is_open(said) and may_be_one(fact.claim, one, fact.last_said):
            again = replace(fact, claim=_named(fact.claim, one), repeated=(*fact.repeated, one))
            return [*found[:place], replace(again, end=until) if until else again, *found[place + 1 :]]
    coming = min((fact for fact in found if said < fact.start and start <= said), key=_starts, default=None)
    made = Fact(one, start, until)
    if coming is not None and made.is_open(coming.start) and not _both_hold(coming.claim, one):
        made = _ended(made, coming.start, coming.claim)
    later = [_ended(fact, start, one) if _makes_way(fact, one) else fact for fact in found]
    return [*later, made]


def _starts(fact: Fact) -> date:
    return fact.start


def _named(known: StoredClaim, one: StoredClaim) -> StoredClaim:
    """The one of two that has a name."""
    return one if is_unnamed(known.claim.object) and not is_unnamed(one.claim.object) else known


def _makes_way(fact: Fact, one: StoredClaim) -> bool:
    """Whether what was known ends with this: said on an earlier day, or before a beginning that is still to come."""
    said, start = one.claim.said_at.date(), began(one)
    if not fact.is_open(said) or _both_hold(fact.claim, one):
        return False
    if start > said:
        return fact.is_open(start) and (fact.last_said < said or fact.start < start)
    return fact.last_said < said and fact.start <= said


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
                lasted = one.claim.valid_from is None or one.claim.relation == IS_A  # else it is the time of an event
                found.append(Fact(one, began(one), one.claim.valid_to if lasted else None))
        else:
            day = one.claim.said_at.date()
            found = [
                _ended(f, day, one) if f.end is None and folded(f.claim.claim.object) == key and f.start < day else f
                for f in found
            ]
    return found


def contradictions(claims: Sequence[StoredClaim]) -> list[Contradiction]:
    """Pairs of which only one can hold at a time, each told apart by time: evolution, or nobody can say which."""
    stated = _stated(claims)
    found = []
    for place, b in enumerate(stated):
        a = next((one for one in reversed(stated[:place]) if _excludes(one, b)), None)
        if a is not None:
            ordered = a.claim.said_at.date() < b.claim.said_at.date() or _begins_later(b)
            found.append(Contradiction(a, b, ordered, _suggested(a, b, ordered)))
    return found


def exclude_each_other(a: StoredClaim, b: StoredClaim) -> bool:
    """Whether only one of two claims can hold at a time, whatever a person has said of them since."""
    first, second = sorted(map(_unruled, (a, b)), key=_order)
    return a.id != b.id and _excludes(first, second)


def _unruled(one: StoredClaim) -> StoredClaim:
    claim = replace(one.claim, valid_to=None) if one.ruling is Ruling.ENDED else one.claim
    return replace(one, claim=claim, ruling=None)


def _begins_later(one: StoredClaim) -> bool:
    return one.claim.relation in FUNCTIONAL and began(one) > one.claim.said_at.date()


def _both_hold(a: StoredClaim, b: StoredClaim) -> bool:
    """Whether a person said so."""
    return a.ruling is Ruling.HOLDS and b.ruling is Ruling.HOLDS


def _excludes(a: StoredClaim, b: StoredClaim) -> bool:
    x, y = a.claim, b.claim
    if _both_hold(a, b) or Ruling.ENDED in (a.ruling, b.ruling):
        return False  # a person has settled it
    if x.relation == y.relation and x.relation in FUNCTIONAL and x.is_positive and y.is_positive:
        if is_over(a) or is_over(b) or (began(a) > y.said_at.date() and not _begins_later(b)):
            return False  # one is over, or still to come: what holds meanwhile is no contradiction
        return not may_be_one(a, b, x.said_at.date())
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
    day = began(b) if _begins_later(b) else b.claim.said_at.date()
    return f"{what} between {a.claim.said_at.date()} and {day}"
