"""That somebody else's deed is no sure answer, where one asks of oneself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pmg.chat.anothers_deed import is_told_of_another, speaks_of_oneself
from pmg.chat.responder import Tone
from pmg.engine import Engine
from tests.pmg.chat.test_possible_correction import answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("wie lange spiele ich schon Schach?", "Timo spielt schon seit zwanzig Jahren Schach"),
        ("Seit wann spiele ich Schach?", "Seit 2019 spielt Timo Schach"),
        ("hab ich mir einen Volvo geleast?", "Stefan hat sich einen Volvo geleast"),
        ("wo habe ich studiert?", "Meine Schwester hat 2019 in Jena studiert"),
        ("Bin ich in Rente gegangen?", "Papa ist im Januar in Rente gegangen"),
        ("Was nehme ich gegen Heuschnupfen?", "Lena nimmt Cetirizin gegen Heuschnupfen"),
        ("Welches Buch lese ich gerade?", "Papa liest gerade Der Schwarm"),
        ("wann muss ich zum Zahnarzt?", "Svenja muss am 11. November zum Zahnarzt"),
        ("Wie viele Katzen habe ich?", "Timo hat drei Katzen"),
        ("wie alt bin ich?", "Timo ist 12"),
        ("wann fahre ich nach Rom?", "Oma fährt am Freitag nach Rom"),
        ("how long have I been playing chess?", "Tim has been playing chess for twenty years"),
        ("did I lease a Volvo?", "Stefan has leased a Volvo"),
        ("where do I work?", "My brother works at Bosch"),
    ],
)
def test_what_somebody_else_does_is_no_sure_answer(question: str, text: str) -> None:
    assert is_told_of_another(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("wie lange spiele ich schon Schach?", "Ich spiele seit zwei Jahren Schach"),
        ("wie lange spiele ich schon Schach?", "spiele Schach seit zwei Jahren"),
        ("wie lange spiele ich schon Schach?", "Timo und ich spielen seit zwei Jahren Schach"),
        ("wann muss ich zum Zahnarzt?", "muss Freitag um 10 zum Zahnarzt"),
        ("wann muss ich zum Zahnarzt?", "Freitag muss endlich der Zahn raus beim Zahnarzt"),
        ("wie lange war ich in Rom?", "war drei Tage in Rom mit Petra"),
        ("was soll ich zum Fest mitbringen?", "soll Nudelsalat zum Fest mitbringen"),
        ("wann fahre ich?", "Zug fährt um 9:14"),
        ("wann bin ich dran?", "Termin ist am Montag um 9"),
        ("wann treffe ich Anna?", "Anna trifft mich um 8"),
        ("wann sehe ich Anna?", "Anna kommt am Freitag"),
        ("Was habe ich für den Polo bekommen?", "Polo ist verkauft, hab noch 2300 dafür gekriegt"),
        ("Wann habe ich Yoga?", "Yoga ist immer dienstags"),
        ("Wo habe ich geparkt?", "Auto steht in der Ringstraße"),
        ("when do I start?", "Shift starts at 9 now"),
        ("where do I work?", "I work at Bosch"),
        ("what did I plant?", "Planted garlic"),
        ("who did I lend the drill to?", "Ben has my drill, I lent it to him"),
    ],
)
def test_what_one_does_oneself_or_a_thing_does_may_be_sure(question: str, text: str) -> None:
    assert not is_told_of_another(question, text)


def test_my_sister_is_somebody_else_and_my_flat_is_of_me() -> None:
    assert not speaks_of_oneself("my sister lives in York") and not speaks_of_oneself("Meine Schwester wohnt in York")
    assert speaks_of_oneself("my flat is cold") and speaks_of_oneself("mein Zahnarzttermin ist am 19. November")


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("Timo spielt schon seit zwanzig Jahren Schach", "wie lange spiele ich schon Schach?"),
        ("Timo spielt schon seit zwanzig Jahren Schach", "wie lange spielt Robert schon Schach?"),
        ("Oma liegt im Krankenhaus", "In welchem Krankenhaus liegt Oma?"),
    ],
)
def test_an_answer_of_another_is_not_sure(open_engine: Callable[..., Engine], told: str, question: str) -> None:
    found = answer(open_engine(), told, "die Baustelle vorm Haus dauert noch fünf Wochen", question)
    assert found.tone is not Tone.SURE
