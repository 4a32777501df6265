"""What is added to a tool's settings ends its lines as the file does."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from pmg.connections import change
from pmg.connections.hook_tools import hook_tool
from pmg.connections.known_tools import JSON, KNOWN, ConfigPlaces, KnownTool, ToolCommand

COMMAND = ToolCommand(("/opt/pmg",))
TEXTS = {
    "gemini-cli": '{\n  // mine\n  "theme": "x",\n  "mcpServers": {\n    "other": {"command": "npx"}\n  }\n}\n',
    "cursor": '{\n\t"mcpServers": {}\n}',
    "codex": '# my Codex\nmodel = "o5"\n\n[mcp_servers.other] # keep me\ncommand = "npx"\n',
}


@pytest.fixture
def places(tmp_path: Path) -> ConfigPlaces:
    (tmp_path / "memory").mkdir()
    return ConfigPlaces(tmp_path / "person", "linux", {})


def written(name: str, places: ConfigPlaces, text: str) -> tuple[KnownTool, Path]:
    tool = next(one for one in KNOWN if one.name == name)
    file = tool.file(places)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return tool, file


def connected(tool: KnownTool, places: ConfigPlaces, home: Path) -> None:
    for one in change.connecting(tool, places, COMMAND):
        change.carry_out(one, tool, home)


def disconnected(tool: KnownTool, places: ConfigPlaces, home: Path) -> None:
    for one in change.disconnecting(tool, places, home):
        change.undo(one, tool, home)


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_with_the_line_ends_of_windows_keeps_them(name: str, places: ConfigPlaces, tmp_path: Path) -> None:
    theirs = TEXTS[name].replace("\n", "\r\n")
    tool, file = written(name, places, theirs)
    connected(tool, places, tmp_path / "memory")
    text = file.read_bytes().decode()
    assert "/opt/pmg" in text and not re.search(r"(?<!\r)\n|\r\r", text)
    if name != "gemini-cli":  # which has a comment
        assert (json.loads(text) if tool.form == JSON else tomllib.loads(text))[tool.key]["pmg"]["args"] == ["mcp"]
    assert change.connecting(tool, places, COMMAND) == []
    disconnected(tool, places, tmp_path / "memory")
    assert file.read_bytes().decode() == theirs


def test_hooks_have_them_too(places: ConfigPlaces, tmp_path: Path) -> None:
    caller = hook_tool("claude-code")
    assert caller is not None
    file = caller.settings(places)
    file.parent.mkdir(parents=True)
    file.write_bytes(b'{\r\n  "model": "x"\r\n}\r\n')
    tool = next(one for one in KNOWN if one.name == "claude-code")
    connected(tool, places, tmp_path / "memory")
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n") > 10
    assert b"\r" not in tool.file(places).read_bytes()  # which is new, and has no line ends to follow
    disconnected(tool, places, tmp_path / "memory")
    assert file.read_bytes() == b'{\r\n  "model": "x"\r\n}\r\n'


@pytest.mark.parametrize("name", TEXTS)
def test_without_its_copy_the_file_still_has_one_kind(name: str, places: ConfigPlaces, tmp_path: Path) -> None:
    tool, file = written(name, places, TEXTS[name].replace("\n", "\r\n"))
    connected(tool, places, tmp_path / "memory")
    (tmp_path / "memory" / change.RECORD).unlink()
    disconnected(tool, places, tmp_path / "memory")
    assert "/opt/pmg" not in file.read_text() and not re.search(rb"(?<!\r)\n|\r\r", file.read_bytes())


@pytest.mark.parametrize("name", TEXTS)
def test_files_with_other_line_ends_get_none_of_windows(name: str, places: ConfigPlaces, tmp_path: Path) -> None:
    tool, file = written(name, places, TEXTS[name])
    connected(tool, places, tmp_path / "memory")
    assert b"\r" not in file.read_bytes()
    mixed = TEXTS[name].replace("\n", "\r\n", 1)
    tool, file = written(name, places, mixed)
    connected(tool, places, tmp_path / "memory")
    assert file.read_bytes().count(b"\r\n") == 1  # nothing of theirs is changed
