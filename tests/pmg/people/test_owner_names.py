"""The owner of a memory is one person, under however many names: what the store finds, and that the people of pmg/people say the same."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import YOU, Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.people.knowledge import Knowledge
from pmg.people.tools import detect_contradictions
from pmg.store.browse import BrowseFilter
from pmg.store.graph import PERSON, NodeKey
from pmg.store.people import Identity
from steward.steward import Steward
from tests.pmg.people.talk import session

MAY = datetime(2023, 5, 8, 12, tzinfo=UTC)
SPACE = "default"


def chat(name: str, speaker: str, *texts: str, namespace: str = "") -> SessionInput:
    turns = [Turn((Line(speaker, Role.USER, text), Line("Assistant", Role.ASSISTANT, "Noted.")), MAY) for text in texts]
    return SessionInput(turns, name, id=name, started_at=MAY, conversation=name, namespace=namespace)


def told(engine: Engine) -> Engine:
    """A chat without a name, two imports under two names, and messages in which one of them is among others."""
    engine.ingest(
        [
            chat("plain", "User", "The cat sleeps."),
            chat("imported", "Mara", "Bread is baked.", "The bike is new."),
            chat("older", "mara.k", "Soup for lunch."),
            session("thread", MAY, ("Mara", "I like hiking."), ("Lena", "I like tea."), ("Jo", "I like rain.")),
            session("other", MAY, ("Jo", "I like snow."), ("Udo", "Hm.")),
            chat("walled", "Zoe", "Behind the fence.", namespace="private"),
        ]
    )
    return engine


def names(engine: Engine, namespace: str = SPACE) -> set[str]:
    return {one.name for one in engine.reads.browse.speakers(BrowseFilter(namespace), 20)}


def merged(engine: Engine) -> None:
    """In the thread Jo is the owner too; in the other conversation somebody else is called so."""
    engine.extract()
    people = Knowledge.read(engine.reads.people, SPACE)
    jo = next(one for one in people.named("Jo") if one.conversation == "thread")
    Steward(engine).identify(people.owner()[0].id, jo.id, Identity.MERGE)


def test_every_name_of_a_line_of_the_owner_is_theirs_before_and_after_claims_are_read(engine: Engine) -> None:
    told(engine)
    assert engine.reads.browse.owner_names(SPACE) == ["Mara", "User", "mara.k"]
    engine.extract()
    assert engine.reads.browse.owner_names(SPACE) == ["Mara", "User", "mara.k"]
    assert names(engine) == {YOU, "Lena", "Jo", "Udo"} and names(engine, "private") == {YOU}


def test_what_the_owner_said_is_counted_once_under_any_name(engine: Engine) -> None:
    told(engine)
    counts = {one.name: one.segments for one in engine.reads.browse.speakers(BrowseFilter(SPACE), 20)}
    assert counts == {YOU: 5, "Jo": 2, "Lena": 1, "Udo": 1}
    assert engine.reads.browse.extent(BrowseFilter(SPACE, person=YOU)).segments == 5
    assert engine.reads.browse.extent(BrowseFilter(SPACE, person="Mara")).segments == 3  # a name is what the lines have
    lanes = engine.reads.browse.lane_buckets(BrowseFilter(SPACE), "year", "person", [YOU, "Lena"])
    assert {(one.lane, one.group): one.segments for one in lanes} == {
        (YOU, YOU): 5,
        ("Lena", "Lena"): 1,
        ("", "Jo"): 2,
        ("", "Udo"): 1,
    }
    (node,) = engine.reads.graph.summaries(SPACE, [NodeKey(PERSON, YOU)], "day")
    assert node.segments == 5 and engine.reads.graph.summaries(SPACE, [NodeKey(PERSON, "Mara")], "day") == []


def test_whoever_was_decided_to_be_the_owner_is_so_in_that_conversation_only(engine: Engine) -> None:
    told(engine)
    merged(engine)
    counts = {one.name: one.segments for one in engine.reads.browse.speakers(BrowseFilter(SPACE), 20)}
    assert counts == {YOU: 6, "Lena": 1, "Jo": 1, "Udo": 1}
    rows = engine.sql("SELECT person, count(*) FROM v_lines WHERE speaker = 'Jo' GROUP BY 1 ORDER BY 1").rows
    assert rows == [("Jo", 1), (YOU, 1)]


def test_the_store_and_the_people_of_the_memory_name_the_same_owner(engine: Engine) -> None:
    told(engine)
    merged(engine)
    known = Knowledge.read(engine.reads.people, SPACE)
    mine = {(one.conversation, name) for one in known.owner() for name in one.aliases}
    found = engine.sql("SELECT conversation, name FROM v_owner_names WHERE namespace = ?", [SPACE]).rows
    assert mine == set(found) == {("", "User"), ("", "Mara"), ("", "mara.k"), ("thread", "Jo")}


def test_a_memory_without_a_line_of_its_owner_has_none(engine: Engine) -> None:
    engine.ingest([session("thread", MAY, ("Mara", "I like hiking."), ("Lena", "I like tea."))])
    engine.extract()
    assert names(engine) == {"Mara", "Lena"} and engine.reads.browse.owner_names(SPACE) == []
    assert Knowledge.read(engine.reads.people, SPACE).owner() == []


@pytest.mark.parametrize("asked", ["you", "Me", "ich"])
def test_the_owner_is_asked_for_as_you_too(engine: Engine, asked: str) -> None:
    engine.ingest([chat("a", "Mara", "I live in Leipzig."), chat("b", "User", "I live in Graz.")])
    engine.extract()
    (found,) = detect_contradictions(engine.reads.people, SPACE, asked)
    assert {found.a.claim.object, found.b.claim.object} == {"Leipzig", "Graz"}
