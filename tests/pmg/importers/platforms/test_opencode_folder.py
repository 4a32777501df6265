"""OpenCode's folder: a file for each session, message and part, put together whatever order they come in."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pmg.importers.conversation import Conversation, Problem
from pmg.importers.read import read

AT = 1_746_090_000_000  # milliseconds
LONG = "Why does the build fail? " + "It worked yesterday. " * 60
FILES: dict[str, dict[str, Any]] = {
    "project/abc.json": {"id": "abc", "worktree": "/home/ana/app", "time": {"created": AT}},
    "session/abc/ses_1.json": {"id": "ses_1", "projectID": "abc", "directory": "/home/ana/app", "title": "A failing build",
                               "time": {"created": AT, "updated": AT + 9000}},
    "message/ses_1/msg_2.json": {"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "modelID": "m1", "time": {"created": AT + 5000}},
    "message/ses_1/msg_1.json": {"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": AT}},
    "part/msg_1/prt_1.json": {"type": "text", "text": LONG, "id": "prt_1", "messageID": "msg_1", "sessionID": "ses_1"},
    "part/msg_2/prt_2.json": {"id": "prt_2", "messageID": "msg_2", "sessionID": "ses_1", "type": "step-start"},
    "part/msg_2/prt_3.json": {"id": "prt_3", "messageID": "msg_2", "sessionID": "ses_1", "type": "tool", "tool": "bash",
                              "state": {"input": {"command": "make"}, "output": "error: no rule"}},
    "part/msg_2/prt_4.json": {"id": "prt_4", "messageID": "msg_2", "sessionID": "ses_1", "type": "text", "text": "A rule is missing."},
    "part/msg_9/prt_9.json": {"id": "prt_9", "messageID": "msg_9", "sessionID": "ses_9", "type": "text", "text": "Alone."},
}  # fmt: skip


@pytest.fixture(params=["folder", "zip"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "zip":
        with zipfile.ZipFile(tmp_path / "storage.zip", "w") as packed:
            for name, value in FILES.items():
                packed.writestr(f"storage/{name}", json.dumps(value))
        return tmp_path / "storage.zip"
    for name, value in FILES.items():
        file = tmp_path / "storage" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    return tmp_path / "storage"


def test_sessions_are_put_together_from_their_pieces(storage: Path) -> None:
    results = list(read([storage]))
    whole, alone = (one for one in results if isinstance(one, Conversation))
    assert (whole.source, whole.origin_id, whole.title) == ("opencode", "ses_1", "A failing build")
    assert [(m.role.value, m.text) for m in whole.messages] == [
        ("user", LONG), ("tool", '{"command":"make"}'), ("tool", "error: no rule"), ("assistant", "A rule is missing."),
    ]  # fmt: skip
    times = [m.at.timestamp() for m in whole.messages if m.at is not None]
    assert times[0] == AT / 1000 and times[-1] == AT / 1000 + 5
    assert [m.text for m in alone.messages] == ["Alone."]  # what lacks its session is kept
    assert [one.reason for one in results if isinstance(one, Problem)] == [
        "what OpenCode knows of a project: no conversation"
    ]


def test_a_json_file_that_only_names_such_a_session_is_read_as_ever(tmp_path: Path) -> None:
    chat = {
        "messages": [{"role": "user", "content": 'look at "ses_1"'}, {"role": "assistant", "content": "Yes."}],
        "session": "ses_1",
    }
    (tmp_path / "chat.json").write_text(json.dumps(chat))
    (found,) = (one for one in read([tmp_path / "chat.json"]) if isinstance(one, Conversation))
    assert found.source != "opencode" and len(found.messages) == 2
