"""`pmg people extract`: claims read now, and with `--model` those that the configured chat model finds beside them.

Off until `chat.extract_claims` is on. What would be sent, where and how much is shown first. Asking stands in pmg/people/model_extract.py.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from pmg.base.errors import InputError
from pmg.base.text import counted
from pmg.cli import console
from pmg.cli.console import say
from pmg.cli.forget import Yes
from pmg.cli.people import people
from pmg.cli.root import engine_of


@people.command()
def extract(
    context: typer.Context,
    model: Annotated[
        bool, typer.Option("--model", help="Also ask the chat model for claims; shows what it costs first.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Read the claims of what waits for it, now. In the background that is done anyway, without a language model."""
    from pmg.chat.keys import read_key
    from pmg.chat.openai import OpenAI

    with engine_of(context, model=False) as engine, console.bar() as progress:
        say(f"{counted(engine.extract(), 'session')} read by grammar.")
        if not model:
            return
        settings = engine.config.chat
        if not settings.extract_claims:
            raise InputError(
                "No language model is asked for claims: `pmg config chat.extract_claims true` allows it, chat.base_url and chat.model say which."
            )
        server = OpenAI(settings, partial(read_key, settings, engine.config.home))
        name, namespace = server.model(), engine.config.namespace
        cost = engine.model_cost(name, namespace)
        if not cost.requests:
            say(f"{name} has read everything in the namespace {namespace}. Nothing was sent.")
            return
        say(
            f"{name} would be asked {counted(cost.requests, 'time')} about {counted(cost.lines, 'line')} of {counted(cost.sessions, 'session')} "
            f"in the namespace {namespace}: about {counted(cost.tokens, 'token')}, questions and answers together."
        )
        say(server.where)
        if not yes:
            console.confirm("Send these lines?")
        done = engine.extract_with_model(name, partial(server.complete, name), namespace, progress)
        say(
            f"{counted(done.claims, 'claim')} from {counted(done.sessions, 'session')}; {done.refused} were not borne out by their lines and left out."
        )
        if done.skipped:
            say(
                f"{counted(done.skipped, 'session')} gave no usable answer or changed meanwhile: run it again for them."
            )
