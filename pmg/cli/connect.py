"""`pmg connect` and `pmg disconnect`: the memory in a person's other AI tools. pmg/connections knows their files.

Shows what would be written, asks, keeps a copy, and checks with a real call.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pmg.base.errors import InputError
from pmg.base.filesystem import default_home
from pmg.cli import console
from pmg.cli.console import quote, say
from pmg.cli.root import app, config_of
from pmg.connections import change
from pmg.connections.check import answers
from pmg.connections.known_tools import KNOWN, NAME, ConfigPlaces, KnownTool, ToolCommand
from pmg.store.owner import prepare_home

OPEN_WEBUI = "open-webui"
BY_HAND = (OPEN_WEBUI, "print")
TAKEN = "name taken"
TRUST = " It runs new hooks only once you trust them: type /hooks in it."
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.command()
def connect(
    context: typer.Context,
    tool: Annotated[str, typer.Argument(help="Which tool; none: list them. `print` shows what to write by hand.")] = "",
    read_only: Annotated[bool, typer.Option("--read-only", help="Without remember, link and forget.")] = False,
    check: Annotated[
        bool, typer.Option("--check/--no-check", help="Ask the memory once the way the tool will.")
    ] = True,
    hooks: Annotated[
        bool,
        typer.Option(
            "--hooks/--no-hooks", help="Also bring memories along and take transcripts in, where it has hooks."
        ),
    ] = True,
    yes: Yes = False,
) -> None:
    """Put the memory into another AI tool: shows the change to its settings, asks, keeps a copy. `pmg disconnect` undoes it."""
    with console.errors():
        home = config_of(context).home.absolute()
        command = _command(home, context.obj[1], read_only)
        if not tool:
            return _list()
        if tool in BY_HAND:
            return _by_hand(tool, command.mcp)
        chosen = _tool(tool, BY_HAND)
        todo = change.connecting(chosen, ConfigPlaces.here(), command, hooks)
        if not todo:
            say(f"{chosen.title} has it already, in {chosen.file(ConfigPlaces.here())}.")
        else:
            _show_and_ask(todo, yes)
            prepare_home(home)
            for one in todo:
                copy = change.carry_out(one, chosen, home)
                say(f"Written to {one.file}. {f'A copy of the old file is {copy}' if copy else 'The file is new'}.")
            say(f"Restart {chosen.title}." + (TRUST if chosen.name == "codex" and hooks else ""))
        if check:
            wrong = answers(command.mcp)
            if wrong:
                raise InputError(f"The settings are written, and a call through them failed: {wrong}")
            say("Checked: the memory answers.")
    return None


@app.command()
def disconnect(
    context: typer.Context,
    tool: Annotated[str, typer.Argument(help="Which tool.")],
    yes: Yes = False,
) -> None:
    """Take the memory out of another AI tool's settings again."""
    with console.errors():
        home = config_of(context).home.absolute()
        if tool == OPEN_WEBUI:
            return say("Open WebUI was connected by hand: take the server out in it, under Settings, External Tools.")
        chosen = _tool(tool)
        todo = change.disconnecting(chosen, ConfigPlaces.here(), home)
        if change.is_taken(chosen, ConfigPlaces.here()):
            say(f"The entry {NAME!r} in {chosen.file(ConfigPlaces.here())} is another program's: it stays.")
        if not todo:
            return say(f"{chosen.title} does not have it. Nothing was changed.")
        _show_and_ask(todo, yes)
        prepare_home(home)
        for one in todo:
            say(f"Taken out. A copy of the file as it was is {change.undo(one, chosen, home)}.")
    return None


def _command(home: Path, namespace: str, read_only: bool) -> ToolCommand:
    """A tool that the desktop starts has none of this terminal's variables, and one started here has them all: what they say is written out."""
    usual = Path.home() / ".pmg"
    named = home if home != usual or default_home() != usual else None
    return ToolCommand.of(named, namespace, read_only)


def _tool(name: str, others: Sequence[str] = ()) -> KnownTool:
    found = next((one for one in KNOWN if one.name == name), None)
    if found is None:
        raise InputError(f"PMG does not know {name!r}. It knows {', '.join([*(one.name for one in KNOWN), *others])}.")
    return found


def _show_and_ask(todo: list[change.FileChange], yes: bool) -> None:
    for one in todo:
        quote(one.diff)
    if not yes:
        console.confirm(f"Write this to {' and '.join(str(one.file) for one in todo)}?")


def _list() -> None:
    places = ConfigPlaces.here()
    states = {one: _state(one, places) for one in KNOWN}
    for one, state in states.items():
        quote(f"{one.name:16} {state:16} {one.file(places)}")
    if any(state.startswith(TAKEN) for state in states.values()):
        say(f"{TAKEN}: an entry {NAME!r} of another program is there. Give it another name before you connect.")
    say("`pmg connect NAME` connects one; `open-webui` and `print` say what to do by hand.")


def _state(one: KnownTool, places: ConfigPlaces) -> str:
    try:
        connected, hooked = change.is_connected(one, places), change.is_hooked(one, places)
        taken = change.is_taken(one, places)
    except InputError:
        return "not readable"
    state = "connected" if connected else TAKEN if taken else "found" if one.sign(places).exists() else "-"
    return f"{state}, hooks" if hooked else state


def _by_hand(tool: str, command: list[str]) -> None:
    if tool == "print":
        return quote(json.dumps({"mcpServers": {NAME: {"command": command[0], "args": command[1:]}}}, indent=2))
    say("Open WebUI asks over HTTP. Keep a server running on a fixed port (`pmg serve --port 7640`), make a token with")
    say(
        "`pmg token new --name open-webui`, and add under Settings, External Tools a server of type MCP (Streamable HTTP):"
    )
    quote("  http://127.0.0.1:7640/mcp   with Bearer and the token")
    return say("From a container, use the name it has for this machine, and add that name to server.hosts.")
