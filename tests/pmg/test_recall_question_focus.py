"""What a question is after: its frame falls away, its parts come apart, and anything else stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.recall.question_focus import MAX_PARTS, MAX_QUESTION, as_told, parts_of, sought, with_occasion


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How often do I water the ferns?", "I water the ferns"),
        ("How many days did I spend in Porto?", "I spend in Porto"),
        ("Can you recommend some books about bees?", "books about bees"),
        (
            "I'm planning a trip to Lyon and I was wondering if you could remind me of the hotel near the river.",
            "the hotel near the river",
        ),
        ("I was wondering, can you recommend some books about bees?", "books about bees"),
        ("What did Hannah say about the boiler?", "What did Hannah say about the boiler?"),
        ("the boiler", "the boiler"),
        ("Wie oft gieße ich die Farne?", "Wie oft gieße ich die Farne?"),
        ("How many?", "How many?"),
        ("", ""),
    ],
)
def test_the_frame_of_a_question_falls_away(question: str, found: str) -> None:
    assert sought(question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "How many days passed between my visit to the lighthouse and the concert in Graz?",
            ("my visit to the lighthouse", "the concert in Graz"),
        ),
        ("What did Hannah say about the boiler?", ()),
        ("bread and butter", ()),
        ("", ()),
    ],
)
def test_a_question_of_several_parts_comes_apart(question: str, found: tuple[str, ...]) -> None:
    assert parts_of(question) == found


def test_what_a_question_is_asked_for_is_not_lost_with_its_opening() -> None:
    question = "I'm planning a trip to Lyon soon. Any suggestions on what to do there?"
    assert "Lyon" not in sought(question)
    assert with_occasion(question) == (question,)
    assert with_occasion("Any suggestions on what to do in Lyon?") == ()
    assert (
        with_occasion("I'm going to Lyon and was wondering what the hotel near the river with the red door is called")
        == ()
    )
    assert with_occasion("I'm going on, " + "and on " * MAX_QUESTION) == ()


def test_a_polite_opening_is_no_part_of_a_question() -> None:
    assert "I was wondering" not in parts_of("I was wondering, what was the move you made after Kg2 and before Bd5?")


@given(st.text(max_size=2 * MAX_QUESTION))
def test_any_text_has_a_bounded_number_of_parts_and_something_to_look_for(text: str) -> None:
    assert len(parts_of(text)) <= MAX_PARTS
    assert all(part in text for part in parts_of(text))
    assert bool(sought(text).strip()) == bool(text.strip()) or not text.strip(" ?.!\t\n\r\x0b\x0c")


def test_a_long_text_is_taken_as_it_is() -> None:
    text = "How many " + "words and " * MAX_QUESTION
    assert sought(text) == text
    assert parts_of(text) == ()


@pytest.mark.parametrize(
    ("question", "people", "found"),
    [
        ("What are Tim's plans for the summer?", ["Tim"], "my plans for the summer"),
        ("Which books did Tim read?", ["Tim"], "books did I read"),
        ("Does Tim like timber?", ["Tim"], "Does I like timber"),
        ("What did Tim Reed tell Timothy?", ["Tim", "Tim Reed"], "I tell Timothy"),
        ("What do Gina and Jon like?", ["Gina", "Jon"], "I and I like"),
    ],
)
def test_what_is_asked_of_people_is_looked_for_as_they_would_say_it(
    question: str, people: list[str], found: str
) -> None:
    assert as_told(question, people) == found
