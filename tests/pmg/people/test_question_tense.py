"""Whether a question is about now or about then."""

from __future__ import annotations

from pmg.people.question_tense import about_now


def test_a_question_is_about_now_by_its_words_or_less_so_by_its_tense() -> None:
    assert about_now("What dose does he get now?") == 1.0
    assert about_now("What day is the call?") == 1 / 3
    assert about_now("What dose did he get in January?") == 0.0
