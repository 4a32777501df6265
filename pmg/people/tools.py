"""Four questions about somebody's life across conversations, for a person, a program or a model to ask.

    get_entity_timeline                       how something of a person's went on, conversation by conversation
    get_conversation_context                  what one conversation says of it, line by line
    compare_entities_across_conversations     two conversations side by side
    detect_contradictions                     what cannot hold together, and whether time explains it

Each reads the claims in one namespace and gives named values, of one person: of two with one name who were decided to be two it is asked by number ("#12"). Who decides anything from them stands in reconcile.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pmg.base.errors import InputError, NotFound
from pmg.base.model import OWNER_WORDS
from pmg.base.text import counted
from pmg.people.entities import folded
from pmg.people.facts import Contradiction, contradictions
from pmg.people.knowledge import Knowledge, about
from pmg.people.question_form import QuestionForm, question_form
from pmg.people.same_thing import is_unnamed, same
from pmg.people.topics import on_topic
from pmg.store.people import Entity, PeopleReads, StoredClaim


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """What was claimed in one conversation, from its first day to its last."""

    conversation: str
    first: date
    last: date
    partners: tuple[str, ...]
    claims: tuple[StoredClaim, ...]


@dataclass(frozen=True, slots=True)
class ConversationContext:
    conversation: str
    entity: str
    partners: tuple[str, ...]
    mentions: tuple[StoredClaim, ...]
    questions: tuple[QuestionForm, ...]


@dataclass(frozen=True, slots=True)
class EntityComparison:
    a: TimelineStep | None
    b: TimelineStep | None
    shared: tuple[str, ...]  # relation and object, said in both
    apart: tuple[str, ...]  # relations with different named objects
    is_sequential: bool  # one conversation's claims all come before the other's
    overlap: str  # in a sentence


def get_entity_timeline(people: PeopleReads, namespace: str, entity_name: str, person: str) -> list[TimelineStep]:
    """How something of a person's ("job", "location", "relationship", or a thing by its name) went on, in order of time."""
    return _timeline(people, namespace, entity_name, find_person(people, namespace, person))


def _timeline(people: PeopleReads, namespace: str, entity_name: str, found: Sequence[Entity]) -> list[TimelineStep]:
    ids = [one.id for one in found]
    claims = on_topic(about(people.claims(namespace, about=ids), ids), entity_name)
    steps = [
        _step(people, namespace, conversation, [one for one in claims if one.conversation == conversation], found)
        for conversation in dict.fromkeys(one.conversation for one in claims)
    ]
    return sorted(steps, key=lambda step: (step.first, step.conversation))


def get_conversation_context(
    people: PeopleReads, namespace: str, conversation: str, entity_name: str, person: str = ""
) -> ConversationContext:
    """What one conversation says of it: every claim with its line, and each as a question and its answer."""
    found = find_person(people, namespace, person, (conversation,)) if person else ()
    wanted = [one.id for one in found] if person else None
    claims = [one for one in people.claims(namespace, about=wanted) if one.conversation == conversation]
    if not claims:
        _require_conversations(people, namespace, conversation)
    mine = on_topic(about(claims, wanted) if wanted is not None else claims, entity_name)
    return ConversationContext(
        conversation,
        entity_name,
        _partners(people, namespace, conversation, found),
        tuple(mine),
        tuple(question_form(one.claim) for one in mine),
    )


def compare_entities_across_conversations(
    people: PeopleReads, namespace: str, entity_name: str, conversation_a: str, conversation_b: str, person: str
) -> EntityComparison:
    """Two conversations side by side: what both say, in what they differ, and whether one follows the other."""
    found = find_person(people, namespace, person, (conversation_a, conversation_b))
    _require_conversations(people, namespace, conversation_a, conversation_b)
    steps = {step.conversation: step for step in _timeline(people, namespace, entity_name, found)}
    return compared(steps.get(conversation_a), steps.get(conversation_b), entity_name)


