"""Commands that put in and get out: demo, remember, learn, recall, sessions, show.

How each reads on a terminal stands here; the engine stores and finds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pmg import sample
from pmg.base.errors import InputError, NotFound
from pmg.base.model import Edge, Segment, Session
from pmg.base.project import project_key, scope_asked
from pmg.base.text import counted
from pmg.base.times import parse_typed, shown
from pmg.cli.console import bar, path_of, quote, say, say_json, standard_input
from pmg.cli.root import app, engine_of, memory_of, namespace_of
from pmg.ingest import transcript
from pmg.ingest.turns import is_session_id

if TYPE_CHECKING:
    from pmg.client.memory_client import MemoryClient
    from pmg.client.results import SessionSegments
    from pmg.engine import Engine
    from pmg.ingest.pipeline import Ingested
    from pmg.recall.receipt import Recalled

_FILE_NAME = re.compile(r"^[~./\\]|^\w:\\|[^\s.]\.\w{1,8}$")
DEMO_QUESTION = "why is the release blocked?"


@app.command()
def demo(context: typer.Context) -> None:
    """Load the sample memory that comes with PMG and show a recall with its receipt."""
    with engine_of(context) as engine, bar() as progress:
        say("Loading the sample memory: a year of one person's chats …")
        done = engine.ingest(sample.sessions(), progress)
        report(done)
        if done.forgotten:
            say("In a namespace of its own it comes whole: pmg --namespace sample demo")
        say(f'\n$ pmg recall "{DEMO_QUESTION}" --why\n')
        show_recalled(engine.recall(DEMO_QUESTION, budget_tokens=900), why=True)
        say('\nAsk it something yourself: pmg recall "what dose does the doctor want me to take?" --why')


@app.command()
def remember(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            help="What you want remembered, in quotes. Or a session in a file (`User: …` lines; `[2026-05-17 21:30] Name: …` "
            "with times, on the clock of this machine where they name no zone), or - for standard input."
        ),
    ] = "",
    user: Annotated[str | None, typer.Option(help="What you said.")] = None,
    assistant: Annotated[str | None, typer.Option(help="What was answered.")] = None,
    title: Annotated[str, typer.Option(help="A title for the session.")] = "",
    at: Annotated[
        str,
        typer.Option(
            help="When it was said, like 2026-11-15T09:30+01:00; without a zone, on the clock of this machine."
        ),
    ] = "",
    session: Annotated[
        str, typer.Option(help="The id of the session to add to (`pmg sessions` lists them); a new id begins one.")
    ] = "",
    conversation: Annotated[
        str,
        typer.Option(help="The conversation a session belongs to, like a channel: people of one name are one in it."),
    ] = "",
) -> None:
    """Remember one turn, or a whole session from a file or standard input."""
    with memory_of(context) as memory, bar() as progress:
        if what and user is None and _is_sentence(what, is_one_turn=bool(assistant or title or at or session)):
            user, what = what, ""
        if what:
            _refuse_beside_a_file(what, user=user, assistant=assistant, title=title, at=at, session=session)
            text = _standard_input() if what == "-" else _text_of(path_of(Path(what)))
            sessions = [replace(one, conversation=conversation or one.conversation) for one in transcript.read(text)]
            report(memory.ingest(sessions, progress))
            return
        if user is None and assistant is None:
            raise InputError(
                'There is nothing to remember: give a sentence in quotes, a file, - for standard input, or --user "…".'
            )
        said_at = (
            parse_typed(at) if at else None
        )  # first: a time that cannot be read must not leave an empty session behind
        with memory.session(title, conversation=conversation, session_id=session, source="cli") as opened:
            segment_id = opened.add(user=user, assistant=assistant, at=said_at)
        say(f"Remembered as {segment_id}{_linked(memory, segment_id)}")


def _is_sentence(given: str, is_one_turn: bool) -> bool:
    """Words that name no file and do not look like the name of one: a mistyped file name must not be stored as a saying. So one word is
    a saying only beside an option that no file has."""
    names_a_file = given == "-" or _FILE_NAME.search(given) is not None or os.path.exists(path_of(Path(given)))  # noqa: PTH110 (a sentence may be too long for a path: that is no error here)
    return (is_one_turn or len(given.split()) > 1) and not names_a_file


def _refuse_beside_a_file(what: str, **options: str | None) -> None:
    """What a file holds says who, when and where by itself."""
    given = next((name for name, value in options.items() if value), "")
    if given:
        named = "standard input" if what == "-" else f"the file {what}"
        raise InputError(
            f"--{given} is for one turn, and {named} is given too: leave one of them out, or give what was said as --user."
        )


def _standard_input() -> str:
    try:
        return standard_input().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("Standard input is not UTF-8 text. Convert it first, for example with iconv.") from None


def _text_of(file: Path) -> str:
    if not file.is_file():
        raise NotFound(
            f'There is no file {file}. Give a session file, - for standard input, or what you want remembered as --user "…".'
        )
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text. `pmg import` reads exports and archives.") from None


def _linked(memory: Engine | MemoryClient, segment_id: str) -> str:
    links = sum(edge.kind.value != "chain" for edge in memory.edges(segment_id))
    return f", linked to {links} {'memory' if links == 1 else 'memories'}." if links else "."


@app.command()
def learn(context: typer.Context, files: Annotated[list[Path], typer.Argument(help="Text or Markdown files.")]) -> None:
    """Learn documents; later conversations about them are linked to them."""
    with engine_of(context) as engine, bar() as progress:
        for file in files:
            done = engine.learn(path_of(file), progress=progress)
            say(f"Learnt {file.name}: {counted(done.turns, 'piece')}, {done.known:,} known already.")


def report(done: Ingested) -> None:
    """What an ingest did, in plain words."""
    from pmg.ingest.redacted_places import place_rows

    links = sum(count for kind, count in done.built.edges.items())
    say(
        f"{counted(done.turns, 'turn')} of {counted(done.sessions, 'session')} remembered, {done.known:,} known already; "
        f"{counted(links, 'link')} made."
    )
    if done.built.duplicates:
        say(f"{done.built.duplicates} say what was said before: kept in their sessions, left out of recall.")
    if done.redacted:
        say("Secrets left out: " + ", ".join(f"{count} × {kind}" for kind, count in sorted(done.redacted.items())))
        for row in place_rows(done.places):
            quote(row)
    if done.forgotten:
        say(f"{counted(done.forgotten, 'turn')} of it you have forgotten here: what is forgotten does not come back.")
    for aside in done.aside:
        say(f"Kept aside: {aside}.")
    if done.built.waiting:
        say(f"{done.built.waiting} wait for the embedding model; words find them already.")


@app.command()
def recall(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What you want to know.")],
    why: Annotated[
        bool, typer.Option("--why", help="Print the receipt: why each memory is there, what was left out.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The whole result as JSON.")] = False,
    budget: Annotated[int | None, typer.Option(help="Tokens of the context block.")] = None,
    mode: Annotated[str, typer.Option(help="diffuse or fixed.")] = "",
    exclude_session: Annotated[list[str] | None, typer.Option(help="A session to leave out.")] = None,
    project: Annotated[
        str, typer.Option(help="Only what came from this project: a name, a folder or a repository.")
    ] = "",
) -> None:
    """Recall what matters for a question, as a dated context block."""
    with memory_of(context) as memory:
        knobs: dict[str, Any] = {"mode": mode} if mode else {}
        left_out = tuple(exclude_session or ())
        found = memory.recall(query, exclude_session=left_out, project=project, budget_tokens=budget, **knobs)
        if as_json:
            say_json({"context": found.context, "receipt": found.receipt.to_dict()})
        else:
            show_recalled(found, why, _note_of_fit(memory, found))


def _note_of_fit(memory: Engine | MemoryClient, found: Recalled) -> str:
    """Where nothing speaks for the question: what comes is only the nearest there is. Another server's memory cannot be asked for that."""
    from pmg.answer.speaks import NOTHING, speaks
    from pmg.engine import Engine

    if not found.segments or not isinstance(memory, Engine):
        return ""
    receipt, texts = found.receipt, [one.text for one in found.segments]
    return "" if speaks(memory, receipt.query, receipt.namespace, texts) else f"{NOTHING} What is nearest:"


