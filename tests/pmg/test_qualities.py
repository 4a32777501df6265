"""Many turns judged together get the numbers that each gets alone."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pmg.base.model import Line, Role
from pmg.ingest.qualities import BATCH, qualities
from pmg.ingest.quality import READ, quality

PIECES = st.sampled_from(
    "I am my sister Ben, Anna; iPhone snake_case a/b me@x #tag ``` `x` 12 3.5 10:30 1,000 2024-01-02 it's it’s don't- -x ... '' ok "
    "thanks Émile É ΟΔΟΣ ΟΔΟΣ:ΑΒ İstanbul ١٢ A١ N１ 東京タワー 지금번역 ไทย ？ ? ! 。 ！ . \n \t \0 \1 \2 \x1c \xa0 — “Bob” \ud800 🙂 "
    "certificate internationalisation a-b_c.d née-Smith's they're decided always".split(" ")
)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map(" ".join), st.lists(PIECES, max_size=40).map("".join), st.text())
TURNS = st.lists(st.lists(TEXTS, min_size=0, max_size=3), min_size=4, max_size=12)


def lines(texts: list[str]) -> tuple[Line, ...]:
    return tuple(Line("Ana", Role.PERSON, text) for text in texts)


@given(TURNS)
@settings(max_examples=300, deadline=None)
def test_judged_together_is_judged_alone(turns: list[list[str]]) -> None:
    said = [lines(texts) for texts in turns]
    assert qualities(said) == [quality(one) for one in said]


def test_more_turns_than_fit_one_column_keep_their_order() -> None:
    said = [
        lines([f"My neighbour number {n} moved to Porto in {1900 + n % 100}."] * (1 + n % 3)) for n in range(BATCH + 7)
    ]
    found = qualities(said)
    assert found == [quality(one) for one in said]
    assert len(set(found)) > 1


def test_only_the_beginning_is_judged() -> None:
    long = "We decided to move the launch to 3 July. " * 100
    assert qualities([lines([long])] * 5) == qualities([lines([long[:READ]])] * 5)


def test_nothing_and_few_are_judged_too() -> None:
    assert qualities([]) == []
    assert qualities([lines(["ok"])]) == [quality(lines(["ok"]))]
    assert qualities([(), lines([""]), lines(["..."]), lines([" \n"]), lines(["👍"])]) == [0.0] * 5
