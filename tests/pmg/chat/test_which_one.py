"""That a line with the kind of thing asked for does not yet tell which one."""

from __future__ import annotations

import pytest

from pmg.chat.which_one import asks_only_which_of, lacks_which


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("In welchem Krankenhaus liegt Oma?", "Rügen fällt flach, Oma liegt im Krankenhaus"),
        ("Welche Hüfte hat sie sich gebrochen?", "Oma hat sich die Hüfte gebrochen"),
        ("Welchen Arm hat er sich gebrochen?", "Tim hat sich den Arm gebrochen"),
        ("In welche Schule geht Mia?", "Mia geht jetzt zur Schule"),
        ("which hospital is Gran in?", "Gran is in hospital again"),
        ("which garage did I take the car to?", "I took the car to the garage this morning"),
        ("which library was my bike stolen from?", "my bike got stolen outside the library"),
        ("what dog do I have?", "we got a dog!"),
    ],
)
def test_the_word_alone_says_not_which(question: str, text: str) -> None:
    assert lacks_which(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("which knee hurts?", "My left knee hurts when I go downhill"),
        ("welches Knie tut weh?", "mein linkes Knie tut weh"),
        ("In welchem Krankenhaus liegt Oma?", "Oma liegt im Krankenhaus St. Georg"),
        ("which hospital is Gran in?", "Gran is in St Mary's hospital"),
        ("which bus do I take?", "I take the 42 bus"),
        ("what car do I have?", "my car is a 2015 Skoda"),
        ("What book am I reading?", "reading a book about whales"),
        ("which school does Lena go to?", "Lena goes to Oakfield primary"),
        ("Welche Farbe hat das Sofa?", "das Sofa ist grau, die Farbe heißt Taubenblau"),
        ("what time is choir?", "choir is at 7"),
        ("which hotel did we book for York?", "Hilton is the hotel we booked for York"),
        ("which bus do I take to work?", "take the 42, that's the bus to work"),
        ("which car do I drive to work?", "The Volvo is the car I drive to work"),
        ("Welches Hotel haben wir gebucht?", "das Adler ist unser Hotel, schon gebucht"),
    ],
)
def test_a_word_before_it_or_a_name_behind_it_does(question: str, text: str) -> None:
    assert not lacks_which(question, text)


def test_a_question_for_the_kind_alone_is_as_near_to_every_line_that_has_it() -> None:
    assert asks_only_which_of("which knee is it?") == {"knee"}
    assert asks_only_which_of("und welcher Arzt?") == {"arzt"}
    assert not asks_only_which_of("which knee hurts?") and not asks_only_which_of("Which bike do I have?")
