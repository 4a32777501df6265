"""What the terminal shows: bars for what takes time, errors as a sentence, stored text made harmless.

Knows: rich. Does not know: commands or the engine.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pmg.errors import PmgError
from pmg.text import printable

# emoji=False: what a person wrote as ":cat:" is shown as they wrote it.
out = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def say(text: str = "") -> None:
    """One line of ours."""
    out.print(text)


def quote(text: str) -> None:
    """Stored text: nobody's words can act on the terminal."""
    out.print(printable(text))


def say_json(value: object) -> None:
    """JSON that any reader takes: what no terminal or encoding can bear inside a text is written as \\uXXXX."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    out.print("".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text))


@contextmanager
def bar() -> Iterator[Callable[[str, int, int], None]]:
    """A progress callback for the engine's verbs; it draws on the error stream, so that output can be piped."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        tasks: dict[str, int] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total or None)
            progress.update(tasks[what], completed=done, total=total or None)  # type: ignore[arg-type]

        yield show


@contextmanager
def errors() -> Iterator[None]:
    """The edge: our own errors become their message and exit code 1; others keep their traceback in view."""
    try:
        yield
    except PmgError as error:
        err.print(f"pmg: {error}")
        sys.exit(1)
    except KeyboardInterrupt:
        err.print("pmg: stopped. What was acknowledged is kept.")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def log_to_terminal(verbose: bool) -> None:
    logging.basicConfig(level=logging.INFO if verbose else logging.ERROR, format="%(message)s", stream=sys.stderr)
