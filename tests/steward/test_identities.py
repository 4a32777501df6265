"""Who is who: decided with a reason, journaled, undone exactly, and asked of a person where nobody can tell."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.engine import Engine
from pmg.errors import InputError, NotFound
from pmg.people.knowledge import Knowledge
from pmg.store.people import Identity
from steward.steward import Steward
from tests.pmg.people.talk import session

MAY, JULY = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 7))


@pytest.fixture
def alexes(engine: Engine) -> Engine:
    engine.ingest(
        [
            session("a", MAY, ("Eva", "Hi."), ("Alex", "I love hiking."), conversation="ca"),
            session("b", JULY, ("Udo", "Hi."), ("Alex", "I bought a boat."), conversation="cb"),
        ]
    )
    engine.extract()
    return engine


def numbers(engine: Engine) -> tuple[int, int]:
    a, b = Knowledge.read(engine.reads.people, "default").named("Alex")
    return a.id, b.id


def test_what_cannot_be_told_waits_for_a_person_and_is_asked_once(alexes: Engine) -> None:
    steward = Steward(alexes)
    assert [one.verdict for one in steward.reconcile()] == [Identity.UNSURE]
    assert steward.reconcile() == []
    ((a, b, decision),) = steward.unsure()
    assert {a.name, b.name} == {"Alex"} and decision.reason
    steward.identify(a.id, b.id, Identity.MERGE)
    assert steward.unsure() == []
    assert Knowledge.read(alexes.reads.people, "default").person(a.id) == {a.id, b.id}


def test_every_decision_is_journaled_and_undone_exactly(alexes: Engine) -> None:
    steward, people = Steward(alexes), alexes.reads.people
    states = [people.decisions("default")]
    steward.reconcile()
    states.append(people.decisions("default"))
    steward.identify(*numbers(alexes), Identity.SEPARATE)
    assert [entry.action for entry in steward.history(2)] == ["identity", "identity"]
    steward.undo("last")
    assert people.decisions("default") == states[1]
    steward.undo("last")
    assert people.decisions("default") == states[0]


def test_a_decision_that_was_changed_since_is_not_undone(alexes: Engine) -> None:
    steward = Steward(alexes)
    steward.reconcile()
    first = steward.history(1)[0]
    steward.identify(*numbers(alexes), Identity.MERGE)
    with pytest.raises(InputError, match="decided otherwise since"):
        steward.undo(str(first.id))


def test_a_name_given_by_hand_comes_first_and_is_taken_back(alexes: Engine) -> None:
    steward, (number, _) = Steward(alexes), numbers(alexes)
    steward.rename(number, "Alexandra")
    assert {one.name for one in alexes.reads.people.entities("default") if one.id == number} == {"Alexandra"}
    steward.undo("last")
    assert {one.name for one in alexes.reads.people.entities("default") if one.id == number} == {"Alex"}


def test_nobody_behind_another_wall_is_decided_on(alexes: Engine) -> None:
    steward = Steward(alexes)
    with pytest.raises(NotFound):
        steward.identify(*numbers(alexes), Identity.MERGE, namespace="other")
    steward.reconcile()
    assert steward.history(10, "other") == [] and len(steward.history(10, "default")) == 1
