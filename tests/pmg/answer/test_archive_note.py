"""Where recall has nothing sure, an answer tells that the archive has lines with the question's rare words, and how to look."""

from __future__ import annotations

import pytest

from pmg.answer.archive_note import archive_note
from pmg.answer.ask import ask
from pmg.answer.evidence import Tone
from pmg.base.model import State
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from steward import archive
from steward.steward import Steward
from tests.forget.memory import OTHERS, tell

LANDLORD = "My landlord in Leipzig is Mr Kowalski."


@pytest.fixture
def archived(engine: Engine) -> Engine:
    tell(engine, "old", [LANDLORD, "Is the landlord of the flat in Leipzig nice?"])
    tell(engine, "new", [*OTHERS, "Can you find me a flat by the sea?"])
    archive.move(Steward(engine)._work("test"), [1, 2], State.ACTIVE, State.ARCHIVED, "test")
    engine.indexes.catch_up()
    return engine


def test_lines_with_the_rare_words_are_counted_and_the_command_is_told(archived: Engine) -> None:
    note = archive_note(archived, "default", "who is my landlord in Leipzig?")
    assert note == 'The archive has 1 line that may be about it: pmg steward archived "landlord Leipzig"'
    assert archive_note(archived, "default", "Wer ist mein Landlord in Leipzig?").startswith(
        "Das Archiv hat 1 Zeile, die dazu gehören könnte: pmg"
    )
    assert archive_note(archived, "default", "who is my dentist in Leipzig?") == ""
    assert archive_note(archived, "other", "who is my landlord in Leipzig?") == ""


def test_an_answer_that_is_not_sure_tells_it_and_one_from_recall_does_not(archived: Engine) -> None:
    asked = ask(archived, "who is my landlord in Leipzig?")
    assert asked.tone is not Tone.SURE and any("The archive has 1 line" in note for note in asked.notes)
    archive.move(Steward(archived)._work("test"), [1, 2], State.ARCHIVED, State.ACTIVE, "test")
    archived.indexes.catch_up()
    asked = ask(archived, "who is my landlord in Leipzig?")
    assert not any("archive" in note for note in asked.notes)


def test_the_chat_tells_it_where_it_finds_nothing(engine: Engine) -> None:
    tell(engine, "old", [LANDLORD])
    tell(engine, "new", OTHERS)
    archive.move(Steward(engine)._work("test"), [1], State.ACTIVE, State.ARCHIVED, "test")
    engine.indexes.catch_up()
    *_, turn = converse(engine, Extractive(engine), ChatTarget("default"), "Who is my landlord in Leipzig?")
    assert turn.answer.tone is Tone.NOTHING
    assert turn.answer.text.endswith("The archive has 1 line that may be about it (Steward, Archive).")
    *_, turn = converse(engine, Extractive(engine), ChatTarget("default"), "Who is my dentist in Leipzig?")
    assert "archive" not in turn.answer.text


def test_the_chat_tells_it_in_the_language_of_the_chat(engine: Engine) -> None:
    tell(engine, "old", [LANDLORD])
    tell(engine, "new", OTHERS)
    archive.move(Steward(engine)._work("test"), [1], State.ACTIVE, State.ARCHIVED, "test")
    engine.indexes.catch_up()
    list(converse(engine, Extractive(engine), ChatTarget("default", "chat-1"), "Ich bin heute müde."))
    *_, turn = converse(engine, Extractive(engine), ChatTarget("default", "chat-1"), "landlord Leipzig?")
    assert turn.answer.tone is Tone.NOTHING
    assert turn.answer.text.endswith("Das Archiv hat 1 Zeile, die dazu gehören könnte (Steward, Archive).")
