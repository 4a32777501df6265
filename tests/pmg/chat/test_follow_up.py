"""What a short question leans on."""

from __future__ import annotations

import pytest

from pmg.chat.follow_up import put_in_place, standalone

ASKED = "When did Heron 0.8 come out?"


@pytest.mark.parametrize("text", ["And when was that?", "und wann?", "why?", "When exactly?"])
def test_a_short_follow_up_takes_what_was_asked_before_along(text: str) -> None:
    found = standalone(text, ["first", ASKED])
    assert found.leans and found.about == ASKED and found.asked == text
    assert found.search == f"{ASKED}\n{text}"


def test_a_second_follow_up_still_leans_on_what_was_asked_first() -> None:
    assert standalone("And where?", [ASKED, "Why?", "Thanks!"]).about == ASKED


@pytest.mark.parametrize("text", ["When did I move to Leipzig?", "What did Dr Marsch say about running after that?"])
def test_a_question_that_stands_by_itself_is_searched_alone(text: str) -> None:
    found = standalone(text, [ASKED])
    assert not found.leans and found.search == text


def test_the_first_message_has_nothing_before_it() -> None:
    assert standalone("why?", []).search == "why?"


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("Where does Jonas live?", "Lena", "Where does Lena live?"),
        ("Where do I work?", "Lena", "Where do Lena work?"),
        ("Is there milk?", "Lena", "Is there milk Lena?"),
        ("What did we plan for Jonas?", "2026", "What did we plan for Jonas 2026?"),
    ],
)
def test_another_name_takes_the_place_of_the_one_before(before: str, name: str, after: str) -> None:
    assert put_in_place(before, name) == after


@pytest.mark.parametrize("text", ["What about Lena?", "and Lena?", "Und Lena?"])
def test_what_about_asks_the_same_of_another(text: str) -> None:
    assert standalone(text, ["Where does Jonas live?"]).search == "Where does Lena live?"
