"""Words and what people cut them to stand for each other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pmg.answer.evidence import Tone
from pmg.base.words import STOP_WORDS
from pmg.chat import turn
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget
from pmg.engine import Engine
from pmg.index.other_forms import _table, clipped_forms
from pmg.index.terms import document_terms


def test_a_word_and_what_it_is_cut_to_are_forms_of_each_other() -> None:
    assert set(document_terms("physiotherapist")) <= clipped_forms("physio")
    assert "physio" in clipped_forms(document_terms("Physiotherapeutin")[0])
    assert clipped_forms("boiler") == frozenset()


@pytest.mark.parametrize("word", ["Dev", "Abi", "doc", "labor"])
def test_what_may_be_a_name_or_another_word_is_no_cut_one(word: str) -> None:
    assert clipped_forms(document_terms(word)[0]) == frozenset()


def test_no_word_stands_in_two_rows_and_none_says_nothing() -> None:
    table = _table()
    assert not set(table) & STOP_WORDS
    assert all(term in table[other] for term, others in table.items() for other in others)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("My physio is Chidi Okafor.", "Who is my physiotherapist?"),
        ("The prod db is on hetzner7.", "Where is the production database?"),
        ("The refrigerator is in the cellar.", "Where is the fridge?"),
    ],
)
def test_what_was_told_with_the_one_is_found_with_the_other(
    open_engine: Callable[..., Engine], told: str, question: str
) -> None:
    engine = open_engine()
    with engine.session(session_id="one") as session:
        session.add(user=told, assistant="Noted.", at=datetime(2026, 5, 1, tzinfo=UTC))
    asked = turn.requested(engine, ChatTarget("default"), question, None, datetime(2026, 6, 1, tzinfo=UTC))
    *_, answer = Extractive(engine).answer(asked)
    assert answer.tone is not Tone.NOTHING and told in answer.quotes[0].text
