"""Counts: what happened is added up; what was told as a whole is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.engine import Engine
from tests.pmg.people.talk import session

MAY, JUNE, JULY = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 6, 7))


@pytest.mark.parametrize(
    ("first", "then", "question", "number"),
    [
        ("I have two cats.", "I have three cats now.", "How many cats does Melanie have?", 3),
        ("I have five hens.", "I have three hens.", "How many hens does Melanie have?", 3),
        ("I bought two books.", "I bought a book.", "How many books did Melanie buy?", 3),
        ("I bought two books.", "I bought five books in total.", "How many books did Melanie buy?", 5),
    ],
)
def test_the_latest_whole_number_holds_and_what_happened_is_added(
    engine: Engine, first: str, then: str, question: str, number: int
) -> None:
    engine.ingest(
        [
            session("one", MAY, ("Melanie", first), ("Caroline", "How nice!"), conversation="c"),
            session("two", JUNE, ("Melanie", then), ("Caroline", "Good for you."), conversation="c"),
        ]
    )
    engine.extract()
    counted = engine.ask(question, at=JULY).counted
    assert counted is not None and counted.number == number


TOLD = (
    "We're staying at Casa Lindes in Llanes for nine nights.",
    "I ran 11 km on Sunday in 58 minutes.",
    "I go swimming twice a week.",
    "I've seen The Godfather.",
    "I went to a yoga class last Friday.",
    "I do some yoga on Sundays.",
    "I went to a concert last Friday.",
    "I went to a game convention.",
    "I spent 5 hours on my ocean sculpture.",
    "I spent 12 hours on my ocean sculpture.",
    "I spent a few hours on my folders.",
    "I bought a new adapter at the airport in Dubai.",
    "I bought a new adapter at the airport.",
    "I got a lamp from my aunt.",
    "I bought a lot of candles.",
    "I finished a Revell kit.",
    "We're reading Piranesi this month.",
)


@pytest.fixture
def told(engine: Engine) -> Engine:
    engine.ingest(
        [
            session(f"s{at}", MAY, ("Melanie", line), ("Caroline", "I see."), conversation="c")
            for at, line in enumerate(TOLD)
        ]
    )
    engine.extract()
    return engine


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many nights is Melanie staying at Casa Lindes?", 9),
        ("How many kilometres did Melanie run?", 11),
        ("How many minutes did Melanie run?", 58),
        ("How many lamps did Melanie get?", 1),
        ("How many concerts did Melanie go to?", 1),
        ("How many times did Melanie go to a concert?", 1),
        ("How many adapters did Melanie buy?", 1),
    ],
)
def test_a_number_is_given_for_just_what_is_asked(told: Engine, question: str, number: int) -> None:
    counted = told.ask(question, at=JULY).counted
    assert counted is not None and counted.number == number


@pytest.mark.parametrize(
    "question",
    [
        "How often does Melanie go to yoga?",
        "How often does Melanie go swimming?",
        "How often does Melanie see her therapist?",
        "How many times did Melanie go to yoga?",  # told as a habit too
        "How many times did Melanie run?",
        "How many hours has Melanie spent on her ocean sculpture?",  # 5 grew to 12, or 17
        "How many nights is Melanie staying at Casa Verde?",
        "How many lamps did Melanie buy?",  # a present
        "How many candles did Melanie buy?",
        "What are Melanie and Caroline reading in the book club?",
        "What is Melanie having for dinner?",
    ],
)
def test_no_number_is_given_where_the_claims_are_of_something_else_or_leave_it_open(
    told: Engine, question: str
) -> None:
    counted = told.ask(question, at=JULY).counted
    assert counted is None or not counted.rows


def test_a_list_holds_what_its_noun_names(told: Engine) -> None:
    counted = told.ask("Which books did Melanie read?", at=JULY).counted
    assert counted is not None and [one.claim.object for one in counted.rows] == ["Piranesi this month"]