def show_recalled(found: Recalled, why: bool, fit: str = "") -> None:
    receipt = found.receipt
    if fit:
        say(f"Note: {fit}")
    if receipt.note:
        say(f"Note: {receipt.note}")
    if found.context:
        quote(found.context)
    elif receipt.query.strip():
        say("Nothing in this memory answers that.")
    if why:
        show_receipt(found)


def show_receipt(found: Recalled) -> None:
    receipt = found.receipt
    say(f"\nWhy ({receipt.mode}; {receipt.used_tokens} of {receipt.budget_tokens} tokens; {found.milliseconds:.0f} ms)")
    if receipt.cues:
        say("  understood: " + "; ".join(receipt.cues))
    for place, entry in enumerate(receipt.found, 1):
        mark = "" if entry.in_context else "  (no room)"
        say(f"  {place:2}. {entry.segment}  {entry.role}  {entry.score:.3f}{mark}\n      {entry.why}")
    if receipt.dropped:
        say(f"  left out, {len(receipt.dropped)}:")
    for dropped in receipt.dropped[:8]:
        say(f"      {dropped.segment}  {dropped.score:.3f}  {dropped.reason}")


@app.command()
def sessions(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="How many, the newest last.", min=0)] = 50,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    project: Annotated[str, typer.Option(help="Only those of this project: a name, a folder or a repository.")] = "",
) -> None:
    """List the sessions."""
    with memory_of(context, model=False) as memory:
        scope = scope_asked(project)
        every = memory.sessions(namespace_of(memory))
        found = [s for s in every if scope is None or scope.has(project_key(s.meta))]
        if as_json:
            rows = [{"session": s.id, "title": s.title, "name": s.name, "source": s.source, "project": s.project,
                     "started_at": s.started_at.isoformat(), "segments": s.segments, "open": s.is_open} for s in found]  # fmt: skip
            return say_json(rows)
        if len(found) > limit:  # above the newest, where they would stand
            say(f"… {counted(len(found) - limit, 'earlier one')}: --limit {len(found)} shows all.")
        _list_sessions(found[max(len(found) - limit, 0) :])
        if not every:
            say("This memory is empty. `pmg demo` loads a sample; `pmg remember` adds a turn.")
    return None


