"""A command inside the server, for a terminal elsewhere: the same code, the server's open memory, the output sent back.

Knows: how a command finds the lent memory and where its output goes. Does not know: HTTP.
"""

from __future__ import annotations

import copy
import io
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from pmg import config as configuration
from pmg.cli import screen
from pmg.cli.app import SERVED, app, lent, load_commands
from pmg.engine import Engine
from pmg.errors import InputError, ModelUnavailable
from pmg.server.calls import Call, Emit
from pmg.ui.desk import Desk

OFTEN = 0.1  # seconds between two looks of a bar: each is a message
_call: ContextVar[Call] = ContextVar("call")


class Sent(io.TextIOBase):
    """A stream whose text is an event."""

    def __init__(self, emit: Emit, name: str) -> None:
        self._emit = emit
        self._name = name

    def write(self, text: str) -> int:
        if text:
            self._emit({self._name: text})
        return len(text)


def run(call: Call, desk: Desk, emit: Emit) -> int:
    """Runs one command and returns its exit code. Meant for a thread of its own."""
    load_commands()
    lent.set(desk)
    _call.set(call)
    with screen.typed_at(_terminal(call, emit)):
        try:
            return _invoked(call.words)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1


def _invoked(words: tuple[str, ...]) -> int:
    try:
        code = typer.main.get_command(app).main(list(words), prog_name="pmg", standalone_mode=False)
    except typer.Abort:
        return 1
    except Exception as error:
        if not hasattr(error, "format_message"):  # click's own: what was typed does not parse
            raise
        screen.terminal().err.print(f"pmg: {error.format_message()}")
        return 2
    return code if isinstance(code, int) else 0


def _terminal(call: Call, emit: Emit) -> screen.Terminal:
    look: dict[str, Any] = {
        "width": call.width,
        "color_system": call.colours or None,
        "force_terminal": bool(call.colours),
    }
    out, err = (screen.console(file=Sent(emit, name), **look) for name in ("out", "err"))
    return screen.Terminal(out, err, Path(call.folder), _bars(emit, call.bars), call.given)


def _bars(emit: Emit, drawn: bool) -> Callable[[str, str, int, int], None]:
    """Steps are told also where no bar is drawn: they are where a command learns that nobody waits for it any more."""
    last: dict[str, float] = {}

    def show(style: str, what: str, done: int, total: int) -> None:
        moment = time.monotonic()
        if done >= total or moment - last.get(what, 0.0) >= OFTEN:
            last[what] = moment
            emit({"bar": [style, what, done, total]} if drawn else {})

    return show


def engine_for(desk: Desk, asked: str, model: bool) -> Engine:
    """The open memory as the caller's settings see it: a light copy when they differ, on the same store and indexes."""
    call, engine = _call.get(), desk.engine
    if call.words and not SERVED & set(call.words):
        raise InputError(f"`pmg {call.words[0]}` does not run inside the server.")
    space = configuration.checked_namespace(asked or call.namespace)
    config = replace(configuration.with_values(engine.config, {"recall": call.recall}, "The call"), namespace=space)
    if model:
        try:
            engine.model.wait()
        except ModelUnavailable as problem:
            screen.terminal().err.print(f"{problem} Memory goes on without it.")
    if config == engine.config:
        return engine
    seen = copy.copy(engine)
    seen.config = config
    return seen
