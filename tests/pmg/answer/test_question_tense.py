"""Whether a question is about now or about then."""

from __future__ import annotations

import pytest

from pmg.answer.question_tense import AskedOrder, about_now, asked_order


def test_a_question_is_about_now_by_its_words_or_less_so_by_its_tense() -> None:
    assert about_now("What dose does he get now?") == 1.0
    assert about_now("What day is the call?") == 1 / 3
    assert about_now("What dose did he get in January?") == 0.0


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("Where did I live before Lübeck?", AskedOrder.BEFORE),
        ("What did I drive before the Passat?", AskedOrder.BEFORE),
        ("What was my rent before 2024?", AskedOrder.BEFORE),
        ("Why was the release blocked before Christmas?", AskedOrder.ANY),
        ("What did I eat before the weekend?", AskedOrder.ANY),
        ("Why was the cabin not free in the first week of July?", AskedOrder.ANY),
        ("What did I learn in the first half?", AskedOrder.ANY),
        ("Who was our previous sailmaker?", AskedOrder.BEFORE),
        ("What did I use to drive back then?", AskedOrder.BEFORE),
        ("Welche Matratze hatte ich früher?", AskedOrder.BEFORE),
        ("Wo habe ich vorher gewohnt?", AskedOrder.BEFORE),
        ("What was our band called originally?", AskedOrder.FIRST),
        ("Which e-reader did I have first?", AskedOrder.FIRST),
        ("What is the latest dose?", AskedOrder.NEWEST),
        ("Which book did I read last?", AskedOrder.NEWEST),
        ("What did I do last week?", AskedOrder.ANY),
        ("When was the surgery?", AskedOrder.ANY),
        ("Who teaches me piano?", AskedOrder.NEWEST),
        ("Who is my dentist?", AskedOrder.NEWEST),
    ],
)
def test_which_of_several_in_time_is_asked_for(question: str, order: AskedOrder) -> None:
    assert asked_order(question) is order
