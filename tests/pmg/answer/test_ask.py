"""Of lines that answer about equally well the newest holds, and the older is told as older."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

import pmg
from pmg.answer.evidence import QuoteKind, Tone
from pmg.base.errors import InputError
from pmg.engine import Engine
from tests.pmg.people.talk import session, told_to_assistant

MARCH, MAY, JULY = (datetime(2026, month, 3, 12, tzinfo=UTC) for month in (3, 5, 7))


@pytest.fixture
def memory(engine: Engine) -> Engine:
    engine.ingest(
        [
            told_to_assistant("one", MARCH, "The cat gets 5 mg of medicine a day."),
            told_to_assistant("two", MAY, "The cat gets 2 mg of medicine a day."),
            session("three", MARCH, ("Ana", "I live in Oslo."), ("Ben", "I live in Rome."), conversation="c"),
        ]
    )
    return engine


def test_what_holds_now_comes_first_and_what_was_before_is_told_as_such(memory: Engine) -> None:
    found = pmg.ask(memory, "How much medicine does the cat get a day?", at=JULY)
    assert [(line.segment, line.kind) for line in found.lines] == [
        ("seg_two_0", QuoteKind.ANSWER),
        ("seg_one_0", QuoteKind.OLDER),
    ]
    assert found.lines[1].note == "before that"


def test_asked_as_of_a_day_what_was_told_later_is_not_known(memory: Engine) -> None:
    found = pmg.ask(memory, "How much medicine does the cat get a day?", at=JULY, as_of=date(2026, 4, 1))
    assert [line.segment for line in found.lines] == ["seg_one_0"]


def test_what_another_says_of_themselves_replaces_nothing(memory: Engine) -> None:
    found = pmg.ask(memory, "Where does Ana live?", at=JULY)
    assert found.lines[0].text == "I live in Oslo."
    assert all(line.kind is QuoteKind.ANSWER for line in found.lines)


def test_at_most_two_lines_are_shown(memory: Engine) -> None:
    found = pmg.ask(memory, "medicine for the cat", at=JULY)
    assert 1 <= len(found.lines) <= 2


def test_what_nothing_tells_is_nothing(memory: Engine) -> None:
    found = pmg.ask(memory, "What is the capital of Mongolia?", at=JULY)
    assert found.tone is Tone.NOTHING and found.lead == "I find nothing about that." and found.lines == ()


def test_an_empty_question_is_refused(memory: Engine) -> None:
    with pytest.raises(InputError, match="question is empty"):
        pmg.ask(memory, "  ")


def test_nothing_is_written_of_what_was_asked(memory: Engine) -> None:
    before = memory.sessions()
    pmg.ask(memory, "Where does Ana live?", at=JULY)
    assert memory.sessions() == before


def test_asked_as_of_a_day_many_later_tellings_hide_nothing_and_no_summary_has_them(memory: Engine) -> None:
    memory.ingest(
        [told_to_assistant(f"later{i}", JULY, f"On day {i} the cat gets {i} mg of medicine.") for i in range(60)]
    )
    memory.ingest([told_to_assistant("back", JULY, "In February 2026 I painted the hall.")])
    april = date(2026, 4, 1)
    found = pmg.ask(memory, "How much medicine does the cat get a day?", at=JULY, as_of=april)
    assert [line.segment for line in found.lines] == ["seg_one_0"]
    for question in ("What happened in February 2026?", "Summarise July 2026", "What did I tell you this week?"):
        told = pmg.ask(memory, question, at=JULY, as_of=april).lines
        assert [line.text for line in told if line.said_at.date() > april] == []
    assert "hall" in str(pmg.ask(memory, "What happened in February 2026?", at=JULY).lines)
