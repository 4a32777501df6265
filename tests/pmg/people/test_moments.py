"""When a claim holds: every form of a time, in front of its clause and behind it, in English and German."""

from __future__ import annotations

from datetime import date

import pytest

from tests.pmg.people.talk import told

# Said on Monday, 8 May 2023.
BEGINNINGS = [
    ("Last week I moved to Leeds.", date(2023, 5, 1)),
    ("I moved to Leeds last week.", date(2023, 5, 1)),
    ("Yesterday I moved to Leeds.", date(2023, 5, 7)),
    ("Yesterday morning we moved to Leeds.", date(2023, 5, 7)),
    ("Today I moved to Leeds.", date(2023, 5, 8)),
    ("Two months ago I moved to Leeds.", date(2023, 3, 8)),
    ("About two months ago, we moved to Leeds.", date(2023, 3, 8)),
    ("I moved to Leeds a year ago.", date(2022, 5, 8)),
    ("I moved to Leeds several weeks ago.", date(2023, 4, 17)),
    ("A couple of weeks ago I moved to Leeds.", date(2023, 4, 24)),
    ("I quit my job and last week I moved to Leeds.", date(2023, 5, 1)),
    ("I was tired of the rain, so in March we moved to Leeds.", date(2023, 3, 1)),
    ("In March I moved to Leeds.", date(2023, 3, 1)),
    ("In early March, I moved to Leeds.", date(2023, 3, 1)),
    ("Back in 2019 we moved to Leeds.", date(2019, 1, 1)),
    ("In November 2021 I moved to Leeds.", date(2021, 11, 1)),
    ("On 5 May I moved to Leeds.", date(2023, 5, 5)),
    ("On March 3rd, I moved to Leeds.", date(2023, 3, 3)),
    ("On Friday I moved to Leeds.", date(2023, 5, 5)),
    ("Last December I moved to Leeds.", date(2022, 12, 1)),
    ("Last summer we moved to Leeds.", date(2022, 6, 1)),
    ("Since March I live in Leeds.", date(2023, 3, 1)),
    ("I live in Leeds from 1 November.", date(2023, 11, 1)),
    ("Ich wohne ab 1. November in Leeds.", date(2023, 11, 1)),
    ("I live in Leeds from 1 March.", date(2023, 3, 1)),
    ("I've lived in Leeds since 1 November.", date(2022, 11, 1)),
    ("I live in Leeds from 1 November 2021.", date(2021, 11, 1)),
    ("I live in Leeds from 1 March until 30 June.", date(2023, 3, 1)),
    ("I live in Leeds from 1 March to 31 May.", date(2023, 3, 1)),
    ("Since last summer I live in Leeds.", date(2022, 6, 1)),
    ("Since Christmas I live in Leeds.", date(2022, 12, 25)),
    ("I've lived in Leeds since Friday.", date(2023, 5, 5)),
    ("I've lived in Leeds since yesterday.", date(2023, 5, 7)),
    ("I've lived in Leeds for two and a half years.", date(2020, 11, 8)),
    ("For three months I have lived in Leeds.", date(2023, 2, 8)),
    ("Letzte Woche bin ich nach Leeds gezogen.", date(2023, 5, 1)),
    ("Vorletzte Woche bin ich nach Leeds gezogen.", date(2023, 4, 24)),
    ("Ich bin letztes Jahr nach Leeds gezogen.", date(2022, 5, 8)),
    ("Vor zwei Monaten bin ich nach Leeds gezogen.", date(2023, 3, 8)),
    ("Ich bin vor etwa drei Wochen nach Leeds gezogen.", date(2023, 4, 17)),
    ("Ich bin vor einem Jahr nach Leeds gezogen.", date(2022, 5, 8)),
    ("Ich bin vorgestern nach Leeds gezogen.", date(2023, 5, 6)),
    ("Heute Morgen bin ich nach Leeds gezogen.", date(2023, 5, 8)),
    ("Gestern Abend sind wir nach Leeds gezogen.", date(2023, 5, 7)),
    ("Ich wohne seit März in Leeds.", date(2023, 3, 1)),
    ("Seit Anfang April wohne ich in Leeds.", date(2023, 4, 1)),
    ("Ich wohne seit einem halben Jahr in Leeds.", date(2022, 11, 8)),
    ("Ich wohne seit ein paar Wochen in Leeds.", date(2023, 4, 17)),
    ("Seit letztem Sommer wohne ich in Leeds.", date(2022, 6, 1)),
    ("Ich wohne seit 2019 in Leeds.", date(2019, 1, 1)),
    ("Ich bin im Februar nach Leeds gezogen.", date(2023, 2, 1)),
    ("Am 3. April bin ich nach Leeds gezogen.", date(2023, 4, 3)),
    ("Ich bin am 03.04.2023 nach Leeds gezogen.", date(2023, 4, 3)),
    ("Ich bin letzten Freitag nach Leeds gezogen.", date(2023, 5, 5)),
    ("Seit Weihnachten wohne ich in Leeds.", date(2022, 12, 25)),
]


@pytest.mark.parametrize(("text", "start"), BEGINNINGS, ids=[text for text, _ in BEGINNINGS])
def test_a_home_begins_when_it_is_said_to(text: str, start: date) -> None:
    (claim,) = [one for one in told(text) if one.relation == "lives_in"]
    assert (claim.object, claim.valid_from, claim.valid_to) == ("Leeds", start, None)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("On 5 June I start at Calder Rail.", date(2023, 6, 5)),
        ("Next month I start at Calder Rail.", date(2023, 6, 1)),
        ("Ab Juni arbeite ich bei Calder.", date(2023, 6, 1)),
    ],
)
def test_what_is_to_come_lies_ahead(text: str, start: date) -> None:
    (claim,) = [one for one in told(text) if one.relation == "works_at"]
    assert claim.valid_from == start


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("We use the report from 1 November.", date(2022, 11, 1)),
        ("I have my old invoice from 1 November.", date(2022, 11, 1)),
        ("I'm on parental leave from 1 November.", date(2023, 11, 1)),
        ("I'm in the new house from 1 November.", date(2023, 11, 1)),
    ],
)
def test_the_day_of_a_thing_is_not_to_come(text: str, start: date) -> None:
    assert told(text)[0].valid_from == start


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Last week I visited Rome.", date(2023, 5, 1), date(2023, 5, 9)),
        ("Two days ago I bought a boat.", date(2023, 5, 6), date(2023, 5, 7)),
        ("Two years ago I visited Rome.", date(2020, 11, 7), date(2021, 11, 7)),
        ("In the summer we visited Rome.", date(2022, 6, 1), date(2022, 9, 1)),
        ("At Christmas we visited Rome.", date(2022, 12, 25), date(2022, 12, 26)),
    ],
)
def test_what_happened_lies_in_its_time(text: str, start: date, end: date) -> None:
    claim = told(text)[0]
    assert (claim.valid_from, claim.valid_to) == (start, end)


def test_a_time_in_front_belongs_to_its_own_clause() -> None:
    found = {one.object: one.valid_from for one in told("I work at TechCorp, and last week I moved to Leeds.")}
    assert found == {"TechCorp": None, "Leeds": date(2023, 5, 1)}
