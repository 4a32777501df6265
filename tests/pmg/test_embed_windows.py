"""Laws of cutting: nothing is left out, nothing is too long, and the best places are taken."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pmg.embed.embedder import Spans
from pmg.embed.tokens import BLOCK, blocks, pieces_of
from pmg.embed.windows import MAX_CELL, Range, cut, windows
from tests.embedding import WordEmbedder
from tests.growth import LINEAR, growth

WORDS = WordEmbedder()

pieces = st.sampled_from(
    [
        "cat",
        "bread.",
        "so!",
        "\n",
        "\n\n",
        " ",
        "  ",
        "日",
        "本。",
        "한국",
        "x" * 130,
        "\0",
        "\ud800",
        "😀",
        "-",
        "don't",
        "a.b",
    ]
)
texts = st.one_of(st.text(max_size=300), st.lists(pieces, max_size=200).map("".join))


def uncovered(text: str, ranges: list[Range]) -> str:
    seen = np.zeros(len(text), dtype=bool)
    for first, last in ranges:
        seen[first:last] = True
    return "".join(text[index] for index in np.flatnonzero(~seen))


@given(texts, st.integers(1, 40), st.integers(0, 40))
@settings(max_examples=300, deadline=None)
def test_every_character_that_is_not_blank_is_in_a_window(text: str, limit: int, overlap: int) -> None:
    assert not uncovered(text, windows(text, WORDS.token_spans(text), limit, overlap)).strip()


@given(texts, st.integers(1, 40), st.integers(0, 40))
@settings(max_examples=300, deadline=None)
def test_windows_are_in_order_not_blank_and_within_the_limit(text: str, limit: int, overlap: int) -> None:
    ranges = windows(text, WORDS.token_spans(text), limit, overlap)
    assert all(text[first:last] == text[first:last].strip() != "" for first, last in ranges)
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(ranges))
    assert all(len(WORDS.token_spans(text[first:last])) <= limit for first, last in ranges)


@given(texts)
@settings(max_examples=100, deadline=None)
def test_cut_leaves_nothing_out_and_every_window_fits_the_model(text: str) -> None:
    embedder = WordEmbedder(max_tokens=12)
    ranges = cut(text, embedder)
    assert not uncovered(text, ranges).strip()
    assert all(len(embedder.token_spans(text[first:last])) <= 12 for first, last in ranges)


@given(st.lists(st.integers(0, 3), max_size=200), st.integers(1, 12))
@settings(deadline=None)
def test_tokens_that_share_a_character_do_not_lose_it(steps: list[int], limit: int) -> None:
    starts = np.minimum(np.cumsum(np.array(steps, dtype=np.int64)), 99)
    text = "가" * 100
    spans: Spans = np.stack([starts, starts + 1], axis=1) if len(starts) else np.empty((0, 2), dtype=np.int64)
    assert not uncovered(text, windows(text, spans, limit, 2))


@pytest.mark.parametrize("blank", ["", " ", "\n\n\t", "\u3000\u2003"])
def test_a_blank_text_has_no_window(blank: str) -> None:
    assert cut(blank, WORDS) == []


def test_a_text_that_fits_is_one_window_without_its_outer_blanks() -> None:
    assert cut("  the cat sleeps \n", WORDS) == [(2, 16)]


def test_a_text_the_model_cannot_see_still_has_a_window() -> None:
    assert cut("\0\0", WORDS) == [(0, 2)]


def cut_pieces(text: str, limit: int, overlap: int = 0) -> list[str]:
    return [text[first:last] for first, last in windows(text, WORDS.token_spans(text), limit, overlap)]


def test_a_cut_is_made_between_paragraphs_rather_than_sentences() -> None:
    text = (
        "The first one is here. It goes on.\n\nThe second. It goes on and on and on with many words in it, does it not."
    )
    assert cut_pieces(text, 14)[0] == "The first one is here. It goes on."


def test_a_cut_is_made_between_sentences_rather_than_words() -> None:
    assert cut_pieces("a b c d e f. g h i j k l m n o p q r s t", 10)[0] == "a b c d e f."


def test_a_sentence_ends_after_its_closing_quote() -> None:
    assert cut_pieces('a b c d e f "g." h i j k l m n o p q r s t', 12)[0] == 'a b c d e f "g."'


def test_a_cut_is_made_between_words_rather_than_inside_one() -> None:
    spans = pieces_of("wonderful " * 8)  # three characters a token
    text = "wonderful " * 8
    assert all(text[first:last].split() == ["wonderful"] * 2 for first, last in windows(text, spans, 7, 0))


def test_chinese_is_cut_at_its_full_stop() -> None:
    assert cut_pieces("我们昨天去了长城。天气很好我们很高兴一起走了很远", 12)[0] == "我们昨天去了长城。"


def test_the_next_window_says_a_little_of_the_last_one_again() -> None:
    text = " ".join(f"w{number}" for number in range(100))
    ranges = windows(text, WORDS.token_spans(text), 20, 4)
    assert all(1 <= len(text[b[0] : a[1]].split()) <= 4 for a, b in pairwise(ranges))


def test_a_long_word_is_cut_hard() -> None:
    text = "x" * (MAX_CELL * 64 * 3)
    ranges = cut(text, WORDS)
    assert len(ranges) > 2
    assert not uncovered(text, ranges)


@pytest.mark.parametrize(
    "text", ["word and more. " * 175_000, "x" * 2_500_000, "天气很好。" * 100_000], ids=["en", "x", "zh"]
)
def test_time_to_cut_grows_with_the_length_and_no_faster(text: str) -> None:
    quarter = len(text) // 4
    spans = {size: WORDS.token_spans(text[:size]) for size in (quarter, 4 * quarter)}

    def ranges(part: str) -> list[Range]:
        return windows(part, spans[len(part)], 254, 31)

    assert growth(ranges, lambda size: text[:size], quarter) < LINEAR
    assert not uncovered(text, ranges(text)).strip()


@given(st.integers(0, 3 * BLOCK), st.sampled_from(["x", "word ", "日 "]))
@settings(max_examples=30, deadline=None)
def test_blocks_are_consecutive_and_whole(length: int, unit: str) -> None:
    text = (unit * (length // len(unit) + 1))[:length]
    ranges = list(blocks(text))
    assert "".join(text[first:last] for first, last in ranges) == text
    assert all(0 < last - first <= BLOCK for first, last in ranges)
