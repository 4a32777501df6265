"""What the people tab shows before anybody is chosen: what it is for, what is known of you, what changed lately and what was said lately.

Knows: what of everybody's claims is worth a look first. How a claim looks stands in person_html.py, one person's page in person_data.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pmg.base.claim import Modality
from pmg.base.times import now
from pmg.engine import Engine
from pmg.people.facts import SURE, facts_of, holding
from pmg.people.knowledge import Knowledge
from pmg.store.people import EntityKind, StoredClaim
from pmg.ui import render
from pmg.ui.people.people_data import EntityRow, rows
from pmg.ui.people.people_html import CHOOSE, act
from pmg.ui.people.person_data import ShownChange, ShownClaim, changes_of, clauses_of, shown_claims
from pmg.ui.people.person_html import change_html, claim_html, part

YOURS = 6  # of what holds about you
MAX_RECENT = 3  # of what you said, where none of it lasts
CHANGED = 6
SAID = 8


@dataclass(frozen=True, slots=True)
class Landing:
    you: EntityRow | None
    yours: tuple[ShownClaim, ...]
    changed: tuple[tuple[EntityRow, ShownChange], ...]  # newest first
    said: tuple[ShownClaim, ...]  # of others, newest first


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
    mine = you.ids if you else ()
    others = {number for row in everybody if row.kind is EntityKind.PERSON and not row.is_you for number in row.ids}
    return Landing(
        you,
        tuple(_holding([one for one in claims if one.about in mine], shown)),
        tuple(changed[:CHANGED]),
        tuple(_lately([one for one in claims if one.about in others], shown)[:SAID]),
    )


def _holding(claims: Sequence[StoredClaim], shown: dict[int, ShownClaim]) -> list[ShownClaim]:
    """What lasts and holds, the newest first; where nothing lasting was said, the newest few of what was."""
    holds = [shown[fact.claim.id] for fact in holding(facts_of(claims), now().date()) if fact.claim.claim.is_positive]
    newest = sorted(holds, key=lambda one: one.day, reverse=True)
    return [one for one in newest if one.is_lasting][:YOURS] or newest[:MAX_RECENT]


def _lately(claims: Sequence[StoredClaim], shown: dict[int, ShownClaim]) -> list[ShownClaim]:
    """Each thing once, and what lasts before what passes: "Lena lives in Leipzig" says more of her than "we need a plan"."""
    sure = [one for one in claims if one.claim.modality is Modality.STATED and one.claim.certainty >= SURE]
    newest = [shown[one.id] for one in sorted(sure, key=lambda one: (one.claim.said_at, one.id), reverse=True)]
    once = {(one.about, one.text.text): one for one in reversed(newest)}  # of what was said again the newest
    return sorted(once.values(), key=lambda one: (not one.is_lasting, -one.day.toordinal()))


# as HTML


def landing_html(found: Landing) -> str:
    yours = _yours(found) if found.you else ""
    changed = "".join(
        change_html(change, f'<b dir="auto">{render.safe(row.name)}</b>') for row, change in found.changed
    )
    said = "".join(claim_html(one, about=one.about != one.speaker) for one in found.said)
    parts = [
        yours,
        part("Changed lately", f'<ul class="pmg-p-claims">{changed}</ul>') if changed else "",
        part("Lately about other people", f'<ul class="pmg-p-claims">{said}</ul>') if said else "",
    ]
    inside = "".join(parts)
    return CHOOSE + (f'<article class="pmg-p-landing">{inside}</article>' if inside else "")


def _yours(found: Landing) -> str:
    assert found.you is not None
    rows = "".join(claim_html(one) for one in found.yours)
    whole = act(f"who:{found.you.id}", "All that my memory knows about you")
    known = f'<ul class="pmg-p-claims">{rows}</ul>' if rows else ""
    return part("You", f'{known}<p class="pmg-p-acts">{whole}</p>')
