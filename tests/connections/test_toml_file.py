"""One entry of a TOML file, whichever of its ways a person wrote the tables in: the file stays TOML and says what it said."""

from __future__ import annotations

import tomllib
from functools import partial

import pytest

from pmg.base.errors import InputError
from pmg.connections import toml_file

PATH = ("mcp_servers", "pmg")
ENTRY = {"command": "/opt/pmg", "args": ["mcp"]}
WITHOUT = (
    "",
    "a = 1",
    "\ufeffa = 1\n",
    "x = nan\nday = 2026-01-01\n",
    "[mcp_servers]\n",
    "mcp_servers = {}\n",
    'mcp_servers = {a = {command = "x"}}\n[other]\nb = 1\n',
    'mcp_servers.a.command = "x"\n',
    '[mcp_servers.a]\ncommand = "x"\n# end\n',
)
WITH = (
    'mcp_servers = {pmg = {command = "pmg"}, b = {command = "y"}}\n',
    '[mcp_servers]\npmg = {command = "pmg", args = ["mcp"]}\n',
    '[mcp_servers]\npmg.command = "pmg"\npmg.args = ["mcp"]\n[other]\nb = 1\n',
    'mcp_servers.b.command = "y"\nmcp_servers.pmg.command = "pmg"\nmcp_servers.pmg.args = ["mcp"]\n[other]\nb = 1\n',
    '[mcp_servers.pmg]\ncommand = "pmg"\n[mcp_servers.pmg.env]\nX = "1"\n[other]\nb = 1\n',
    '[mcp_servers.pmg.env]\nX = "1"\n[other]\nb = 1\n[mcp_servers.pmg]\ncommand = "pmg" # mine\n',
)


def rest_of(text: str) -> str:
    """What it says beside our entry, without tables that are empty."""
    told = tomllib.loads(text.removeprefix("\ufeff"))
    told.get("mcp_servers", {}).pop("pmg", None)
    return repr(sorted((key, one) for key, one in told.items() if one != {}))


@pytest.mark.parametrize("text", [*WITHOUT, *WITH])
def test_the_entry_is_put_in_and_taken_out_and_the_rest_says_what_it_said(text: str) -> None:
    connected = toml_file.set_entry(text, PATH, ENTRY)
    assert toml_file.value_of(connected, PATH) == ENTRY and rest_of(connected) == rest_of(text)
    assert toml_file.set_entry(connected, PATH, ENTRY) == connected
    without = toml_file.remove_entry(connected, PATH)
    assert toml_file.get_entry(without, PATH) is None and rest_of(without) == rest_of(text)


@pytest.mark.parametrize("text", WITHOUT)
def test_where_it_is_not_nothing_is_taken_out(text: str) -> None:
    assert toml_file.remove_entry(text, PATH) == text


@pytest.mark.parametrize("text", ["[[mcp_servers]]\n", "mcp_servers = 1\n", "a = \n", "a = 1\na = 2\n"])
def test_what_is_no_table_or_no_toml_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="mend it by hand"):
        toml_file.set_entry(text, PATH, ENTRY)


def test_what_would_say_something_else_afterwards_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(_document: object) -> str:
        return "a = 2\n"

    monkeypatch.setattr(toml_file.tomlkit, "dumps", damaged)
    for edit in (partial(toml_file.set_entry, value=ENTRY), toml_file.remove_entry):
        with pytest.raises(InputError, match=r"Nothing was changed.*`pmg connect print`"):
            edit(f"a = 1\n{WITH[1]}", PATH)
