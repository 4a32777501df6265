"""The chance of an answer, fitted on small lives: what is gathered, hands held out, and what is saved."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from benchmarks import answer_fit
from benchmarks.answer_fit import FitRow
from benchmarks.commands import answers as command
from benchmarks.lives import parse
from pmg.answer.scoring import BIAS, FITTED, TRAITS, read_weights
from tests.embedding import WordEmbedder

LIFE = """## Ana, 40, baker, Graz
@ 2025-01-05 10:00
1| the oven is a Manz with three decks
2| my sister Clara works as a nurse in Porto
3| the rye flour comes from the miller in Weiz
? Which oven do I have?
= 1: a Manz
? Where does Clara work?
= 2: Porto
? What is the miller called?
= none
"""


@pytest.fixture(scope="module")
def rows() -> list[FitRow]:
    hands = {"one": parse(LIFE), "two": parse(LIFE.replace("oven", "kiln").replace("Clara", "Maria"))}
    return answer_fit.gather(hands, WordEmbedder(), every=1)


def test_every_question_is_a_row_that_knows_whether_its_first_line_answers(rows: list[FitRow]) -> None:
    assert [one.hand for one in rows] == ["one"] * 3 + ["two"] * 3
    assert [one.is_told for one in rows[:3]] == [True, True, False] and not rows[2].is_right
    assert rows[0].is_right and rows[1].is_right


def test_the_figures_of_a_hand_are_of_a_fit_without_it(rows: list[FitRow]) -> None:
    found = answer_fit.held_out(rows)
    assert [(one.hand, one.questions) for one in found] == [("one", 3), ("two", 3)]
    assert command.hands_as_markdown(found).startswith("| hand | questions | first | calibration |")


def test_the_fit_is_the_table_that_answers_read(rows: list[FitRow]) -> None:
    table = replace(FITTED, chance=answer_fit.fitted(rows))
    assert read_weights(json.dumps(asdict(table))) == table and list(table.chance) == [BIAS, *TRAITS]


def test_a_table_with_an_unknown_signal_is_refused() -> None:
    with pytest.raises(ValueError, match="Fit it again"):
        read_weights(json.dumps({"origin": "", "weights": {"luck": 1.0}, "chance": {}}))