def _require_conversations(people: PeopleReads, namespace: str, *names: str) -> None:
    known = {one.conversation for one in people.entities(namespace)} - {""}
    known |= {one.conversation for one in people.claims(namespace)}
    for name in names:
        if name not in known:
            raise NotFound(f"There is no conversation {name!r} with claims. `pmg people list` names the conversations.")


def detect_contradictions(
    people: PeopleReads, namespace: str, person: str, entity_name: str = ""
) -> list[Contradiction]:
    """What of a person's claims cannot hold together; evolution is told from conflict by time."""
    ids = [one.id for one in find_person(people, namespace, person)]
    claims = about(people.claims(namespace, about=ids), ids)
    return contradictions(on_topic(claims, entity_name) if entity_name else claims)


def compared(a: TimelineStep | None, b: TimelineStep | None, entity_name: str) -> EntityComparison:
    if a is None or b is None:
        who = "neither" if a is None and b is None else "only one"
        return EntityComparison(a, b, (), (), False, f"{who} of them says anything of {entity_name}")
    pairs = [(x.claim, y.claim) for x in a.claims for y in b.claims if x.claim.relation == y.claim.relation]
    shared = sorted(
        {f"{x.relation} {x.object}" for x, y in pairs if same(x.object, y.object) and not is_unnamed(x.object)}
    )
    apart = sorted({x.relation for x, y in pairs if not same(x.object, y.object)})
    sequential = a.last < b.first or b.last < a.first
    parts = [f"both speak of {entity_name}", "one after the other" if sequential else "in the same time"]
    parts += [f"both say {', '.join(shared)}"] if shared else []
    parts += [f"they differ in {', '.join(apart)}"] if apart else []
    return EntityComparison(a, b, tuple(shared), tuple(apart), sequential, "; ".join(parts))


_NUMBER = re.compile(r"#?(\d{1,18})")


def find_person(
    people: PeopleReads, namespace: str, person: str, conversations: Sequence[str] = ()
) -> tuple[Entity, ...]:
    """Everything that is one person, by name, by "#12" or by "12"; in some conversations, if they are named and know somebody of that name.

    InputError where several people of the name were decided to be several: one of them would be answered for the other.
    """
    known = Knowledge.read(people, namespace)
    found = _found(known, person.strip())
    inside = [one for one in found if one.conversation in (*conversations, "")] if conversations else []
    several = known.apart(inside or found)
    if len(several) > 1:
        # Numbers only: what a conversation is called is anybody's words, and this may be read by a model.
        numbers = ", ".join(f"#{group[0].id} ({_mentions(group)})" for group in several)
        raise InputError(
            f"{len(several)} people are called {person!r} here: {numbers}. Ask for one by number; `pmg people list` tells them apart."
        )
    return several[0]


def _found(known: Knowledge, person: str) -> list[Entity]:
    """By name or by number. A name of figures alone is asked for by all of it."""
    number = _NUMBER.fullmatch(person)
    if number is None:
        found = known.named(person) or (known.owner() if folded(person) in OWNER_WORDS else [])
        if not found:
            raise NotFound(f"Nobody called {person!r} is known here. `pmg people list` tells whom this memory knows.")
        return found
    called = [one for one in known.named(person) if folded(person) in map(folded, (one.name, *one.aliases))]
    found = called or [one for one in known.entities if one.id == int(number[1])]
    if not found:
        raise NotFound(f"Nobody has the number {number[1]} here. `pmg people list` has everybody's.")
    return found


def _mentions(group: Sequence[Entity]) -> str:
    return counted(sum(one.mentions for one in group), "mention")


def _step(
    people: PeopleReads, namespace: str, conversation: str, claims: Sequence[StoredClaim], found: Sequence[Entity]
) -> TimelineStep:
    days = [one.claim.said_at.date() for one in claims]
    return TimelineStep(
        conversation, min(days), max(days), _partners(people, namespace, conversation, found), tuple(claims)
    )


def _partners(people: PeopleReads, namespace: str, conversation: str, found: Sequence[Entity]) -> tuple[str, ...]:
    """Who else speaks in a conversation."""
    mine = {name for one in found for name in (one.name, *one.aliases)}
    return tuple(name for name in people.speakers(namespace, conversation) if name not in mine)
