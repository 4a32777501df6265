"""Jobs that were left: "I quit Allegro last month" denies a job there, if Allegro is known to be one. Pure.

Knows: which words leave something for good. Whether "I left X" speaks of a town, an evening or a job its words do not say: the person's other claims do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pmg.base.claim import WORKS_AT, Claim
from pmg.base.patterns import short
from pmg.people.relations import FOR_GOOD
from pmg.people.same_thing import is_unnamed
from pmg.store.people import StoredClaim

LEAVING = ("quit", "leave")
_FOR_GOOD = short(FOR_GOOD)
_QUIT_FOR_GOOD = short(rf"\W*(?:and|because)\b|{FOR_GOOD}")  # nobody quits a job for the day


def told_by(relation: str) -> tuple[str, ...]:
    """The relations whose claims tell of one: "I left Allegro" tells of a job where Allegro is known to be one."""
    return (relation, *LEAVING) if relation == WORKS_AT else (relation,)


def left_jobs(claims: Sequence[StoredClaim]) -> list[StoredClaim]:
    """What was left, as a denial of the job that it was known to be."""
    jobs = {one.claim.object for one in claims if one.claim.relation == WORKS_AT and not is_unnamed(one.claim.object)}
    found = []
    for one in claims:
        left = one.claim
        job = next((job for job in jobs if _leaves(left, job)), None) if left.relation in LEAVING else None
        if job is not None:
            denial = replace(
                left,
                relation=WORKS_AT,
                object=job,
                is_positive=False,
                valid_from=None,
                valid_to=left.valid_from or left.said_at.date(),
            )
            found.append(replace(one, claim=denial))
    return found


def _leaves(claim: Claim, job: str) -> bool:
    """ "Allegro last month" leaves Allegro; "Allegro at five" and "Allegro and went home" leave it for the day."""
    whole, name = claim.object.removeprefix("the "), job.removeprefix("the ")
    for_good = _QUIT_FOR_GOOD if claim.relation == "quit" else _FOR_GOOD
    return claim.is_positive and whole.startswith(name) and for_good.match(whole, len(name)) is not None
