"""A thing that was given back is no longer where it was: asked who has it now, the line that says so comes first."""

from __future__ import annotations

import pytest

from benchmarks.dialogues import until_embedded
from pmg.chat.extractive import Extractive
from pmg.chat.given_back import asks_where_it_is, is_away_again, is_given_back, is_no_longer_there
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine

FRAME = "Lent my sewing frame to Prue from college."
BOOTS = "I bought blue boots from Clarks for 80 pounds"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (FRAME, "Prue gave the frame back today."),
        (FRAME, "I got my sewing frame back from Prue"),
        (FRAME, "Prue returned the frame"),
        (FRAME, "The sewing frame is back home"),
        ("Marcus has our ladder", "Marcus handed me back the ladder yesterday"),
        (BOOTS, "Took the boots back to the shop, too tight"),
        (BOOTS, "sent the blue boots back"),
        ("Ich habe Prue meinen Rahmen geliehen", "Prue hat mir den Rahmen heute zurückgegeben"),
    ],
)
def test_what_was_lent_or_bought_is_given_back(older: str, newer: str) -> None:
    assert is_given_back(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (FRAME, "Prue hasn't given the frame back"),
        (FRAME, "Prue wants to have the frame back by May"),
        (FRAME, "Prue gave the book back today"),
        (FRAME, "Prue gave the picture frame back"),
        (FRAME, "Prue came back from college today"),
        ("The sewing frame is made of beech", "Prue gave the frame back today"),
        (FRAME, "Tom gave his frame back to the shop"),
        (FRAME, "Anna gave her frame back"),
        (FRAME, "Tom returned the frame he had from the library"),
        (FRAME, "Prue said she gave the frame back but it isn't here"),
        (FRAME, "I dreamt Prue gave the frame back"),
        (FRAME, "Has Prue given the frame back?"),
        (FRAME, "I had the frame back in May"),
        (FRAME, "I got the frame back in 2010"),
        (FRAME, "I got the frame back to front"),
        (BOOTS, "Got the boots back from the cobbler"),
        (BOOTS, "Took the boots back for new soles"),
        ("I bought a bike from Tom", "I took the bike back roads to Leeds"),
        ("Our car is with Tom", "I sent the car back papers"),
        ("Ich habe Prue den Rahmen geliehen", "Tom hat den Rahmen zurückgegeben"),
    ],
)
def test_what_is_said_of_something_else_gives_nothing_back(older: str, newer: str) -> None:
    assert not is_given_back(older, newer)


def test_it_may_be_lent_again() -> None:
    assert is_away_again("Prue gave the frame back", "Lent the frame to Tom")
    assert not is_away_again("Prue gave the frame back", "Lent the drill to Tom")


@pytest.mark.parametrize(
    "newer", ["I bought a new frame", "I never lent Tom the frame", "Tom wants to borrow the frame", "I lent Tom the frame last year"]
)  # fmt: skip
def test_what_was_not_lent_since_is_not_away_again(newer: str) -> None:
    assert not is_away_again("Prue gave the frame back", newer)


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("Who has my frame now?", True),
        ("Is my frame with Prue?", True),
        ("Does Prue still have the sewing frame?", True),
        ("Where is the receipt for the frame?", False),
        ("Where is the frame from?", False),
        ("Where is Prue?", False),
        ("Who has the frame nails?", False),
    ],
)
def test_just_that_thing_is_asked_for(question: str, is_asked: bool) -> None:
    assert is_no_longer_there(question, FRAME, "Prue gave the frame back today.") == is_asked


@pytest.mark.parametrize("question", ["Who has my frame now?", "Where's the ladder?", "Wer hat meinen Rahmen?"])
def test_where_it_is_now_is_asked(question: str) -> None:
    assert asks_where_it_is(question)


@pytest.mark.parametrize("question", ["Who did I lend my frame to?", "How much were the boots?", "Who has lent me a drill?"])  # fmt: skip
def test_what_was_is_not_where_it_is_now(question: str) -> None:
    assert not asks_where_it_is(question)


def test_asked_who_has_it_the_newer_line_comes_first(engine: Engine) -> None:
    back = "Prue gave the frame back today."
    session = ""
    for text in (FRAME, back):
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), text)
        session = last.passage.session_id if last.passage else ""
    until_embedded(engine)
    for question, first in (("Who has my sewing frame now?", back), ("Who did I lend my sewing frame to?", FRAME)):
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", kept=False), question)
        assert last.answer.quotes[0].text == first
