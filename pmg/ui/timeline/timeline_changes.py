"""What changed in people's lives, as marks on the timeline: who moved, changed work, stopped liking something.

Read from claims (pmg/people): of two that cannot hold at once, the later one is the change. The filters of the tab hold here too.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pmg.base.claim import DISLIKES, FUNCTIONAL, LIKES, OWNS, USES, Claim
from pmg.base.model import YOU
from pmg.base.text import printable
from pmg.engine import Engine
from pmg.people.facts import Contradiction, contradictions
from pmg.people.knowledge import Knowledge, about
from pmg.store.browse import BrowseFilter
from pmg.ui import render

CHANGING = (*sorted(FUNCTIONAL), OWNS, USES, LIKES, DISLIKES)  # what people tell of a change in
MAX_MARKS = 400  # marks; beyond them the newest


@dataclass(frozen=True, slots=True)
class TimelineChange:
    """`id` is the memory in which the change was told."""

    at: str
    title: str
    id: str


def changes(engine: Engine, asked: BrowseFilter) -> tuple[TimelineChange, ...]:
    """Every change told inside what the filters let through, in order of time."""
    people = engine.reads.people
    claims = people.claims(asked.namespace, relations=CHANGING)
    if len(claims) < 2:
        return ()
    known = Knowledge.read(people, asked.namespace)
    mine = {entity.id for entity in known.owner()}
    found = [
        (YOU if who[0].id in mine else who[0].name, one)
        for who in known.people()
        for one in contradictions(about(claims, [entity.id for entity in who]))
        if one.is_evolution
    ]
    allowed = _allowed(engine, asked, {one.b.claim.segment for _, one in found})
    marks = [_mark(name, one) for name, one in found if one.b.claim.segment in allowed]
    return tuple(sorted(marks, key=lambda mark: (mark.at, mark.id, mark.title))[-MAX_MARKS:])


def _allowed(engine: Engine, asked: BrowseFilter, segments: Collection[str]) -> set[str]:
    if not segments:
        return set()
    numbers = engine.reads.numbers_of(sorted(segments))
    let_through = engine.reads.browse.among(asked, numbers.values())
    return {name for name, number in numbers.items() if number in let_through}


def _mark(name: str, one: Contradiction) -> TimelineChange:
    before, after = one.a.claim, one.b.claim
    said = f"{name}: {_told(after)}\nbefore: {_told(before)} ({render.day(before.said_at)})"
    at = after.said_at.replace(tzinfo=None).isoformat(timespec="seconds")
    return TimelineChange(at, f"{render.day(after.said_at)}\n{printable(said)}", after.segment)


def _told(claim: Claim) -> str:
    """ "lives in Leipzig", "no longer uses the app"."""
    denied = "" if claim.is_positive else "no longer "
    return f"{denied}{claim.relation.replace('_', ' ')} {claim.object}".strip()
