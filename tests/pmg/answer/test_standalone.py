"""What a short question leans on, and how it reads by itself."""

from __future__ import annotations

import pytest

from pmg.answer.standalone import standalone

ASKED = "When is Tom's dentist appointment?"


@pytest.mark.parametrize(
    ("text", "before", "search"),
    [
        ("Why?", ASKED, f"{ASKED}\nWhy?"),
        ("And where is it?", ASKED, f"{ASKED}\nAnd where is it?"),
        ("Und wann war das?", "Wo ist die Feier?", "Wo ist die Feier?\nUnd wann war das?"),
        ("And Lena's?", ASKED, "When is Lena's dentist appointment?"),
        ("what about my sister?", ASKED, "When is my sister's dentist appointment?"),
        ("And for Maya?", "What did I buy for Tom?", "What did I buy for Maya?"),
        ("And the car?", "Who repaired the bike?", "Who repaired the car?"),
    ],
)
def test_a_question_that_leans_takes_what_it_is_about_from_before(text: str, before: str, search: str) -> None:
    assert standalone(text, [before]).search == search


@pytest.mark.parametrize(
    "text", ["Where did I park the van last night?", "Who is Anna's doctor in Graz?", "Noted, thanks!"]
)
def test_a_question_with_words_of_its_own_stands_alone(text: str) -> None:
    assert standalone(text, [ASKED]).search == text and not standalone(text, [ASKED]).leans


def test_without_a_talk_nothing_is_leant_on() -> None:
    assert standalone("And Lena?", []).search == "And Lena?"


def test_small_talk_between_changes_nothing() -> None:
    assert standalone("And where?", [ASKED, "Thanks!"]).about == ASKED


def test_a_follow_up_of_a_follow_up_is_still_about_the_first() -> None:
    assert standalone("And where?", [ASKED, "And Lena's?"]).about == "When is Lena's dentist appointment?"


def test_what_is_told_before_the_question_was_said_before_it() -> None:
    assert standalone("I sing alto now. When is the concert?", []).asked == "When is the concert?"
