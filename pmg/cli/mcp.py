"""`pmg mcp`, as the command line knows it: help and mistakes. pmg/__main__.py runs the plain command without loading this."""

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
