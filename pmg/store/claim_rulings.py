"""What a person decided about a claim: that it is wrong, still holds, ended, or should read otherwise.

Knows: which claim a ruling is about: the place it was read from, so that it stands when claims are read again. What becomes of the claim stands in
ruled_claims.py, who keeps it in duckdb/people.py, the journal's side in steward/people_edits.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Ruling(StrEnum):
    WRONG = "wrong"  # never held, or was misread: it claims nothing any more
    HOLDS = "holds"  # nothing that is ruled the same ends or contradicts it
    ENDED = "ended"  # held until a day
    CORRECTED = "corrected"  # `words` stand where its object stood


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """`segment`, `line`, `start`, `relation` and `object` are the claim's as it was read."""

    segment: str
    line: int
    start: int
    relation: str
    object: str
    ruling: Ruling
    words: str = ""
    ended: date | None = None

    @property
    def place(self) -> tuple[str, int, int, str, str]:
        return (self.segment, self.line, self.start, self.relation, self.object)
