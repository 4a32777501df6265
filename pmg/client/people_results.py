"""What REST answers about people: who is known, and claims with their source.

As results.py: the server makes these and the client gives them out. A field may be added; none changes its meaning within /api/v1.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from pmg.base.claim import GRAMMAR, Modality
from pmg.people.facts import Contradiction
from pmg.people.question_form import question_form
from pmg.people.tools import ConversationContext, EntityComparison, TimelineStep
from pmg.store.people import Entity, EntityKind, StoredClaim


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """`conversation` is empty for the person whose memory this is: they are the same in all of them."""

    id: int
    kind: EntityKind
    name: str
    aliases: tuple[str, ...]
    conversation: str
    mentions: int

    @classmethod
    def of(cls, one: Entity) -> KnownEntity:
        return cls(one.id, one.kind, one.name, one.aliases, one.conversation, one.mentions)


@dataclass(frozen=True, slots=True)
class EntitiesPage:
    """`people` are the numbers of entities that are one person, a row a person; most mentioned first."""

    entities: tuple[KnownEntity, ...]
    people: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """What one speaker said about somebody or something; also as a question and its answer."""

    id: int
    speaker: str
    subject: str
    relation: str
    object: str
    is_positive: bool
    certainty: float
    modality: Modality
    said_at: datetime
    valid_from: date | None
    valid_to: date | None
    segment: str
    line: int
    conversation: str
    question: str
    answer: str
    source: str = GRAMMAR  # which extractor read it: this one, or "model:" and a name

    @classmethod
    def of(cls, one: StoredClaim) -> ClaimRow:
        claim, form = one.claim, question_form(one.claim)
        return cls(
            one.id, claim.speaker, claim.subject, claim.relation, claim.object, claim.is_positive, claim.certainty, claim.modality,
            claim.said_at, claim.valid_from, claim.valid_to, claim.segment, claim.line, one.conversation, form.question, form.answer,
            claim.source,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TopicStep:
    """What was claimed in one conversation, from its first day to its last."""

    conversation: str
    first: date
    last: date
    partners: tuple[str, ...]
    claims: tuple[ClaimRow, ...]

    @classmethod
    def of(cls, one: TimelineStep) -> TopicStep:
        return cls(one.conversation, one.first, one.last, one.partners, tuple(map(ClaimRow.of, one.claims)))


@dataclass(frozen=True, slots=True)
class PersonTimeline:
    steps: tuple[TopicStep, ...]


@dataclass(frozen=True, slots=True)
class TopicContext:
    conversation: str
    topic: str
    partners: tuple[str, ...]
    claims: tuple[ClaimRow, ...]

    @classmethod
    def of(cls, one: ConversationContext) -> TopicContext:
        return cls(one.conversation, one.entity, one.partners, tuple(map(ClaimRow.of, one.mentions)))


@dataclass(frozen=True, slots=True)
class TopicComparison:
    """Two conversations side by side; `overlap` says it in a sentence."""

    a: TopicStep | None
    b: TopicStep | None
    shared: tuple[str, ...]
    apart: tuple[str, ...]
    is_sequential: bool
    overlap: str

    @classmethod
    def of(cls, one: EntityComparison) -> TopicComparison:
        a, b = (TopicStep.of(step) if step is not None else None for step in (one.a, one.b))
        return cls(a, b, one.shared, one.apart, one.is_sequential, one.overlap)


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """`is_evolution`: they follow each other in time, so both held."""

    a: ClaimRow
    b: ClaimRow
    is_evolution: bool
    suggestion: str

    @classmethod
    def of(cls, one: Contradiction) -> ConflictRow:
        return cls(ClaimRow.of(one.a), ClaimRow.of(one.b), one.is_evolution, one.suggestion)


@dataclass(frozen=True, slots=True)
class ContradictionsPage:
    contradictions: tuple[ConflictRow, ...]
