"""`pmg upstream …`: the models' APIs that go through this memory's server. pmg/proxy/upstreams.py keeps them.

They live in config.toml, so these commands work beside a running server, and count at its next request.
"""

from __future__ import annotations

from typing import Annotated

import typer

from pmg.cli.console import errors, quote, say
from pmg.cli.root import app, config_of
from pmg.client import discovery
from pmg.proxy import upstreams

upstream = typer.Typer(help="Models' APIs that go through this memory, so that it remembers.", no_args_is_help=True)
app.add_typer(upstream, name="upstream")
Name = Annotated[str, typer.Argument(help="The upstream's name.")]


@upstream.command()
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What it is called here: it is reached under /u/NAME.")],
    url: Annotated[str, typer.Argument(help="The base URL that a program has now, like https://api.openai.com/v1.")],
    kind: Annotated[str, typer.Option(help=f"How it words its errors: {', '.join(upstreams.KINDS)}.")] = "openai",
    bring: Annotated[bool, typer.Option("--bring", help="Bring memories along with what is asked.")] = False,
) -> None:
    """Let a model's API go through this memory: programs then use the address that is shown as their base URL."""
    with errors():
        config = config_of(context)
        made = upstreams.checked(name, kind, url, (upstreams.BRING,) if bring else ())
        upstreams.add(config.home, made)
        running = discovery.find(config.home)
        say("In place of its address, give this to the program:")
        quote(f"{running.address if running else f'http://127.0.0.1:{config.server.port}'}{made.path}")
        if running is None:
            say("It works while `pmg serve` runs.")


@upstream.command("list")
def list_upstreams(context: typer.Context) -> None:
    """The upstreams there are: name, kind, address, and whether remembering is paused."""
    with errors():
        known = upstreams.in_force(config_of(context).home)
        for one in known:
            quote(one.line)
        if not known:
            say("There is none. `pmg upstream add openai https://api.openai.com/v1 --kind openai` adds one.")


@upstream.command()
def remove(context: typer.Context, name: Name) -> None:
    """Take an upstream away: programs that still use its address are told so. What was remembered stays."""
    with errors():
        upstreams.remove(config_of(context).home, name)
        say("Removed.")


@upstream.command()
def pause(context: typer.Context, name: Name) -> None:
    """Pass on and remember nothing, until `pmg upstream resume`."""
    with errors():
        upstreams.pause(config_of(context).home, name, True)
        say("Paused.")


@upstream.command()
def resume(context: typer.Context, name: Name) -> None:
    """Remember again."""
    with errors():
        upstreams.pause(config_of(context).home, name, False)
        say("Resumed.")
