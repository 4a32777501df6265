"""Which times a sentence tells of, counted from the day it was said: what is to come or repeats is none of them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.people.meant_days import MeantTime
from pmg.people.told_times import is_of_another_time, pieces, tells_of, times_told
from pmg.recall.question_time import AskedPeriod

TUESDAY = datetime(2026, 11, 17, 12, tzinfo=UTC)
TOLD = (
    ("Yesterday I took Pickle to the vet", "2026-11-16"),
    ("On Friday we had curry with Marcus and his wife, he is a laugh", "2026-11-13"),
    ("On Friday, after work, we had curry", "2026-11-13"),
    ("We had curry and a beer with the whole family on Friday night", "2026-11-13"),
    ("Last Tuesday I had coffee with Lena", "2026-11-10"),
    ("On Tuesday I had coffee with Lena", "2026-11-10"),
    ("Last night we watched Dune", "2026-11-16"),
    ("This morning it's leaking again", "2026-11-17"),
    ("Today I worked 13 hours", "2026-11-17"),
    ("Ten days ago the boiler packed in", "2026-11-07"),
    ("Two weeks ago we were in York", "2026-10-31..2026-11-06"),
    ("Three years ago I broke my wrist", "2023-01-01..2023-12-31"),
    ("Four months ago I quit", "2026-07-01..2026-07-31"),
    ("Over the weekend we dug the top bed", "2026-11-14..2026-11-15"),
    ("We got married in 2014 in Ilkley", "2014-01-01..2014-12-31"),
    ("We met in 2011 and married on 5 July 2014", "2011-01-01..2011-12-31 2014-07-05"),
    ("Maya was born in August 2016", "2016-08-01..2016-08-31"),
    ("On 1 February 2025 we founded Cold Sardines", "2025-02-01"),
    ("We went to Eden Camp on 11 July", "2026-07-11"),
    ("In December we went to Rome", "2025-12-01..2025-12-31"),
    ("At Christmas we went skiing", "2025-12-25"),
    ("It all started in August last year when we met", "2025-08-01..2025-08-31"),
    ("This book I read last year reminds me to always try", "2025-01-01..2025-12-31"),
    ("Had a wild week, my car broke down last Fri on my way to work", "2026-11-13"),
    ("This year I ran a marathon", "2026-01-01..2026-11-17"),
    ("Gestern war ich mit Pickle beim Tierarzt", "2026-11-16"),
    ("Am Freitag haben wir mit Marcus Curry gegessen", "2026-11-13"),
    ("Letzten Dienstag war ich mit Lena Kaffee trinken", "2026-11-10"),
    ("Wir haben 2014 in Ilkley geheiratet", "2014-01-01..2014-12-31"),
    ("Am 1. Februar 2025 haben wir Cold Sardines gegründet", "2025-02-01"),
    ("Am 01.02.2025 haben wir Cold Sardines gegründet", "2025-02-01"),
    ("Vor drei Jahren habe ich mir das Handgelenk gebrochen", "2023-01-01..2023-12-31"),
    ("Heute Morgen bin ich 10 km gelaufen", "2026-11-17"),
    ("Im März waren wir in Rom", "2026-03-01..2026-03-31"),
)
NOT_TOLD = (
    "Tomorrow I have to take the bins out",
    "Today I have to take the bins out",
    "I have an appointment on Friday",
    "I called the dentist, and on Monday I see her",
    "On Thursdays I played the cello",
    "Every Friday we went to the pub",
    "The school trip is on 11 July",
    "In 2028 we move",
    "In 2026 we will move",
    "My PIN is 2014",
    "I walked 2014 steps",
    "What did I do yesterday?",
    "I would get two turtles today if I could",
    "We won't meet on Saturday",
    "Mum asked if you're coming for Christmas",
    "She booked a table for 3 March",
    "Am Freitag habe ich einen Termin",
    "Heute muss ich die Tonnen rausstellen",
    "Freitags gehen wir in den Pub",
    "Morgen habe ich frei",
)


@pytest.mark.parametrize(("sentence", "times"), TOLD)
def test_a_sentence_tells_of_the_times_that_it_names(sentence: str, times: str) -> None:
    assert " ".join(map(shown, times_told(sentence, TUESDAY))) == times


def shown(time: MeantTime) -> str:
    return f"{time.first}" if time.first == time.last else f"{time.first}..{time.last}"


@pytest.mark.parametrize("sentence", NOT_TOLD)
def test_what_is_to_come_repeats_or_is_no_time_is_not_told(sentence: str) -> None:
    assert times_told(sentence, TUESDAY) == ()


def test_a_file_has_no_yesterday() -> None:
    assert times_told("Yesterday it rained.", TUESDAY, by_someone=False) == ()
    assert times_told("It was founded in 2014.", TUESDAY, by_someone=False) == (
        MeantTime(date(2014, 1, 1), date(2014, 12, 31)),
    )


def test_a_german_date_ends_no_sentence() -> None:
    text = "Am 1. Februar 2025 war es kalt. Dann kam der Frühling."
    assert [text[first:last].strip() for first, last in pieces(text)] == [
        "Am 1. Februar 2025 war es kalt.",
        "Dann kam der Frühling.",
    ]


@pytest.mark.parametrize(
    ("sentence", "start", "end", "fits"),
    [
        ("Yesterday it rained", date(2026, 11, 16), date(2026, 11, 17), True),
        ("Last weekend it rained", date(2026, 11, 14), date(2026, 11, 15), True),
        ("Last week it rained", date(2026, 11, 13), date(2026, 11, 14), False),
        ("Last week it rained", date(2026, 11, 1), date(2026, 12, 1), True),
        ("It rained in 2014", date(2014, 3, 1), date(2014, 4, 1), False),
        ("It rained in March 2014", date(2014, 1, 1), date(2015, 1, 1), True),
        ("Three years ago it rained", date(2023, 5, 20), date(2024, 5, 19), True),
    ],
)
def test_a_day_is_in_a_longer_time_and_a_year_in_no_shorter_one(
    sentence: str, start: date, end: date, fits: bool
) -> None:
    (time,) = times_told(sentence, TUESDAY)
    assert tells_of(time, AskedPeriod(start, end, "")) is fits


def test_what_names_only_other_times_is_of_another_time() -> None:
    today = AskedPeriod(date(2026, 11, 17), date(2026, 11, 18), "today")
    assert is_of_another_time("Yesterday I saw Anna", TUESDAY, today)
    assert is_of_another_time("Tomorrow I see Anna", TUESDAY, today)
    assert not is_of_another_time("I saw Anna", TUESDAY, today)
    assert not is_of_another_time("Yesterday I saw Anna. Today I saw Lena.", TUESDAY, today)


@pytest.mark.parametrize("year", [1, 9999])
def test_the_ends_of_time_are_no_error(year: int) -> None:
    for sentence, _ in TOLD:
        times_told(sentence, datetime(year, 12 if year > 1 else 1, 31 if year > 1 else 1, tzinfo=UTC))
