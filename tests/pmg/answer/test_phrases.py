"""Which language a message is in: what is common to both, and names, decide nothing."""

from __future__ import annotations

import pytest

from pmg.answer.phrases import german


@pytest.mark.parametrize(
    "message",
    [
        "Wohnt Clara in Berlin?",
        "Mag Lena Kaffee?",
        "Wer ist Anna Berg?",
        "fasse mein Jahr zusammen",
        "Käse",
        "Lena heiratet im Mai",
    ],
)
def test_german_is_known(message: str) -> None:
    assert german(message)


@pytest.mark.parametrize(
    "message",
    [
        "zebra in mongolia",
        "knee",
        "Does Clara live in Berlin?",
        "Who is Anna Berg?",
        "When do I die?",
        "im getting 11.80 an hour",
        "",
    ],
)
def test_anything_else_is_answered_in_english(message: str) -> None:
    assert not german(message)
