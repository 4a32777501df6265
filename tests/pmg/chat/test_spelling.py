"""A slip of the finger in a question is mended where memory has the word; a name and a word of its own are left as they are."""

from __future__ import annotations

import pytest

from pmg.chat.extractive import Extractive
from pmg.chat.responder import Tone
from pmg.chat.spelling import mended, slips
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from tests.steward.memories import tell

TOLD = (
    "The laundry goes to Bright's, my permit is in the drawer, Marina has a house. In meiner Sammlung ist eine Omega."
)


@pytest.fixture
def memory(engine: Engine) -> Engine:
    tell(engine, "told", TOLD)
    return engine


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("who does the landry now", "who does the laundry now"),
        ("who does the luandry", "who does the laundry"),
        ("where is the permitt", "where is the permit"),
        ("who does the laundyr", "who does the laundry"),
        ("where is the huose", "where is the house"),
        ("Welche Uhren habe ich in meiner Samlung?", "Welche Uhren habe ich in meiner sammlung?"),
    ],
)
def test_one_letter_from_a_word_that_memory_has(memory: Engine, question: str, meant: str) -> None:
    assert mended(question, slips(memory, "default", question)) == meant


@pytest.mark.parametrize(
    "question",
    [
        "where is the horse",  # a word, though memory has a house
        "Where does Marian live?",  # a name, though memory knows Marina
        "who does the laundry",
        "is it in the drawers",
        " ".join(["landry"] * 40),
    ],
)
def test_what_is_no_slip_stays(memory: Engine, question: str) -> None:
    assert not slips(memory, "default", question)


def test_in_another_namespace_nothing_is_known(memory: Engine) -> None:
    assert not slips(memory, "other", "who does the landry")


def test_it_is_answered_kept_as_it_was_typed_and_never_sure(memory: Engine) -> None:
    *_, last = converse(memory, Extractive(memory), ChatTarget("default"), "where does the landry go")
    assert "laundry" in last.answer.quotes[0].text and last.answer.tone is Tone.UNSURE
    assert last.passage is not None and last.passage.lines[0].text == "where does the landry go"


def test_what_was_mistyped_in_the_question_before_is_mended_too(memory: Engine) -> None:
    session = ""
    for text in ("where does the landry go", "when does it go there"):
        *_, last = converse(memory, Extractive(memory), ChatTarget("default", session), text)
        session = last.passage.session_id if last.passage else ""
    assert "laundry" in last.answer.quotes[0].text
