"""`pmg connect`: every tool's file is changed in place, kept, and put back."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg.base.errors import InputError
from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.connections import change, jsonc, toml_file
from pmg.connections.client_tokens import ClientTokens
from pmg.connections.hook_tools import hook_tool
from pmg.connections.known_tools import JSON, KNOWN, TOML, ConfigPlaces, KnownTool, ToolCommand
from pmg.connections.own_entry import starts_pmg

COMMAND = ToolCommand(("/opt/pmg",))
CODEX = """# my Codex
model = "o5" # the best

[mcp_servers.other] # keep me
command = "npx"
args = ["-y", "x"]

[profiles.work]
model = "o4"
"""


@pytest.fixture
def places(tmp_path: Path) -> ConfigPlaces:
    return ConfigPlaces(tmp_path / "person", "linux", {})


def memory(tmp_path: Path) -> Path:
    home = tmp_path / "memory"
    home.mkdir()
    return home


@pytest.mark.parametrize("tool", KNOWN, ids=lambda one: one.name)
def test_a_tool_without_a_file_gets_one_and_loses_it_again(
    tool: KnownTool, places: ConfigPlaces, tmp_path: Path
) -> None:
    home = memory(tmp_path)
    assert not change.is_connected(tool, places)
    for todo in change.connecting(tool, places, COMMAND):
        assert not todo.there and change.carry_out(todo, tool, home) is None
    text = tool.file(places).read_text()
    held = (json.loads(text) if tool.form == JSON else tomllib.loads(text))[tool.key]["pmg"]
    assert (held["command"], held["args"]) == ("/opt/pmg", ["mcp"])
    assert change.is_connected(tool, places) and change.is_hooked(tool, places) == (hook_tool(tool.name) is not None)
    assert change.connecting(tool, places, COMMAND) == []
    disconnected(tool, places, home)
    assert not tool.file(places).exists() and change.records(home) == {}


def connected(tool: KnownTool, places: ConfigPlaces, home: Path, command: ToolCommand = COMMAND) -> None:
    for one in change.connecting(tool, places, command):
        change.carry_out(one, tool, home)


def disconnected(tool: KnownTool, places: ConfigPlaces, home: Path) -> None:
    for one in change.disconnecting(tool, places, home):
        change.undo(one, tool, home)


def codex() -> KnownTool:
    return next(tool for tool in KNOWN if tool.name == "codex")


def test_a_file_that_nobody_touched_since_comes_back_byte_for_byte(places: ConfigPlaces, tmp_path: Path) -> None:
    home, tool = memory(tmp_path), codex()
    file = tool.file(places)
    file.parent.mkdir(parents=True)
    file.write_text(CODEX)
    file.chmod(0o640)
    copy = change.carry_out(change.connecting(tool, places, COMMAND)[0], tool, home)
    assert copy is not None and copy.read_text() == CODEX
    changed = file.read_text()
    assert all(row in changed.splitlines() for row in CODEX.splitlines())
    assert tomllib.loads(changed)["mcp_servers"]["pmg"] == {"command": "/opt/pmg", "args": ["mcp"]}
    assert file.stat().st_mode & 0o777 == 0o640
    disconnected(tool, places, home)
    assert file.read_text() == CODEX


def test_what_was_added_since_stays(places: ConfigPlaces, tmp_path: Path) -> None:
    home, tool = memory(tmp_path), codex()
    connected(tool, places, home)
    file = tool.file(places)
    file.write_text(file.read_text() + '\n[mcp_servers.later]\ncommand = "z"\n')
    disconnected(tool, places, home)
    assert tomllib.loads(file.read_text()) == {"mcp_servers": {"later": {"command": "z"}}}


def moved(home: Path) -> Path:
    """The memory under another name, as a person's `mv` leaves it."""
    return home.rename(home.with_name("moved"))


def with_codex_settings(places: ConfigPlaces) -> Path:
    file = codex().file(places)
    file.parent.mkdir(parents=True)
    file.write_text(CODEX)
    return file


