"""The last time is the last that is told of, whenever it was said, and what is tomorrow comes before what is the day after."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Passage, Role
from pmg.chat.answer_scoring import SIGNALS
from pmg.chat.answer_signals import AnswerSignals, asked_question
from pmg.chat.excerpts import Excerpt, ExcerptPiece
from pmg.chat.responder import QuoteKind
from pmg.chat.time_order import DatedExcerpt, ScoredExcerpt
from pmg.chat.told_day_order import by_told_day

NOW = datetime(2026, 11, 17, 10, tzinfo=UTC)


def order(question: str, *texts: str, role: Role = Role.USER) -> list[str]:
    ranked = []
    for number, text in enumerate(texts):
        passage = Passage(
            number, f"seg_{number}", "s", number, "default", NOW, (Line("User", role, text),), "", "pmg chat"
        )
        piece = ExcerptPiece(passage, 0, 0, len(text))
        ranked.append(ScoredExcerpt(Excerpt((piece,), piece, 1.0), AnswerSignals(**dict.fromkeys(SIGNALS, 0.5)), 5.0))
    shown = [DatedExcerpt(one, QuoteKind.ANSWER) for one in ranked[:3]]
    found = by_told_day(asked_question(question, question, {}, 10, ()), NOW, shown, ranked)
    return [one.found.excerpt.anchor.text for one in found]


SERVICE = ("Had the Fiesta serviced on 11 February 2025", "Dave's Passat was serviced in March 2026")


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("When did I last have the Fiesta serviced?", SERVICE[0], "had the Fiesta serviced again on 20 January 2026"),
        ("Wann war der letzte Ausfall?", "letzter Ausfall war am 2. Juni 2025", "wieder ein Ausfall am 21. August 2025"),
        ("Wann war ich zuletzt beim Zahnarzt?", "Ich war am 3. Mai 2025 beim Zahnarzt", "Ich war am 9. März 2026 beim Zahnarzt"),
    ],
)  # fmt: skip
def test_the_last_time_comes_first(question: str, first: str, last: str) -> None:
    assert order(question, first, SERVICE[1], "The sea was cold", last)[0] == last


def test_another_thing_is_not_the_last_time() -> None:
    assert order("When did I last have the Fiesta serviced?", *SERVICE)[0] == SERVICE[0]


def test_last_week_is_no_last_time() -> None:
    texts = ("I paid the rent on 2 November 2026", "I paid the rent on 9 November 2026")
    assert order("When did I pay the rent last week?", *texts)[0] == texts[0]


def test_what_people_said_to_each_other_stays_in_its_order() -> None:
    texts = ("I had the car serviced in May 2025", "I had the car serviced in May 2026")
    assert order("When was the car last serviced?", *texts, role=Role.PERSON)[0] == texts[0]


def test_what_is_that_day_comes_before_what_is_on_another() -> None:
    texts = ("A new bed comes the day after tomorrow", "The chap about the doors is coming tomorrow")
    assert order("Who is coming tomorrow?", *texts) == [texts[1], texts[0]]


def test_where_none_tells_of_the_day_all_stays() -> None:
    texts = ("A new bed comes the day after tomorrow", "The chap about the doors is coming in three weeks")
    assert order("Who is coming tomorrow?", *texts) == list(texts)
