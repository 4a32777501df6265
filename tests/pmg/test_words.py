"""Lines measured together get the numbers that each gets alone, and those are what a person would count."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pmg.base.words import TextMeasure, measure, measure_all

PIECES = st.sampled_from(
    "I am my sister Ben, Anna; iPhone snake_case _ a/b 12 3.5 it's it’s ... ok the of Émile ΟΔΟΣ İstanbul ١٢ 東京タワー 지금 ไทย ？ ؟ ? ?! "
    "! 。 ！ . \n \t \0 \x1c \x85 \xa0 \u2028 — “Bob” \U0010ffff 🙂 What Why?".split(" ")
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=40).map(" ".join),
    st.lists(PIECES, max_size=40).map("".join),
    st.text(st.characters(exclude_categories=["Cs"])),
)


@given(st.lists(TEXTS, max_size=8))
@settings(max_examples=400, deadline=None)
def test_measured_together_is_measured_alone(texts: list[str]) -> None:
    assert measure_all(texts) == [measure(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", TextMeasure(0, 0, False)),
        ("What is your name?", TextMeasure(4, 0, True)),
        ("My boat is red. Is yours?", TextMeasure(6, 2, True)),
        ("Really?!", TextMeasure(1, 1, False)),
        ("猫が好き。", TextMeasure(1, 3, False)),
        ("Mi barco es rojo — ¿y el tuyo?", TextMeasure(8, 0, True)),
    ],
)
def test_words_assertions_and_questions_are_counted(text: str, said: TextMeasure) -> None:
    assert measure(text) == said
    assert measure_all([text, "ok"])[0] == said


def test_a_long_line_is_counted_whole_and_judged_by_its_beginning() -> None:
    text = "boat " * 10_000 + "Why?"
    assert measure_all([text]) == [TextMeasure(10_001, 4_000, False)]


def test_more_lines_than_fit_one_column_keep_their_order() -> None:
    texts = ["word " * (n % 7) for n in range(2_500)]
    assert [said.words for said in measure_all(texts)] == [n % 7 for n in range(2_500)]
