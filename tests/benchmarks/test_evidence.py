"""When a line of evidence counts as shown."""

from __future__ import annotations

from benchmarks.evidence import is_shown
from pmg.recall.receipt import RankedLine

TEXT = "You could try many things this weekend. The restaurant is called Roscioli. It opens at noon, so book a table early."


def shown(*ranges: tuple[int, int]) -> RankedLine:
    share = sum(end - start for start, end in ranges) / len(TEXT)
    return RankedLine("seg", 0, 1.0, share, ranges)


def test_a_part_counts_if_the_answering_words_are_in_it() -> None:
    at = TEXT.index("The restaurant")
    assert is_shown(TEXT, shown((at, at + 35)), {"roscioli"})


def test_most_of_a_line_does_not_count_without_the_answering_words() -> None:
    assert not is_shown(TEXT, shown((0, 39), (TEXT.index("It opens"), len(TEXT))), {"roscioli"})


def test_a_whole_line_always_counts() -> None:
    assert is_shown(TEXT, shown((0, len(TEXT))), {"roscioli", "elsewhere"})


def test_of_many_answering_words_three_quarters_are_enough() -> None:
    words = {"restaur", "roscioli", "open", "noon"}
    most = shown((TEXT.index("The restaurant"), TEXT.index(" noon")))
    assert is_shown(TEXT, most, words)
    assert not is_shown(TEXT, shown((TEXT.index("It opens"), len(TEXT))), words)


def test_a_line_without_any_answering_word_must_be_shown_by_half() -> None:
    assert is_shown(TEXT, shown((0, 70)), {"seven"})
    assert not is_shown(TEXT, shown((0, 30)), {"seven"})
