"""The root of the command line: the options every command shares, and how a command gets an engine.

Knows: --home and --namespace. Does not know: what any command does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pmg import config as configuration
from pmg.cli import screen
from pmg.config import Config

if TYPE_CHECKING:
    from pmg.engine import Engine

app = typer.Typer(
    name="pmg",
    help="A private, persistent memory for your AI conversations, on your own machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def shared(
    context: typer.Context,
    home: Annotated[Path | None, typer.Option(help="The memory's directory (else PMG_HOME, else ~/.pmg).")] = None,
    namespace: Annotated[str, typer.Option(help="The wall to work inside.")] = "",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say what is happening.")] = False,
) -> None:
    os.umask(0o077)  # whatever a command writes is its owner's alone
    screen.log_to_terminal(verbose)
    context.obj = (home, namespace)


def config_of(context: typer.Context) -> Config:
    home, namespace = context.obj
    config = configuration.load(home)
    return replace(config, namespace=configuration.checked_namespace(namespace)) if namespace else config


@contextmanager
def engine_of(context: typer.Context, *, model: bool = True) -> Iterator[Engine]:
    """An open engine; `model=False` for commands that only look, which then start at once."""
    from pmg.engine import Engine  # heavy libraries only where a memory is opened

    with screen.errors(), screen.bar() as progress:
        options: dict[str, Any] = {"wait": True} if model else {"wait": False, "load": False}
        with Engine.open(config_of(context), progress=progress, **options) as engine:
            yield engine


def load_commands() -> None:
    """Each module adds its commands to the app."""
    from pmg.cli import bench, bench_import, bench_speed, exchange, memory, steward, upkeep  # noqa: F401


def main() -> None:
    """The `pmg` script."""
    load_commands()
    with screen.errors():
        app()
