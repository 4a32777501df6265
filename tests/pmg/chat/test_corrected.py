"""Which lines open by saying that they correct what was said."""

from __future__ import annotations

import pytest

from pmg.chat.corrected import corrects


@pytest.mark.parametrize(
    "text",
    [
        "Correction, Anna has it.",
        "Small correction: it is Monday.",
        "Korrektur: es ist Montag.",
        "A quick correction – 12.",
    ],
)
def test_a_correction_says_so(text: str) -> None:
    assert corrects(text)


@pytest.mark.parametrize(
    "text",
    [
        "Correction fluid is beside the key.",
        "The correction of the list is done.",
        "No correction, please.",
        "Corrections, anybody?",
        "Korrekturlesen macht Anna.",
        "I made a correction: twelve.",
    ],
)
def test_what_only_speaks_of_one_is_none(text: str) -> None:
    assert not corrects(text)
