"""Whether a text says who somebody is."""

from __future__ import annotations

import pytest

from pmg.answer.introductions import introduces
from tests.growth import LINEAR, growth


def test_who_somebody_is_is_told_beside_the_name() -> None:
    assert introduces({"anna"}, "The landlady is called Anna") == 1.0
    assert introduces({"anna"}, "I gave Anna water") == 0.0


@pytest.mark.parametrize("text", ["Hi Anna, do you know where it is?", "Sorry Anna, my sister rang."])
def test_whom_one_greets_is_not_introduced(text: str) -> None:
    assert introduces({"anna"}, text) == 0.0


def test_a_name_that_stands_a_thousand_times_is_read_in_time_with_the_text() -> None:
    assert growth(lambda text: introduces({"anna"}, text), lambda size: "anna " * (size // 5), 2_000) < LINEAR
