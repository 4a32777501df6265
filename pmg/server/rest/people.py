"""People over REST: asking about somebody, whom the memory knows, and the four questions about a life across conversations.

Everything is asked of one namespace. What the answers mean stands in pmg/people; who is who is decided on the page and by `pmg people`.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from pmg.answer.answered import Answered
from pmg.answer.ask import ask as answer
from pmg.base.times import parse
from pmg.client.people_results import (
    ConflictRow,
    ContradictionsPage,
    EntitiesPage,
    KnownEntity,
    PersonTimeline,
    TopicComparison,
    TopicContext,
    TopicStep,
)
from pmg.people import tools
from pmg.people.knowledge import Knowledge
from pmg.server.rest.bodies import AskRequest
from pmg.server.rest.caller import Memory, Reading, by_its_name
from pmg.store.people import EntityKind

router = APIRouter(tags=["people"])
Person = Annotated[str, Query(description="A name, like Anna, or #12: the number of an entity.")]
Topic = Annotated[str, Query(description="job, location, relationship, origin, pets, friends, or a thing by its name.")]
Conversation = Annotated[str, Query(description="A conversation, as the timeline names it.")]


@router.post("/ask")
def ask(body: AskRequest, caller: Reading, memory: Memory, response: Response) -> Answered:
    """A question, answered as the chat would: the lines that answer with their source, and how sure that is."""
    day = parse(body.as_of).date() if body.as_of else None
    at = parse(body.at) if body.at else None
    query = by_its_name(body.query, body.question, response)
    return answer(memory.context.engine, query, namespace=caller.namespace, at=at, as_of=day)


@router.get("/entities")
def entities(caller: Reading, memory: Memory, kind: EntityKind | None = None, name: str = "") -> EntitiesPage:
    """People, organisations, places and things that are named here; of one kind or name if one is given."""
    known = Knowledge.read(memory.context.engine.reads.people, caller.namespace)
    named = {one.id for one in known.named(name, None)} if name.strip() else None
    found = [one for one in known.entities if (kind is None or one.kind is kind) and (named is None or one.id in named)]
    ids = {one.id for one in found}
    people = tuple(tuple(one.id for one in group) for group in known.people() if ids & {one.id for one in group})
    return EntitiesPage(tuple(map(KnownEntity.of, sorted(found, key=lambda one: (-one.mentions, one.id)))), people)


@router.get("/people/timeline")
def person_timeline(caller: Reading, memory: Memory, person: Person, topic: Topic) -> PersonTimeline:
    """How something of a person's went on, conversation by conversation."""
    store = memory.context.engine.reads.people
    return PersonTimeline(tuple(map(TopicStep.of, tools.get_entity_timeline(store, caller.namespace, topic, person))))


@router.get("/people/context")
def conversation_context(
    caller: Reading, memory: Memory, conversation: Conversation, topic: Topic, person: Person = ""
) -> TopicContext:
    """What one conversation says of something, each claim also as a question and its answer."""
    store = memory.context.engine.reads.people
    return TopicContext.of(tools.get_conversation_context(store, caller.namespace, conversation, topic, person))


@router.get("/people/compare")
def compare_conversations(
    caller: Reading, memory: Memory, person: Person, topic: Topic, a: Conversation, b: Conversation
) -> TopicComparison:
    """What two conversations say of something of a person's, side by side."""
    store = memory.context.engine.reads.people
    return TopicComparison.of(tools.compare_entities_across_conversations(store, caller.namespace, topic, a, b, person))


@router.get("/people/contradictions")
def contradictions(caller: Reading, memory: Memory, person: Person, topic: Topic = "") -> ContradictionsPage:
    """What of a person's claims cannot hold together; evolution is told from conflict by time."""
    found = tools.detect_contradictions(memory.context.engine.reads.people, caller.namespace, person, topic)
    return ContradictionsPage(tuple(map(ConflictRow.of, found)))
