"""What the people tab begins with: what is known about you, by matter, each sentence with its source and day, and what changed lately.

Knows: which matter a relation belongs to, and which claims stand on their own. How a claim looks stands in person_html.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pmg.base.claim import (
    COMES_FROM,
    DEPENDS_ON,
    DISLIKES,
    IS_A,
    KNOWS,
    LIKES,
    LIVES_IN,
    OWNS,
    PART_OF,
    PARTNER_OF,
    USES,
    WORKS_AT,
    Modality,
)
from pmg.base.times import now
from pmg.base.words import STOP_WORDS
from pmg.engine import Engine
from pmg.people.facts import SURE, facts_of, holding
from pmg.people.knowledge import Knowledge
from pmg.people.roles import role_in
from pmg.people.same_thing import is_unnamed
from pmg.store.people import EntityKind, StoredClaim
from pmg.ui import render
from pmg.ui.people.people_data import EntityRow, rows
from pmg.ui.people.people_html import CHOOSE, act
from pmg.ui.people.person_data import ShownChange, ShownClaim, changes_of, clauses_of, shown_claims
from pmg.ui.people.person_html import change_html, known_html, part

HOME, WORK, PEOPLE, LIKED, THINGS, PROJECTS, ABOUT, PLANNED = (
    "Home", "Work", "People", "Likes", "Things you have and use", "Projects", "Yourself", "Plans",
)  # fmt: skip
MATTERS = {
    LIVES_IN: HOME, COMES_FROM: HOME, WORKS_AT: WORK, PARTNER_OF: PEOPLE, KNOWS: PEOPLE, LIKES: LIKED, DISLIKES: LIKED,
    OWNS: THINGS, USES: THINGS, DEPENDS_ON: PROJECTS, PART_OF: PROJECTS, IS_A: ABOUT,
}  # fmt: skip
ORDER = tuple(dict.fromkeys((*MATTERS.values(), PLANNED)))
MAX_SENTENCES = 8  # sentences of a matter
CHANGED = 6
STILL_PLANNED = timedelta(days=30)  # a plan without a day of its own is one for so long after it was told
_OWN = frozenset(("a", "an", "my", "our"))  # what they begin needs no line before it


@dataclass(frozen=True, slots=True)
class Landing:
    you: EntityRow | None
    known: dict[str, list[ShownClaim]]  # by matter, in order; the newest first
    changed: tuple[tuple[EntityRow, ShownChange], ...]  # newest first


def landing(engine: Engine, namespace: str) -> Landing:
    store = engine.reads.people
    everybody = rows(Knowledge.read(store, namespace))
    claims = store.claims(namespace)
    shown = shown_claims(claims, everybody, clauses_of(engine, claims))
    you = next((row for row in everybody if row.is_you), None)
    changed = []
    for row in everybody:
        if row.kind is EntityKind.PERSON:
            facts = facts_of([one for one in claims if one.about in row.ids])
            changed += [(row, change) for change in changes_of(facts, shown)]
    changed.sort(key=lambda pair: pair[1].end, reverse=True)
    known = known_of(you, claims, shown) if you else {}
    pinned = _pinned(engine, {one.segment for some in known.values() for one in some})
    marked = {matter: [replace(one, is_pinned=one.segment in pinned) for one in some] for matter, some in known.items()}
    return Landing(you, marked, tuple(changed[:CHANGED]))


def _pinned(engine: Engine, segments: set[str]) -> set[str]:
    numbers = engine.reads.numbers_of(sorted(segments))
    return {one.id for one in engine.reads.segments(sorted(numbers.values())) if one.pinned}


def known_of(
    you: EntityRow, claims: Sequence[StoredClaim], shown: dict[int, ShownClaim]
) -> dict[str, list[ShownClaim]]:
    """What holds of you and stands on its own; whom others are to you; what you plan."""
    today = now().date()
    mine = [one for one in claims if one.about in you.ids]
    found: dict[str, list[ShownClaim]] = {matter: [] for matter in ORDER}
    facts = [fact.claim for fact in holding(facts_of(mine), today)]
    for one in facts:
        if one.claim.relation in MATTERS and one.claim.is_positive and stands_alone(one):
            found[MATTERS[one.claim.relation]].append(shown[one.id])
    others = holding(facts_of(one for one in claims if one.about not in you.ids and _role_of(one, you)), today)
    found[PEOPLE] += [shown[fact.claim.id] for fact in others if fact.claim.claim.is_positive]
    found[PLANNED] = [replace(shown[one.id], tones=()) for one in mine if is_planned(one, shown[one.id], today)]
    return {matter: _newest(some) for matter, some in found.items() if some}


def _newest(some: Sequence[ShownClaim]) -> list[ShownClaim]:
    once = {one.text.text: one for one in sorted(some, key=lambda one: one.day)}
    return sorted(once.values(), key=lambda one: one.day, reverse=True)[:MAX_SENTENCES]


def _role_of(one: StoredClaim, you: EntityRow) -> bool:
    """ "Lena is my sister": what somebody is to you."""
    role = role_in(one.claim.object) if one.claim.relation == IS_A else None
    return role is not None and role[1] in you.names


def stands_alone(one: StoredClaim) -> bool:
    """Whether its object says something without the line before it: "jazz", "a red bicycle", and not "the table", "it", "that tenth point"."""
    thing = one.claim.object
    first = thing.split()[0].casefold() if thing else ""
    return bool(thing) and not (is_unnamed(thing) and first in STOP_WORDS - _OWN)


def is_planned(one: StoredClaim, shown: ShownClaim, today: date) -> bool:
    """What you said yourself that you will do, and that may still be to come."""
    claim = one.claim
    if claim.modality is not Modality.PLAN or not claim.is_positive or claim.certainty < SURE or shown.speaker != "You":
        return False
    return claim.valid_from >= today if claim.valid_from else today - claim.said_at.date() <= STILL_PLANNED


# as HTML


def landing_html(found: Landing) -> str:
    changed = "".join(
        change_html(change, f'<b dir="auto">{render.safe(row.name)}</b>') for row, change in found.changed
    )
    parts = part("Changed lately", f'<ul class="pmg-p-claims">{changed}</ul>') if changed else ""
    return (_known(found) if found.you else CHOOSE) + (
        f'<article class="pmg-p-landing">{parts}</article>' if parts else ""
    )


def _known(found: Landing) -> str:
    assert found.you is not None
    said = "".join(
        part(matter, f'<ul class="pmg-p-claims">{"".join(known_html(one) for one in some)}</ul>')
        for matter, some in found.known.items()
    )
    nothing = (
        '<p class="pmg-empty">Nothing lasting was said yet: where you live or work, whom you know, what you like.</p>'
    )
    return (
        '<article class="pmg-person"><h3>What I know about you</h3><p class="pmg-quiet">As you said it, or others did. What is wrong '
        f"can be corrected or removed, and each change undone.</p>{said or nothing}"
        f'<p class="pmg-p-acts">{act(f"who:{found.you.id}", "Everything that was said of you")}</p></article>'
    )
