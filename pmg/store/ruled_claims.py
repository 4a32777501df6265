"""Claims as a person wants them read: each with what was decided about it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from pmg.store.claim_rulings import ClaimRuling, Ruling
from pmg.store.people import StoredClaim


def ruling_on(one: StoredClaim, ruling: Ruling, words: str = "", ended: date | None = None) -> ClaimRuling:
    """A ruling on a claim as it stands in the store; of a corrected one the words that were read stay its name."""
    claim = one.claim
    return ClaimRuling(
        claim.segment, claim.line, claim.start, claim.relation, one.read_as or claim.object, ruling, words, ended
    )


def ruled(claims: Iterable[StoredClaim], rulings: Sequence[ClaimRuling]) -> list[StoredClaim]:
    """The claims as a person wants them read."""
    by_place = {one.place: one for one in rulings}
    if not by_place:
        return list(claims)
    found = []
    for one in claims:
        claim = one.claim
        ruling = by_place.get((claim.segment, claim.line, claim.start, claim.relation, claim.object))
        if ruling is None:
            found.append(one)
        elif ruling.ruling is not Ruling.WRONG:
            found.append(_ruled(one, ruling))
    return found


def _ruled(one: StoredClaim, ruling: ClaimRuling) -> StoredClaim:
    claim = one.claim
    if ruling.ruling is Ruling.ENDED:
        claim = replace(claim, valid_to=ruling.ended)
    if ruling.ruling is Ruling.CORRECTED:
        claim = replace(claim, object=ruling.words, certainty=1.0, is_positive=True)
        return replace(one, claim=claim, object_entity=0, ruling=ruling.ruling, read_as=one.claim.object)
    return replace(one, claim=claim, ruling=ruling.ruling)
