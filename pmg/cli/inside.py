"""A command inside the server, for a terminal elsewhere: the same code, the server's open memory, the output sent back.

Knows: how a command finds the lent memory and where its output goes. Does not know: HTTP.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from pmg import config as configuration
from pmg.cli import screen
from pmg.cli.app import app, lent, load_commands
from pmg.config import Config
from pmg.engine import Engine
from pmg.errors import ModelUnavailable
from pmg.server.calls import Call, Emit, Event
from pmg.ui.desk import Desk

FINISHED = frozenset({"forget", "redact"})
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
    with screen.typed_at(_terminal(call, _whole(emit) if FINISHED & set(call.words) else emit)):
        try:
            with screen.errors():
                return _invoked(call.words)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1


def _whole(emit: Emit) -> Emit:
    """For what must not be left half done because the person at the terminal went away."""

    def told(event: Event) -> None:
        with suppress(KeyboardInterrupt):
            emit(event)

    return told


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
    asks = lambda question: emit({"ask": question})  # noqa: E731
    return screen.Terminal(out, err, Path(call.folder), _bars(emit, call.bars), call.given, asks)


def _bars(emit: Emit, drawn: bool) -> Callable[[str, str, int, int], None]:
    """Steps are told also where no bar is drawn: they are where a command learns that nobody waits for it any more."""
    last: dict[str, float] = {}

    def show(style: str, what: str, done: int, total: int) -> None:
        moment = time.monotonic()
        if done >= total or moment - last.get(what, 0.0) >= OFTEN:
            last[what] = moment
            emit({"bar": [style, what, done, total]} if drawn else {})

    return show


class Seen(Engine):
    """The server's engine under other settings: everything else is its own, read and written alike. Closing it is the server's."""

    def __init__(self, engine: Engine, config: Config) -> None:
        object.__setattr__(self, "_whole", engine)
        object.__setattr__(self, "config", config)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_whole"), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._whole, name, value)


def engine_for(desk: Desk, asked: str, model: bool) -> Engine:
    """The open memory under the settings in force where the command was typed."""
    call, engine = _call.get(), desk.engine
    space = configuration.checked_namespace(asked or call.namespace)
    config = replace(configuration.with_values(engine.config, {"recall": call.recall}, "The call"), namespace=space)
    if model:
        try:
            engine.model.wait()
        except ModelUnavailable as problem:
            screen.terminal().err.print(f"{problem} Memory goes on without it.")
    return engine if config == engine.config else Seen(engine, config)
