"""WhatsApp's chats of iOS: what the app wrote in a person's name, and names of those who are no contacts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.engine import Engine
from pmg.importers.conversation import Conversation
from pmg.importers.import_run import import_paths
from pmg.importers.platforms import whatsapp
from pmg.importers.read import read
from tests.pmg.importers.memory import dump, texts

CHAT = (
    "[13.02.25, 08:01:02] Allotment: \u200eMessages and calls are end-to-end encrypted.\n"
    "[13.02.25, 08:01:05] Ana: hello there\n"
    "\u200e[13.02.25, 08:01:20] Ana: \u200eimage omitted\n"
    "\u200e[13.02.25, 08:01:25] Ana: \u200e<attached: 0001-PHOTO.jpg>\n"
    "[13.02.25, 08:01:30] Ana: \u200eLocation: https://maps.example/?q=1,2\n"
    "[13.02.25, 08:02:05] ~\u202fMaría: hi\n"
    "[13.02.25, 08:02:09] ~\u202fMaría: what grows there?\n"
    "[13.02.25, 08:03:00] ~\u202fAna: I am another Ana\n"
    "[13.02.25, 08:04:00] Ana: \u200eAna added Bob\n"
)
READ = [
    ("document", "System", "Messages and calls are end-to-end encrypted."),
    ("person", "Ana", "hello there"),
    ("document", "Ana", "[image omitted]"),
    ("document", "Ana", "[attachment: 0001-PHOTO.jpg]"),
    ("document", "Ana", "Location: https://maps.example/?q=1,2"),
    ("person", "María", "hi"),
    ("person", "María", "what grows there?"),
    ("person", "~ Ana", "I am another Ana"),
    ("document", "System", "Ana added Bob"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "_chat.txt"
    path.write_text(CHAT, encoding="utf-8")
    return path


def test_what_the_app_wrote_is_nobodys_speech(file: Path) -> None:
    (found,) = [result for result in read([file]) if isinstance(result, Conversation)]
    assert [(str(message.role), message.speaker, message.text) for message in found.messages] == READ
    assert found.title == "Ana and María and ~ Ana"


def test_the_report_names_people_as_they_are_called(engine: Engine, file: Path) -> None:
    report = import_paths(engine, [file])
    assert dict(report.people) == {"Ana": 1, "María": 2, "~ Ana": 1}


@pytest.mark.parametrize("chat", [CHAT, CHAT.replace("Allotment: \u200eMessages", "Ana: Messages")])
def test_a_chat_that_an_earlier_version_understood_less_is_not_stored_twice(
    engine: Engine, file: Path, monkeypatch: pytest.MonkeyPatch, chat: str
) -> None:
    file.write_text(chat, encoding="utf-8")
    with monkeypatch.context() as before:
        before.setattr(whatsapp, "_understood", lambda written: written)
        import_paths(engine, [file])
    count = len(texts(engine))
    assert import_paths(engine, [file]).turns == 0
    assert len(texts(engine)) == count and len({session.conversation for session in engine.sessions()}) == 1
    once = dump(engine)
    import_paths(engine, [file])
    assert dump(engine) == once
    grown = chat + "[13.02.25, 08:09:00] Ana: see you\n"
    file.write_text(grown, encoding="utf-8")
    assert import_paths(engine, [file]).turns == 1
    assert len({session.conversation for session in engine.sessions()}) == 1
