"""Commands that remove: forget, and redact --rescan; and redact --restore, which takes a redaction back.

Knows: the options, the preview, the question before it and how the receipt reads. Removing is done by pmg/forget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pmg.base.errors import InputError
from pmg.base.text import counted, redaction_mark
from pmg.base.times import parse_range
from pmg.cli import console
from pmg.cli.console import quote, say, say_json
from pmg.cli.root import app, engine_of, namespace_named

if TYPE_CHECKING:
    from pmg.forget import ForgetPlan

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
AROUND = 40  # characters on each side of a mark
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")]


@app.command()
def forget(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(help="Segments (seg_…) and sessions, by name.")] = None,
    person: Annotated[str, typer.Option(help="Every turn in which this person speaks.")] = "",
    topic: Annotated[str, typer.Option(help="Every turn of this topic, by its name or number.")] = "",
    source: Annotated[str, typer.Option(help="Everything from this source, like chatgpt.")] = "",
    since: Annotated[str, typer.Option(help="Only what was said at or after this time.")] = "",
    until: Annotated[str, typer.Option(help="Only what was said before this time, or up to this date.")] = "",
    query: Annotated[str, typer.Option(help="Only turns that hold these words; if none does, nothing goes.")] = "",
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
        times = parse_range(since, until)
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
            show_nothing(todo)
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
            show_who_names_them(todo)
    if not receipt.clean:
        raise typer.Exit(1)


def show_nothing(plan: ForgetPlan) -> None:
    """Why nothing would go, and what the person may have meant: to forget one of these, its name has to be given."""
    say(f"{plan.nothing} Nothing was changed.")
    if plan.nearest:
        say("The nearest are these, and none of them is selected; `pmg forget NAME` forgets one:")
    for line in plan.nearest:
        quote(f"  {line}")


def show_plan(plan: ForgetPlan) -> None:
    from pmg.forget.receipt import worded

    say(f"In the namespace {plan.namespace} this would go:")
    for what, count in plan.counts.items():
        say(f"  {count:8,}  {worded(what, count)}")
    say()
    for line in plan.preview:
        quote(f"  {line}")
    if plan.segments > len(plan.preview):
        say(f"  … and {plan.segments - len(plan.preview)} more")
    say()
    if plan.freed:
        told = counted(plan.freed, "turn says", "turns say")
        say(f"{told} it in other words and gave way to it: what gave way stays, and will be recalled by itself.")
    if plan.elsewhere:
        say(
            f"{counted(plan.elsewhere, 'other turn holds', 'other turns hold')} one of these lines among others: that stays."
        )
    if plan.inside:
        say(f"{counted(plan.inside, 'other turn has', 'other turns have')} it inside a longer word: that stays.")
    show_who_names_them(plan)


def show_who_names_them(plan: ForgetPlan) -> None:
    """Before and after: whoever wants somebody gone wants to know what others say of them."""
    if plan.mentions:
        told = counted(plan.mentions, "other turn names", "other turns name")
        quote(f"{told} {' or '.join(plan.names)}: what others say stays. `pmg forget --query` forgets it.")
    if plan.titles_left:
        told = counted(plan.titles_left, "title of another session names", "titles of other sessions name")
        say(f"{told} them: that stays. `pmg sessions` lists titles.")


@app.command()
def redact(
    context: typer.Context,
    rescan: Annotated[bool, typer.Option("--rescan", help="Look again at everything that is stored.")] = False,
    sealed: Annotated[bool, typer.Option("--sealed", help="List the redactions that can be restored.")] = False,
    restore: Annotated[int, typer.Option(help="Put the text of this one, by its number, back.")] = 0,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> None:
    """Take out secrets that were stored before a rule knew them: the memory, its plain text and its backups are written anew.

    Shows counts by kind first and asks. Values are never shown. Your own rules: `pmg config redact.rules`. With
    `redact.keep_sealed` what is taken out is kept under the key of an encrypted memory: `--sealed` lists it, `--restore` puts
    one back.
    """
    with console.errors():
        if (rescan, sealed, bool(restore)).count(True) != 1:
            raise InputError(
                "What comes in is redacted by itself. `pmg redact --rescan` looks at what is stored already, `--sealed` lists "
                "what can be restored, `--restore NUMBER` restores one: give one of the three."
            )
    if rescan:
        _rescan(context, yes, dry_run)
    else:
        _sealed(context, restore)


def _sealed(context: typer.Context, restore: int) -> None:
    """Kinds and places; the words are those that stand around the mark."""
    with engine_of(context, model=bool(restore)) as engine:
        namespace = namespace_named(context, engine)
        if restore:
            row = engine.restore_sealed(restore, namespace)
            say(f"Restored in {row.segment_id}. `pmg steward undo last` puts the mark back.")
            say("The same text will be redacted again in what comes in later, unless `pmg config redact.allow` has it.")
            return
        rows = engine.reads.sealed.listed(namespace)
        if not rows:
            say("Nothing is sealed here. `pmg config redact.keep_sealed true` keeps what is taken out from now on.")
        lines = engine.reads.lines_of([row.segment for row in rows])
        for row in rows:
            said = lines[row.segment][row.line].text
            mark = redaction_mark(row.kind)
            size = row.size if row.is_restored else len(mark)
            around = f"{said[max(0, row.place - AROUND) : row.place]}{mark}{said[row.place + size :][:AROUND]}"
            say(
                f"{row.id:6}  {row.kind} · {row.segment_id}, line {row.line + 1}{' · restored' if row.is_restored else ''}"
            )
            quote(f"        {' '.join(around.split())}")


def _rescan(context: typer.Context, yes: bool, dry_run: bool) -> None:
    from pmg.forget import plan_rescan
    from pmg.forget import rescan as carry_out

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
            kept = engine.config.redact.keep_sealed
            last = "What is taken out of lines is kept sealed." if kept else "It cannot be undone."
            console.confirm(f"Put a mark in place of each? {last}")
        receipt = carry_out(engine, todo, progress)
        say(receipt.text.replace("Forgotten:", "Taken out:", 1))
    if not receipt.clean:
        raise typer.Exit(1)
