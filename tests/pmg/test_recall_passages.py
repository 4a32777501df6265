"""Which parts of a long text bear on a question."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.recall.passages import MARK, NearPart, excerpt, merged, parts, passages, size, wanted_words

LIST = """Here are some restaurants in Rome that you may like:

1. Armando al Pantheon, a family place behind the old temple.
2. Roscioli, a bakery with a wine cellar and famous carbonara.
3. Da Enzo, in Trastevere, where people wait in line for hours.

Let me know if you would like to have a table reserved anywhere."""


def texts(text: str, question: str, room: int) -> list[str]:
    return [text[start:end] for start, end in passages(text, wanted_words(question), room)]


def test_a_text_that_fits_is_shown_whole() -> None:
    assert passages(LIST, wanted_words("Rome"), 10_000) == ((0, len(LIST)),)
    assert excerpt(LIST, ((0, len(LIST)),)) == LIST


def test_the_part_with_the_question_s_words_is_shown() -> None:
    found = texts(LIST, "Which restaurant with the famous carbonara did you recommend?", 80)
    assert len(found) == 1 and "Roscioli" in found[0]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    wanted = wanted_words("table carbonara", lambda terms: [0.1 if term == "tabl" else 3.0 for term in terms])
    best = max(parts(LIST, wanted, 0), key=lambda part: part.share)
    assert "carbonara" in LIST[best.start : best.end]


def test_words_are_found_in_their_other_forms_and_with_their_accents() -> None:
    assert wanted_words("studies").pattern.search("she will study")  # type: ignore[union-attr]
    assert wanted_words("cafe").pattern.search("the Café opens")  # type: ignore[union-attr]
    assert not wanted_words("art").pattern.search("the party")  # type: ignore[union-attr]
    assert wanted_words("京都").pattern.search("明日は京都へ")  # type: ignore[union-attr]


def test_the_window_nearest_to_the_question_counts_where_no_word_is_shared() -> None:
    at = LIST.index("3. Da Enzo")
    near = [NearPart(0, at, 0.0), NearPart(at, at + 60, 1.0)]
    best = max(parts(LIST, wanted_words("queue"), 0, near), key=lambda part: part.share)
    assert LIST[best.start :].startswith("3. Da Enzo")


def test_neighbours_that_only_a_line_break_parts_are_one_passage() -> None:
    middle = LIST.index("2. Roscioli")
    assert merged(LIST, [(middle, middle + 10), (0, middle - 1)]) == ((0, middle + 10),)


def test_what_is_left_out_is_marked_before_between_and_after() -> None:
    assert excerpt("abcdefghij", ((1, 3), (5, 7))) == "[…] bc […] fg […]"


@given(st.text(max_size=3000), st.text(max_size=60), st.integers(0, 4000))
def test_parts_cover_a_text_in_order_and_passages_keep_to_their_room(text: str, question: str, room: int) -> None:
    wanted = wanted_words(question)
    found = parts(text, wanted, 0)
    assert all(not text[a.end : b.start].strip() for a, b in pairwise(found))
    assert sum(part.share for part in found) == pytest.approx(1.0) if found else not text.strip()
    ranges = passages(text, wanted, room)
    assert sum(size(text[start:end]) for start, end in ranges) <= room + MARK
    assert all(a[1] <= b[0] for a, b in pairwise(ranges))


def long_text(*, said_at: int) -> str:
    rows = [f"{n:05d} compiled module {n * 7 % 1000} in {n % 90} ms without a warning" for n in range(1200)]
    rows[said_at] = "the failing migration was number 4711, it locked the table for an hour"
    return "\n".join(rows)


@pytest.mark.parametrize("said_at", [0, 600, 1199])
def test_of_a_long_text_the_part_asked_for_is_found_wherever_it_stands(said_at: int) -> None:
    (found,) = texts(long_text(said_at=said_at), "which migration locked the table?", 120)
    assert "number 4711" in found


def test_of_a_long_text_only_what_bears_on_the_question_is_cut() -> None:
    text = long_text(said_at=700)
    found = parts(text, wanted_words("which migration locked the table?"), 2_000)
    assert sum(part.end - part.start for part in found) < len(text) / 4
    assert sum(part.share for part in found) < 1.0  # what is left out keeps its share
    assert all(not text[a.end : b.start].strip() or b.start - a.end > 100 for a, b in pairwise(found))


def test_a_long_text_is_cut_whole_where_there_is_room_and_from_its_beginning_where_nothing_is_asked() -> None:
    text = long_text(said_at=5)
    assert passages(text, wanted_words("migration"), len(text)) == ((0, len(text)),)
    beginning = parts(text, wanted_words(""), 20_000)
    assert beginning[0].start == 0 and all(not text[a.end : b.start].strip() for a, b in pairwise(beginning))
    assert 20_000 <= beginning[-1].end < len(text)
    everything = parts(text, wanted_words("migration"), len(text))
    assert sum(part.end - part.start for part in everything) > 0.98 * len(text)


def test_the_window_nearest_to_the_question_is_cut_in_a_long_text_too() -> None:
    text = long_text(said_at=3)
    step = len(text) // 40
    near = [NearPart(i * step, (i + 1) * step + 1, 1.0 if i == 25 else 0.0) for i in range(40)]
    best = max(parts(text, wanted_words("zebra"), 0, near), key=lambda part: part.share)
    assert 25 * step <= (best.start + best.end) // 2 <= 26 * step