@app.command()
def show(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="A segment (seg_…), a session, a conversation, or #12: a number of `pmg people list`.")
    ],
) -> None:
    """Show a segment with its edges, a session with its turns, a conversation with its sessions, or what is known of a person."""
    if name.startswith("#"):
        from pmg.cli.people import show as show_person

        return show_person(context, name)
    with memory_of(context, model=False) as memory:
        if name.startswith("seg_"):
            return show_segment(_counted_segment(memory, name), memory.edges(name))
        try:
            found = _session_segments(memory, name)
        except NotFound:
            sittings = [one for one in memory.sessions(namespace_of(memory)) if one.conversation == name]
            if not sittings:
                raise
            return _list_sessions(sittings)
        where = " · ".join(filter(None, (found.session.project, found.session.source)))
        quote(f"{found.session.name or found.session.id} · {where} · {shown(found.session.started_at)}")
        for segment in found.segments:
            quote(f"\n{segment.id} · {shown(segment.at)}{_state(segment)}\n{segment.text}")
    return None


def _counted_segment(memory: Engine | MemoryClient, name: str) -> Segment:
    """With the recalls of the last second, for how often it was recalled is shown."""
    from pmg.client.memory_client import MemoryClient

    if not isinstance(memory, MemoryClient):
        memory.flush_recalls()
    return memory.segment(name, namespace_of(memory))


def _session_segments(memory: Engine | MemoryClient, name: str) -> SessionSegments:
    from pmg.client.memory_client import MemoryClient
    from pmg.client.results import SessionSegments

    if isinstance(memory, MemoryClient):
        return memory.session_segments(name)
    namespace = memory.config.namespace
    session = memory.reads.session(memory.session_id(name, namespace)) if is_session_id(name) else None
    if session is None or session.namespace != namespace:
        person = f" For the person of that number: `pmg people show {name}`." if name.isdecimal() else ""
        raise NotFound(
            f"There is no session {name!r} and no conversation of that name. `pmg sessions` lists the sessions.{person}"
        )
    return SessionSegments(session, tuple(memory.reads.segments_of(session.id)))


def _list_sessions(found: Sequence[Session]) -> None:
    for s in found:
        quote(
            f"{shown(s.started_at)}  {counted(s.segments, 'turn'):>10}  {s.id}  {f'{s.project}: ' if s.project else ''}{s.name}{'  (open)' if s.is_open else ''}"
        )


def show_segment(segment: Segment, edges: list[Edge]) -> None:
    quote(
        f"{segment.id} · {shown(segment.at)}{_state(segment)} · recalled or said again {counted(segment.hits, 'time')}\n\n{segment.text}\n"
    )
    for edge in edges:
        outward = edge.source == segment.id
        other = edge.target if outward else edge.source
        say(f"  {edge.kind.value:15} {'→' if outward else '←'} {other}  {edge.weight:.2f}  {edge.origin.value}")


def _state(segment: Segment) -> str:
    if segment.stands_for:
        return f" · {segment.state.value} of {segment.stands_for}"
    return "" if segment.state.value == "active" else f" · {segment.state.value}"
