"""Commands that remove: forget, and redact --rescan.

Knows: the options, the preview, the question before it and how the receipt reads. Removing is done by pmg/forget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pmg.cli import console
from pmg.cli.console import quote, say, say_json
from pmg.cli.root import app, engine_of
from pmg.errors import InputError
from pmg.times import parse

if TYPE_CHECKING:
    from pmg.forget import ForgetPlan

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")]


@app.command()
def forget(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(help="Segments (seg_…) and sessions, by name.")] = None,
    person: Annotated[str, typer.Option(help="Every turn in which this person speaks.")] = "",
    topic: Annotated[str, typer.Option(help="Every turn of this topic, by its name or number.")] = "",
    source: Annotated[str, typer.Option(help="Everything from this source, like chatgpt.")] = "",
    since: Annotated[str, typer.Option(help="Only what was said at or after this time.")] = "",
    until: Annotated[str, typer.Option(help="Only what was said before this time.")] = "",
    query: Annotated[str, typer.Option(help="Turns that hold these words; if none does, what a recall finds.")] = "",
    allow_return: Annotated[
        bool, typer.Option("--allow-return", help="Let a later import bring it back (else it stays away).")
    ] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Annotated[bool, typer.Option("--json", help="The receipt as JSON.")] = False,
) -> None:
    """Forget for good: text, vectors, links, logs, plain text, exports, backups; then the database file is written anew.

    Shows what would go and asks first. Several options together narrow the choice. It cannot be undone.
    """
    from dataclasses import asdict

    from pmg.forget import Selection, plan
    from pmg.forget import forget as carry_out

    with console.errors():
        times = [parse(text) if text else None for text in (since, until)]
    with engine_of(context) as engine, console.bar() as progress:
        told = names or []
        selection = Selection(
            segments=tuple(name for name in told if name.startswith("seg_")),
            sessions=tuple(name for name in told if not name.startswith("seg_")),
            person=person, topic=topic, since=times[0], until=times[1], query=query, source=source,
            namespace=engine.config.namespace,
        )  # fmt: skip
        todo = plan(engine, selection)
        if not todo.numbers:
            say("Nothing in this memory is meant by that. Nothing was changed.")
            return
        if not as_json or dry_run:
            show_plan(todo)
        if dry_run:
            return
        if not yes:
            console.confirm("Forget all of this for good? It cannot be undone.")
        receipt = carry_out(engine, todo, progress, allow_return=allow_return)
        if as_json:
            say_json(asdict(receipt))
        else:
            say(receipt.text)
    if not receipt.clean:
        raise typer.Exit(1)


def show_plan(plan: ForgetPlan) -> None:
    say(f"In the namespace {plan.namespace} this would go:")
    for what, count in plan.counts.items():
        say(f"  {count:8,}  {what}")
    say()
    for line in plan.preview:
        quote(f"  {line}")
    if plan.segments > len(plan.preview):
        say(f"  … and {plan.segments - len(plan.preview)} more")
    say()
    if plan.freed:
        say(f"{plan.freed} say it in other words and gave way to it: these stay, and will be recalled by themselves.")
    if plan.elsewhere:
        say(f"{plan.elsewhere} other turns hold one of these lines among others: these stay.")
    if plan.mentions:
        say(f"{plan.mentions} other turns name {plan.selection.person}: these stay. `--query` finds them.")


@app.command()
def redact(
    context: typer.Context,
    rescan: Annotated[bool, typer.Option("--rescan", help="Look again at everything that is stored.")] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> None:
    """Take out secrets that were stored before a rule knew them: the memory, its plain text and its backups are written anew.

    Shows counts by kind first and asks. Values are never shown. Your own rules: `pmg config redact.rules`.
    """
    from pmg.forget import plan_rescan
    from pmg.forget import rescan as carry_out

    with console.errors():
        if not rescan:
            raise InputError(
                "What comes in is redacted by itself. `pmg redact --rescan` looks at what is stored already."
            )
    with engine_of(context) as engine, console.bar() as progress:
        todo = plan_rescan(engine)
        if not todo.found:
            say("No rule finds a secret in what is stored. Nothing was changed.")
            return
        say("In what is stored, in all namespaces, today's rules find:")
        for kind, count in todo.kinds.items():
            say(f"  {count:8,}  {kind}")
        say("in " + ", ".join(f"{count} {place}" for place, count in todo.places.items()))
        if todo.backups:
            say(f"{len(todo.backups)} backups are written anew; exports that hold one of them are deleted.")
        if dry_run:
            return
        if not yes:
            console.confirm("Put a mark in place of each? It cannot be undone.")
        receipt = carry_out(engine, todo, progress)
        say(receipt.text.replace("Forgotten:", "Taken out:", 1))
    if not receipt.clean:
        raise typer.Exit(1)
