"""An amount that was raised or lowered is another now: the line that says so comes before the one that tells the old."""

from __future__ import annotations

import pytest

from benchmarks.dialogues import until_embedded
from pmg.chat.changed_amount import changes_amount
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine

RAMIPRIL = "I take 5 mg of ramipril in the morning."
ASKED = "How much ramipril do I take?"


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        (RAMIPRIL, "GP upped my ramipril to 10 mg.", ASKED),
        (RAMIPRIL, "The doctor cut my dose of ramipril from 5 mg to 2.5 mg", ASKED),
        (RAMIPRIL, "My ramipril dose was raised to 10 mg", ASKED),
        (RAMIPRIL, "They put me up to 10 mg of ramipril", ASKED),
        ("I run 5 km on Sundays", "Bumped my run up to 8 km", "How far do I run?"),
        ("I put 40 pounds a month into savings", "Increased the savings to 60 pounds", "How much do I put into savings?"),
        ("Ich nehme 5 mg Ramipril", "Der Arzt hat mein Ramipril auf 10 mg erhöht", "Wie viel Ramipril nehme ich?"),
        ("The rent is 800 pounds", "Landlord raised the rent to 900 pounds", "How much is the rent?"),
    ],
)  # fmt: skip
def test_an_amount_is_made_another(older: str, newer: str, question: str) -> None:
    assert changes_amount(question, older, newer)


@pytest.mark.parametrize(
    "newer",
    [
        "Mum's GP upped her ramipril to 10 mg",
        "Mum upped the ramipril to 10 mg",
        "GP might have upped my ramipril to 10 mg",
        "GP never raised my ramipril to 10 mg",
        "GP upped my sertraline to 10 mg",
        "The pharmacy raised the ramipril price to 10 pounds",
        "Moved my ramipril to 9 o'clock",
        "GP upped my ramipril",
        "Prue upped the ramipril to 10 mg",
        "Anna said they raised the ramipril to 10 mg",
        "The vet cut the ramipril to 2 mg",
        "The neighbours' GP raised the ramipril to 10 mg",
        "I dreamt they raised my ramipril to 10 mg",
        "GP raised my ramipril to 10 mg but I said no",
        "In 2019 they raised my ramipril to 10 mg",
        "GP raised my ramipril to 10 mg for a week",
        "GP upped my evening ramipril to 10 mg",
        "Moved my ramipril to 10",
    ],
)
def test_what_is_said_of_something_else_makes_no_amount_another(newer: str) -> None:
    assert not changes_amount(ASKED, RAMIPRIL, newer)


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("Mum takes 5 mg of ramipril", "GP upped my ramipril to 10 mg", "How much ramipril does Mum take?"),
        ("My rent is 800 pounds", "The landlord raised the upstairs rent to 900 pounds", "How much is my rent?"),
        ("I run 5 km on Sundays", "I moved my run to 9", "How far do I run?"),
        ("Ich nehme 5 mg Ramipril", "Der Arzt hat Opas Ramipril auf 10 mg erhöht", "Wie viel Ramipril nehme ich?"),
        ("Ich nehme 5 mg Ramipril", "Bei Tom haben sie das Ramipril auf 10 mg erhöht", "Wie viel Ramipril nehme ich?"),
        ("Die Miete ist 800 Euro", "Beim Nachbarn wurde die Miete auf 900 Euro erhöht", "Wie hoch ist die Miete?"),
    ],
)  # fmt: skip
def test_an_amount_of_others_is_no_other_amount_of_mine(older: str, newer: str, question: str) -> None:
    assert not changes_amount(question, older, newer)


@pytest.mark.parametrize(
    ("newer", "is_first"), [("GP upped my ramipril to 10 mg.", True), ("Mum's GP upped her ramipril to 10 mg.", False)]
)
def test_the_newer_amount_comes_first(engine: Engine, newer: str, is_first: bool) -> None:
    session = ""
    for text in (RAMIPRIL, newer):
        *_, last = converse(engine, Extractive(engine), ChatTarget("default", session), text)
        session = last.passage.session_id if last.passage else ""
    until_embedded(engine)
    *_, last = converse(engine, Extractive(engine), ChatTarget("default", kept=False), ASKED)
    assert (last.answer.quotes[0].text == newer) == is_first
