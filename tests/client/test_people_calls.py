"""Asking about people through `pmg.connect()`: typed answers with their source, in one namespace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

import pmg
from pmg.answer.evidence import Tone
from pmg.base.errors import InputError, NotFound
from pmg.client.memory_client import MemoryClient
from pmg.store.people import EntityKind, Identity
from steward.steward import Steward
from tests.browser.conftest import Served
from tests.pmg.people.talk import session

MAY, JUNE = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6))
NAMESPACE = "folk"


@pytest.fixture(scope="module")
def client(served: Served) -> Iterator[MemoryClient]:
    told = [
        session("folk-a", MAY, ("John", "I live in Seattle. I bought two books."), ("Lena", "I ran a charity race on Sunday."), conversation="a"),
        session("folk-b", JUNE, ("John", "I live in Austin. I bought a book."), ("Lena", "Nice."), conversation="b"),
    ]  # fmt: skip
    served.engine.ingest([replace(one, namespace=NAMESPACE) for one in told])
    served.engine.extract()
    with pmg.connect(served.address, served.token, NAMESPACE) as made:
        yield made


def test_a_question_is_answered_with_its_source(client: MemoryClient, served: Served) -> None:
    found = client.ask("Where does John live?")
    assert found.tone in (Tone.SURE, Tone.UNSURE) and 0 < found.chance < 1
    assert found == pmg.ask(served.engine, "Where does John live?", namespace=NAMESPACE)
    then = client.ask("Where does John live?", as_of=MAY.date())
    assert then.lines and all(line.said_at.date() <= MAY.date() for line in then.lines)


def test_who_is_known_comes_with_numbers_and_kinds(client: MemoryClient) -> None:
    found = client.entities()
    assert {one.name for one in found.entities if one.kind is EntityKind.PERSON} == {"John", "Lena"}
    assert {one.name for one in client.entities(kind="place").entities} == {"Seattle", "Austin"}
    johns = client.entities(name="john")
    assert len(johns.entities) == 2 and len(johns.people) == 2  # nobody has decided that they are one


def test_a_life_across_conversations(client: MemoryClient) -> None:
    steps = client.entity_timeline("John", "location")
    assert [(step.conversation, step.first, step.claims[0].object) for step in steps] == [
        ("a", MAY.date(), "Seattle"),
        ("b", JUNE.date(), "Austin"),
    ]
    context = client.conversation_context("a", "location", "John")
    assert [(one.question, one.answer) for one in context.claims] == [("Where does John live?", "Seattle")]
    both = client.compare_conversations("John", "location", "a", "b")
    assert both.is_sequential and both.apart == ("lives_in",) and both.a == steps[0]
    (change,) = client.contradictions("John")
    assert change.is_evolution and (change.a.object, change.b.object) == ("Seattle", "Austin")


def test_two_of_one_name_are_asked_for_by_number(client: MemoryClient, served: Served) -> None:
    a, b = (one.id for one in client.entities(name="john").entities)
    steward = Steward(served.engine)
    steward.identify(a, b, Identity.SEPARATE, NAMESPACE)
    with pytest.raises(InputError, match=f"2 people are called 'John' here: #{min(a, b)} "):
        client.entity_timeline("John", "location")
    homes = [client.entity_timeline(f"#{one}", "location")[0].claims[0].object for one in sorted((a, b))]
    assert homes == ["Seattle", "Austin"]
    steward.undo("last")


def test_nothing_is_told_of_another_namespace(served: Served, client: MemoryClient) -> None:
    with pmg.connect(served.address, served.token, "elsewhere") as other:
        assert other.entities().entities == ()
        assert not any("Seattle" in line.text for line in other.ask("Where does John live?").lines)
        for call in (lambda: other.entity_timeline("John", "location"), lambda: other.contradictions("John"),
                     lambda: other.conversation_context("a", "location")):  # fmt: skip
            with pytest.raises(NotFound):
                call()
