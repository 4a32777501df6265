"""What a model tells its sub-agent is the model's, and what a program writes is the program's: neither was said by the person."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pmg.base.model import Role, text_of
from pmg.engine import Engine
from pmg.importers.conversation import Conversation
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.importers.read import read
from pmg.importers.turns import sessions_of
from tests.pmg.importers.memory import texts
from tests.server.hook_events import claude_lines, codex_lines, gemini_session
from tests.tiers import one_fast

TOLD = ("My server is called hydra: look why it is slow.", "The disk is full.")
FOLLOWED = ("Now look at the logs.", "They are full too.")


def only(path: Path) -> Conversation:
    (found,) = [result for result in read([path]) if isinstance(result, Conversation)]
    return found


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def claude_code(folder: Path) -> Path:
    rows = [{**row, "isSidechain": True, "agentId": "a1"} for row in claude_lines("s1", TOLD, FOLLOWED)]
    return written(folder / "agent-a1.jsonl", rows)


def codex(folder: Path) -> Path:
    rows = codex_lines("s1", TOLD, FOLLOWED)
    rows[0]["payload"]["source"] = {"subagent": {"thread_spawn": {"parent_thread_id": "s0", "depth": 1}}}
    return written(folder / "rollout-1.jsonl", rows)


def gemini(folder: Path) -> Path:
    file = folder / "session-1.json"
    file.write_text(json.dumps({**gemini_session("s1", TOLD, FOLLOWED), "kind": "subagent"}), encoding="utf-8")
    return file


def opencode(folder: Path) -> Path:
    """The database of OpenCode, whose sub-agents are sessions inside another one."""
    file = folder / "opencode.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE session (id, parent_id, title, directory, time_created, time_updated)")
        database.execute("CREATE TABLE message (id, session_id, time_created, data)")
        database.execute("CREATE TABLE part (id, message_id, session_id, data)")
        database.execute("INSERT INTO session VALUES ('ses_2', 'ses_1', '', '/x', 1760000000000, 1760000000000)")
        for number, text in enumerate((*TOLD, *FOLLOWED)):
            role = json.dumps({"role": ("user", "assistant")[number % 2], "time": {"created": 1760000000000 + number}})
            database.execute("INSERT INTO message VALUES (?, 'ses_2', ?, ?)", (f"msg_{number}", number, role))
            part = json.dumps({"type": "text", "text": text})
            database.execute("INSERT INTO part VALUES (?, ?, 'ses_2', ?)", (f"prt_{number}", f"msg_{number}", part))
    database.close()
    return file


def goose(folder: Path) -> Path:
    head = {"id": "s1", "working_dir": "/x", "description": "", "session_type": "sub_agent"}
    rows = [
        {"role": ("user", "assistant")[number % 2], "created": 1760000000 + number, "content": [{"type": "text", "text": text}]}
        for number, text in enumerate((*TOLD, *FOLLOWED))
    ]  # fmt: skip
    return written(folder / "s1.jsonl", [head, *rows])


@pytest.mark.parametrize("write", one_fast([claude_code, codex, gemini, opencode, goose]))
def test_what_a_sub_agent_was_told_was_written_by_the_model(write: Any, tmp_path: Path) -> None:
    found = only(write(tmp_path))
    assert [(str(one.role), one.text) for one in found.messages] == [("assistant", text) for text in (*TOLD, *FOLLOWED)]
    assert "User" not in {one.speaker for one in found.messages}
    assert found.title == TOLD[0]
    (session,) = sessions_of(found, gap_hours=1_000)
    assert [[line.text for line in turn.lines] for turn in session.turns] == [[*TOLD], [*FOLLOWED]]


def test_a_sub_agent_inside_its_session_is_told_apart_from_the_person(tmp_path: Path) -> None:
    rows = claude_lines("s1", ("Make the server fast.", "I ask an agent."))
    aside = [{**row, "isSidechain": True, "uuid": f"a-{row['uuid']}", "parentUuid": row["parentUuid"] and f"a-{row['parentUuid']}"}
             for row in claude_lines("s1", TOLD)]  # fmt: skip
    found = only(written(tmp_path / "s1.jsonl", [*rows, *aside]))
    assert [(str(one.role), one.text) for one in found.messages] == [
        ("user", "Make the server fast."),
        ("assistant", "I ask an agent."),
    ]
    (branch,) = found.branches
    assert [(str(one.role), one.text) for one in branch.messages] == [("assistant", text) for text in TOLD]


def test_what_a_person_types_to_a_sub_agent_is_theirs(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{**row, "isSidechain": True} for row in claude_lines("s1", TOLD)]
    rows[0]["origin"] = {"kind": "human"}
    assert str(only(written(tmp_path / "s1.jsonl", rows)).messages[0].role) == "user"


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("[Request interrupted by user]", "system"),
        ("[Request interrupted by user for tool use]", "system"),
        ("<command-name>/init</command-name>\n<command-message>init</command-message>\n<command-args></command-args>", "system"),
        ("<bash-input>ls</bash-input>", "system"),
        ("<command-name>/plan</command-name>\n<command-args>a shed for the bikes</command-args>", "user"),
        ("Was it [Request interrupted by user] that you saw?", "user"),
    ],
)  # fmt: skip
def test_what_the_program_writes_is_not_the_persons(text: str, role: str, tmp_path: Path) -> None:
    rows = claude_lines("s1", ("Paint the shed.", "Red?"), (text, "Yes."))
    found = only(written(tmp_path / "s1.jsonl", rows))
    (said,) = [one for one in found.messages if one.text == text]
    assert (str(said.role), said.speaker) == (role, "User" if role == "user" else "System")


def test_a_command_begins_a_turn_and_an_interruption_ends_with_the_one_it_cut(tmp_path: Path) -> None:
    rows = claude_lines("s1", ("Paint it.", "Red?"), ("[Request interrupted by user]", "Stopped."), ("<command-name>/init</command-name>", "Done."))  # fmt: skip
    (first, *rest) = sessions_of(only(written(tmp_path / "s1.jsonl", rows)), gap_hours=1_000)
    assert [turn.lines[0].text for turn in first.turns] == ["Paint it.", "<command-name>/init</command-name>"]
    assert not rest


def test_a_prompt_left_for_a_command_is_on_a_branch(tmp_path: Path) -> None:
    rows = claude_lines(
        "s1", ("Paint it.", "Red?"), ("No, blue.", "Blue."), ("<command-name>/init</command-name>", "Done.")
    )
    rows[4]["parentUuid"] = rows[1]["uuid"]  # the person went back to before "No, blue."
    found = only(written(tmp_path / "s1.jsonl", rows))
    assert [one.text for one in found.messages] == ["Paint it.", "Red?", "<command-name>/init</command-name>", "Done."]
    assert [[one.text for one in branch.messages] for branch in found.branches] == [["No, blue.", "Blue."]]


def test_a_command_that_is_answered_later_is_stored_once(engine: Engine, tmp_path: Path) -> None:
    rows = claude_lines("s1", ("Paint it.", "Red?"), ("<command-name>/init</command-name>", "Done."))
    file = written(tmp_path / "s1.jsonl", rows[:3])
    assert import_paths(engine, [file]).total("turns") == 2
    again = import_paths(engine, [written(file, rows)])
    assert (again.total("turns"), again.total("grown")) == (0, 1)
    assert len(texts(engine)) == 2


def with_commands() -> list[dict[str, Any]]:
    """A command that is answered, and commands with nothing between them and what is said or called up next."""
    called = [
        (f"<command-name>/{name}</command-name>", f"Done {name}.") for name in ("init", "model", "clear", "review")
    ]
    init, model, clear, review = called
    rows = claude_lines("s1", ("Paint it.", "Red?"), init, model, ("Blue.", "It is blue."), clear, review)
    silent = {"Done model.", "Done clear."}
    kept = [row for row in rows if row["type"] == "user" or row["message"]["content"][0]["text"] not in silent]
    return [
        {**row, "parentUuid": kept[place - 1]["uuid"] if place else None, "timestamp": f"2026-10-01T10:{place:02}:00Z"}
        for place, row in enumerate(kept)
    ]


def named_by_the_command(patch: pytest.MonkeyPatch) -> None:
    """As it was when commands were taken for the person's words."""
    patch.setattr("pmg.importers.platforms.claude_code.asides.SAID_WITH_IT", re.compile(""))


