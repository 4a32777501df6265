"""Names and ways of speaking that mislead: words that are names, groups of ten, other scripts, somebody renamed, quotations and irony, as far as the answers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.answer.ask import ask
from pmg.engine import Engine
from pmg.people.facts import facts_of
from pmg.people.knowledge import Knowledge
from tests.pmg.people.talk import claims, session, short

MAY, JUNE = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6))
TOWNS = "Graz Linz Wels Oslo Rome Kyoto Porto Turin Bern Lund".split()
PEOPLE = "Ana Ben Will May Joy Mark Grace Hope Rose Bill".split()  # eight of them are words


def memory(engine: Engine, *said: tuple[str, str], at: datetime = MAY, name: str = "one") -> Engine:
    engine.ingest([session(name, at, *said, conversation="c")])
    engine.extract()
    return engine


def test_in_a_group_of_ten_everybody_keeps_their_own_words(engine: Engine) -> None:
    memory(engine, *((who, f"I live in {town}.") for who, town in zip(PEOPLE, TOWNS, strict=True)))
    for who, town in zip(PEOPLE, TOWNS, strict=True):
        assert town in ask(engine, f"Where does {who} live?").lines[0].text, who


def test_a_word_is_nobody_where_nobody_has_the_name(engine: Engine) -> None:
    memory(engine, ("Ana", "Will you come in May? Hope you bring a rose."), ("Ben", "May I bring Bill the dog?"))
    assert not {"Will", "May", "Hope", "Rose"} & {
        one.name for one in Knowledge.read(engine.reads.people, "default").entities
    }


@pytest.mark.parametrize(("who", "town"), [("Анна", "Kyoto"), ("田中", "Graz"), ("محمد", "Linz"), ("Ελένη", "Porto")])
def test_names_in_other_scripts_are_asked_for(engine: Engine, who: str, town: str) -> None:
    memory(engine, (who, f"I live in {town}."), ("Ana", "I live in Bern."))
    assert town in ask(engine, f"Where does {who} live?").lines[0].text


def test_what_she_said_of_me_is_hers_and_ends_nothing() -> None:
    found = claims(("Ben", "Hi!"), ("Ana", "I live in Graz. My sister said I live in Linz."))
    told = {(one.object, one.modality.value) for one in found if one.relation == "lives_in"}
    assert told == {("Graz", "stated"), ("Linz", "quotation")}


def test_irony_ends_nothing(engine: Engine) -> None:
    memory(engine, ("Ana", "I live in Graz."), ("Ben", "Nice."))
    memory(engine, ("Ana", "Yeah right, I live in Monaco."), ("Ben", "Ha."), at=JUNE, name="two")
    (ana,) = Knowledge.read(engine.reads.people, "default").named("Ana")
    facts = facts_of(engine.reads.people.claims("default", about=[ana.id], relations=["lives_in"]))
    assert [(one.claim.claim.object, one.end) for one in facts] == [("Graz", None)]


def test_a_name_of_one_word_and_of_two_stays_apart_from_a_look_alike() -> None:
    talk = [("Jon", "I live in Graz."), ("John", "I live in Linz."), ("Joan", "I live in Wels.")]
    assert short(claims(*talk)) == [
        ("Jon", "lives_in", "Graz"),
        ("John", "lives_in", "Linz"),
        ("Joan", "lives_in", "Wels"),
    ]
