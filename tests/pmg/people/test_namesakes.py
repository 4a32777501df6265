"""Two people of one name in one conversation: told apart by what they are to whoever speaks of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.engine import Engine
from pmg.people import read_sessions
from pmg.people.entities import are_two_full_names
from pmg.people.knowledge import Knowledge
from pmg.people.reconcile import reconcile_people
from pmg.people.roles import differ, exclude
from pmg.store.people import EntityKind, Identity
from tests.pmg.people.talk import claims, session, short
from tests.stores import store_of

pytestmark = pytest.mark.slow

MAY, JUNE, JULY = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6, 7))


def test_a_sister_and_a_boss_of_one_name_are_two() -> None:
    found = short(claims(("Ben", "Hi!"), ("Ana", "My sister Anna moved to Graz. My boss Anna moved to Linz.")))
    assert ("Anna (sister)", "lives_in", "Graz") in found and ("Anna (boss)", "lives_in", "Linz") in found
    assert ("Ana", "knows", "Anna (sister)") in found and ("Ana", "knows", "Anna (boss)") in found
    assert not any(subject == "Anna" for subject, _, _ in found)


def test_a_bare_name_is_the_one_named_last_near_enough_and_else_nobodys_for_sure() -> None:
    far = [("Ben", "Nice."), ("Ana", "Yes."), ("Ben", "Go on."), ("Ana", "Anna bought a boat.")]
    found = short(claims(("Ben", "Hi!"), ("Ana", "My sister Anna rang. My boss Anna wrote. Anna bought a car."), *far))
    assert ("Anna (boss)", "buy", "a car") in found
    assert ("Anna (?)", "buy", "a boat") in found


def test_a_family_name_after_a_role_is_kept() -> None:
    said = "My friend Rose Miller lives in Leeds. My cousin Rose Adams lives in York. My doctor Dr Eva Maria Lang works at Acme."
    found = short(claims(("Ben", "Hi!"), ("Ana", said)))
    assert {("Rose Miller", "lives_in", "Leeds"), ("Rose Adams", "lives_in", "York")} <= set(found)
    assert ("Ana", "knows", "Rose Miller") in found and ("Rose Adams", "is_a", "cousin of Ana") in found
    assert ("Dr Eva Maria Lang", "works_at", "Acme") in found


@pytest.mark.parametrize("text", ["My cat Luna Monday saw the vet.", "My sister Luna Monday saw the vet."])
def test_what_follows_a_name_is_not_always_a_family_name(text: str) -> None:
    assert {claim.subject for claim in claims(("Ben", "Hi!"), ("Ana", text))} <= {"Ana", "Luna"}


def test_a_full_name_and_a_bare_one_of_two_roles_are_two() -> None:
    said = "My sister Anna Berg moved to Graz. My boss Anna moved to Linz. Anna bought a car."
    found = short(claims(("Ben", "Hi!"), ("Ana", said)))
    assert {("Anna Berg", "lives_in", "Graz"), ("Anna (boss)", "lives_in", "Linz")} <= set(found)
    assert ("Anna (boss)", "buy", "a car") in found


@pytest.mark.parametrize("names", [("Anna Berg", "Anna"), ("Anna", "Anna Berg")])
def test_another_session_of_the_conversation_tells_a_full_name_from_a_bare_one(
    engine: Engine, names: tuple[str, str]
) -> None:
    sister, boss = names
    engine.ingest(
        [session("one", MAY, ("Ana", f"My sister {sister} moved to Graz."), ("Ben", "Oh?"), conversation="c")]
    )
    engine.ingest([session("two", JUNE, ("Ana", f"My boss {boss} moved to Linz."), ("Ben", "Oh?"), conversation="c")])
    engine.extract()
    homes = {one.name: one.id for one in engine.reads.people.entities("default") if "Anna" in one.name}
    assert set(homes) == {sister, f"{boss} (boss)"}


@pytest.mark.parametrize("text", ["My mom Rita rang. My mother Rita moved to Graz.", "My girlfriend Eva rang. My wife Eva moved to Graz."])  # fmt: skip
def test_two_words_for_one_role_are_one_person(text: str) -> None:
    assert {c.subject for c in claims(("Ben", "Hi!"), ("Ana", text)) if c.relation == "lives_in"} <= {"Rita", "Eva"}


def test_which_roles_exclude_each_other() -> None:
    assert exclude("sister", "boss") and exclude("sister", "mother") and exclude("friend", "sister")
    assert not exclude("friend", "colleague") and differ("friend", "colleague")
    assert not differ("mom", "mother") and not differ("girlfriend", "wife") and not differ("sister", "postman")


@pytest.fixture
def memory(engine: Engine) -> Engine:
    engine.ingest(
        [
            session("one", MAY, ("Ana", "My sister Anna moved to Graz."), ("Ben", "Nice!"), conversation="c"),
            session("two", JUNE, ("Ana", "My boss Anna moved to Linz."), ("Ben", "Oh?"), conversation="c"),
            session("three", JULY, ("Ana", "Anna moved to Wels."), ("Ben", "Which one?"), conversation="c"),
        ]
    )
    engine.extract()
    return engine


def names(engine: Engine) -> set[str]:
    return {one.name for one in Knowledge.read(engine.reads.people, "default").entities if "Anna" in one.name}


def test_another_session_of_the_conversation_knows_them_too(memory: Engine) -> None:
    assert names(memory) == {"Anna", "Anna (boss)", "Anna (?)"}


def test_reading_again_changes_nothing(memory: Engine) -> None:
    before = memory.sql("SELECT subject, relation, object, valid_from FROM v_claims ORDER BY ALL").rows
    for one in ("two", "one", "three"):
        read_sessions.read_sessions(store_of(memory), [one])
    assert memory.sql("SELECT subject, relation, object, valid_from FROM v_claims ORDER BY ALL").rows == before


def test_whom_nobody_can_tell_is_for_a_persons_eye(memory: Engine) -> None:
    found = reconcile_people(memory.reads.people, "default")
    assert {(one.verdict, frozenset((one.a.name, one.b.name))) for one in found} == {
        (Identity.UNSURE, frozenset(("Anna", "Anna (?)"))),
        (Identity.UNSURE, frozenset(("Anna (boss)", "Anna (?)"))),
    }


def test_a_friend_and_a_colleague_may_be_one_and_are_for_a_persons_eye(engine: Engine) -> None:
    said = "My friend Anna moved to Graz. My colleague Anna bought a boat."
    engine.ingest([session("one", MAY, ("Ana", said), ("Ben", "Nice!"), conversation="c")])
    engine.extract()
    (one,) = reconcile_people(engine.reads.people, "default")
    assert one.verdict is Identity.UNSURE and {one.a.name, one.b.name} == {"Anna (friend)", "Anna (colleague)"}


def test_two_full_names_are_two_people_though_a_bare_one_was_said_between_them(engine: Engine) -> None:
    said = [
        ("Anna Berg", "I live in Bergen."),
        ("Ben", "My sister Anna works at Acme."),
        ("Anna Weiss", "I live in Vienna."),
    ]
    for name, one in zip("abc", said, strict=True):
        engine.ingest([session(name, MAY, one, ("Udo", "Nice."), conversation="c")])
        engine.extract()
    people = [set(one.aliases) for one in engine.reads.people.entities("default") if one.kind is EntityKind.PERSON]
    assert {"Anna Weiss"} in people and not any({"Anna Berg", "Anna Weiss"} <= one for one in people)


@pytest.mark.parametrize(
    ("a", "b", "are_two"),
    [
        ("anna berg", "anna weiss", True),
        ("anna berg", "anna", False),
        ("anna berg", "anna maria berg", False),
        ("anna", "anna", False),
        ("anna berg", "anna berg weiss", False),
    ],
)
def test_two_family_names_are_two_people(a: str, b: str, are_two: bool) -> None:
    assert are_two_full_names(a, b) is are_two


SHARED = [
    ("Where does Anna live?", True),
    ("Wo wohnt Anna?", True),
    ("where does anna live?", False),  # nobody is called so alone, and small words are no names
    ("Where does Anna Berg live?", False),
    ("Where does my boss Anna live?", False),
    ("Where does Ben live?", False),
    ("Where does Frau Berg live?", False),
    ("Anna, where is it?", False),  # what begins a sentence is no name for that
    ("Where do I live?", False),
]
