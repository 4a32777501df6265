"""Claims of closed sessions: made in the background, once, again for a better extractor, and gone with what they were read from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pmg import forget
from pmg.engine import Engine
from pmg.people import read_sessions
from pmg.people.knowledge import Knowledge
from pmg.store.people import EntityKind
from tests.pmg.people.talk import session
from tests.stores import store_of

MAY, JUNE = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6))
SPACE = "default"
Open = Callable[..., Engine]


def rows(engine: Engine) -> list[object]:
    database = store_of(engine).database
    return [database.rows(f"SELECT {what} ORDER BY ALL") for what in ("* EXCLUDE (id) FROM claims", "* FROM mentions")]


def told(engine: Engine) -> set[tuple[str, str, str]]:
    return {(c.claim.subject, c.claim.relation, c.claim.object) for c in engine.reads.people.claims(SPACE)}


def tell(engine: Engine) -> None:
    engine.ingest(
        [
            session("one", MAY, ("Ana", "I live in Oslo. My sister Eva bought a violin."), ("Ben", "I work at TechCorp."), conversation="c"),
            session("two", JUNE, ("Ana", "She moved to Rome."), ("Ben", "I use PostgreSQL."), conversation="c"),
        ]
    )  # fmt: skip
    engine.extract()


def test_reading_again_changes_nothing(engine: Engine) -> None:
    tell(engine)
    before = rows(engine)
    assert engine.extract() == 0
    for name in ("one", "two"):
        read_sessions.read_sessions(store_of(engine), [name])
    assert rows(engine) == before


def test_what_a_better_extractor_has_not_read_is_read_again(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    tell(engine)
    people = [(one.id, one.name) for one in engine.reads.people.entities(SPACE)]
    better = read_sessions.VERSION + 1
    for module in ("pmg.people.read_sessions", "pmg.engine.open_memory"):
        monkeypatch.setattr(f"{module}.VERSION", better)
    assert engine.extract() == 2 and engine.extract() == 0
    assert [(one.id, one.name) for one in engine.reads.people.entities(SPACE)] == people  # they keep their numbers


def test_what_a_kill_left_unread_is_read_at_the_next_start(open_engine: Open) -> None:
    engine = open_engine()
    tell(engine)
    expected = told(engine)
    store_of(engine).database.run("DELETE FROM claims; DELETE FROM extracted")
    engine.close()
    again = open_engine()
    again.extract()
    assert told(again) == expected


def test_a_closed_session_is_read_without_anybody_asking(engine: Engine) -> None:
    with engine.session("talk") as opened:
        opened.add(user="I live in Oslo.")
    engine._memory.extractor.stop()  # it finishes the step in hand
    engine.extract()
    assert {(c.claim.relation, c.claim.object) for c in engine.reads.people.claims(SPACE)} == {("lives_in", "Oslo")}


def test_names_have_kinds_and_one_conversation_shares_them(engine: Engine) -> None:
    tell(engine)
    kinds = {(one.name, one.kind) for one in engine.reads.people.entities(SPACE)}
    assert {
        ("Ana", EntityKind.PERSON),
        ("Oslo", EntityKind.PLACE),
        ("TechCorp", EntityKind.ORGANISATION),
        ("PostgreSQL", EntityKind.TOOL),
    } <= kinds
    assert len(Knowledge.read(engine.reads.people, SPACE).named("Ana")) == 1


def test_the_person_whose_memory_it_is_is_one_in_all_conversations(engine: Engine) -> None:
    for text in ("I live in Oslo.", "I work at TechCorp."):
        with engine.session("talk") as opened:
            opened.add(user=text, assistant="I see.")
    engine.extract()
    (me,) = Knowledge.read(engine.reads.people, SPACE).named("User")
    assert me.conversation == "" and len(engine.reads.people.claims(SPACE, about=[me.id])) == 2


def test_no_claim_is_seen_in_another_namespace(engine: Engine) -> None:
    engine.ingest(
        [
            session("a", MAY, ("Ana", "I live in Oslo."), namespace="mine"),
            session("b", MAY, ("Ana", "I live in Rome."), namespace="yours"),
        ]
    )
    engine.extract()
    people = engine.reads.people
    assert [c.claim.object for c in people.claims("mine")] == ["Oslo"]
    assert {one.namespace for one in people.entities("mine")} == {"mine"}
    theirs = [one.id for one in people.entities("yours")]
    assert people.claims("mine", about=theirs) == []


def test_forgetting_leaves_no_claim_and_no_name(engine: Engine, home: Path) -> None:
    """The name in the second turn came from the first one, which is forgotten: it goes from there too."""
    engine.ingest(
        [
            session(
                "one",
                MAY,
                ("Ana", "My sister Zaraphine bought a violin."),
                ("Ben", "Nice."),
                ("Ana", "She moved to Ulmwood."),
            )
        ]
    )
    engine.extract()
    assert any(subject == "Zaraphine" for subject, _, _ in told(engine))
    forget.forget(engine, forget.plan(engine, forget.Selection(segments=("seg_one_0",))))
    engine.extract()
    for claim in told(engine):
        assert "Zaraphine" not in str(claim)
    database = store_of(engine).database
    for table in ("claims", "mentions", "entity_names"):
        assert "Zaraphine" not in str(database.rows(f"SELECT * FROM {table}"))
    engine.close()
    assert not [file for file in home.rglob("*") if file.is_file() and b"Zaraphine" in file.read_bytes()]


def test_an_archived_segment_claims_nothing(engine: Engine) -> None:
    tell(engine)
    number = engine.segment("seg_one_1").number
    store_of(engine).database.run("UPDATE segments SET state = 'archived' WHERE number = ?", [number])
    assert not any(relation == "works_at" for _, relation, _ in told(engine))


def test_the_number_of_somebody_forgotten_is_nobody_elses_later(engine: Engine) -> None:
    tell(engine)
    before = {one.id for one in engine.reads.people.entities(SPACE)}
    forget.forget(engine, forget.plan(engine, forget.Selection(sessions=("one", "two"))))
    engine.ingest([session("three", JUNE, ("Lena", "I live in Graz. My brother Tom works at Acme."), conversation="d")])
    engine.extract()
    assert not before & {one.id for one in engine.reads.people.entities(SPACE) if one.conversation == "d"}
