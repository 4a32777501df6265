"""What a model thinks aloud is no part of its answer, however it is marked and wherever a piece of the stream ends."""

from __future__ import annotations

import pytest

from pmg.chat.openai import without_reasoning


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Anna lives in Graz [1].", "Anna lives in Graz [1]."),
        ("<think>\nMaybe Paris [2].\n</think>\n\nAnna lives in Graz.", "Anna lives in Graz."),
        ("  <Thinking>Hm.</THINKING>Graz.", "Graz."),
        ("Okay, she may live in Paris.\n</think>\n\nGraz.", "Graz."),
        ("<think>still at it", ""),
        ("<thi", ""),
        ("Write <think> and </think> around it.", "Write <think> and </think> around it."),
        ("<think>Paris?</think>\n<think>No.</think>\nGraz.", "Graz."),
        ("<think>Paris?</think>\n<think>No", ""),
        ("Mark it so:\n<think>\nmaybe\n</think>\nThat is all.", "Mark it so:\n<think>\nmaybe\n</think>\nThat is all."),
        ("a < b", "a < b"),
        ("", ""),
    ],
)
def test_only_the_answer_is_left(said: str, answer: str) -> None:
    assert without_reasoning(said) == answer


def test_no_piece_of_a_thought_is_shown_while_it_comes() -> None:
    whole = "<think>Maybe Paris.</think>\nGraz it is."
    shown = [without_reasoning(whole[:end]) for end in range(len(whole) + 1)]
    assert shown[-1] == "Graz it is." and all("Graz it is.".startswith(one) for one in shown)
