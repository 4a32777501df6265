"""What is told of another is no sure answer, and of whom it was never told nothing is found."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import CHAT_SOURCE, Line, Passage, Role
from pmg.chat.another_matter import (
    does_another,
    is_another_such_thing,
    is_of_another_thing,
    is_of_somebody_else,
    is_only_of_others,
    names_them,
)
from pmg.chat.answer_signals import AskedQuestion, asked_question
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.index.terms import query_terms

SAID = datetime(2026, 11, 2, tzinfo=UTC)


def asked(question: str) -> AskedQuestion:
    return asked_question(question, question, dict.fromkeys(query_terms(question), 1), 10, ())


def told(*texts: str, source: str = CHAT_SOURCE) -> list[Excerpt]:
    found = []
    for number, text in enumerate(texts):
        line = (Line("User", Role.USER, text),)
        passage = Passage(number, f"seg_{number}", "s", number, "default", SAID, line, "", source)
        piece = ExcerptPiece(passage, 0, 0, len(text))
        found.append(Excerpt((piece,), piece, 1.0))
    return found


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("when is the staging db backed up", "the prod db is backed up at 1:30 at night"),
        ("What colour is the garden shed?", "The bike shed is painted green"),
        ("wie lange läuft der vertrag mit lindqvist?", "Der Vertrag mit Obermaier läuft bis Ende 2027"),
        ("How much is the deposit for Callum?", "Bronwen paid a deposit of 300"),
    ],
)
def test_the_word_that_says_which_is_another_or_missing(question: str, text: str) -> None:
    assert is_of_another_thing(asked(question), text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("when is the prod db backed up", "the prod db is backed up at 1:30 at night"),
        ("What colour is the new bike?", "My bike is red"),
        ("What colour is Lena's bike?", "Lena's bike is red"),
        ("Who is the insurance with?", "The insurance is with Direct Line"),
        ("What is the gate code for?", "the gate code opens the yard"),
    ],
)
def test_the_same_is_not_another(question: str, text: str) -> None:
    assert not is_of_another_thing(asked(question), text)


def test_another_such_thing_has_another_word_before_it() -> None:
    assert is_another_such_thing(asked("What is my blood group?"), "The book group meets on Wednesdays")
    assert not is_another_such_thing(asked("When does the book group meet?"), "The book group meets on Wednesdays")
    assert not is_another_such_thing(asked("Who leads the group?"), "The book group meets on Wednesdays")


@pytest.mark.parametrize(
    ("question", "first", "text", "is_else"),
    [
        ("What does dad take?", "Dad takes 40 mg", "Mum takes 5 mg in the morning", True),
        ("What does dad take?", "Dad takes 40 mg", "Brian takes 40 mg at night", False),  # who may be dad
        ("What does Callum study?", "Callum does physics", "My flatmate Ines studies architecture", True),
        ("What does Callum study?", "Callum snores", "My flatmate studies physics", False),  # who may be Callum
        ("What does Callum study?", "Callum snores", "Ines met Callum in physics", False),
        ("An welchen Tagen arbeitet Jule?", "Jule arbeitet montags", "Mehmet arbeitet freitags", True),
        ("What did the doctor give Anna?", "Anna is ill", "Dr Khan gave her antibiotics", False),
        ("What is Lisa's baby called?", "Lisa had her baby", "Ben said it is a boy called Otto", False),
        ("What did I plant?", "I planted tulips", "Mum planted tulips", False),
    ],
)
def test_who_is_named_tells_of_whom_a_line_is(question: str, first: str, text: str, is_else: bool) -> None:
    assert is_of_somebody_else(asked(question), first, text) is is_else


def test_what_was_told_of_others_alone_was_not_told_of_them() -> None:
    lines = told("Mr Adeyemi's birthday is the 30th of August", "Callum's from Middlesbrough")
    assert is_only_of_others(asked("When is Callum's birthday?"), lines[0], lines)


@pytest.mark.parametrize(
    "more",
    [
        "Callum's birthday is on 3 May",
        "Callum turns twenty on 3 May",  # in other words, with such a thing as is asked for
    ],
)
def test_where_a_line_may_tell_it_of_them_nothing_is_denied(more: str) -> None:
    lines = told("Mr Adeyemi's birthday is the 30th of August", more)
    assert not is_only_of_others(asked("When is Callum's birthday?"), lines[0], lines)


def test_who_is_meant_by_a_pronoun_nobody_can_say() -> None:
    lines = told("his birthday is on 3 May", "Callum's from Middlesbrough")
    assert not is_only_of_others(asked("When is Callum's birthday?"), lines[0], lines)


def test_of_what_came_from_elsewhere_nothing_is_denied() -> None:
    lines = told("Mr Adeyemi's birthday is the 30th of August", source="chatgpt")
    assert not is_only_of_others(asked("When is Callum's birthday?"), lines[0], lines)


def test_who_goes_on_by_a_pronoun_may_tell_it_of_them() -> None:
    lines = told("Marek's laptop got stolen", "Tobi joins the platform team", "His laptop is a ThinkPad")
    question = asked("what laptop does Tobi have?")
    assert not is_only_of_others(question, lines[0], lines)
    assert is_only_of_others(question, lines[0], lines[:2])


JORY = ("My daughter Morwenna lives in Bristol", "My son Jory went out to Halifax", "She lives in Leeds")
SWIMMING = ("jack has swimming thursday at half 3", "emma has swiming on tuesday at 4", "the pool has swimming lessons")


@pytest.mark.parametrize(
    ("question", "lines", "of_another"),
    [
        ("Where does Jory live?", JORY, [True, False, False]),
        ("when does emma have swimming", SWIMMING, [True, False, False]),
        ("When does mum have swimming?", SWIMMING, [False, False, False]),  # she may be called otherwise
        ("Where is Jory?", JORY, [False, False, False]),
        ("Where does Morwen live?", JORY, [False, False, False]),  # a short name for hers
    ],
)
def test_what_somebody_else_does_is_told_apart(question: str, lines: tuple[str, ...], of_another: list[bool]) -> None:
    assert [does_another(asked(question), lines, line) for line in lines] == of_another


def test_a_trade_is_nobody() -> None:
    assert names_them(asked("Was ist Arne von Beruf?"), "Mein Bruder Arne ist Bootsbauer")
