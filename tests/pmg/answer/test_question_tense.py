"""Whether a question is about now or about then."""

from __future__ import annotations

import pytest

from pmg.answer.question_tense import about_now, asks_newest


def test_a_question_is_about_now_by_its_words_or_less_so_by_its_tense() -> None:
    assert about_now("What dose does he get now?") == 1.0
    assert about_now("What day is the call?") == 1 / 3
    assert about_now("What dose did he get in January?") == 0.0


@pytest.mark.parametrize(
    ("question", "newest"),
    [
        ("Where did I live before Lübeck?", False),
        ("What did I drive before the Passat?", False),
        ("What was my rent before 2024?", False),
        ("Why was the release blocked before Christmas?", False),
        ("What did I eat before the weekend?", False),
        ("Why was the cabin not free in the first week of July?", False),
        ("What did I learn in the first half?", False),
        ("Who was our previous sailmaker?", False),
        ("What did I use to drive back then?", False),
        ("Welche Matratze hatte ich früher?", False),
        ("Wo habe ich vorher gewohnt?", False),
        ("What was our band called originally?", False),
        ("Which e-reader did I have first?", False),
        ("What is the latest dose?", True),
        ("Which book did I read last?", True),
        ("What did I do last week?", False),
        ("When was the surgery?", False),
        ("Who teaches me piano?", True),
        ("Who is my dentist?", True),
    ],
)
def test_which_of_several_in_time_is_asked_for(question: str, newest: bool) -> None:
    assert asks_newest(question) is newest
