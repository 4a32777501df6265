"""What the terminal shows: bars for what takes time, errors as a sentence, stored text made harmless.

Knows: rich, that a command may be running inside the server for a terminal elsewhere, and that a terminal may know few characters.
"""

from __future__ import annotations

import codecs
import io
import json
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pmg.base.errors import InputError, PmgError
from pmg.base.text import printable

SPEED_SECONDS = 600.0  # of which the time that is left is told: one step of an embedding may take a minute
SILENT_SECONDS = 1.0  # that a command may take before it says what it waits for
YES = "--yes"  # of every command that asks
PLAIN = {"✓": "ok", "✗": "x", "·": "-", "…": "...", "–": "-", "—": "-", "→": "->", "←": "<-", "×": "x", "’": "'"}
Show = Callable[[str, int, int], None]  # what is being done, done, total (0: unknown)


def console(**options: object) -> Console:
    """emoji=False: what a person wrote as ":cat:" is shown as they wrote it."""
    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False, **options)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Terminal:
    """Where a command was typed. `far` draws the bars of one that is elsewhere: (style, what, done, total)."""

    out: Console
    err: Console
    folder: Path
    far: Callable[[str, str, int, int], None] | None = None
    given: bytes = b""  # standard input of a terminal elsewhere
    asks: Callable[[str], None] | None = None  # puts a question to the person at a terminal elsewhere


_mine = Terminal(console(), console(stderr=True), Path())
_terminal: ContextVar[Terminal] = ContextVar("terminal", default=_mine)


def terminal() -> Terminal:
    return _terminal.get()


@contextmanager
def typed_at(elsewhere: Terminal) -> Iterator[None]:
    """Inside, everything is shown on a terminal elsewhere; other threads keep their own."""
    before = _terminal.set(elsewhere)
    try:
        yield
    finally:
        _terminal.reset(before)


def path_of(path: Path) -> Path:
    """A path as it was meant where it was typed."""
    return terminal().folder / path


def new_folder(file: Path) -> str:
    """A sentence for a file that is about to be written into a folder that is not there yet: a mistyped path must be seen."""
    return "" if file.parent.exists() else f" The folder {file.parent} is new."


def standard_input() -> bytes:
    return sys.stdin.buffer.read() if terminal().far is None else terminal().given


def confirm(question: str, option: str = YES) -> None:
    """Goes on when the person says yes. At a terminal elsewhere the command ends here, and comes again with --yes. `option` does not ask."""
    asks = terminal().asks
    told = question if option == YES else f"{question} ({option} does not ask)"
    if asks is not None:
        asks(told)
        raise typer.Exit(1)
    if sys.stdin is not None and sys.stdin.isatty():
        typer.confirm(told, abort=True)
    elif not _piped_yes(question, option):
        raise typer.Abort


def _piped_yes(question: str, option: str) -> bool:
    """The answer of a script, such as `yes`; where nothing comes the question is an error, as nobody reads a prompt."""
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if not answer:
        raise InputError(f"{question} Nobody can answer here, so nothing was changed: {option} does not ask.")
    say(f"{question} [y/N]: {answer.strip()}")
    return answer.strip().lower() in ("y", "yes")


def say(text: str = "") -> None:
    """One line of ours."""
    terminal().out.print(text)


def quote(text: str) -> None:
    """Stored text: nobody's words can act on the terminal."""
    terminal().out.print(printable(text))


def say_json(value: object) -> None:
    """JSON that any reader takes: what no terminal or encoding can bear inside a text is written as \\uXXXX."""
    out = terminal().out
    text = json.dumps(value, ensure_ascii=not out.encoding.startswith("utf"), indent=2)
    out.print("".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text))


def show_what_can_be_shown() -> None:
    """A character that the terminal's encoding has not must not end the command that says it."""
    codecs.register_error("pmg.plain", _in_plain_characters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="pmg.plain")


def _in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    plain = "".join(PLAIN.get(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in unknown)
    return plain, error.end


@contextmanager
def bar() -> Iterator[Show]:
    """A progress callback for the engine's verbs; it draws on the error stream, so that output can be piped."""
    far, err = terminal().far, terminal().err
    if far is not None:
        yield lambda what, done, total: far("steps", what, done, total)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=err, transient=True, disable=not err.is_terminal, speed_estimate_period=SPEED_SECONDS
    ) as progress:
        tasks: dict[str, int] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total or None)
            progress.update(tasks[what], completed=done, total=total or None)  # type: ignore[arg-type]

        yield show


@contextmanager
def waiting(what: str, after_seconds: float = SILENT_SECONDS) -> Iterator[Callable[[], None]]:
    """Says after a while what is waited for, until what it yields is called: the first sign of life from elsewhere."""
    err = terminal().err
    sign = err.status(what)
    timer = threading.Timer(after_seconds, sign.start)
    lock = threading.Lock()

    def over() -> None:
        with lock:
            timer.cancel()
            if timer.is_alive():
                timer.join()  # it may be starting just now
            sign.stop()

    if err.is_terminal:
        timer.daemon = True
        timer.start()
    try:
        yield over
    finally:
        over()


@contextmanager
def errors() -> Iterator[None]:
    """The edge: our own errors, and what a bad value or a file makes Python raise, become one line and exit code 1. A fault of ours keeps its
    traceback in view, and PMG_TRACEBACK=1 shows that of every error."""
    try:
        yield
    except PmgError as error:
        terminal().err.print(f"pmg: {error}")
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except (ValueError, OverflowError, OSError) as error:
        if os.environ.get("PMG_TRACEBACK"):
            raise
        terminal().err.print(f"pmg: {type(error).__name__}: {printable(str(error))}. PMG_TRACEBACK=1 shows where.")
        sys.exit(1)
    except KeyboardInterrupt:
        terminal().err.print("pmg: stopped. What was acknowledged is kept.")
        sys.exit(130)


def log_to_terminal(verbose: bool) -> None:
    logging.basicConfig(level=logging.INFO if verbose else logging.ERROR, format="%(message)s", stream=sys.stderr)
