"""`pmg token …`: a token for each program that asks this memory over HTTP. pmg/connections/client_tokens.py keeps them.

They live in a file of the memory's directory, so these commands work beside a running server, and count at once.
"""

from __future__ import annotations

from typing import Annotated

import typer

from pmg.base.errors import InputError
from pmg.cli.console import errors, quote, say
from pmg.cli.root import app, config_of
from pmg.connections.client_tokens import ClientTokens
from pmg.store.owner import prepare_home

token = typer.Typer(help="Tokens for programs that ask this memory over HTTP.", no_args_is_help=True)
app.add_typer(token, name="token")


def tokens_of(context: typer.Context) -> ClientTokens:
    return ClientTokens(config_of(context).home)


@token.command()
def new(
    context: typer.Context,
    name: Annotated[str, typer.Option(help="What the program or machine is called.")],
    namespace: Annotated[
        str | None,
        typer.Option(help="The one namespace it opens (else that of `pmg --namespace` or PMG_NAMESPACE, else any)."),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="It may ask and not change anything.")] = False,
) -> None:
    """Make a token and show it, this once: only its hash is kept."""
    with errors():
        prepare_home(config_of(context).home)
        if namespace == "":
            raise InputError("--namespace is empty: name the namespace that the token opens, or leave it out for any.")
        opens = namespace or context.obj[1]
        made = tokens_of(context).make(name, opens, read_only)
        say(f"It opens {f'the namespace {opens}' if opens else 'every namespace'}.")
        say("Give this to the program as `Authorization: Bearer …`. It is not shown again:")
        quote(made)


@token.command("list")
def list_tokens(context: typer.Context) -> None:
    """The tokens there are: name, namespace, what they may, since when."""
    with errors():
        known = tokens_of(context).all()
        for one in known:
            may = "reads" if one.read_only else "reads and writes"
            quote(f"{one.name:24} {one.namespace or 'any namespace':16} {may:18} {one.made_at}")
        if not known:
            say("There is none. `pmg token new --name laptop` makes one.")


@token.command()
def revoke(context: typer.Context, name: Annotated[str, typer.Argument(help="The token's name.")]) -> None:
    """Take a token back: the next request with it is refused."""
    with errors():
        tokens_of(context).revoke(name)
        say("Revoked.")
