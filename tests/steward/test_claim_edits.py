"""A person's word about a claim stands before what was read, outlives a new reading, is undone exactly, and goes with what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pmg import forget
from pmg.base.errors import InputError, NotFound
from pmg.engine import Engine
from pmg.people import read_sessions
from pmg.people.facts import facts_of
from pmg.people.tools import detect_contradictions
from steward.people_edits import Resolution
from steward.steward import Steward
from tests.pmg.people.talk import session
from tests.stores import store_of

MAY = datetime(2023, 5, 8, 12, tzinfo=UTC)
SPACE = "default"


@pytest.fixture
def steward(engine: Engine) -> Iterator[Steward]:
    engine.ingest(
        [
            session(
                "one",
                MAY,
                ("Ana", "I live in Oslo. I work at TechCorp."),
                ("Ben", "Nice."),
                ("Ana", "I live in Rome."),
                ("Ben", "Oh."),
            )
        ]
    )
    engine.extract()
    yield Steward(engine)


def homes(engine: Engine) -> dict[str, int]:
    return {one.claim.object: one.id for one in engine.reads.people.claims(SPACE) if one.claim.relation == "lives_in"}


def conflicts(engine: Engine) -> int:
    return sum(not one.is_evolution for one in detect_contradictions(engine.reads.people, SPACE, "Ana"))


def still(engine: Engine) -> set[str]:
    """Where Ana lives now, as far as anybody can tell."""
    mine = [one for one in engine.reads.people.claims(SPACE) if one.claim.relation == "lives_in"]
    return {fact.claim.claim.object for fact in facts_of(mine) if fact.end is None}


@pytest.mark.parametrize(
    ("how", "left"),
    [
        (Resolution.FIRST, {"Oslo"}),
        (Resolution.SECOND, {"Rome"}),
        (Resolution.BOTH, {"Oslo", "Rome"}),
        (Resolution.FIRST_THEN_SECOND, {"Rome"}),
        (Resolution.SECOND_THEN_FIRST, {"Oslo"}),
    ],
)
def test_a_contradiction_is_settled_and_the_settlement_undone(
    engine: Engine, steward: Steward, how: Resolution, left: set[str]
) -> None:
    assert conflicts(engine) == 1 and still(engine) == {"Oslo", "Rome"}
    known = homes(engine)
    steward.resolve(known["Oslo"], known["Rome"], how)
    assert conflicts(engine) == 0 and still(engine) == left
    read_sessions.read_sessions(store_of(engine), ["one"])
    assert conflicts(engine) == 0 and still(engine) == left
    steward.undo("last")
    assert conflicts(engine) == 1 and still(engine) == {"Oslo", "Rome"}
    assert engine.reads.people.rulings(SPACE) == []


def test_a_correction_replaces_what_was_read_and_a_second_one_comes_before_the_first(
    engine: Engine, steward: Steward
) -> None:
    steward.correct_claim(homes(engine)["Oslo"], "  Bergen \n now ")
    assert set(homes(engine)) == {"Bergen now", "Rome"}
    steward.correct_claim(homes(engine)["Bergen now"], "")
    assert set(homes(engine)) == {"Rome"}
    steward.undo("last")
    assert set(homes(engine)) == {"Bergen now", "Rome"}
    steward.undo("last")
    assert set(homes(engine)) == {"Oslo", "Rome"}


def test_a_correction_keeps_no_secret_and_no_essay(engine: Engine, steward: Steward) -> None:
    secret = "sk-" + "proj-" + "Ab3dEf6hIj9k" * 4
    steward.correct_claim(homes(engine)["Oslo"], f"Bergen, {secret}")
    assert secret not in str(engine.reads.people.rulings(SPACE)) + str(engine.reads.journal(5))
    with pytest.raises(InputError, match="Say it shorter"):
        steward.correct_claim(homes(engine)["Rome"], "x" * 400)
    with pytest.raises(NotFound, match="Look again"):
        steward.correct_claim(10**6, "Bergen")


def test_forgetting_takes_a_correction_with_it(engine: Engine, steward: Steward, home: Path) -> None:
    steward.correct_claim(homes(engine)["Oslo"], "Ulmwoodville")
    forget.forget(engine, forget.plan(engine, forget.Selection(segments=("seg_one_0",))))
    assert engine.reads.people.rulings(SPACE) == []
    engine.close()
    assert not [file for file in home.rglob("*") if file.is_file() and b"Ulmwoodville" in file.read_bytes()]


def test_only_two_claims_that_exclude_each_other_are_settled(engine: Engine, steward: Steward) -> None:
    known = {one.claim.object: one.id for one in engine.reads.people.claims(SPACE)}
    for first, second in ((known["Oslo"], known["Oslo"]), (known["Oslo"], known["TechCorp"])):
        with pytest.raises(InputError, match="nothing to settle"):
            steward.resolve(first, second, Resolution.FIRST)
    assert engine.reads.people.rulings(SPACE) == []


def test_two_people_do_not_contradict_each_other(engine: Engine, steward: Steward) -> None:
    engine.ingest([session("two", MAY, ("Zoe", "I live in Bergen."), ("Udo", "Nice."))])
    engine.extract()
    known = homes(engine)
    with pytest.raises(InputError, match="nothing to settle"):
        steward.resolve(known["Oslo"], known["Bergen"], Resolution.SECOND)


def test_what_was_settled_can_be_settled_otherwise(engine: Engine, steward: Steward) -> None:
    known = homes(engine)
    for how, left in ((Resolution.FIRST_THEN_SECOND, {"Rome"}), (Resolution.BOTH, {"Oslo", "Rome"})):
        steward.resolve(known["Oslo"], known["Rome"], how)
        assert still(engine) == left
