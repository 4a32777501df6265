"""Words that mean another day when they are said on another, in five languages; what repeats means the same on any day."""

from __future__ import annotations

import pytest

from pmg.ingest.day_words import day_word
from tests.growth import LINEAR, growth

WEEKS, YEAR = 60, 400  # days apart


@pytest.mark.parametrize(
    "text",
    [
        "I have a job interview in four days.",
        "The rent is due in two or three days.",
        "I get the results in two and a half weeks.",
        "I leave in fifteen minutes for the train.",
        "Three nights ago someone rang the bell.",
        "I quit smoking a fortnight ago.",
        "The car goes to the garage on Tue.",
        "The surgery is on the 14th.",
        "I saw Anna at the weekend.",
        "We saw each other on Monday.",
        "On Monday I cleaned every room.",
        "Every Monday I swim, but on Friday I fly to Oslo.",
        "Every week I see Anna. Next week she is away.",
        "My birthday party is on Saturday.",
        "Ich habe am Montag einen Zahnarzttermin.",
        "Der Handwerker kommt Mittwochabend.",
        "Am Montag um acht Uhr morgens kommt der Klempner.",
        "Wir treffen uns alle am Montag bei Tom.",
        "Kannst du mich mal am Montag anrufen?",
        "Nächste Woche habe ich Urlaub.",
        "Vorgestern war ich beim Arzt.",
        "In ein paar Tagen ziehe ich um.",
        "Vor zwei Monaten habe ich gekündigt.",
        "Am 5. habe ich einen Termin.",
        "Am Wochenende fahren wir zu Oma.",
        "Mardi je vois le médecin.",
        "Hier je suis allé à Lyon.",
        "The last two weeks were hard.",
        "La semaine prochaine je pars à Lyon.",
        "Il y a deux jours j'ai perdu mes clés.",
        "Ce soir on mange chez Anna.",
        "El lunes voy al dentista.",
        "La semana que viene viajo a Madrid.",
        "Hace tres días perdí las llaves.",
        "Lunedì ho il dentista.",
        "La settimana scorsa ero malata.",
        "Due giorni fa ho perso le chiavi.",
    ],
)
def test_a_time_that_is_counted_from_the_day_it_is_said_is_found_weeks_later_and_not_on_the_same_day(text: str) -> None:
    assert day_word(text, WEEKS)
    assert day_word(text, 0) == ""


@pytest.mark.parametrize(
    "text",
    [
        "We go to Rome in March.",
        "The course starts on 4 October.",
        "The course starts on October 4.",
        "We are going to my in-laws for Christmas.",
        "I spent two nights in Rome in March.",
        "My daughter is six years old.",
        "I've lived in Rome for two years.",
        "I stay at Tom's for two years.",
        "Letztes Jahr waren wir in Rom.",
        "Im Sommer fahren wir nach Korsika.",
        "Am 12.03. habe ich eine Prüfung.",
        "Seit drei Jahren wohne ich in Köln.",
        "En mars nous allons à Rome.",
        "El año pasado vivimos en Lima.",
        "Il 12 marzo ho un esame.",
    ],
)
def test_a_time_without_its_year_means_another_a_year_later_and_the_same_a_month_later(text: str) -> None:
    assert day_word(text, YEAR)
    assert day_word(text, 30) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Every Monday I go swimming.",
        "I was born on a Monday.",
        "Ich wurde an einem Montag geboren.",
        "Ich bin im Mai geboren.",
        "Je suis né un lundi.",
        "Our meetings last two hours.",
        "The warranty lasts for two years.",
        "I lived in Rome for two years.",
        "I like last minute travel.",
        "Ich wohne hier in Köln.",
        "I work from home every Monday, Wednesday and Friday.",
        "I work from home on Mondays and Wednesdays.",
        "I have yoga on Tuesday evenings.",
        "Every other Friday I train for two hours.",
        "I walk 30 minutes a day.",
        "The first Monday of the month is market day.",
        "We usually go skiing in February.",
        "I moved to Berlin in March 2019.",
        "She was born on March 3, 2022.",
        "My birthday is on 3 March.",
        "I drink coffee in the morning.",
        "I live on the 5th floor.",
        "I may go to law school.",
        "Montags und mittwochs arbeite ich zu Hause.",
        "Jeden Montag und Mittwoch habe ich Training.",
        "Jeden zweiten Freitag besuche ich Tom.",
        "Jeden Morgen trinke ich Kaffee.",
        "Alle zwei Wochen sehe ich Anna.",
        "Mein Geburtstag ist am 3. März.",
        "Le lundi je travaille à la maison.",
        "Tous les lundis je vais à la piscine.",
        "Los lunes trabajo desde casa.",
        "Por la mañana tomo café.",
        "Il lunedì lavoro da casa.",
        "Ogni lunedì vado in piscina.",
    ],
)
def test_what_repeats_or_has_its_year_means_the_same_on_any_day(text: str) -> None:
    assert day_word(text, YEAR) == ""


@pytest.mark.parametrize("text", ["a " * 25_000, "in a " * 10_000, "every birthday " * 3_000, "x" * 50_000])
def test_time_grows_with_the_length_and_no_faster(text: str) -> None:
    assert growth(lambda part: day_word(part, YEAR), lambda size: text[:size], 3_000) < LINEAR
