"""Quotes are read as passages: an answer with what stands around it."""

from __future__ import annotations

from datetime import UTC, datetime

from pmg.answer.evidence import Quote, QuoteKind
from pmg.chat.quoted_passages import passages

AT = datetime(2026, 1, 1, tzinfo=UTC)
AROUND, ANSWER = QuoteKind.AROUND, QuoteKind.ANSWER


def quote(segment: str, kind: QuoteKind, line: int = 0) -> Quote:
    return Quote(segment, line, 0, 1, "x", "Ada", AT, "", kind)


def sizes(*quotes: Quote) -> list[int]:
    return [len(group) for group in passages(quotes)]


def test_an_answer_and_its_neighbours_are_one_passage_and_another_session_is_another() -> None:
    first = (quote("seg_a_1", AROUND), quote("seg_a_2", ANSWER), quote("seg_a_3", AROUND))
    assert sizes(*first) == [3]
    assert sizes(*first, quote("seg_b_4", AROUND), quote("seg_b_5", ANSWER)) == [3, 2]


def test_two_answers_side_by_side_are_two_passages() -> None:
    assert sizes(quote("seg_a_1", ANSWER), quote("seg_a_2", ANSWER), quote("seg_a_2", QuoteKind.OLDER, 1)) == [1, 1, 1]


def test_a_gap_or_a_step_back_begins_a_new_passage() -> None:
    assert sizes(quote("seg_a_1", ANSWER), quote("seg_a_3", AROUND)) == [1, 1]
    assert sizes(quote("seg_a_2", ANSWER), quote("seg_a_1", AROUND)) == [1, 1]


def test_what_is_not_kept_stands_alone() -> None:
    assert sizes(quote("", ANSWER), quote("", AROUND)) == [1, 1]
    assert passages(()) == []
