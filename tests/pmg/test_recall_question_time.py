from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.base.times import to_micros
from pmg.index.terms import document_terms
from pmg.recall.question_time import TELLS_WHEN, asks_past, asks_when, timely, when

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)  # a Sunday
YEARS = (2025, 2026)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What happened on 7 May 2023?", date(2023, 5, 7), date(2023, 5, 8)),
        ("What happened on May 7th, 2023?", date(2023, 5, 7), date(2023, 5, 8)),
        ("the note of 2026-03-01", date(2026, 3, 1), date(2026, 3, 2)),
        ("What did she do in June 2024?", date(2024, 6, 1), date(2024, 7, 1)),
        ("plans for December of 2025", date(2025, 12, 1), date(2026, 1, 1)),
        ("What changed in 2024?", date(2024, 1, 1), date(2025, 1, 1)),
        ("what did I say yesterday", date(2026, 11, 14), date(2026, 11, 15)),
        ("who called last Friday?", date(2026, 11, 13), date(2026, 11, 14)),
        ("what did we plan two weeks ago?", date(2026, 10, 29), date(2026, 11, 5)),
        ("the trip last summer", date(2026, 6, 1), date(2026, 9, 1)),
    ],
)
def test_a_time_in_a_question_is_understood(question: str, start: date, end: date) -> None:
    found = when(question, NOW, YEARS)
    assert (found[0].start, found[0].end) == (start, end)


def test_a_month_without_a_year_is_tried_in_every_year_of_the_memory() -> None:
    assert [span.start.year for span in when("what happened in March?", NOW, YEARS)] == [2025, 2026]


@pytest.mark.parametrize(
    "question", ["May I ask who she is?", "the march of progress", "what is his name?", "", "31 April 2023"]
)
def test_a_question_without_a_time_names_none(question: str) -> None:
    assert not [span for span in when(question, NOW, YEARS) if span.start.month == 5 or span.start.day == 31]


@pytest.mark.parametrize(
    ("question", "starts"),
    [
        ("How much will my rent be from January?", []),
        ("What is my role from January?", []),
        ("What will I do in December?", [date(2026, 12, 1)]),
        (
            "What did I do from January to March?",
            [date(2025, 1, 1), date(2026, 1, 1), date(2025, 3, 1), date(2026, 3, 1)],
        ),
        ("What was my role from January?", [date(2025, 1, 1), date(2026, 1, 1)]),
    ],
)
def test_what_is_to_come_was_not_said_in_a_month_that_is_over(question: str, starts: list[date]) -> None:
    assert [span.start for span in when(question, NOW, YEARS)] == starts


def test_a_moment_inside_fits_wholly_and_later_fits_better_than_earlier() -> None:
    (span,) = when("on 7 May 2023", NOW, YEARS)
    days = [datetime(2023, 5, day, 12, tzinfo=UTC) for day in (7, 10, 4)]
    inside, after, before = timely(np.array([to_micros(day) for day in days]), [span])
    assert inside == 1.0
    assert inside > after > before > 0


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    timely(np.array([0]), when(text, NOW, YEARS))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did we move?", True),
        ("Do you remember when Hannah called?", True),
        ("How long did the repair take?", True),
        ("In which month did we move?", True),
        ("What broke?", False),
        ("Whenever it rains, what leaks?", False),
    ],
)
def test_a_question_for_a_time_is_known(question: str, expected: bool) -> None:
    assert asks_when(question) is expected


def test_the_words_that_tell_a_time_are_terms_of_the_word_index() -> None:
    said = document_terms("We moved last Saturday, in June, two years ago.")
    assert {"last", "june", "ago"} <= set(said) & set(TELLS_WHEN)
    assert set(document_terms("That may break.")).isdisjoint(TELLS_WHEN)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which books did Tim read?", True),
        ("What has Melanie painted?", True),
        ("How many weddings have I been to?", True),
        ("Who was at the party?", True),
        ("What does Tim like?", False),
        ("Can you recommend a hotel?", False),
        ("Wo wohne ich?", False),
    ],
)
def test_a_question_for_what_was_is_known(question: str, expected: bool) -> None:
    assert asks_past(question) is expected
