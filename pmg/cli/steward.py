"""`pmg steward …`: plan, run, undo, history, review, archived, restore, pin, topics, topic.

How upkeep reads on a terminal stands here; steward/steward.py does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from pmg.base.errors import InputError
from pmg.base.model import Kind, Segment, State
from pmg.base.text import counted, printable
from pmg.base.times import shown
from pmg.cli import console
from pmg.cli.console import bar, say
from pmg.cli.root import app, engine_of, namespace_named, steward_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pmg.engine import Engine
    from pmg.store.rows import JournalEntry
    from steward.review import Runs, SideBySide

steward = typer.Typer(help="Look after the memory: everything it does can be undone.", no_args_is_help=True)
app.add_typer(steward, name="steward")

Tasks = Annotated[
    list[str] | None, typer.Argument(help="verify, score, merge, archive, links, backup, report; none: all.")
]
Full = Annotated[bool, typer.Option("--full", help="Look at the whole memory, not only at what is new.")]
Ids = Annotated[list[str], typer.Argument(help="Segment ids, like seg_…_3.")]
MAX_SHOWN = 20


@steward.command()
def plan(
    context: typer.Context,
    tasks: Tasks = None,
    full: Full = False,
    show_all: Annotated[bool, typer.Option("--all", help="Show every pair.")] = False,
) -> None:
    """Show what would be done, pairs side by side. Nothing is changed."""
    from steward.merge import MergePlan

    # Topics are found with the model, which reads titles: without it a plan would tell others than the run finds.
    with engine_of(context, model=not tasks or "links" in tasks) as engine, bar() as progress:
        upkeep, namespace = steward_of(engine), namespace_named(context, engine)
        for name, found in upkeep.plan(tasks or (), full=full, namespace=namespace, progress=progress).items():
            say(f"{name:8} {found.summary}")
            asks = upkeep.too_much(name, found, namespace)
            if asks:
                say(f"         ! {asks}")
            if isinstance(found, MergePlan):
                pairs = upkeep.pairs(found)
                for pair in pairs if show_all else pairs[:MAX_SHOWN]:
                    show_pair(pair)
                if len(pairs) > MAX_SHOWN and not show_all:
                    say(f"\n… and {len(pairs) - MAX_SHOWN} more: --all shows them")


def show_pair(pair: SideBySide) -> None:
    verdict = "differ in " + ", ".join(sorted({d.kind for d in pair.why})) if pair.why else "merge"
    number = f"pair {pair.review} · " if pair.review else ""
    say(f"\n{number}{verdict} · {pair.cosine:.0%} alike")
    for segment, lines in ((pair.a, pair.side(False)), (pair.b, pair.side(True))):
        pinned = " · pinned" if segment.pinned else ""
        say(f"  {segment.id} · {shown(segment.at)} · {counted(segment.hits, 'hit')}{pinned}")
        for speaker, runs in lines:
            console.terminal().out.print(_line(speaker, runs))


def _line(speaker: str, runs: Runs) -> Text:
    """What differs stands between marks, and in reverse where the terminal can."""
    text = Text(f"    {printable(speaker)}: ")
    for part, differs in runs:
        text.append(f"⟦{printable(part)}⟧" if differs else printable(part), style="reverse" if differs else "")
    return text


@steward.command()
def run(
    context: typer.Context,
    tasks: Tasks = None,
    full: Full = False,
    yes: Annotated[bool, typer.Option("--yes", help="Also if it would take a large share out of recall.")] = False,
) -> None:
    """Do it, and say what was done."""
    from steward.steward import in_words

    with engine_of(context) as engine, bar() as progress:
        namespace = namespace_named(context, engine)
        report = steward_of(engine).run(tasks or (), full=full, bulk=yes, namespace=namespace, progress=progress)
        say(in_words(report))
        for one in report.done:
            if one.asks:
                say(f"If you want this: pmg steward run {one.task} --yes")
        if steward_of(engine).can_undo(report.run):
            say(f"Undo all of it: pmg steward undo {report.run}")
    if report.asks:
        raise typer.Exit(2)


@steward.command()
def undo(
    context: typer.Context,
    what: Annotated[str, typer.Argument(help="An entry's number, a run, or `last`.")],
) -> None:
    """Put everything back as it was before, links and scores included."""
    from steward.journal import LAST

    with engine_of(context, model=False) as engine:
        namespace = namespace_named(context, engine)
        undone = steward_of(engine).undo(what, namespace=namespace)
        say(f"Undone: {counted(len(undone), 'change')} ({_kinds(undone)}) of run {undone[0].run}.")
        if what == LAST and (left := steward_of(engine).left_out(undone, namespace)):
            say(f"Left out: {counted(len(left), 'change')} ({_kinds(left)}) to memories that were forgotten since.")


def _kinds(entries: Sequence[JournalEntry]) -> str:
    return ", ".join(sorted({entry.action for entry in entries}))


@steward.command()
def history(context: typer.Context, limit: Annotated[int, typer.Option(help="Newest entries.", min=0)] = 50) -> None:
    """The journal: what was done, when, by whom and why."""
    with engine_of(context, model=False) as engine:
        entries = steward_of(engine).history(limit, namespace_named(context, engine))
        for entry in entries:
            mark = f"  (undone {shown(entry.undone_at)})" if entry.undone_at else ""
            say(f"{entry.id:6} {shown(entry.at)} {entry.run} {entry.actor:8} {entry.action:8} {entry.reason}{mark}")
        if not entries and limit:
            say("Nothing has been done yet.")


@steward.command()
def review(
    context: typer.Context,
    merge: Annotated[int | None, typer.Option(help="They are the same: merge pair ID.")] = None,
    keep: Annotated[int | None, typer.Option(help="Both are right: do not ask about pair ID again.")] = None,
    link: Annotated[tuple[int, str] | None, typer.Option(help="Both stay, linked: pair ID and a kind.")] = None,
    limit: Annotated[int, typer.Option(help="Pairs shown, those that wait longest.", min=0)] = MAX_SHOWN,
) -> None:
    """Pairs that sound alike and differ: look, and decide."""
    with engine_of(context, model=False) as engine:
        upkeep, namespace = steward_of(engine), engine.config.namespace
        if merge is not None:
            upkeep.decide(merge, "merge", namespace=namespace)
            return say(f"Pair {merge} is merged. pmg steward undo last brings it back.")
        if keep is not None:
            upkeep.decide(keep, "keep", namespace=namespace)
            return say(f"Pair {keep} stays as it is.")
        if link is not None:
            upkeep.decide(link[0], "link", _kind(link[1]), namespace)
            return say(f"Pair {link[0]} is linked: {link[1]}.")
        waiting, total = upkeep.review(namespace, limit), upkeep.to_review(namespace)
        for pair in waiting:
            show_pair(pair)
        rest = f", {len(waiting)} shown (--limit {total} shows all)" if len(waiting) < total else ""
        say(f"\n{total:,} to decide{rest}: --merge ID, --keep ID or --link ID KIND" if total else "Nothing to review.")
        if new := upkeep.uncompared():
            say(
                f"{counted(new, 'memory was', 'memories were')} not compared yet: `pmg steward run merge` lists their pairs here."
            )
    return None


def _kind(text: str) -> Kind:
    try:
        return Kind(text)
    except ValueError:
        known = ", ".join(kind.value for kind in Kind if kind not in (Kind.CHAIN, Kind.SEMANTIC))
        raise InputError(f"{text!r} is no kind of link: {known}.") from None


@steward.command()
def archived(context: typer.Context, query: Annotated[str, typer.Argument(help="What to look for.")] = "") -> None:
    """Search the archive, or list it."""
    with engine_of(context, model=bool(query)) as engine:
        found = steward_of(engine).search_archive(query, namespace=engine.config.namespace)
        for one in found:
            _show_segment(one.segment)
        nothing = "Nothing in the archive matches." if query.strip() else "The archive is empty."
        say("Bring one back: pmg steward restore SEGMENT" if found else nothing)


def _show_segment(segment: Segment) -> None:
    say(f"{segment.id} · {shown(segment.at)}")
    console.quote("  " + segment.text.replace("\n", "\n  ")[:400])


@steward.command()
def restore(context: typer.Context, segments: Ids) -> None:
    """Bring memories back into recall that were archived, or put away as said before."""
    with engine_of(context, model=False) as engine:
        count = steward_of(engine).restore(segments, engine.config.namespace)
        say(f"{count} back in recall." if count else "Nothing to bring back: all of it is in recall.")


@steward.command()
def pin(
    context: typer.Context, segments: Ids, off: Annotated[bool, typer.Option("--off", help="Unpin.")] = False
) -> None:
    """Keep memories in recall whatever their age; they never give way to another."""
    with engine_of(context, model=False) as engine:
        count = steward_of(engine).pin(segments, not off, engine.config.namespace)
        say(f"{count} {'unpinned' if off else 'pinned'}.")
        archived = [name for name in segments if engine.segment(name).state is State.ARCHIVED]
        if archived and not off:
            say(f"Still in the archive: {', '.join(archived)}. pmg steward restore brings back.")


@steward.command()
def topics(context: typer.Context) -> None:
    """What this memory is about, as found by the last `links` run: number, turns, name."""
    with engine_of(context, model=False) as engine:
        found = sorted(
            steward_of(engine).topics(engine.config.namespace), key=lambda topic: (-len(topic.members), topic.id)
        )
        for topic in found:
            marks = " · pinned" if topic.pinned else ""
            say(f"{topic.id:4} {len(topic.members):6}  {printable(topic.name)}{marks}")
        if not found:
            say("No topics yet: pmg steward run links finds them.")


@steward.command()
def topic(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="The topic's number, as `pmg steward topics` lists it.")],
    rename: Annotated[str | None, typer.Option(help="Call it this; the name stays from run to run.")] = None,
    merge: Annotated[int | None, typer.Option(help="Take this other topic into it.")] = None,
    split: Annotated[bool, typer.Option("--split", help="Take it apart into finer topics.")] = False,
    pin: Annotated[bool | None, typer.Option("--pin/--unpin", help="Whether it stays as it is.")] = None,
) -> None:
    """Change a topic by hand: name it, merge it, split it, pin it. Each can be undone."""
    with engine_of(context, model=False) as engine:
        if sum((rename is not None, merge is not None, split, pin is not None)) != 1:
            raise InputError("Say one of --rename NAME, --merge NUMBER, --split, --pin or --unpin.")
        say(f"{_changed_topic(engine, number, rename, merge, split, pin)} pmg steward undo last takes it back.")


def _changed_topic(
    engine: Engine, number: int, rename: str | None, merge: int | None, split: bool, pin: bool | None
) -> str:
    upkeep, namespace = steward_of(engine), engine.config.namespace
    if rename is not None:
        return f"Topic {number} is called {printable(upkeep.rename_topic(number, rename, namespace).name)}."
    if merge is not None:
        made = upkeep.merge_topics([number, merge], namespace)
        return f"{printable(made.name)} has {counted(len(made.members), 'turn')} now."
    if split:
        names = ", ".join(printable(one.name) for one in upkeep.split_topic(number, namespace))
        return f"Topic {number} is now: {names}."
    upkeep.pin_topic(number, bool(pin), namespace)
    return f"Topic {number} {'stays as it is' if pin else 'may change again'}."
