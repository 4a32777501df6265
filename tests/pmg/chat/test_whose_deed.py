"""Whose deed a line tells of."""

from __future__ import annotations

import pytest

from pmg.chat.whose_deed import asked_deed, is_anothers


@pytest.mark.parametrize(
    ("question", "deed"),
    [
        ("Which books did I read?", "read"),
        ("What did we usually plant?", "plant"),
        ("Which bike do I have?", ""),
        ("What did Maya read?", ""),
    ],
)
def test_a_question_says_which_deed_of_mine_it_asks_for(question: str, deed: str) -> None:
    assert asked_deed(question) == deed


@pytest.mark.parametrize(
    "text", ["Dan is reading a novel", "Maya read Matilda", "My sister reads Kafka. She loves it."]
)
def test_what_another_did_is_theirs(text: str) -> None:
    assert is_anothers("read", text)


@pytest.mark.parametrize(
    "text", ["I read Piranesi", "Finished reading Hamnet", "Yesterday I read it. Dan read none.", "A good book"]
)
def test_what_one_did_oneself_or_nobody_is_not_anothers(text: str) -> None:
    assert not is_anothers("read", text)
