"""What a newcomer would try: a life told over twenty months, and questions about it."""

from __future__ import annotations

import pytest

from pmg.engine import Engine
from tests.pmg.people import life
from tests.pmg.people.life import Outcome

GOOD = (Outcome.RIGHT, Outcome.ABSTAINED)


@pytest.fixture
def memory(engine: Engine) -> Engine:
    engine.ingest(life.sessions())
    engine.extract()
    return engine


@pytest.mark.parametrize(("file", "good", "wrong"), [("questions.jsonl", 53, 2), ("aside.jsonl", 32, 3)])
def test_most_questions_about_a_life_are_answered_and_few_wrongly(
    memory: Engine, file: str, good: int, wrong: int
) -> None:
    found = life.counts(memory, file)
    assert sum(found[one] for one in GOOD) >= good and found[Outcome.WRONG] <= wrong, found


def first(memory: Engine, question: str) -> str:
    found = memory.ask(question, at=life.ASKED)
    assert not found.abstained
    return found.lines[0].text


def test_my_sister_is_not_me(memory: Engine) -> None:
    assert "Aberdeen" in first(memory, "Where does my sister live?")
    assert "Tobias" in first(memory, "Who is my sister married to?")
    assert "nurse" in first(memory, "What does my sister do?")


def test_who_is_only_spoken_of_is_found_by_name_and_what_is_not_known_of_them_is_said(memory: Engine) -> None:
    assert "baby girl" in first(memory, "Who is Ida?")
    found = memory.ask("Which instrument does Jonah play?", at=life.ASKED)
    assert found.abstained == "Nothing in this memory says that. Of Jonah it says:"
    assert all("Jonah" in line.text for line in found.lines)


def test_a_verb_is_found_in_the_form_in_which_it_was_said(memory: Engine) -> None:
    assert "broke up with Daniel" in first(memory, "When did I break up with Daniel?")


def test_what_ended_is_told_with_the_line_that_ended_it(memory: Engine) -> None:
    assert "broke up" in first(memory, "Am I still dating Daniel?")


def test_a_german_question_is_answered_from_claims_and_from_the_other_word_for_it(memory: Engine) -> None:
    assert "Leeds" in first(memory, "Wo wohne ich?")
    assert "Biscuit" in first(memory, "Wie heißt mein Hund?")


def test_titles_are_books_and_two_joined_by_and_leave_open_how_many(memory: Engine) -> None:
    """ "Middlemarch and Stoner" are two, "War and Peace" is one: nothing in the words tells which."""
    found = memory.ask("How many books did I read?", at=life.ASKED)
    assert found.counted is None and any("Middlemarch and Stoner" in line.text for line in found.lines)
    listed = memory.ask("Which books did I read?", at=life.ASKED).counted
    assert listed is not None and len(listed.rows) == 2
