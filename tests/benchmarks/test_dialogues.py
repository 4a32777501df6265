"""Dialogues with the chat: what is told is told, what is judged is judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import dialogues
from benchmarks.dialogues import FAULTS, Dialogue
from pmg.answer.evidence import Tone
from pmg.chat.responder import ChatAnswer
from tests.embedding import WordEmbedder

FILE = Path(__file__).resolve().parents[2] / "data" / "dialogues.jsonl"


def test_a_dialogue_is_held_in_its_own_memory_and_each_answer_judged() -> None:
    told = {"say": "My cat is called Luna"}
    right = {"say": "What is my cat called?", "must": ["Luna"], "first_must": ["Luna"]}
    wrong = {"say": "What is my cat called?", "must": ["Rex"]}
    chats = [
        Dialogue("one", "simple", [told, {"new_chat": True}, right]),
        Dialogue("one", "simple", [wrong]),
    ]
    found = dialogues.run(chats, WordEmbedder())
    assert [one.faults for one in found] == [frozenset(), frozenset(("lacks what was told",))]
    assert "| one, simple | 2 | 1 | 1 |" in dialogues.as_markdown(found)


@pytest.mark.parametrize(
    ("step", "answer", "fault"),
    [
        ({"tone": "not_sure"}, ChatAnswer("Yes.", tone=Tone.SURE), FAULTS[3]),
        ({"tone": "nothing"}, ChatAnswer("Maybe.", tone=Tone.UNSURE), FAULTS[5]),
        ({"must_not": ["Noted"]}, ChatAnswer("Noted."), FAULTS[2]),
        ({"must": ["Luna"]}, ChatAnswer("Rex.", tone=Tone.SURE), FAULTS[4]),
    ],
)
def test_what_a_person_would_not_accept_is_a_fault(step: dict[str, object], answer: ChatAnswer, fault: str) -> None:
    assert fault in dialogues.faults(step, answer)


def test_the_dialogues_in_the_checkout_are_whole() -> None:
    found = dialogues.read(FILE)
    assert {one.part for one in found} == {"develop", *(f"set {name}" for name in "DEFGHIJKLMNOPQRSTUVW")}
    for one in found:
        assert any(name in step for step in one.steps for name in dialogues.JUDGED), json.dumps(list(one.steps))
