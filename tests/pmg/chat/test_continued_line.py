"""A line that goes on about somebody by a pronoun belongs to the line that names them, and stands before it if it has more of what is asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pmg.base.model import CHAT_SOURCE, Line, Passage, Role
from pmg.chat.continued_line import MAX_BACK, goes_on, goes_on_from
from pmg.chat.excerpts import ExcerptPiece
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine

SAID = datetime(2026, 11, 2, tzinfo=UTC)
TASHA = ("Tasha is moving to bed management", "she starts there on 4 May", "her leaving do is at the Red Lion")


@pytest.mark.parametrize(
    "text",
    [*TASHA[1:], "He's from Leicester uni", "After lunch it was 11.2", "and his laptop is new", "Er arbeitet bei der Werft", "seine Mutter wohnt in Kiel", "it's in the 1987 reports", "Also Ned, and Cyril if his back lets him", "and also wipes"],
)  # fmt: skip
def test_a_pronoun_at_the_beginning_goes_on(text: str) -> None:
    assert goes_on(text)


@pytest.mark.parametrize(
    "text",
    ["Tasha said she starts on 4 May", "It's raining", "It was Monday", "Es gibt Pizza", "Herr Lang kommt", "I met her", "hers", "Also Ned is coming", "Also, the rent went up", "Also Kasia doesn't eat fish", "Also kids love it", "Also Opa mag Käse", "Also my landlord: Mr Hill", "Also call the plumber"],
)  # fmt: skip
def test_who_is_named_first_or_nobody_does_not(text: str) -> None:
    assert not goes_on(text)


def turns(*texts: str, source: str = CHAT_SOURCE) -> dict[tuple[str, int], Passage]:
    return {
        ("s", number): Passage(number, f"seg_{number}", "s", number, "default", SAID, (Line("User", Role.USER, text),), "", source)
        for number, text in enumerate(texts)
    }  # fmt: skip


def before(known: dict[tuple[str, int], Passage]) -> list[str]:
    last = known[max(known)]
    return [one.text for one in goes_on_from(ExcerptPiece(last, 0, 0, len(last.lines[0].text)), known)]


def test_it_goes_on_from_the_line_that_names_them() -> None:
    assert before(turns(*TASHA)) == [TASHA[1], TASHA[0]]
    assert before(turns(TASHA[0], "where is Tasha moving to?", TASHA[2])) == [TASHA[0]]  # a question tells nothing


def test_nobody_is_meant_where_no_line_names_them_or_people_talk() -> None:
    assert not before(turns(TASHA[2]))
    assert not before(turns(TASHA[0], *(TASHA[1] for _ in range(MAX_BACK)), TASHA[2]))
    assert not before(turns(*TASHA, source="whatsapp"))


@pytest.mark.parametrize(
    ("texts", "question", "value"),
    [
        (TASHA, "where is Tasha's leaving do?", "Red Lion"),
        (TASHA, "where is Tasha moving to?", "bed management"),
        (("New hire Tobi joins the platform team", "His laptop is a ThinkPad T14", "Marek went to Antwerp"), "what laptop does Tobi have?", "ThinkPad"),
        (("die Moni hat einen neuen Freund", "er heißt Torben und kommt aus Kiel", "Die Susi ist noch solo"), "wie heißt der Freund von Moni?", "Torben"),
    ],
)  # fmt: skip
def test_the_line_with_more_of_the_question_comes_first(
    open_engine: Callable[..., Engine], texts: tuple[str, ...], question: str, value: str
) -> None:
    engine, session = open_engine(), ""
    for text in texts:
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), text)
        session = last.passage.session_id if last.passage else ""
    *_, last = converse(engine, Extractive(engine), ChatTarget("default"), question)
    assert value in last.answer.quotes[0].text
