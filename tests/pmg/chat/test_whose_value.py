"""That a later line tells of somebody else what one is asked of oneself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pmg.chat.responder import QuoteKind, Tone
from pmg.chat.whose_value import is_anothers_value, is_surely_anothers_value
from pmg.engine import Engine
from tests.pmg.chat.test_newer_value import quotes
from tests.pmg.chat.test_possible_correction import answer


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
        ("Which database do we use?", "We use Postgres as our database", "Backend now uses MySQL as database"),
        ("Wie viele Nutzer haben wir?", "Wir haben 200 Nutzer", "App hat jetzt 300 Nutzer"),
        ("What does our internet cost?", "Our internet costs 30 euros", "Telekom's internet costs 40 euros now"),
        ("Where do we live?", "We live in Leeds", "Everyone lives in York now"),
        ("Wie viele Kinder habe ich in der Klasse?", "Ich habe 22 Kinder in der Klasse", "Klasse hat jetzt 24 Kinder"),
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
    ("question", "older", "newer", "is_sure"),
    [
        ("How much do I weigh?", "I weigh 80 kg", "Tom now weighs 70 kg", True),
        ("How much do I weigh?", "I weigh 80 kg", "My son now weighs 30 kg", True),
        ("What is my shoe size?", "My shoe size is 44", "Tom's shoe size is now 46", True),
        ("What does my internet cost?", "My internet costs 30 euros", "Telekom's internet costs 40 euros now", False),
        ("How much money do I have?", "I have 5000 euros saved", "Account has 6000 euros now", False),
        ("Where do we live?", "We live in Leeds", "Tom now lives in York", False),
    ],
)
def test_what_looks_like_a_name_alone_is_not_surely_another(
    question: str, older: str, newer: str, is_sure: bool
) -> None:
    assert is_anothers_value(question, older, newer)
    assert is_surely_anothers_value(question, older, newer) == is_sure


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


def test_what_may_be_mine_or_anothers_is_shown_in_doubt(engine: Engine) -> None:
    older, newer = "My internet costs 30 euros", "Telekom's internet costs 40 euros now"
    found = answer(engine, older, newer, "What does my internet cost?")
    assert found.tone is not Tone.SURE and [quote.text for quote in found.quotes[:2]] == [older, newer]
