"""A command that runs in the server which holds the memory, shown on this terminal as if it ran here.

Knows: what the server must know about this terminal, and how its events are shown. Does not know: commands.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pmg.cli import screen
from pmg.config import Config
from pmg.server.calls import Call
from pmg.server.client import Client
from pmg.server.place import Place


def run(place: Place, config: Config, words: tuple[str, ...]) -> int:
    """The exit code of the command."""
    terminal = screen.terminal()
    call = Call(
        words=words,
        folder=str(Path.cwd()),
        namespace=config.namespace,
        width=terminal.out.width,
        colours=terminal.out.color_system or "",
        bars=terminal.err.is_terminal,
        recall=asdict(config.recall),
        given=screen.standard_input() if "-" in words else b"",
    )
    with ExitStack() as bars:
        shown: dict[str, screen.Show] = {}
        for event in Client(place).stream("/api/cli", call.to_bytes()):
            if "exit" in event:
                return int(event["exit"])
            _show(event, shown, bars)
    raise_broken(place)
    return 1


def _show(event: dict[str, Any], shown: dict[str, screen.Show], bars: ExitStack) -> None:
    if "out" in event:
        sys.stdout.write(event["out"])
        sys.stdout.flush()
    elif "err" in event:
        sys.stderr.write(event["err"])
        sys.stderr.flush()
    elif "bar" in event:
        style, what, done, total = event["bar"]
        if style not in shown:
            shown[style] = bars.enter_context(_bar(style))
        shown[style](what, done, total)


def _bar(style: str) -> Any:
    from pmg.cli.exchange import byte_bar

    return byte_bar() if style == "bytes" else screen.bar()


def raise_broken(place: Place) -> None:
    from pmg.errors import StoreBusy

    raise StoreBusy(
        f"The server at {place.address} ended before the command did. What was acknowledged is kept; run it again."
    )
