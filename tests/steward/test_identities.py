"""Who is who: decided with a reason, journaled, undone exactly, and asked of a person where nobody can tell."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg import forget
from pmg.base.errors import InputError, NotFound
from pmg.engine import Engine
from pmg.people.knowledge import Knowledge
from pmg.store.duckdb import people_cleanup
from pmg.store.people import Identity
from steward.steward import Steward
from tests.pmg.people.talk import session
from tests.stores import store_of

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


def test_nobody_in_another_namespace_is_decided_on(alexes: Engine) -> None:
    steward = Steward(alexes)
    with pytest.raises(NotFound):
        steward.identify(*numbers(alexes), Identity.MERGE, namespace="other")
    steward.reconcile()
    assert steward.history(10, "other") == [] and len(steward.history(10, "default")) == 1


def _forget(engine: Engine, *segments: str) -> None:
    forget.forget(engine, forget.plan(engine, forget.Selection(segments=segments)))
    engine.extract()


@pytest.fixture
def meetings(engine: Engine) -> Engine:
    """Three people who meet twice, in conversations of their own."""
    engine.ingest(
        [
            session(
                "a",
                MAY,
                ("Zoe", "I live in Bergen."),
                ("Alex", "I love hiking."),
                ("Eva", "Zoe keeps the books."),
                conversation="ca",
            ),
            session("b", JULY, ("Zoe", "I work at Acme."), ("Alex", "I bought a boat."), conversation="cb"),
        ]
    )
    engine.extract()
    return engine


def test_forgetting_one_person_leaves_what_was_decided_about_others(meetings: Engine) -> None:
    steward, people = Steward(meetings), meetings.reads.people
    steward.identify(*numbers(meetings), Identity.MERGE)
    steward.rename(numbers(meetings)[0], "Alexander Berg")
    decided, known = people.decisions("default"), numbers(meetings)
    _forget(meetings, "seg_a_0", "seg_b_0")
    assert people.decisions("default") == decided and numbers(meetings) == known
    assert people.given_names("default") == {known[0]: "Alexander Berg"}
    assert [one.mentions for one in Knowledge.read(people, "default").named("Alex")] == [2, 2]  # read anew, once
    steward.undo("last")
    steward.undo("last")
    assert people.decisions("default") == [] and people.given_names("default") == {}


def test_somebody_whom_nothing_names_any_more_takes_what_was_decided_along(meetings: Engine) -> None:
    Steward(meetings).identify(*numbers(meetings), Identity.MERGE)
    _forget(meetings, "seg_b_1")
    assert meetings.reads.people.decisions("default") == []


def test_a_name_given_to_somebody_goes_with_all_that_they_said_though_others_name_them(meetings: Engine) -> None:
    steward, people = Steward(meetings), meetings.reads.people
    a, b = (one.id for one in Knowledge.read(people, "default").named("Zoe"))
    steward.identify(a, b, Identity.MERGE)
    steward.rename(b, "Zoe Canarywoman")
    _forget(meetings, "seg_b_0")
    assert people.given_names("default") == {}, "nothing of that part is left"
    steward.rename(a, "Zoe Canarywoman")
    _forget(meetings, "seg_a_0")
    assert people.given_names("default") == {} and "Canarywoman" not in str(steward.history(20))


def test_a_name_that_was_given_and_taken_back_leaves_the_journal_too(meetings: Engine) -> None:
    steward = Steward(meetings)
    zoe = Knowledge.read(meetings.reads.people, "default").named("Zoe")[0].id
    steward.rename(zoe, "Zoe Canarywoman")
    steward.rename(zoe, "")
    _forget(meetings, "seg_a_0")
    assert "Canarywoman" not in str(steward.history(20))


def test_many_who_are_one_person_are_joined_with_one_question_to_the_database(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, asked = store_of(engine)._database, list[str]()
    with database.writing():
        for one in range(2, 41):
            made = "INSERT INTO identity_decisions VALUES (?, ?, ?, '', 'user', now()::TIMESTAMP)"
            database.run(made, [one - 1, one, "SEPARATE" if one == 21 else "MERGE"])
    rows = database.rows
    monkeypatch.setattr(database, "rows", lambda sql, *values: asked.append(sql) or rows(sql, *values))
    assert sorted(map(sorted, people_cleanup._joined(database, range(1, 50)))) == [
        list(range(1, 21)),
        list(range(21, 41)),
        *([one] for one in range(41, 50)),
    ]
    assert len(asked) == 1
