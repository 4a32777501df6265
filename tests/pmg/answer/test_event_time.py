"""Times that are named by an event: how they are worded, and how memory dates the event."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pmg.answer import event_time, summary
from pmg.answer.event_time import EventTime, event_in, weighted_median
from pmg.answer.evidence import Question
from pmg.answer.find import understood
from pmg.answer.message import MessageKind, kind_of
from pmg.answer.standalone import StandaloneQuestion
from pmg.base.model import Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput, exchange

ASKED = datetime(2026, 11, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "side", "words"),
    [
        ("Where did I live before the move?", -1, "move"),
        ("What did I eat after my operation and why?", 1, "operation"),
        ("Was habe ich nach der Prüfung gemacht?", 1, "Prüfung gemacht"),
        ("Wo war ich vor dem Umzug?", -1, "Umzug"),
        ("What has happened since Mum's party?", 1, "party"),
    ],
)
def test_an_event_names_a_time(text: str, side: int, words: str) -> None:
    event = event_in(text)
    assert event is not None and (event.side, event.words) == (side, words)


@pytest.mark.parametrize(
    "text",
    ["Who looks after the cat?", "What did I do before the weekend?", "What happened after the 3rd of May?", "vor drei Monaten", "Do I have to ask before drilling?", "nach dem Wochenende"],
)  # fmt: skip
def test_a_calendar_time_or_a_turn_of_phrase_is_no_event(text: str) -> None:
    assert event_in(text) is None


def test_a_list_of_what_happened_is_wanted_before_an_event_as_in_a_month() -> None:
    assert kind_of("What happened before the move?") is MessageKind.SUMMARY
    assert kind_of("Where did I live before the move?") is MessageKind.QUESTION


def test_the_middle_is_where_half_of_the_weight_lies() -> None:
    days = [(date(2026, 1, day), weight) for day, weight in ((1, 1.0), (5, 1.0), (9, 3.0))]
    assert weighted_median(days) == date(2026, 1, 9)
    assert weighted_median([]) is None


@pytest.fixture
def memory(engine: Engine) -> Engine:
    for month, text in enumerate(
        ["Tea in Bristol.", "The move with the van.", "After the move boxes.", "Tea in Leipzig."]
    ):
        at = datetime(2026, 3 + month, 1, tzinfo=UTC)
        turns = [Turn(exchange(said, "Yes."), at=at) for said in (text, f"{text} And so on.")]
        engine.ingest([SessionInput(turns, text, started_at=at)])
    return engine


def test_memory_dates_the_event_and_the_question_asks_for_that_side_of_it(memory: Engine) -> None:
    ask = Question("Where did I drink tea before the move?", None, (), "default", at=ASKED)
    asked = understood(memory, ask, StandaloneQuestion(ask.text))
    (period,) = asked.periods
    assert date(2026, 4, 1) <= period.end <= date(2026, 5, 2) and period.start == date.min
    assert event_time.day_of(memory, ask, EventTime(1, "zeppelin", "after the zeppelin")) is None


def test_a_summary_of_what_was_before_an_event_is_of_the_weeks_before_it(memory: Engine) -> None:
    ask = Question("What happened before the move?", None, (), "default", at=ASKED)
    days = [quote.at.date() for quote in summary.summary(memory, ask)]
    assert days and max(days) <= date(2026, 4, 1)
