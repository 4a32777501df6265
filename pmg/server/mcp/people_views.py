"""The views of the tool `people`: asking about somebody, and the four questions about a life across conversations, as text for a model.

Knows: how claims read: dated, with who said it and the segment. What they mean stands in pmg/people; who speaks and what they said in answers.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pmg.answer.answered import AnswerLine
from pmg.answer.ask import ask
from pmg.base.errors import InputError
from pmg.engine import Engine
from pmg.people import tools
from pmg.people.facts import Contradiction
from pmg.server import answers
from pmg.server.fenced import StoredRow, fenced
from pmg.store.people import StoredClaim

PeopleView = Literal["said", "ask", "timeline", "context", "compare", "contradictions"]
TWO = 2  # conversations that are compared


@dataclass(frozen=True, slots=True)
class PeopleQuestion:
    """`query` is what is asked, or for the last four views a topic: job, location, relationship, or a thing by its name."""

    view: PeopleView
    name: str
    query: str
    conversations: Sequence[str]
    limit: int
    before: str


def people(engine: Engine, namespace: str, one: PeopleQuestion) -> str:
    if one.view == "said":
        return answers.people(engine, namespace, one.name, one.query, one.limit, one.before)
    if one.view == "ask":
        return asked(engine, namespace, one.query or one.name)
    rows = _rows(engine, namespace, one.view, one.name.strip(), one.query.strip(), list(one.conversations))
    return fenced(engine, rows[: one.limit]) or "Nothing was claimed about that."


def asked(engine: Engine, namespace: str, question: str) -> str:
    found = ask(engine, question, namespace=namespace)
    return fenced(engine, [StoredRow(found.lead), *map(_line, found.lines), *map(StoredRow, found.notes)])


def _rows(
    engine: Engine, namespace: str, view: PeopleView, name: str, topic: str, conversations: list[str]
) -> list[StoredRow]:
    store = engine.reads.people
    if view == "timeline":
        steps = tools.get_entity_timeline(store, namespace, _given(topic, "query"), _given(name, "name"))
        return [row for step in steps for row in (StoredRow(f"{step.conversation}, {step.first} to {step.last}:"), *_claims(step.claims))]  # fmt: skip
    if view == "context":
        (place,) = _named(conversations, 1)
        found = tools.get_conversation_context(store, namespace, place, _given(topic, "query"), name)
        return [StoredRow(f"{form.question} {form.answer} · {_source(one)}", (one.claim.segment,)) for one, form in zip(found.mentions, found.questions, strict=True)]  # fmt: skip
    if view == "compare":
        a, b = _named(conversations, TWO)
        both = tools.compare_entities_across_conversations(
            store, namespace, _given(topic, "query"), a, b, _given(name, "name")
        )
        sides = [step for step in (both.a, both.b) if step is not None]
        return [StoredRow(both.overlap), *(row for step in sides for row in _claims(step.claims))]
    pairs = tools.detect_contradictions(store, namespace, _given(name, "name"), topic)
    return list(map(_pair, pairs))


def _pair(one: Contradiction) -> StoredRow:
    kind = "changed" if one.is_evolution else "cannot both hold"
    segments = (one.a.claim.segment, one.b.claim.segment)
    return StoredRow(f"{kind}: {_claim(one.a)} / {_claim(one.b)}: {one.suggestion}", segments)


def _given(text: str, argument: str) -> str:
    if not text:
        raise InputError(f"This view of people wants `{argument}`.")
    return text


def _named(conversations: list[str], count: int) -> list[str]:
    if len(conversations) != count:
        raise InputError(
            f"This view of people wants {count} in `conversations`, not {len(conversations)}: the view timeline names them."
        )
    return conversations


def _claims(claims: Iterable[StoredClaim]) -> list[StoredRow]:
    return [StoredRow(_claim(one), (one.claim.segment,)) for one in claims]


def _claim(one: StoredClaim) -> str:
    claim = one.claim
    denied = "" if claim.is_positive else "not "
    return f"{claim.subject} {denied}{claim.relation} {claim.object} · {_source(one)}"


def _source(one: StoredClaim) -> str:
    claim = one.claim
    modality = "" if claim.modality.value == "stated" else f", {claim.modality.value}"
    return f"said by {claim.speaker or 'somebody'} {claim.said_at:%Y-%m-%d}{modality} · {claim.segment}"


def _line(one: AnswerLine) -> StoredRow:
    note = f" [{one.note}]" if one.note else ""
    return StoredRow(f"{one.said_at:%Y-%m-%d} {one.speaker}: {one.text}{note} · {one.segment}", (one.segment,))
