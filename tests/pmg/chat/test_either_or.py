"""Of two things that a question offers, a later line may say the other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Passage, Role
from pmg.chat.either_or import says_the_other
from pmg.chat.excerpts import ExcerptPiece


def said(text: str, index: int, session: str = "shelf") -> ExcerptPiece:
    at = datetime(2026, 5, 7, 12, index, tzinfo=UTC)
    passage = Passage(
        index + 1, f"seg_{session}_{index}", session, index, "default", at, (Line("User", Role.USER, text),), "", "chat"
    )
    return ExcerptPiece(passage, 0, 0, len(text))


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Is the shelf made of birch or pine?", "Birch. I like this shelf.", "OK, pine it is."),
        ("Ist das Regal aus Birke oder aus Kiefer?", "Birke, das Regal wird schön.", "Gut, doch Kiefer."),
        ("Do I swim in the morning or in the evening?", "I swim in the morning.", "From May in the evening."),
    ],
)
def test_a_later_line_of_the_talk_says_the_other(question: str, older: str, newer: str) -> None:
    assert says_the_other(question, said(older, 0), [said(newer, 1)])
    assert not says_the_other(question, said(newer, 1), [said(older, 0)])  # that was before


@pytest.mark.parametrize(
    "newer", ["Is pine cheaper?", "Birch and pine are both wood.", "It stands by the window.", "The shop is closed."]
)
def test_who_asks_or_names_both_or_neither_says_no_other(newer: str) -> None:
    assert not says_the_other("Is the shelf made of birch or pine?", said("Birch.", 0), [said(newer, 1)])


def test_elsewhere_it_must_speak_of_the_same() -> None:
    question, birch = "Is the shelf made of birch or pine?", said("Birch.", 0)
    assert not says_the_other(question, birch, [said("We walked under a pine.", 1, "walk")])
    assert says_the_other(question, birch, [said("The new shelf is pine after all.", 1, "wood")])


def test_a_question_that_offers_nothing_is_left_alone() -> None:
    assert not says_the_other("What is the shelf made of?", said("Birch.", 0), [said("Pine.", 1)])