def test_a_memory_that_was_moved_still_gives_the_file_back_byte_for_byte(places: ConfigPlaces, tmp_path: Path) -> None:
    file, home = with_codex_settings(places), memory(tmp_path)
    connected(codex(), places, home)
    disconnected(codex(), places, moved(home))
    assert file.read_text() == CODEX


def test_a_record_with_the_whole_path_of_its_copy_is_read_too(places: ConfigPlaces, tmp_path: Path) -> None:
    file, home = with_codex_settings(places), memory(tmp_path)
    connected(codex(), places, home)
    told = json.loads((home / change.RECORD).read_text())
    whole = [one | {"copy": str(home / change.COPIES / one["copy"]) if one["copy"] else ""} for one in told]
    (home / change.RECORD).write_text(json.dumps(whole))
    disconnected(codex(), places, moved(home))
    assert file.read_text() == CODEX


def test_without_its_copies_only_our_entry_goes(places: ConfigPlaces, tmp_path: Path) -> None:
    file, home = with_codex_settings(places), memory(tmp_path)
    connected(codex(), places, home)
    for copy in (home / change.COPIES).iterdir():
        copy.unlink()
    disconnected(codex(), places, home)
    assert tomllib.loads(file.read_text()) == tomllib.loads(CODEX)


def test_a_file_of_a_persons_own_is_never_deleted(places: ConfigPlaces, tmp_path: Path) -> None:
    file, home = with_codex_settings(places), memory(tmp_path)
    file.write_text("")
    connected(codex(), places, home)
    (home / change.RECORD).unlink()
    disconnected(codex(), places, home)
    assert file.exists() and not file.read_text().strip()


