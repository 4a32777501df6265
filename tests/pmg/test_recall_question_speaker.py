from __future__ import annotations

import numpy as np
import pytest

from pmg.index.catalogue import ROLES
from pmg.model import Role
from pmg.recall.question_speaker import who

SPEAKERS = ["Caroline", "Melanie", "User", "Assistant", "Anna Berg"]
PEOPLE = [Role.PERSON, Role.PERSON]
CHAT = [Role.USER, Role.ASSISTANT]


def asked(question: str, codes: list[int], roles: list[Role]) -> list[bool]:
    found = who(
        question, SPEAKERS, np.array(codes, dtype=np.int32), np.array([ROLES.index(r) for r in roles], dtype=np.int8)
    )
    return found.wanted.tolist()


def test_a_named_speaker_is_wanted() -> None:
    assert asked("What did Caroline research?", [0, 1], PEOPLE) == [True, False]


def test_a_question_that_names_everybody_wants_nobody() -> None:
    assert asked("What do Caroline and Melanie like?", [0, 1], PEOPLE) == [False, False]


def test_a_first_name_is_enough_and_part_of_a_word_is_not() -> None:
    assert asked("What did Anna sign?", [4, 1], PEOPLE) == [True, False]
    assert asked("What about the annal?", [4, 1], PEOPLE) == [False, False]


@pytest.mark.parametrize(
    "question",
    ["Which hotel did you recommend, remind me?", "What was on your list?", "In our last chat, which play was it?"],
)
def test_what_the_assistant_said_is_wanted(question: str) -> None:
    assert asked(question, [2, 3], CHAT) == [False, True]


def test_my_own_words_are_wanted() -> None:
    assert asked("Where do I take yoga classes?", [2, 3], CHAT) == [True, False]
    assert asked("Can you recommend a hotel for my trip?", [2, 3], CHAT) == [True, False]


def test_a_question_about_nobody_wants_nobody() -> None:
    assert asked("Why is the release blocked?", [2, 3], CHAT) == [False, False]
