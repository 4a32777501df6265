"""Where sentences end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.base.sentences import asks, pieces, split


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It costs 3.50 at example.org today. Good.", ["It costs 3.50 at example.org today.", "Good."]),
        (
            'He asked "why?" and left. (She stayed.) So did I',
            ['He asked "why?" and left.', "(She stayed.)", "So did I"],
        ),
        ("Well… maybe. Yes", ["Well…", "maybe.", "Yes"]),
        ("雨です。傘は？「ない。」行こう", ["雨です。", "傘は？", "「ない。」", "行こう"]),
        ("هل أنت بخير؟ نعم.", ["هل أنت بخير؟", "نعم."]),
        ("a\n\nb\nc", ["a", "b", "c"]),
        ("https://a.example/x?y=1 is the page", ["https://a.example/x?y=1 is the page"]),
        ("", []),
        ("   ", []),
    ],
)
def test_a_text_has_these_sentences(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in split(text, bool)] == found


def test_a_short_sentence_is_joined_to_what_follows() -> None:
    text = "Yes. I will come. Bye."
    assert [text[a:b] for a, b in split(text, lambda piece: len(piece) > 5)] == ["Yes. I will come.", "Bye."]


@given(st.text(alphabet="ab .!?。\"')\n…", max_size=80))
def test_the_pieces_are_the_whole_text_in_order(text: str) -> None:
    assert "".join(text[start:end] for start, end in pieces(text)) == text
    parts = split(text, bool)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in parts)
    assert "".join(text[a:b] for a, b in parts).replace(" ", "").replace("\n", "") == "".join(text.split())


@given(st.text(alphabet="ab .!?。\"')\n…", max_size=80), st.integers(0, 12))
def test_a_sentence_ends_with_the_first_piece_that_makes_it_long_enough(text: str, least: int) -> None:
    expected, start = [], 0
    for _, end in pieces(text):
        if end == len(text) or end - start >= least:
            expected += [(start, end)] if text[start:end].strip() else []
            start = end
    found = split(text, lambda piece: len(piece) >= least)
    assert [text[a:b] for a, b in found] == [text[a:b].strip() for a, b in expected]


@pytest.mark.parametrize("blank", [" \n", "\n ", "。", "！"])
def test_thousands_of_blank_pieces_are_measured_a_few_times(blank: str) -> None:
    text = "x" + blank * 5_000 + "x"
    read = 0

    def four_words(piece: str) -> bool:
        nonlocal read
        read += len(piece)
        return len(piece.split()) >= 4

    assert split(text, four_words) == [(0, len(text))]
    assert read < 100 * len(text)


@pytest.mark.parametrize(
    ("sentence", "wanted"), [('"Why?" ', True), ("为什么？", True), ("Why?!", False), ("So.", False), ("", False)]
)
def test_a_question_is_known_by_its_last_mark(sentence: str, wanted: bool) -> None:
    assert asks(sentence) is wanted
