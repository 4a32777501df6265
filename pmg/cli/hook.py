"""`pmg hook`, as the command line knows it: help. pmg/__main__.py runs the command itself without loading this."""

from __future__ import annotations

from typing import Annotated

import typer

from pmg.cli.root import app, config_of


@app.command()
def hook(
    context: typer.Context,
    tool: Annotated[str, typer.Argument(help="Whose event it is: claude-code, codex or gemini-cli.")],
    deliver: Annotated[
        bool, typer.Option("--deliver", help="Wait until a server has it, starting one if none runs.")
    ] = False,
) -> None:
    """Hand one event of an AI tool's hook to the memory, and print what the tool is to be given. `pmg connect` sets it up.

    The event comes on standard input, as the tool writes it. It always ends with 0 and within a second: a tool is never held up.
    """
    from pmg.server.hook_command import HookOptions, run_hook

    config = config_of(context)
    run_hook(HookOptions(config.home, tool, context.obj[1], deliver))
