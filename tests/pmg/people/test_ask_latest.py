"""Asked how something is, the newest that holds comes first and what was so before is told as that; asked about then, it is not."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from pmg.engine import Engine
from pmg.people.latest import LineFit, ranked
from pmg.recall.question_time import AskedPeriod
from tests.pmg.people.talk import session, told_to_assistant

MAY, SEPTEMBER = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 9))


@pytest.fixture
def year(engine: Engine) -> Engine:
    engine.ingest(
        [
            told_to_assistant(
                "may",
                MAY,
                "I take 10 mg of lisinopril every morning.",
                "My dentist is Dr. Marsh.",
                "I live in Bristol.",
                "My friend Anna lives in Oslo.",
                "The garden needs rain.",
            ),
            told_to_assistant(
                "september",
                SEPTEMBER,
                "The doctor raised the lisinopril to 20 mg.",
                "My new dentist is Dr. Chen.",
                "I moved to Leipzig.",
                "Anna moved to Bergen.",
                "The kitchen got new tiles.",
            ),
        ]
    )
    engine.extract()
    return engine


@pytest.mark.parametrize(
    ("question", "now", "before", "note"),
    [
        ("How much lisinopril do I take now?", "20 mg", "10 mg", "before: a newer line is of 2023-09-08"),
        ("Who is my dentist?", "Chen", "Marsh", "before: a newer line is of 2023-09-08"),
        ("Where do I live?", "Leipzig", "Bristol", "before: Bristol, until 2023-09"),
        ("Where does Anna live?", "Bergen", "Oslo", "before: Oslo, until 2023-09"),
    ],
)
def test_the_newest_that_holds_comes_first_and_the_older_is_told_as_older(
    year: Engine, question: str, now: str, before: str, note: str
) -> None:
    found = year.ask(question, at=SEPTEMBER + timedelta(days=30))
    assert not found.abstained
    first, second = found.lines[:2]
    assert now in first.text and not first.note
    assert before in second.text and second.note == note


def test_a_question_about_then_is_answered_of_then(year: Engine) -> None:
    at = SEPTEMBER + timedelta(days=30)
    assert "Bristol" in year.ask("Where did I live before?", at=at).lines[0].text
    assert "Bristol" in year.ask("Where did I live in June 2023?", at=at).lines[0].text
    assert "10 mg" in year.ask("How much lisinopril did I take in May 2023?", at=at).lines[0].text
    (note,) = {line.note for line in year.ask("Where did I live before?", at=at).lines[:1]}
    assert note == "before: Bristol, until 2023-09"


def test_as_of_a_day_nothing_answers_that_was_said_later(year: Engine) -> None:
    day = date(2023, 6, 1)
    for question, then in (
        ("Where do I live?", "Bristol"),
        ("Who is my dentist?", "Marsh"),
        ("How much lisinopril do I take?", "10 mg"),
    ):
        found = year.ask(question, as_of=day)
        assert then in found.lines[0].text, question
        assert all(line.said_at.date() <= day for line in found.lines), question


def test_what_held_then_may_have_been_said_later(engine: Engine) -> None:
    engine.ingest([session("x", SEPTEMBER, ("Ana", "I have lived in Oslo since March."), ("Ben", "Nice."))])
    engine.extract()
    assert "Oslo" in engine.ask("Where does Ana live?", as_of=date(2023, 6, 1)).lines[0].text


def fits(*values: tuple[float, float, int]) -> list[LineFit]:
    return [LineFit(fit, held, MAY + timedelta(days=days)) for fit, held, days in values]


def test_a_newer_line_that_answers_worse_does_not_come_first() -> None:
    assert [one.place for one in ranked(fits((2.0, 1.0, 0), (0.9, 1.0, 9)), True)] == [0, 1]
    assert [one.place for one in ranked(fits((2.0, 1.0, 0), (1.9, 0.5, 9)), True)] == [0, 1]
    newer = ranked(fits((2.0, 1.0, 0), (1.9, 1.0, 9)), True)
    assert [(one.place, one.newer) for one in newer] == [(1, None), (0, date(2023, 5, 17))]
    assert [one.place for one in ranked(fits((2.0, 1.0, 0), (1.9, 1.0, 9)), False)] == [0, 1]


def test_the_time_that_is_asked_for_comes_before_the_newest() -> None:
    period = AskedPeriod(MAY.date(), MAY.date() + timedelta(days=1), "then")
    assert [one.place for one in ranked(fits((1.9, 1.0, 0), (2.0, 1.0, 9)), True, period)] == [0, 1]


def test_a_line_that_says_something_else_is_not_called_older(engine: Engine) -> None:
    engine.ingest(
        [
            told_to_assistant("may", MAY, "My sister finished fourteen months of work at the museum.", "I like tea."),
            told_to_assistant("september", SEPTEMBER, "I take the number 29 bus to work.", "I like chess."),
        ]
    )
    engine.extract()
    for question in ("How do I get to work?", "What do I like?"):
        found = engine.ask(question, at=SEPTEMBER + timedelta(days=30))
        assert len(found.lines) == 2 and [line.note for line in found.lines] == ["", ""]


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("My cat is called Pepita.", "My cat isn't called Pepita, it's Pepino.", "What is my cat called?"),
        ("The meeting is on Monday.", "No, the meeting is on Tuesday, not Monday.", "When is the meeting?"),
        ("Meine Katze heißt Mimi.", "Meine Katze heißt nicht Mimi, sondern Momo.", "Wie heißt meine Katze?"),
        ("My locker number is 4411.", "I got that wrong: my locker number is 4417.", "What is my locker number?"),
        ("I parked on level 2.", "I was wrong, I parked on level 3.", "On which level did I park?"),
        ("The key is under the green pot.", "The key isn't under the green pot but the blue one.", "Where is the key?"),
        ("Opa wurde 1938 geboren.", "Opa wurde nicht 1938 geboren, sondern 1937.", "Wann wurde Opa geboren?"),
    ],
)
def test_a_correction_is_the_answer_and_what_it_corrects_is_told_as_older(
    engine: Engine, older: str, newer: str, question: str
) -> None:
    engine.ingest([told_to_assistant("may", MAY, older), told_to_assistant("september", SEPTEMBER, newer)])
    engine.extract()
    first, second = engine.ask(question, at=SEPTEMBER + timedelta(days=30)).lines[:2]
    assert (first.text, second.text) == (newer, older)
    assert not first.note.startswith("before") and second.note.startswith("before: a newer line is of 2023-09-08")
