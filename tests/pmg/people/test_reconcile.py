"""The reconciler on the examples that it was designed for, and on people of one name."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.base.errors import InputError, NotFound
from pmg.engine import Engine
from pmg.people.entities import folded, is_short_for
from pmg.people.facts import as_of, facts_of
from pmg.people.knowledge import Knowledge, about
from pmg.people.reconcile import reconcile_people, reconcile_topic
from pmg.people.tools import (
    compare_entities_across_conversations,
    detect_contradictions,
    get_conversation_context,
    get_entity_timeline,
)
from pmg.store.people import Identity
from steward.steward import Steward
from tests.pmg.people.talk import session, told_to_assistant

MAY, JULY, SEPTEMBER = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 7, 9))
SPACE = "default"


@pytest.fixture
def johns(engine: Engine) -> Engine:
    """John with Maria in May, with Tim in July, with James in September."""
    engine.ingest(
        [
            session("s41", MAY, ("Maria", "Hi John!"), ("John", "I work at TechCorp as a software engineer. I live in Seattle. I'm dating Sarah."), conversation="conv-41"),
            session("s43", JULY, ("Tim", "Hi John!"), ("John", "I just became a team leader at my company."), conversation="conv-43"),
            session("s47", SEPTEMBER, ("James", "Hi John!"), ("John", "I left my job to start a startup. I moved to Austin for the startup. I'm married to Lisa."), conversation="conv-47"),
        ]
    )  # fmt: skip
    engine.extract()
    return engine


def test_johns_job_in_three_conversations_is_one_evolving_career(johns: Engine) -> None:
    people = johns.reads.people
    steps = get_entity_timeline(people, SPACE, "job", "John")
    assert [(step.conversation, step.partners) for step in steps] == [
        ("conv-41", ("Maria",)), ("conv-43", ("Tim",)), ("conv-47", ("James",)),
    ]  # fmt: skip
    verdicts = reconcile_topic(people, SPACE, "job", "John")
    assert [one.verdict for one in verdicts] == [Identity.MERGE, Identity.MERGE]
    assert all("2023-" in one.reason for one in verdicts)


def test_sarah_and_lisa_stay_two_relationships(johns: Engine) -> None:
    (verdict,) = reconcile_topic(johns.reads.people, SPACE, "relationship", "John")
    assert verdict.verdict is Identity.SEPARATE and "two relationships" in verdict.reason


def test_seattle_to_austin_is_evolution_and_not_a_conflict(johns: Engine) -> None:
    (verdict,) = reconcile_topic(johns.reads.people, SPACE, "location", "John")
    assert verdict.verdict is Identity.MERGE
    (found,) = detect_contradictions(johns.reads.people, SPACE, "John", "location")
    assert found.is_evolution and found.suggestion == "moved between 2023-05-08 and 2023-09-08"


def test_a_later_fact_ends_an_earlier_one_and_as_of_asks_for_then(johns: Engine) -> None:
    people = johns.reads.people
    ids = [one.id for one in Knowledge.read(people, SPACE).named("John")]
    facts = facts_of(about(people.claims(SPACE, about=ids), ids))
    homes = [(f.claim.claim.object, f.start, f.end) for f in facts if f.claim.claim.relation == "lives_in"]
    assert homes == [("Seattle", date(2023, 5, 8), date(2023, 9, 8)), ("Austin", date(2023, 9, 8), None)]
    held = {(f.claim.claim.relation, f.claim.claim.object) for f in as_of(facts, date(2023, 6, 1))}
    assert {("lives_in", "Seattle"), ("works_at", "TechCorp"), ("partner_of", "Sarah")} <= held
    now = {(f.claim.claim.relation, f.claim.claim.object) for f in as_of(facts, date(2023, 12, 1))}
    assert ("works_at", "TechCorp") not in now and ("partner_of", "Lisa") in now


def test_two_places_on_one_day_are_a_contradiction_that_nobody_can_order(engine: Engine) -> None:
    engine.ingest([session("one", MAY, ("Ana", "I live in Oslo."), ("Ben", "Hm."), ("Ana", "I live in Rome."))])
    engine.extract()
    (found,) = detect_contradictions(engine.reads.people, SPACE, "Ana")
    assert not found.is_evolution and "cannot be told" in found.suggestion
    ids = [one.id for one in Knowledge.read(engine.reads.people, SPACE).named("Ana")]
    assert all(fact.end is None for fact in facts_of(engine.reads.people.claims(SPACE, about=ids)))


def test_a_conversation_tells_its_lines_and_questions(johns: Engine) -> None:
    found = get_conversation_context(johns.reads.people, SPACE, "conv-41", "job", "John")
    assert found.partners == ("Maria",)
    assert ("Where does John work?", "TechCorp") in {(q.question, q.answer) for q in found.questions}
    assert all(one.claim.segment.startswith("seg_s41_") for one in found.mentions)


def test_two_conversations_side_by_side(johns: Engine) -> None:
    found = compare_entities_across_conversations(johns.reads.people, SPACE, "location", "conv-41", "conv-47", "John")
    assert found.is_sequential and found.apart == ("lives_in",) and not found.shared


def test_somebody_unknown_is_told_so(engine: Engine) -> None:
    with pytest.raises(NotFound, match="Nobody called 'Zoe'"):
        get_entity_timeline(engine.reads.people, SPACE, "job", "Zoe")


def verdict_of(
    engine: Engine, first: str, second: str, *, name: str = "Alex", second_at: datetime = JULY
) -> tuple[Identity, str]:
    engine.ingest(
        [
            session("a", MAY, ("Eva", "Hi."), (name, first), conversation="ca"),
            session("b", second_at, ("Udo", "Hi."), (name, second), conversation="cb"),
        ]
    )
    engine.extract()
    (found,) = reconcile_people(engine.reads.people, SPACE)
    return found.verdict, found.reason


def test_two_shared_facts_make_one_person(engine: Engine) -> None:
    verdict, reason = verdict_of(engine, "I work at TechCorp. I live in Oslo.", "I live in Oslo. I work at TechCorp.")
    assert verdict is Identity.MERGE and "works_at" in reason and "TechCorp" not in reason


def test_a_name_alone_decides_nothing(engine: Engine) -> None:
    assert verdict_of(engine, "I love hiking.", "I bought a boat.")[0] is Identity.UNSURE


def test_two_origins_are_two_people(engine: Engine) -> None:
    assert verdict_of(engine, "I'm from Sweden.", "I'm from Brazil.")[0] is Identity.SEPARATE


def test_look_alike_names_are_not_even_compared(engine: Engine) -> None:
    engine.ingest([session("a", MAY, ("Jon", "I live in Oslo.")), session("b", JULY, ("John", "I live in Oslo."))])
    engine.extract()
    assert reconcile_people(engine.reads.people, SPACE) == []


@pytest.fixture
def two(engine: Engine) -> tuple[Engine, list[str]]:
    """Two called Alex, who were decided to be two, and what they are asked for by."""
    verdict_of(engine, "I live in Oslo. I bought a boat.", "I live in Rome. I bought a bike.")
    steward = Steward(engine)
    a, b = Knowledge.read(engine.reads.people, SPACE).named("Alex")
    steward.identify(a.id, b.id, Identity.SEPARATE, SPACE)
    return engine, [f"#{a.id}", f"#{b.id}"]


def test_two_of_one_name_who_are_two_are_never_answered_as_one(two: tuple[Engine, list[str]]) -> None:
    people, numbers = two[0].reads.people, two[1]
    told = f"2 people are called 'Alex' here: {numbers[0]} .*, {numbers[1]} "
    for asked in (
        lambda: get_entity_timeline(people, SPACE, "location", "Alex"),
        lambda: compare_entities_across_conversations(people, SPACE, "location", "ca", "cb", "Alex"),
        lambda: detect_contradictions(people, SPACE, "Alex"),
    ):
        with pytest.raises(InputError, match=told):
            asked()
    homes = [[one.claim.object for step in get_entity_timeline(people, SPACE, "location", number) for one in step.claims]
             for number in numbers]  # fmt: skip
    assert homes == [["Oslo"], ["Rome"]]
    assert [detect_contradictions(people, SPACE, number) for number in numbers] == [[], []]
    inside = get_conversation_context(people, SPACE, "cb", "location", "Alex")
    assert [one.claim.object for one in inside.mentions] == ["Rome"] and inside.partners == ("Udo",)
    with pytest.raises(NotFound, match="Nobody has the number 999"):
        detect_contradictions(people, SPACE, "#999")


def test_whoever_is_one_person_under_two_names_is_answered_whole(engine: Engine) -> None:
    verdict_of(engine, "I live in Oslo.", "I live in Rome.")
    known = Knowledge.read(engine.reads.people, SPACE)
    (udo,), alex = known.named("Udo"), known.named("Alex")[0]
    Steward(engine).identify(udo.id, alex.id, Identity.MERGE, SPACE)
    found = get_entity_timeline(engine.reads.people, SPACE, "location", "Udo")
    assert [one.claim.object for step in found for one in step.claims] == ["Oslo"]


def test_an_article_is_taken_from_the_beginning_of_a_name_only() -> None:
    """ "Anna Berg" was folded to "annberg": nobody called Anna could be her."""
    assert folded("Anna Berg") == "anna berg" and folded("the Blue Bar") == "blue bar"
    assert is_short_for(folded("Anna"), folded("Anna Berg"))


def test_a_first_name_that_two_people_have_is_nobodys_for_sure(engine: Engine) -> None:
    """All told by one person: what Anna shares with both Annas must not make them one."""
    shared = "Anna moved to Oslo. Anna married Tom."
    said = {"ca": shared, "cb": shared.replace("Anna", "Anna Berg"), "cc": shared.replace("Anna", "Anna Weiss")}
    engine.ingest(
        [session(name, MAY, ("Mara", text), ("Ben", "Ok."), conversation=name) for name, text in said.items()]
    )
    engine.extract()
    found = {frozenset((one.a.name, one.b.name)): one for one in reconcile_people(engine.reads.people, SPACE)}
    annas = {names: one for names, one in found.items() if "Anna" in names}
    assert set(annas) == {frozenset(("Anna", "Anna Berg")), frozenset(("Anna", "Anna Weiss"))}
    for one in annas.values():
        assert one.verdict is Identity.UNSURE and "1 more of that name known" in one.reason
        assert "the same lives_in" in one.reason and "Oslo" not in one.reason


def verdicts_of(engine: Engine, *told: str) -> list[tuple[Identity, str]]:
    """What is decided of those whom the owner names in a chat of its own each."""
    engine.ingest([told_to_assistant(f"chat{place}", MAY, text) for place, text in enumerate(told)])
    engine.extract()
    return [(one.verdict, one.reason) for one in reconcile_people(engine.reads.people, SPACE)]


def test_whom_you_name_in_three_chats_of_your_own_is_one(engine: Engine) -> None:
    found = verdicts_of(engine, "Jaro moved to Porto.", "My brother Jaro plays chess.", "Jaro bought a boat.")
    assert len(found) == 3 and {verdict for verdict, _ in found} == {Identity.MERGE}
    assert {reason for _, reason in found} == {"one name, and nobody but you speaks of them"}


@pytest.mark.parametrize(
    "told",
    [
        ("My friend Jaro plays chess.", "My colleague Jaro bought a boat."),
        ("My brother Jaro plays chess.", "My boss Jaro bought a boat."),
        ("Jaro Berg moved to Porto. Jaro Weiss moved to Rome.", "Jaro bought a boat.", "Jaro sold a car."),
    ],
)
def test_what_may_be_two_is_not_one_because_you_alone_speak_of_them(engine: Engine, told: tuple[str, ...]) -> None:
    found = verdicts_of(engine, *told)
    assert found and Identity.MERGE not in {verdict for verdict, _ in found}


def test_whom_others_name_too_is_not_one_by_name_alone(engine: Engine) -> None:
    engine.ingest(
        [
            told_to_assistant("chat", MAY, "Jaro moved to Porto."),
            session("talk", MAY, ("Eva", "Jaro bought a boat."), ("Udo", "Hm."), conversation="talk"),
        ]
    )
    engine.extract()
    assert [one.verdict for one in reconcile_people(engine.reads.people, SPACE)] == [Identity.UNSURE]
