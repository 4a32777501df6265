"""What a line says of one's own: who or which it is, or only how it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from pmg.chat.ask import ask
from pmg.chat.told_identity import IdentityTold, asked_thing, is_only_anothers, own_thing, told_identity
from pmg.engine import Engine
from tests.pmg.people.talk import told_to_assistant

BIKE, DENTIST = "Which bike do I have?", "Who is my dentist?"
TOLD = datetime(2026, 3, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (BIKE, "My new bike is a red Cube"),
        ("What laptop do I use at work?", "Good news. My laptop is now a ThinkPad X1, at last."),
        (DENTIST, "I changed dentists, my dentist is now Dr Kowalski."),
        ("Who’s our new landlord?", "Our landlord's called Mr Petersen"),
        ("What is the name of my dog?", "Well, my dog is called rex."),
        ("What is our boat called?", "Our boat is named after my aunt, Marlene"),
        ("Which berth do we have?", "Our berth is number 63."),
        ("Wie heißt meine Tochter?", "Meine Tochter heißt Frieda und ist sieben."),
    ],
)
def test_a_name_a_number_or_what_it_is_called_identifies(question: str, text: str) -> None:
    assert told_identity(asked_thing(question), text) is IdentityTold.IDENTIFIED


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (BIKE, "My bike is broken."),
        (BIKE, "My bike is in Berlin."),
        (BIKE, "My bike is a mess since Monday."),
        (BIKE, "My bike is a gift from Anna."),
        (DENTIST, "My dentist is great."),
        (DENTIST, "My dentist is Polish."),
        ("Welches Rad habe ich?", "Mein Rad ist kaputt."),
    ],
)
def test_how_it_is_does_not_say_which(question: str, text: str) -> None:
    assert told_identity(asked_thing(question), text) is IdentityTold.DESCRIBED


def test_where_every_noun_has_a_capital_a_name_cannot_be_read() -> None:
    for text in ("Unser Auto ist ein alter Golf.", "Unser Auto ist ein Chaos."):
        assert told_identity(asked_thing("Welches Auto fahren wir?"), text) is IdentityTold.UNCLEAR


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (BIKE, "My old bike is a Cube."),
        (BIKE, "My bike is not a Cube."),
        (BIKE, "My brother's bike is a Cube."),
        (BIKE, "My bike shop is Cube Berlin."),
        (BIKE, "A Cube is a bike."),
        ("When does my flight leave?", "My flight is LH 440."),
        ("What is my favourite colour?", "My favourite colour is green."),
        ("Which bike does Anna have?", "My bike is a Cube."),
        ("", "My bike is a Cube."),
    ],
)
def test_of_something_else_nothing_is_said(question: str, text: str) -> None:
    assert told_identity(asked_thing(question), text) is None


@pytest.mark.parametrize(
    ("question", "text", "anothers"),
    [
        ("Which phone do I have?", "Mr Adeyemi has two phones", True),
        ("How much is my rent?", "The landlord has raised the rent to 900", False),
        ("Wann ist mein Termin?", "Die Praxis hat den Termin auf Montag verlegt", False),
        ("Who is my manager?", "the office manager is Jolanda", True),
        ("Who is my nanny?", "We hired a wonderful nanny called Ruth", False),
    ],
)
def test_what_somebody_has_is_theirs_and_what_they_did_is_not(question: str, text: str, anothers: bool) -> None:
    assert is_only_anothers(own_thing(question), text) == anothers


@pytest.fixture
def told(open_engine: Callable[..., Engine]) -> Callable[..., Engine]:
    def tell(*texts: str) -> Engine:
        engine = open_engine()
        engine.ingest(told_to_assistant(f"s{day}", TOLD + timedelta(days=day), text) for day, text in enumerate(texts))
        return engine

    return tell


def test_which_it_is_comes_before_how_it_is(told: Callable[..., Engine]) -> None:
    found = ask(told("My bike is a red Cube.", "My bike is broken."), BIKE, at=TOLD + timedelta(days=9))
    assert found.lines[0].text == "My bike is a red Cube." and found.is_unsure  # it was spoken of since


def test_the_newest_that_says_which_it_is_comes_first(told: Callable[..., Engine]) -> None:
    found = ask(told("My bike is a red Cube.", "My bike is a green Canyon."), BIKE, at=TOLD + timedelta(days=9))
    assert found.lines[0].text == "My bike is a green Canyon."


def test_what_was_said_of_it_since_is_not_put_behind(told: Callable[..., Engine]) -> None:
    engine = told("My bike is a red Cube.", "I swapped my bike: the bike that I have is now a Canyon.")
    found = ask(engine, BIKE, at=TOLD + timedelta(days=9))
    assert found.lines[0].text.startswith("I swapped")


def test_which_it_is_is_told_without_doubt(told: Callable[..., Engine]) -> None:
    found = ask(told("We rode a bike by the sea.", "My new bike is a red Cube."), BIKE, at=TOLD + timedelta(days=9))
    assert found.lines[0].text == "My new bike is a red Cube." and not found.is_unsure and not found.abstained


def test_how_it_is_is_never_sure(told: Callable[..., Engine]) -> None:
    found = ask(told("My dentist is great."), DENTIST, at=TOLD + timedelta(days=9))
    assert found.is_unsure or found.abstained
