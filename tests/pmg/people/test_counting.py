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
