"""A claim as a question and its answer: "Where does John work?" → "TechCorp". Pure."""

from __future__ import annotations

from dataclasses import dataclass

from pmg.base.claim import (
    BLOCKED_BY,
    CAN,
    CAUSED_BY,
    COMES_FROM,
    DEPENDS_ON,
    DISLIKES,
    IS,
    IS_A,
    KNOWS,
    LIKES,
    LIVES_IN,
    NEEDS,
    OWNS,
    PART_OF,
    PARTNER_OF,
    USES,
    WAS,
    WORKS_AT,
    Claim,
    Modality,
)

_ASKED = {
    WORKS_AT: "Where does {} work?", LIVES_IN: "Where does {} live?", COMES_FROM: "Where is {} from?", PARTNER_OF: "Who is the partner of {}?",
    KNOWS: "Whom does {} know?", OWNS: "What does {} have?", USES: "What does {} use?", DEPENDS_ON: "What does {} depend on?",
    PART_OF: "What is {} part of?", IS_A: "What is {}?", LIKES: "What does {} like?", DISLIKES: "What does {} dislike?",
    BLOCKED_BY: "What is {} blocked by?", CAUSED_BY: "What was {} caused by?", CAN: "What can {} do?", NEEDS: "What does {} need?", IS: "How is {}?", WAS: "How was {}?",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class QuestionForm:
    question: str
    answer: str


def question_form(claim: Claim) -> QuestionForm:
    """What somebody would ask to be told this claim."""
    asked = _ASKED.get(claim.relation)
    if asked is None:
        later = "is {} going to" if claim.modality is Modality.PLAN else "did {}" if claim.is_positive else "did {} not"
        asked = f"What {later} {claim.relation}?"
    return QuestionForm(asked.format(claim.subject), claim.object or "nothing any more")
