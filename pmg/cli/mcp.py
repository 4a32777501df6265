"""`pmg mcp` and `pmg hook`, as the command line knows them: help and mistakes. pmg/__main__.py runs the plain commands without loading this."""

from __future__ import annotations

from typing import Annotated

import typer

from pmg.cli import console
from pmg.cli.root import app, config_of


@app.command()
def mcp(
    context: typer.Context,
    tools: Annotated[str, typer.Option(help="Only these tools, with commas between them.")] = "",
    read_only: Annotated[bool, typer.Option("--read-only", help="Without remember, link and forget.")] = False,
) -> None:
    """Speak MCP on standard input and output, for AI tools that start it. The memory's server does the work.

    One server serves all; it is started when none runs, and stays when this ends. Stop it with `pmg serve --stop`.
    """
    from pmg.server.stdio_pump import PumpOptions, serve_stdio

    with console.errors():
        config = config_of(context)
        serve_stdio(PumpOptions(config.home, config.namespace, tools, read_only))


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
