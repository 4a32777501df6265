from __future__ import annotations

import numpy as np
import pytest

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.index.catalogue import ROLES
from pmg.ingest.turns import SessionInput
from pmg.recall.question_speaker import named_people, who
from pmg.recall.scores import WEIGHTS

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


def said(name: str, text: str, namespace: str, role: Role = Role.PERSON) -> SessionInput:
    return SessionInput([Turn((Line(name, role, text),))], id=f"{namespace}-{name.split()[0]}", namespace=namespace)


def test_only_people_who_speak_in_the_namespace_are_named(engine: Engine) -> None:
    engine.ingest([said("Anna Berg", "I sold the boat.", "home"), said("Tim", "I read a lot.", "work")])
    engine.ingest([said("User", "The lamp is out.", "home", Role.USER)])
    names = engine.indexes.catalogue
    assert named_people("What did Anna sell, and what did Tim read?", names, "home") == ["Anna"]
    assert named_people("What did Anna sell, and what did Tim read?", names, "work") == ["Tim"]
    assert named_people("What did anna and the User say?", names, "home") == []
    assert named_people("Was Berg Anna's name?", names, "home") == ["Anna Berg"]


def test_a_person_is_found_by_what_they_say_of_themselves(engine: Engine) -> None:
    engine.ingest([said("Tim", "I collect old radios.", "home"), said("Gina", "Tim is away today.", "home")])
    found = engine.recall("What does Tim collect?", namespace="home")
    assert found.segments[0].lines[0].speaker == "Tim"
    assert "looked for “I collect”" in found.receipt.cues


@pytest.mark.parametrize(
    ("question", "first"), [("What did Tim do in Rome?", True), ("What does Tim do in Rome?", False)]
)
def test_who_is_asked_for_what_they_did_is_found_where_they_tell_it(engine: Engine, question: str, first: bool) -> None:
    engine.ingest(
        [said("Tim", "I want to do something in Rome.", "home"), said("Tim", "I found the place in Rome.", "home")]
    )
    engine.ingest([said("Gina", "Hello.", "home")])
    found = engine.recall(question, namespace="home")
    theirs = {
        segment.lines[0].text: next(part.score for part in one.signals if part.name == "speaker")
        for segment, one in zip(found.segments, found.receipt.found, strict=True)
        if segment.lines[0].speaker == "Tim"
    }
    more = theirs["I found the place in Rome."] - theirs["I want to do something in Rome."]
    assert more == pytest.approx(WEIGHTS.recounts if first else 0.0)
