"""Lines that answer of two people of one first name: neither is sure, and both are shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pmg.chat.extractive import Extractive
from pmg.chat.namesake_lines import of_namesakes
from pmg.chat.responder import Tone
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine

ANNAS = ("Anna Berg lives in Leeds.", "Anna Weiss lives in York.")


@pytest.mark.parametrize(
    ("question", "lines", "found"),
    [
        ("Where does Anna live?", ANNAS, [0, 1]),
        ("where does anna live", ANNAS, [0, 1]),
        ("What is Anna's address?", ("Anna Berg's address is 3 Elm Row", "I have the address of Anna Weiss."), [0, 1]),
        ("Wo wohnt Anna?", ("Anna Berg wohnt in Ulm", "Anna wohnt in Bonn", "Anna Weiss wohnt in Kiel"), [0, 2]),
        ("Where does Anna Berg live?", ANNAS, []),
        ("Where does my boss Anna live?", ANNAS, []),
        ("Where does Anna live?", ("Anna lives in Leeds.", "Anna Weiss lives in York."), []),
        ("Where does Anna live?", ("Anna Berg lives in Leeds.", "Anna Berg-Meier lives in York."), []),
        ("When does Anna swim?", ("Anna Monday at 6", "Anna Tuesday at 7"), []),
        ("Wann ist Training?", ("Training Halle 3 um 17 Uhr", "Training Platz 4"), []),
        ("Where is my new coat?", ("New York has my new coat", "New Zealand has it"), []),
    ],
)
def test_a_first_name_alone_may_mean_whoever_has_it(question: str, lines: tuple[str, ...], found: list[int]) -> None:
    assert of_namesakes(question, lines) == found


@pytest.mark.parametrize(
    ("question", "tone", "shown"),
    [
        ("Where does Anna live?", Tone.UNSURE, set(ANNAS)),
        ("Where does Anna Weiss live?", Tone.SURE, {ANNAS[1]}),
    ],
)
def test_the_chat_shows_a_line_of_each_and_is_sure_of_none(
    open_engine: Callable[..., Engine], question: str, tone: Tone, shown: set[str]
) -> None:
    engine = open_engine()
    for text in ANNAS:
        list(converse(engine, Extractive(engine), ChatTarget("default"), text))
    engine.extract()
    *_, last = converse(engine, Extractive(engine), ChatTarget("default", kept=False), question)
    assert (last.answer.tone, {quote.text for quote in last.answer.quotes}) == (tone, shown)
