from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pmg.embed.sentences import MAX_WORDS, sentences


def cut(text: str) -> list[str]:
    return [text[a:b] for a, b in sentences(text)]


def test_what_is_said_in_passing_stands_alone() -> None:
    text = "Any tips for packing for a weekend in the hills? By the way, I just got a dog called Biscuit."
    assert cut(text) == [text[:48], text[49:]]


def test_a_short_sentence_joins_the_next_and_a_last_one_the_one_before() -> None:
    assert cut("Thanks! I will take the train to Malmö tomorrow. She eats every shoe in the house. Ok.") == [
        "Thanks! I will take the train to Malmö tomorrow.",
        "She eats every shoe in the house. Ok.",
    ]


def test_chinese_sentences_end_without_a_space() -> None:
    assert cut("我昨天在图书馆借了一本关于宋朝的书。今天我开始读了，很有意思。") == [
        "我昨天在图书馆借了一本关于宋朝的书。",
        "今天我开始读了，很有意思。",
    ]


def test_one_sentence_and_an_essay_are_left_whole() -> None:
    assert cut("Only one sentence here, however long it may be.") == []
    assert cut("This is a sentence of seven words. " * MAX_WORDS) == []


@given(st.text(max_size=400))
def test_sentences_are_in_order_and_lose_no_word(text: str) -> None:
    found = sentences(text)
    assert all(a < b <= c for (a, b), (c, _) in itertools.pairwise(found))
    if found:
        left = [
            text[: found[0][0]],
            *(text[b:c] for (_, b), (c, _) in itertools.pairwise(found)),
            text[found[-1][1] :],
        ]
        assert not "".join(left).strip()
