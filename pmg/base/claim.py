"""A claim: what one speaker said about somebody or something, when, and where it can be read.

Knows: the fields of a claim and the relations that have a meaning of their own. Does not know: how claims are found in a line (pmg/people), or
where they are kept (pmg/store).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

UNKNOWN = ""  # a speaker or subject that nobody can tell: never guessed
NEVER = date.min  # as `valid_from` of a denial: it takes back what was said, which never held
GRAMMAR = "grammar"  # the source of a claim that no language model was asked for

IS, WAS, IS_A, CAN, NEEDS, PLANS = "is", "was", "is_a", "can", "needs", "plans"
WORKS_AT, LIVES_IN, COMES_FROM, PARTNER_OF, KNOWS = "works_at", "lives_in", "comes_from", "partner_of", "knows"
OWNS, USES, LIKES, DISLIKES = "owns", "uses", "likes", "dislikes"
DEPENDS_ON, PART_OF, BLOCKED_BY, CAUSED_BY = "depends_on", "part_of", "blocked_by", "caused_by"
RELATIONS = (
    WORKS_AT, LIVES_IN, COMES_FROM, PARTNER_OF, KNOWS, OWNS, USES, DEPENDS_ON, PART_OF, IS_A, LIKES, DISLIKES, PLANS,
    BLOCKED_BY, CAUSED_BY, CAN, NEEDS, IS, WAS,
)  # fmt: skip
FUNCTIONAL = frozenset((WORKS_AT, LIVES_IN, PARTNER_OF))  # one at a time: a later one ends an earlier one


class Modality(StrEnum):
    """How a claim was put forward."""

    STATED = "stated"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    PLAN = "plan"
    QUOTATION = "quotation"  # somebody else's words, told by the speaker


@dataclass(frozen=True, slots=True)
class Claim:
    """`relation` is one of RELATIONS, or the verb itself ("run"); `object` is the rest, or the state."""

    speaker: str
    subject: str
    relation: str
    object: str
    said_at: datetime
    segment: str
    line: int
    start: int  # the clause, in characters of the line
    end: int
    is_positive: bool = True
    certainty: float = 1.0
    modality: Modality = Modality.STATED
    valid_from: date | None = None
    valid_to: date | None = None  # the first day on which it holds no more
    quoted: str = UNKNOWN  # of a quotation: whose words they are
    source: str = GRAMMAR  # which extractor read it: this one, or "model:" and a name

    @property
    def holds(self) -> bool:
        """Whether the speaker puts it forward as a fact."""
        return self.modality is Modality.STATED and self.is_positive


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """One line of a session, as the extractor needs it."""

    segment: str
    line: int
    speaker: str
    role: str
    text: str
    at: datetime