def named_by_the_answer(patch: pytest.MonkeyPatch) -> None:
    """As it was when commands were taken for words that a program puts in."""
    patch.setattr("pmg.importers.turns._is_said", lambda message: message.role is not Role.SYSTEM)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("naming", "turns"), [(named_by_the_command, 6), (named_by_the_answer, 4)], ids=["command", "answer"]
)
@pytest.mark.parametrize("is_growing", [False, True], ids=["whole", "growing"])
def test_commands_stored_under_either_name_are_known(
    engine: Engine, tmp_path: Path, naming: Callable[[pytest.MonkeyPatch], None], turns: int, is_growing: bool
) -> None:
    rows, file = with_commands(), tmp_path / "s1.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        naming(patch)
        for end in range(1, len(rows)) if is_growing else ():
            import_paths(engine, [written(file, rows[:end])])
        stored = import_paths(engine, [written(file, rows)]).total("turns")
    assert is_growing or stored == turns
    before = texts(engine)
    for _ in range(2):
        assert import_paths(engine, [file], ImportOptions(dry_run=True)).total("turns") == 0
        assert import_paths(engine, [file]).total("turns") == 0
    assert len(texts(engine)) == len(before)
    for answer in ("Red?", "Done init.", "It is blue.", "Done review."):
        assert sum(answer in text for text in texts(engine)) == 1


@pytest.mark.slow
def test_a_growing_transcript_with_commands_is_stored_as_if_it_came_at_once(engine: Engine, tmp_path: Path) -> None:
    rows = with_commands()
    for end in range(1, len(rows) + 1):
        import_paths(engine, [written(tmp_path / "s1.jsonl", rows[:end])])
    (found,) = sessions_of(only(tmp_path / "s1.jsonl"))
    assert texts(engine) == sorted(text_of(turn.lines) for turn in found.turns)
    assert len(found.turns) == 6
