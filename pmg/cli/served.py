"""A command inside the server, for a terminal elsewhere: the same code, the server's open memory, the output sent back.

It finds the lent memory in served_context.py; how the words come and the output goes is pmg/server/remote_commands.py. The commands
themselves are loaded by main.py, through which every server is started.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from pmg.cli import console
from pmg.cli.root import parser
from pmg.cli.served_context import current_command, served_context
from pmg.server.remote_commands import Emit, Event, RemoteCommand
from pmg.ui.app_context import AppContext

FINISHED = frozenset({"forget", "redact"})
BAR_SECONDS = 0.1  # seconds between two looks of a bar: each is a message


class EventStream(io.TextIOBase):
    """A stream whose text is an event."""

    def __init__(self, emit: Emit, name: str) -> None:
        self._emit = emit
        self._name = name

    def write(self, text: str) -> int:
        if text:
            self._emit({self._name: text})
        return len(text)


def run(call: RemoteCommand, app_context: AppContext, emit: Emit) -> int:
    """Runs one command and returns its exit code. Meant for a thread of its own."""
    served_context.set(app_context)
    current_command.set(call)
    with console.typed_at(_terminal(call, _uninterrupted(emit) if FINISHED & set(call.words) else emit)):
        try:
            with console.errors():
                return _invoked(call.words)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1


def _uninterrupted(emit: Emit) -> Emit:
    """For what must not be left half done because the person at the terminal went away."""

    def uninterrupted(event: Event) -> None:
        with suppress(KeyboardInterrupt):
            emit(event)

    return uninterrupted


def _invoked(words: tuple[str, ...]) -> int:
    try:
        code = parser().main(list(words), prog_name="pmg", standalone_mode=False)
    except typer.Abort:
        return 1
    except Exception as error:
        if not hasattr(error, "format_message"):  # click's own: what was typed does not parse
            raise
        console.terminal().err.print(f"pmg: {error.format_message()}")
        return 2
    return code if isinstance(code, int) else 0


def _terminal(call: RemoteCommand, emit: Emit) -> console.Terminal:
    look: dict[str, Any] = {
        "width": call.width,
        "color_system": call.colours or None,
        "force_terminal": bool(call.colours),
    }
    out, err = (console.console(file=EventStream(emit, name), **look) for name in ("out", "err"))
    asks = lambda question: emit({"ask": question})  # noqa: E731
    return console.Terminal(out, err, Path(call.folder), _bars(emit, call.bars), call.given, asks)


def _bars(emit: Emit, drawn: bool) -> Callable[[str, str, int, int], None]:
    """Steps are told also where no bar is drawn: they are where a command learns that nobody waits for it any more."""
    last: dict[str, float] = {}

    def show(style: str, what: str, done: int, total: int) -> None:
        moment = time.monotonic()
        if done >= total or moment - last.get(what, 0.0) >= BAR_SECONDS:
            last[what] = moment
            emit({"bar": [style, what, done, total]} if drawn else {})

    return show
