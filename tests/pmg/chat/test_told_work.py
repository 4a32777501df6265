"""What somebody does for a living is told without a word that asks for it."""

from __future__ import annotations

import pytest

from pmg.chat.told_work import tells_work


@pytest.mark.parametrize(
    "text",
    [
        "Daughter Sioned is a paramedic in Bangor",
        "My grandson Fergus is apprenticed to a boatbuilder",
        "Alma works at the town hall",
        "I'm a joiner",
        "Bente's training to be a vet",
        "Claire works nights at the bakery",
        "Moni ist Krankenschwester",
        "Timo arbeitet bei der Sparkasse",
    ],
)
def test_a_line_that_tells_it(text: str) -> None:
    assert tells_work(text)


@pytest.mark.parametrize(
    "text",
    [
        "Fergus is twenty-two",
        "Sioned's getting married 3 August",
        "Alma is in Bangor",
        "Claire is a big fan of Leeds United",
        "Dad is the best",
        "Rex is a labrador",
        "Tom has a job interview",
        "Moni ist krank",
        "Uwe ist Vegetarier",
    ],
)
def test_a_line_that_tells_something_else(text: str) -> None:
    assert not tells_work(text)