def test_a_link_stays_and_our_entry_goes_from_where_it_leads(places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = next(tool for tool in KNOWN if tool.name == "cursor"), memory(tmp_path)
    connected(tool, places, home)
    file, kept = tool.file(places), tmp_path / "mcp.json"
    file.rename(kept)
    file.symlink_to(kept)
    disconnected(tool, places, home)
    assert file.is_symlink() and "pmg" not in kept.read_text()


def test_connected_again_without_hooks_the_hooks_go(places: ConfigPlaces, tmp_path: Path) -> None:
    home, tool = memory(tmp_path), next(tool for tool in KNOWN if tool.name == "claude-code")
    connected(tool, places, home)
    for one in change.connecting(tool, places, COMMAND, hooks=False):
        change.carry_out(one, tool, home)
    assert change.is_connected(tool, places) and not change.is_hooked(tool, places)
    caller = hook_tool(tool.name)
    assert caller is not None and "hook claude-code" not in caller.settings(places).read_text()
    assert change.connecting(tool, places, COMMAND, hooks=False) == []
    disconnected(tool, places, home)
    assert not caller.settings(places).exists()


def test_each_system_keeps_settings_in_its_own_place(tmp_path: Path) -> None:
    desktop = next(tool for tool in KNOWN if tool.name == "claude-desktop")
    assert desktop.file(ConfigPlaces(tmp_path, "darwin", {})) == tmp_path / "Library" / "Application Support" / "Claude" / "claude_desktop_config.json"  # fmt: skip
    assert (
        desktop.file(ConfigPlaces(tmp_path, "win32", {"APPDATA": str(tmp_path / "R")})).parent
        == tmp_path / "R" / "Claude"
    )
    assert (
        codex().file(ConfigPlaces(tmp_path, "linux", {"CODEX_HOME": str(tmp_path / "c")}))
        == tmp_path / "c" / "config.toml"
    )


def test_the_command_names_whole_paths_and_only_what_is_not_usual(tmp_path: Path) -> None:
    assert Path(ToolCommand.of(None, "", False).words[0]).is_absolute()
    assert ToolCommand.of(tmp_path, "work", True).mcp[-6:] == [
        "--home",
        str(tmp_path),
        "--namespace",
        "work",
        "mcp",
        "--read-only",
    ]


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "PMG_HOME", "PMG_NAMESPACE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "person" / ".cursor").mkdir(parents=True)
    return tmp_path / "person"


def run(home: Path, *words: str, given: str = "") -> str:
    load_commands()
    done = CliRunner().invoke(app, ["--home", str(home), *words], input=given)
    return f"{done.exit_code} {done.output}"


def test_the_command_shows_asks_writes_and_undoes(person: Path, tmp_path: Path) -> None:
    home = tmp_path / "memory"
    assert "cursor           found" in run(home, "connect")
    said = run(home, "connect", "cursor", "--no-check", given="n\n")
    assert said.startswith("1 ") and '+    "pmg": {' in said and not (person / ".cursor" / "mcp.json").exists()
    assert "Written to" in run(home, "connect", "cursor", "--no-check", "--yes")
    assert "cursor           connected" in run(home, "connect")
    assert "has it already" in run(home, "connect", "cursor", "--no-check", "--yes")
    assert "Taken out." in run(home, "disconnect", "cursor", "--yes")
    assert "Nothing was changed" in run(home, "disconnect", "cursor", "--yes")
    assert "does not know 'emacs'" in run(home, "connect", "emacs")
    assert '"mcpServers"' in run(home, "connect", "print") and "Bearer" in run(home, "connect", "open-webui")


def test_an_entry_does_not_hang_on_the_variables_of_this_terminal(
    person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool that the desktop starts has none of them; one that is started in this terminal has them all."""
    load_commands()
    monkeypatch.chdir(tmp_path)

    def written(*words: str) -> list[str]:
        done = CliRunner().invoke(app, [*words, "connect", "cursor", "--yes", "--no-check"])
        assert done.exit_code == 0, done.output
        return json.loads((person / ".cursor" / "mcp.json").read_text())["mcpServers"]["pmg"]["args"]

    assert "--home" not in written()
    assert written("--home", "elsewhere")[-3:] == ["--home", str(tmp_path / "elsewhere"), "mcp"]
    monkeypatch.setenv("PMG_HOME", str(tmp_path / "mine"))
    assert written()[-3:] == ["--home", str(tmp_path / "mine"), "mcp"]
    assert written("--home", str(person / ".pmg"))[-3:] == ["--home", str(person / ".pmg"), "mcp"]
    monkeypatch.setenv("PMG_NAMESPACE", "work")
    assert written()[-3:] == ["--namespace", "work", "mcp"]


def test_what_was_connected_by_hand_is_taken_out_by_hand(person: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "memory", "disconnect", "open-webui").startswith("0 Open WebUI was connected by hand")
    told = run(tmp_path / "memory", "disconnect", "print")
    assert "does not know 'print'" in told and "zed." in told


def test_a_link_that_leads_nowhere_is_told_with_the_mend(person: Path, tmp_path: Path) -> None:
    file = person / ".cursor" / "mcp.json"
    file.symlink_to(person / "gone" / "mcp.json")
    assert "mend the link first" in run(tmp_path / "memory", "connect", "cursor", "--yes")
    assert "not readable" in run(tmp_path / "memory", "connect")


def test_a_broken_file_is_left_alone_and_told(person: Path, tmp_path: Path) -> None:
    file = person / ".cursor" / "mcp.json"
    file.write_text("{ broken")
    assert "not JSON" in run(tmp_path / "memory", "connect", "cursor", "--yes")
    assert "not readable" in run(tmp_path / "memory", "connect")
    assert file.read_text() == "{ broken"


def test_tokens_are_made_listed_and_revoked(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    made = run(home, "token", "new", "--name", "laptop", "--namespace", "work", "--read-only").split()[-1]
    assert made.startswith("pmg_")
    held = (home / "client_tokens.json").read_text()
    assert made not in held and (home / "client_tokens.json").stat().st_mode & 0o777 == 0o600
    listed = run(home, "token", "list")
    assert "laptop" in listed and "work" in listed and "reads" in listed and made not in listed
    assert "already" in run(home, "token", "new", "--name", "laptop")
    assert "Revoked" in run(home, "token", "revoke", "laptop")
    assert "There is no token" in run(home, "token", "revoke", "laptop")
    assert "There is none" in run(home, "token", "list")


def test_a_token_opens_the_namespace_that_was_named_before_the_command_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "memory"
    said = run(home, "--namespace", "work", "token", "new", "--name", "one")
    assert "It opens the namespace work." in said
    assert "is empty" in run(home, "token", "new", "--name", "two", "--namespace", "")
    monkeypatch.setenv("PMG_NAMESPACE", "home")
    run(home, "token", "new", "--name", "three")
    monkeypatch.delenv("PMG_NAMESPACE")
    assert "It opens every namespace." in run(home, "token", "new", "--name", "four")
    kept = {one.name: one.namespace for one in ClientTokens(home).all()}
    assert kept == {"one": "work", "three": "home", "four": ""}


OTHERS = {
    "cursor": '{"mcpServers": {"pmg": {"command": "other", "args": ["z"]}}}',
    "codex": '[mcp_servers.pmg]\ncommand = "other"\n',
    "claude-code": '{\n  "mcpServers": {\n    "pmg": {"command": "other"} // mine\n  }\n}\n',
}


def known(name: str) -> KnownTool:
    return next(tool for tool in KNOWN if tool.name == name)


def written(tool: KnownTool, places: ConfigPlaces, text: str) -> Path:
    file = tool.file(places)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def replaced(tool: KnownTool, places: ConfigPlaces, home: Path) -> None:
    """As older versions connected a tool: an entry of our name that another program had there was replaced."""
    file = tool.file(places)
    put = jsonc.set_entry if tool.form == JSON else toml_file.set_entry
    after = put(file.read_text(), tool.path, tool.entry(COMMAND.mcp))
    change.carry_out(change.FileChange(file, file.read_text(), after, True), tool, home)


@pytest.mark.parametrize("name", OTHERS)
def test_an_entry_of_our_name_that_was_there_comes_back(name: str, places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = known(name), memory(tmp_path)
    file = written(tool, places, OTHERS[name])
    replaced(tool, places, home)
    connected(tool, places, home, ToolCommand(("/opt/pmg",), read_only=True))  # again: the first copy counts
    assert "/opt/pmg" in file.read_text()
    disconnected(tool, places, home)
    assert file.read_text() == OTHERS[name]


@pytest.mark.parametrize(("name", "more"), [("cursor", "\n\n"), ("codex", "\n[more]\nx = 1\n")])
def test_it_comes_back_into_a_file_that_was_changed_since(
    name: str, more: str, places: ConfigPlaces, tmp_path: Path
) -> None:
    tool, home = known(name), memory(tmp_path)
    file = written(tool, places, OTHERS[name])
    replaced(tool, places, home)
    file.write_text(file.read_text() + more)
    disconnected(tool, places, home)
    text = file.read_text()
    held = (json.loads(text) if tool.form == JSON else tomllib.loads(text))[tool.key]["pmg"]
    assert held["command"] == "other" and "/opt/pmg" not in text


def test_our_own_entry_does_not_come_back_from_a_copy_made_between(places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = known("cursor"), memory(tmp_path)
    file = written(tool, places, '{"a": 1}')
    connected(tool, places, home)
    file.write_text(file.read_text() + "\n")
    connected(tool, places, home, ToolCommand(("/opt/pmg",), read_only=True))
    disconnected(tool, places, home)
    assert "/opt/pmg" not in file.read_text() and not change.is_connected(tool, places)


SETTINGS = {JSON: '{"mcpServers": {"other": {"command": "npx"}}}\n', TOML: CODEX}


@pytest.mark.parametrize("touched", [False, True])
@pytest.mark.parametrize("words", [("/opt/pmg",), ("/usr/bin/python3", "-m", "pmg"), ("C:\\Programs\\pmg.exe",)])
@pytest.mark.parametrize("name", ["claude-code", "codex", "cursor", "gemini-cli"])
def test_an_entry_of_a_memory_that_is_gone_does_not_come_back(
    name: str, words: tuple[str, ...], touched: bool, places: ConfigPlaces, tmp_path: Path
) -> None:
    tool, gone, home = known(name), tmp_path / "gone", memory(tmp_path)
    file = written(tool, places, SETTINGS[tool.form])
    gone.mkdir()
    connected(tool, places, gone, ToolCommand((*words, "--home", str(gone))))
    connected(tool, places, home, ToolCommand((*words, "--home", str(home)), read_only=True))
    if touched:
        file.write_text(file.read_text() + "\n")
    disconnected(tool, places, home)
    assert not change.is_connected(tool, places) and not change.is_hooked(tool, places)
    text = file.read_text()
    assert "other" in (json.loads(text) if tool.form == JSON else tomllib.loads(text))[tool.key]


def test_our_entry_is_known_with_comments_and_another_command_is_not_ours(places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = known("zed"), memory(tmp_path)
    own = '{"context_servers": {"pmg": {"command": "/old/pmg", "args": ["--home", "/x", /* mine */ "mcp",], // old\n}}}'
    file = written(tool, places, own)
    connected(tool, places, home)
    disconnected(tool, places, home)
    assert not change.is_connected(tool, places)
    anothers = '{"context_servers": {"pmg": {"command": "node", "args": ["/x/pmg", "mcp"]}}}'
    file.write_text(anothers)
    disconnected(tool, places, home)
    assert file.read_text() == anothers


ANOTHERS = [
    '{"command": "node", "args": ["project-manager-gateway.js"]}',
    '{"command": "npx", "args": ["-y", "pmg-tasks", "mcp"]}',
    '{"command": "/opt/pmg/bin/tasks", "args": ["mcp"]}',
    '{"command": "python3", "args": ["-m", "pmgtasks", "mcp"]}',
    '{"url": "http://127.0.0.1:3000/mcp"}',
    '{"url": "https://pmg.example.com/sse"}',
    "{}",
]
OWN = [
    '{"command": "pmg", "args": ["mcp"]}',
    '{"command": "/opt/venv/bin/pmg", "args": ["--home", "/data/m", "--namespace", "work", "mcp", "--read-only"]}',
    '{"command": "C:\\\\Programs\\\\pmg.exe", "args": ["mcp"], "env": {"PMG_PASSPHRASE": "x"}}',
    '{"command": "/usr/bin/python3", "args": ["-X", "utf8", "-m", "pmg", "mcp"]}',
    '{"url": "http://127.0.0.1:7640/mcp/work?read_only=1"}',
    '{"url": "https://box:8443/mcp", "headers": {"Authorization": "Bearer ${PMG_TOKEN}"}}',
    '{"command": "npx", "args": ["mcp-remote", "http://127.0.0.1:7640/mcp"]}',
    '{"url": "http:\\/\\/127.0.0.1:7640\\/mcp"}',
]


@pytest.mark.parametrize("entry", ANOTHERS)
def test_an_entry_of_another_program_is_neither_replaced_nor_taken_out(
    entry: str, places: ConfigPlaces, tmp_path: Path
) -> None:
    tool, home = known("claude-desktop"), memory(tmp_path)
    text = f'{{"mcpServers": {{"pmg": {entry}}}}}'
    file = written(tool, places, text)
    assert change.is_taken(tool, places) and not change.is_connected(tool, places)
    with pytest.raises(InputError, match=r"another program's.*give it another name"):
        change.connecting(tool, places, COMMAND)
    assert change.disconnecting(tool, places, home) == [] and file.read_text() == text


@pytest.mark.parametrize("entry", OWN)
def test_an_entry_that_plainly_starts_pmg_is_ours(entry: str, places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = known("claude-desktop"), memory(tmp_path)
    file = written(tool, places, f'{{"mcpServers": {{"pmg": {entry}}}}}')
    assert change.is_connected(tool, places) and not change.is_taken(tool, places)
    disconnected(tool, places, home)
    assert json.loads(file.read_text()) == {"mcpServers": {}}


def test_in_toml_the_two_are_told_apart_too(places: ConfigPlaces) -> None:
    tool = codex()
    for entry in ('command = "node"\nargs = ["x.js"]', 'url = "http://localhost:3000/mcp"'):
        written(tool, places, f"[mcp_servers.pmg]\n{entry}\n")
        assert change.is_taken(tool, places)
    for entry in ('command = "/opt/pmg"\nargs = ["mcp"]', 'url = "http://localhost:7640/mcp"'):
        written(tool, places, f"[mcp_servers.pmg]\n{entry}\n")
        assert change.is_connected(tool, places) and not change.is_taken(tool, places)


def test_what_is_written_is_ours(tmp_path: Path) -> None:
    for home, namespace, read_only in ((None, "", False), (tmp_path, "work", True)):
        assert starts_pmg(ToolCommand.of(home, namespace, read_only).mcp)
    assert not starts_pmg([])


def test_an_entry_that_somebody_put_there_since_is_not_replaced_by_the_earlier_one(
    places: ConfigPlaces, tmp_path: Path
) -> None:
    tool, home = known("cursor"), memory(tmp_path)
    file = written(tool, places, OTHERS["cursor"])
    replaced(tool, places, home)
    file.write_text('{"mcpServers": {"pmg": {"command": "newer"}}}')
    disconnected(tool, places, home)
    assert json.loads(file.read_text()) == {"mcpServers": {"pmg": {"command": "newer"}}}


def test_the_commands_say_that_the_name_is_taken(person: Path, tmp_path: Path) -> None:
    home, file = tmp_path / "memory", person / ".cursor" / "mcp.json"
    file.write_text(f'{{"mcpServers": {{"pmg": {ANOTHERS[0]}}}}}')
    listed = run(home, "connect")
    assert "cursor           name taken " in listed and "Give it another name" in listed
    said = run(home, "connect", "cursor", "--yes", "--no-check")
    assert said.startswith("1 ") and "another program's" in said and "pmg connect cursor" in said
    said = run(home, "disconnect", "cursor", "--yes")
    assert said.startswith("0 ") and "it stays" in said and "Nothing was changed" in said
    assert json.loads(file.read_text())["mcpServers"]["pmg"]["command"] == "node"


@pytest.mark.parametrize("text", ["\ufeff", "\ufeff\r\n", " \n"])
def test_an_empty_file_is_filled(text: str, places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = known("cursor"), memory(tmp_path)
    file = written(tool, places, text)
    assert not change.is_connected(tool, places)
    connected(tool, places, home)
    assert change.is_connected(tool, places) and file.read_text().startswith("\ufeff") == text.startswith("\ufeff")
    disconnected(tool, places, home)
    assert file.read_text() == text.replace("\r\n", "\n")


@pytest.mark.parametrize("there", [True, False])
def test_what_the_tool_wrote_while_the_person_was_asked_stays(
    there: bool, places: ConfigPlaces, tmp_path: Path
) -> None:
    """Claude Code writes its file all the time."""
    tool, home = known("cursor"), memory(tmp_path)
    file = written(tool, places, '{"seen": 1}')
    if not there:
        file.unlink()
    (todo,) = change.connecting(tool, places, COMMAND)
    file.write_text('{"seen": 2}')
    with pytest.raises(InputError, match="was changed meanwhile"):
        change.carry_out(todo, tool, home)
    assert file.read_text() == '{"seen": 2}' and change.records(home) == {}
    connected(tool, places, home)
    (todo,) = change.disconnecting(tool, places, home)
    file.write_text(file.read_text().replace("2", "3"))
    with pytest.raises(InputError, match="was changed meanwhile"):
        change.undo(todo, tool, home)
    disconnected(tool, places, home)
    assert json.loads(file.read_text())["seen"] == 3


def test_a_byte_order_mark_before_toml_stays(places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = codex(), memory(tmp_path)
    file = written(tool, places, "\ufeff" + CODEX)
    connected(tool, places, home)
    text = file.read_text(encoding="utf-8")
    assert text.startswith("\ufeff# my Codex") and "pmg" in tomllib.loads(text.removeprefix("\ufeff"))["mcp_servers"]
    assert change.is_connected(tool, places)
    disconnected(tool, places, home)
    assert file.read_text(encoding="utf-8") == "\ufeff" + CODEX


def test_of_two_keys_of_one_name_the_one_that_counts_is_changed(places: ConfigPlaces, tmp_path: Path) -> None:
    tool, home = known("cursor"), memory(tmp_path)
    twice = '{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "y"}}}'
    file = written(tool, places, twice)
    connected(tool, places, home)
    assert set(json.loads(file.read_text())["mcpServers"]) == {"b", "pmg"}
    disconnected(tool, places, home)
    assert file.read_text() == twice
