"""That a later line tells of somebody else what one is asked of oneself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pmg.chat.responder import QuoteKind
from pmg.chat.whose_value import is_anothers_value
from pmg.engine import Engine
from tests.pmg.chat.test_newer_value import quotes


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("How much do I weigh?", "I weigh 80 kg", "Tom now weighs 70 kg"),
        ("How much do I weigh?", "I weigh 80 kg", "My son now weighs 30 kg"),
        ("How much do I weigh?", "I weigh 80 kg", "tom now weighs 70 kg"),
        ("How much rent do I pay?", "I pay 900 euros rent", "He now pays 700 euros rent"),
        ("How many hens do I have?", "I have two hens", "Tom now has five hens"),
        ("What is my shoe size?", "My shoe size is 44", "Tom's shoe size is now 46"),
        ("What's my weight?", "I weigh 80 kg", "Tom now weighs 70 kg"),
        ("When do I get up?", "I get up at 6", "My wife gets up at 7 now"),
        ("Wo wohne ich?", "Ich wohne in Leeds", "Tom wohnt jetzt in York"),
        ("Wie viele Hühner habe ich?", "Ich habe zwei Hühner", "Tom hat jetzt fünf Hühner"),
        ("Wie viel Miete zahlen wir?", "Wir zahlen 900 Euro Miete", "Mein Bruder zahlt jetzt 700 Euro Miete"),
        ("Was ist meine Schuhgröße?", "Meine Schuhgröße ist 44", "Toms Schuhgröße ist jetzt 46"),
    ],
)
def test_what_somebody_else_does_or_has_is_theirs(question: str, older: str, newer: str) -> None:
    assert is_anothers_value(question, older, newer)


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("How much do I weigh?", "I weigh 80 kg", "The doctor weighed me, 78 kg now"),
        ("How much do I weigh?", "I weigh 80 kg", "Ben says I weigh 78 kg now"),
        ("How much do I weigh?", "I weigh 80 kg", "now weighing 78 kg"),
        ("How much rent do I pay?", "I pay 900 euros rent", "Tom and I now pay 950"),
        ("How much rent do I pay?", "I pay 900 euros rent", "The landlord put the rent up, 950 euros now"),
        ("What is my rent?", "My rent is 900", "Landlord's new rent is now 950"),
        ("What is my rent?", "My rent is 900", "This month's rent is now 950"),
        ("When is my class?", "My class is at 8", "Monday's class is now at 9"),
        ("When do I start?", "I start at 8", "Shift starts at 9 now"),
        ("Where do I live?", "I live in Leeds", "My family now lives in York"),
        ("How many hens do I have?", "I have two hens", "Tom has given me one, three hens now"),
        ("How much does Tom weigh?", "Tom weighs 80 kg", "Tom now weighs 70 kg"),
        ("Wo wohne ich?", "Ich wohne in Leeds", "Tom und ich wohnen jetzt in York"),
        ("Wann fahre ich?", "Ich fahre um 8", "Bus fährt jetzt um 9"),
        ("Wie viel Miete zahle ich?", "Ich zahle 900 Euro Miete", "Der Vermieter hat die Miete auf 950 Euro erhöht"),
    ],
)
def test_what_may_be_mine_stays_mine(question: str, older: str, newer: str) -> None:
    assert not is_anothers_value(question, older, newer)


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("I pay 900 euros rent for the flat.", "Tom now pays 700 euros rent for the flat.", "How much rent do I pay?"),
        ("My shoe size is 44.", "Tom's shoe size is now 46.", "What is my shoe size?"),
    ],
)
def test_a_value_of_somebody_else_does_not_take_the_place_of_mine(
    open_engine: Callable[..., Engine], older: str, newer: str, question: str
) -> None:
    found = quotes(open_engine(), older, newer, question)
    assert found[0] == ("old", QuoteKind.ANSWER)
    assert QuoteKind.OLDER not in {kind for _, kind in found}
