"""`pmg people claims|correct|resolve|split|forget`: what the People page can do by hand, on a terminal.

Each but the last is a journal entry that `pmg steward undo` takes back exactly. What it does stands in steward/people_edits.py.
"""

from __future__ import annotations

from typing import Annotated

import typer

from pmg.base.errors import InputError
from pmg.cli import console
from pmg.cli.console import quote, say
from pmg.cli.forget import DryRun, Yes, show_plan, show_who_names_them
from pmg.cli.people import Person, claim_lines, people
from pmg.cli.root import engine_of, steward_of

UNDO = "`pmg steward undo last` takes it back."
ClaimNumber = Annotated[int, typer.Argument(help="A claim's number, as `pmg people claims` gives it.")]


@people.command()
def claims(
    context: typer.Context,
    name: Person,
    topic: Annotated[str, typer.Option(help="Only of this: job, location, relationship, or a thing by its name.")] = "",
) -> None:
    """Everything that was claimed about a person, with the numbers that correct and resolve want."""
    from pmg.people.knowledge import about
    from pmg.people.tools import find_person
    from pmg.people.topics import on_topic

    with engine_of(context, model=False) as engine:
        engine.extract()
        store, namespace = engine.reads.people, engine.config.namespace
        ids = [one.id for one in find_person(store, namespace, name)]
        found = about(store.claims(namespace, about=ids), ids)
        chosen = on_topic(found, topic) if topic else found
        lines = claim_lines(engine, chosen)
        for one in chosen:
            ruled = f" [{one.ruling.value}]" if one.ruling else ""
            quote(f"{lines[one.id]}{ruled}")


@people.command()
def correct(
    context: typer.Context,
    claim: ClaimNumber,
    words: Annotated[str, typer.Argument(help='What it should say instead of its object; "" sets it aside as wrong.')],
) -> None:
    """Correct what a claim says; what was said stays as it was said."""
    with engine_of(context, model=False) as engine:
        steward_of(engine).correct_claim(claim, words, engine.config.namespace)
        say(f"{'Corrected' if words.strip() else 'Set aside as wrong'}. {UNDO}")


@people.command()
def resolve(
    context: typer.Context,
    first: ClaimNumber,
    second: ClaimNumber,
    how: Annotated[str, typer.Argument(help="first, second, both, first-then-second or second-then-first.")],
) -> None:
    """Say which of two claims that cannot both hold is right, that both are, or which came first."""
    with engine_of(context, model=False) as engine:
        from steward.people_edits import Resolution

        known = {one.value.replace(" ", "-"): one for one in Resolution}
        if how.lower() not in known:
            raise InputError(f"{how!r} settles nothing: say {', '.join(known)}.")
        steward_of(engine).resolve(first, second, known[how.lower()], engine.config.namespace)
        say(f"Settled. {UNDO}")


@people.command()
def split(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="The number of the part that is somebody else.")],
) -> None:
    """Take one conversation's part of a person away: it is somebody else."""
    with engine_of(context, model=False) as engine:
        steward_of(engine).split_person(number, engine.config.namespace)
        say(f"They are two people now. {UNDO}")


@people.command()
def forget(
    context: typer.Context,
    name: Person,
    with_others: Annotated[
        bool, typer.Option("--with-others", help="Also whatever a claim about them was read from, whoever said it.")
    ] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> None:
    """Forget a person for good: everything they said. Shows what would go and asks first; a namesake elsewhere stays."""
    from pmg.forget import Selection, plan
    from pmg.forget import forget as carry_out
    from pmg.people.roles import bare
    from pmg.people.tools import find_person
    from pmg.people.whose_turns import turns_about, turns_said_by

    with engine_of(context) as engine, console.bar() as progress:
        engine.extract()
        namespace = engine.config.namespace
        person = find_person(engine.reads.people, namespace, name)
        if not all(one.conversation for one in person):
            raise InputError("That is whose memory this is: choose what to forget of it with `pmg forget`.")
        chosen = turns_said_by(engine.reads, namespace, person)
        chosen += turns_about(engine.reads, namespace, person) if with_others else []
        if not chosen:
            say("They say nothing here and are only spoken of: `--with-others` forgets that. Nothing was changed.")
            return
        fullest, *others = sorted({bare(alias) for one in person for alias in one.aliases}, key=len, reverse=True)
        todo = plan(
            engine,
            Selection(tuple(dict.fromkeys(chosen)), namespace=namespace, whose=fullest, also_called=tuple(others)),
        )
        show_plan(todo)
        if dry_run:
            return
        if not yes:
            console.confirm("Forget all of this for good? It cannot be undone.")
        receipt = carry_out(engine, todo, progress)
        engine.extract()  # the claims of sessions that lost a turn
        say(receipt.text)
        show_who_names_them(todo)
    if not receipt.clean:
        raise typer.Exit(1)
