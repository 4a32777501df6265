"""One colour a topic: by its number, told apart from its neighbours, readable on both grounds."""

from __future__ import annotations

from pmg.figures.colours import OTHER, topic_colour
from pmg.figures.style import NEUTRAL


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def _luminance(colour: str) -> float:
    """As WCAG reckons it."""
    parts = [one / 255 for one in _rgb(colour)]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_topic_has_the_same_colour_as_a_number_and_as_text() -> None:
    assert topic_colour(7) == topic_colour("7")
    assert topic_colour(OTHER) == topic_colour("") == topic_colour(None) == NEUTRAL


def test_topics_with_near_numbers_look_different() -> None:
    for number in range(1, 40):
        for other in range(number + 1, number + 8):
            apart = sum(abs(a - b) for a, b in zip(_rgb(topic_colour(number)), _rgb(topic_colour(other)), strict=True))
            assert apart >= 40, (number, other)


def test_every_colour_can_be_seen_on_white_and_on_black() -> None:
    for number in range(1, 60):
        light = _luminance(topic_colour(number))
        assert 1.05 / (light + 0.05) >= 2.2, number
        assert (light + 0.05) / 0.05 >= 3, number
