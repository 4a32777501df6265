"""Our hooks in a tool's settings: beside what is there, replaced by a later connection, and taken out again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from pmg.connections import change
from pmg.connections.hook_entries import command_line, has_hooks, remove_hooks, set_hooks
from pmg.connections.hook_tools import HOOK_TOOLS, HookTool
from pmg.connections.known_tools import KNOWN, ConfigPlaces, KnownTool, ToolCommand

COMMAND = ToolCommand(("/opt/my tools/pmg", "--home", "/data/m"))
MINE = """{
  // mine
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] } // keep me
    ],
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "check" }] }],
  },
  "model": "x"
}
"""


@pytest.fixture
def places(tmp_path: Path) -> ConfigPlaces:
    return ConfigPlaces(tmp_path / "person", "linux", {})


def known(name: str) -> KnownTool:
    return next(one for one in KNOWN if one.name == name)


def tool_named(name: str) -> HookTool:
    return next(one for one in HOOK_TOOLS if one.name == name)


@pytest.mark.parametrize("tool", HOOK_TOOLS, ids=lambda one: one.name)
def test_every_event_runs_one_command_and_taking_it_out_leaves_nothing(tool: HookTool) -> None:
    text = set_hooks("", tool, COMMAND.words, "linux")
    held = json.loads(text)["hooks"]
    assert tuple(held) == tool.events
    for groups in held.values():
        (handler,) = groups[0]["hooks"]
        assert shlex.split(handler["command"]) == [*COMMAND.words, "hook", tool.name] and handler["type"] == "command"
    assert has_hooks(text, tool)
    assert set_hooks(text, tool, COMMAND.words, "linux") == text
    assert json.loads(remove_hooks(text, tool)) == {}


def test_other_hooks_and_comments_stay_where_they_are() -> None:
    tool = tool_named("claude-code")
    text = set_hooks(MINE, tool, COMMAND.words, "linux")
    assert "// mine" in text and "// keep me" in text and '"say done"' in text and '"matcher": "Bash"' in text
    assert remove_hooks(text, tool).count("say done") == 1 and not has_hooks(remove_hooks(text, tool), tool)
    assert remove_hooks(MINE, tool) == MINE


def test_a_later_connection_replaces_the_hooks_of_an_earlier_one() -> None:
    tool = tool_named("codex")
    text = set_hooks("", tool, ("/old/pmg",), "linux")
    again = set_hooks(text, tool, ("/new/pmg", "--namespace", "work"), "linux")
    assert "/old/pmg" not in again
    assert again == set_hooks("", tool, ("/new/pmg", "--namespace", "work"), "linux")
    reading = set_hooks(again, tool, ("/new/pmg",), "linux", tells=False)
    assert tuple(json.loads(reading)["hooks"]) == (tool.start, tool.prompt)


def test_a_hook_that_a_person_changed_is_theirs() -> None:
    tool = tool_named("gemini-cli")
    text = set_hooks("", tool, ("/opt/pmg",), "linux")
    held = json.loads(text)
    held["hooks"]["SessionEnd"][0]["hooks"].append({"type": "command", "command": "mine"})
    assert json.loads(remove_hooks(json.dumps(held), tool))["hooks"].keys() == {"SessionEnd"}


@pytest.mark.parametrize(
    ("line", "is_ours"),
    [
        ("/opt/pmg hook codex", True),
        ("PMG_HOME=/x pmg hook codex", True),
        ("/usr/bin/python3 -m pmg --namespace work hook codex", True),
        ("C:\\\\Programs\\\\pmg.exe hook codex", True),
        ("/home/pmgarcia/bin/other hook codex", False),
        ("/opt/pmg/bin/tasks hook codex", False),
        ("pmg-tasks hook codex", False),
        ("it's pmg hook codex", False),
    ],
)
def test_a_hook_is_ours_by_the_program_that_it_starts(line: str, is_ours: bool) -> None:
    tool = tool_named("codex")
    text = f'{{"hooks": {{"UserPromptSubmit": [{{"hooks": [{{"type": "command", "command": "{line}"}}]}}]}}}}'
    assert has_hooks(text, tool) == is_ours
    assert (remove_hooks(text, tool) == text) != is_ours


@pytest.mark.parametrize(
    "words",
    [
        ("C:\\Users\\O'Brien\\pmg.exe",),
        ("C:\\Users\\O'Brien\\pmg.exe", "--home", "C:\\Users\\O'Brien\\m"),
        ("C:\\O'Brien's files\\python.exe", "-m", "pmg"),
    ],
)
def test_an_apostrophe_in_a_path_of_windows_is_no_quote(words: tuple[str, ...]) -> None:
    tool = tool_named("codex")
    text = set_hooks("", tool, words, "win32")
    assert has_hooks(text, tool) and set_hooks(text, tool, words, "win32") == text
    assert json.loads(remove_hooks(text, tool)) == {}


def test_time_limits_are_in_the_unit_of_the_tool_and_the_end_waits_less() -> None:
    limits = {tool.name: {event: json.loads(set_hooks("", tool, ("/p/pmg",), "linux"))["hooks"][event][0]["hooks"][0]["timeout"]
              for event in (tool.prompt, tool.end)} for tool in HOOK_TOOLS}  # fmt: skip
    assert limits["codex"] == {"UserPromptSubmit": 5, "SessionEnd": 3}
    assert limits["gemini-cli"] == {"BeforeAgent": 5_000, "SessionEnd": 3_000}


def test_a_command_survives_the_shell_of_each_system() -> None:
    words = ["C:\\Program Files\\pmg.exe", "hook", "codex"]
    assert command_line(words, "win32") == '"C:/Program Files/pmg.exe" hook codex'
    assert shlex.split(command_line(["/a b/pmg", "it's"], "linux")) == ["/a b/pmg", "it's"]


@pytest.mark.parametrize("name", [one.name for one in HOOK_TOOLS])
def test_the_settings_come_back_byte_for_byte_with_every_file(name: str, places: ConfigPlaces, tmp_path: Path) -> None:
    home, tool, caller = tmp_path / "memory", known(name), tool_named(name)
    home.mkdir()
    file = caller.settings(places)
    file.parent.mkdir(parents=True)
    file.write_text(MINE)
    for command in (COMMAND, ToolCommand(("/other/pmg",))):  # connected twice: what was there before us is still known
        for one in change.connecting(tool, places, command):
            change.carry_out(one, tool, home)
    assert change.is_connected(tool, places) and change.is_hooked(tool, places)
    for one in change.disconnecting(tool, places, home):
        change.undo(one, tool, home)
    assert file.read_text() == MINE and not change.is_connected(tool, places) and change.records(home) == {}


def test_hooks_can_be_left_out(places: ConfigPlaces) -> None:
    changes = change.connecting(known("claude-code"), places, COMMAND, hooks=False)
    assert [one.file.name for one in changes] == [".claude.json"]
    both = change.connecting(known("claude-code"), places, COMMAND)
    assert [one.file.name for one in both] == [".claude.json", "settings.json"]
    assert all('"hook' in one.diff or "mcpServers" in one.diff for one in both)


def test_a_settings_file_whose_hooks_are_no_list_is_told_and_left_alone(places: ConfigPlaces) -> None:
    file = tool_named("codex").settings(places)
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": {"Stop": "mine"}}')
    with pytest.raises(Exception, match="'Stop' is no list"):
        change.connecting(known("codex"), places, COMMAND)
