"""What counts of a turn: what people said, and the answers that say something."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Role
from pmg.ingest.spoken import own_words, what_counts
from pmg.ingest.timed_text import SaidText

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def turn(said: str, answer: str, role: Role = Role.ASSISTANT) -> SaidText:
    return SaidText((Line("User", Role.USER, said), Line("Assistant", role, answer)), NOON)


@pytest.mark.parametrize(
    "answer",
    [
        "ok",
        "Noted.",
        "Good to know, I will keep that in mind for you.",
        "Noted. You may remember:\n– Cats sleep. (3 May)",
    ],
)
def test_a_few_words_on_what_was_told_do_not_count(answer: str) -> None:
    told = turn("The cat sleeps on the red sofa in the kitchen.", answer)
    assert what_counts(told) == own_words(told) == SaidText(told.lines[:1], NOON)


@pytest.mark.parametrize(
    "said",
    [
        "Is Paula allergic to nuts?",
        "which size do I have",
        "x " * 2_000,
    ],
)
def test_what_was_asked_or_bidden_is_answered_in_however_few_words(said: str) -> None:
    asked = turn(said, "Yes.")
    assert what_counts(asked) == asked


def test_a_long_answer_a_tool_and_a_turn_without_people_count() -> None:
    told = "The cat sleeps on the red sofa in the kitchen."
    for whole in (turn(told, "A sofa is warm, for " * 10), turn(told, "ok", Role.TOOL)):
        assert what_counts(whole) == whole
    alone = SaidText((Line("Assistant", Role.ASSISTANT, "ok"),), NOON)
    assert what_counts(alone) == own_words(alone) == alone
