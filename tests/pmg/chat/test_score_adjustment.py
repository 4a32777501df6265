"""What is one's own counts more, what is another's less, and what was shown just before is not shown again for something that it does not say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Passage, Role
from pmg.chat.answer_signals import asked_question
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.chat.responder import ChatRequest
from pmg.chat.score_adjustment import ANOTHERS, LACKING, MINE, OF_ANOTHER, SHOWN_ALREADY, adjusted

SAID = datetime(2026, 11, 2, tzinfo=UTC)
BOILER = "The boiler broke down on Monday"


def changes(question: str, *texts: str, shown: tuple[str, ...] = (), session: str = "s") -> list[float]:
    """By how much the score of each line is changed; the lines that `shown` names were quoted just before."""
    found = []
    for index, text in enumerate(texts):
        passage = Passage(
            index, text, session, index, "default", SAID, (Line("User", Role.USER, text),), "", "pmg chat"
        )
        piece = ExcerptPiece(passage, 0, 0, len(text))
        found.append(Excerpt((piece,), piece, 1.0))
    asked = asked_question(question, question, {}, 10, ())
    request = ChatRequest(question, None, (), "default", shown=shown)
    return adjusted(request, asked, bool(shown), found, [0.0] * len(found))


def test_mine_after_what_others_have_is_such_a_thing() -> None:
    texts = ("Nan's birthday is 6 November", "Donna's birthday is 27 July", "mine is 1 April, really")
    assert changes("When is my birthday?", *texts) == [-ANOTHERS, -ANOTHERS, MINE]


def test_mine_after_something_else_is_not() -> None:
    assert changes("When is my birthday?", "Nan has a car", "mine is a Skoda") == [0, 0]


@pytest.mark.parametrize(
    ("question", "text", "less"),
    [
        ("how much was the boiler?", BOILER, SHOWN_ALREADY),
        ("how much was the boiler?", "The boiler was 900 pounds", 0),
        ("why did the boiler break down?", BOILER, 0),  # a reason has no look of its own
        ("what does Katrin do?", "Katrin", SHOWN_ALREADY),
        (
            "who comes to Gemma's wedding?",
            "Gemma's wedding is in Robin Hood's Bay on 22 May",
            SHOWN_ALREADY,
        ),  # a place, a month
        ("who fixed Kyle's boiler?", "Kyle came for the boiler", SHOWN_ALREADY),
    ],
)
def test_what_was_shown_is_not_the_answer_to_what_it_does_not_say(question: str, text: str, less: float) -> None:
    assert changes(question, text, shown=(text,)) == [-less]


def test_after_a_question_what_is_wanted_counts() -> None:
    assert changes("how much was the boiler?", "The boiler hums", BOILER, shown=(BOILER,)) == [-LACKING, -SHOWN_ALREADY]
    assert changes("how much was the boiler?", "The boiler hums") == [0]


def test_what_is_told_of_another_day_counts_less() -> None:
    texts = ("on wednesdays we train in the hall", "we train mondays on the astro", "the hall is cold")
    assert changes("where do we train on mondays?", *texts) == [-ANOTHERS, 0, 0]
    assert changes("is training on monday?", *texts) == [0, 0, 0]  # another day may be the answer


def test_asked_at_what_time_a_line_without_one_counts_less() -> None:
    texts = ("Kasia is paid £14.10 an hour", "Kasia's in at 3:30", "Kasia starts at half three")
    assert changes("What time does Kasia get in?", *texts) == [-LACKING, 0, 0]


def test_a_word_of_a_question_that_leans_leads_away_from_what_was_shown() -> None:
    flight, hotel = "Flight to Lisbon is TP 1351", "Hotel there is the Lumiares"
    assert changes("Which hotel?", flight, hotel, shown=(flight,)) == [-SHOWN_ALREADY, 0]


def test_another_bill_stands_below_the_one_asked_for() -> None:
    question = "did I pay the water bill?"
    paid, pending = changes(question, "I already paid the electricity bill", "Water bill is still pending")
    assert paid == -OF_ANOTHER and not pending
    assert changes(question, "I already paid the electricity bill", "The tap drips") == [0.0, 0.0]
    mistyped = changes(
        "what time is Struan's swimming lesson?", "Struan's swiming lesson is at 4", "Isla's swimming lesson is at 5"
    )
    assert mistyped == [0.0, 0.0]
