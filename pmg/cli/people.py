"""`pmg ask` and `pmg people …`: who said what about whom, what changed, and who is who.

How it reads on a terminal stands here; pmg/people answers, steward/people_edits.py keeps decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from pmg.base.errors import InputError
from pmg.base.model import USER_NAME
from pmg.base.text import counted
from pmg.cli.console import quote, say, say_json
from pmg.cli.root import app, engine_of, memory_of, steward_of

if TYPE_CHECKING:
    from pmg.answer.answered import Answered, AnswerLine
    from pmg.client.memory_client import MemoryClient
    from pmg.engine import Engine
    from pmg.store.people import StoredClaim

people = typer.Typer(help="Whom this memory knows, what was said of them, and what changed.", no_args_is_help=True)
app.add_typer(people, name="people")

MAX_SHOWN_BYTES = 700  # of a line of an answer: about eight rows of a terminal

Person = Annotated[str, typer.Argument(help="A name, like Anna, or 12: a number of `pmg people list`.")]
Topic = Annotated[
    str, typer.Argument(help="job, location, relationship, origin, pets, friends, or a thing by its name.")
]


@app.command()
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    as_of: Annotated[str, typer.Option(help="Answer from what was told by the end of this day, like 2023-06-01.")] = "",
    ids: Annotated[bool, typer.Option("--ids", help="With each line's segment.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, for a program.")] = False,
) -> None:
    """Ask your memory: the lines that answer, as the chat would."""
    with memory_of(context) as memory:
        found = _asked(memory, question, _day(as_of) if as_of else None)
    if as_json:
        from pydantic import TypeAdapter

        return say_json(TypeAdapter(type(found)).dump_python(found, mode="json"))
    quote(found.lead)
    for line in found.lines:
        quote(_told(line, found.question, ids))
    for note in found.notes:
        say(note)
    return None


def _told(line: AnswerLine, question: str, ids: bool) -> str:
    """As on the page: the words, and beneath them who said them, when and in which session. Of a long text the passages that bear on the question; `pmg show` has the whole."""
    from pmg.recall.passages import excerpt, passages, wanted_words

    words = excerpt(line.text, passages(line.text, wanted_words(question), MAX_SHOWN_BYTES))
    who = "You" if line.speaker in ("", USER_NAME) else line.speaker
    again = line.text.casefold().startswith(line.session_name.rstrip(" .…").casefold())
    where = f", in {line.session_name}" if line.session_name and not again else ""
    note = f" ({line.note})" if line.note else ""
    source = f"\n    {line.segment}" if ids else ""
    return f"{words}\n    {who}, {line.said_at.day} {line.said_at:%B %Y}{where}{note}{source}"


def _asked(memory: Engine | MemoryClient, question: str, day: date | None) -> Answered:
    from pmg.answer.ask import ask as answer
    from pmg.client.memory_client import MemoryClient

    if isinstance(memory, MemoryClient):
        return memory.ask(question, as_of=day)
    return answer(memory, question, as_of=day)


@people.command("list")
def list_people(context: typer.Context) -> None:
    """Everybody this memory knows, with their numbers."""
    from pmg.people.knowledge import Knowledge

    with engine_of(context, model=False) as engine:
        engine.extract()
        everybody = Knowledge.read(engine.reads.people, engine.config.namespace).people()
        if not everybody:
            say("Nobody is known yet: people are read from what is said in closed sessions.")
        for same in everybody:
            numbers = ", ".join(str(one.id) for one in same)
            where = ", ".join(one.conversation or "everywhere" for one in same)
            quote(f"{numbers:>8}  {same[0].name}  ({counted(sum(one.mentions for one in same), 'mention')}; {where})")


@people.command()
def show(context: typer.Context, name: Person) -> None:
    """What is known of a person: what holds, what changed, and what cannot both hold."""
    from pmg.people.facts import facts_of
    from pmg.people.knowledge import about
    from pmg.people.tools import detect_contradictions, find_person

    with engine_of(context, model=False) as engine:
        engine.extract()
        store, namespace = engine.reads.people, engine.config.namespace
        conflicts = detect_contradictions(store, namespace, name)
        ids = [one.id for one in find_person(store, namespace, name)]
        claims = about(store.claims(namespace, about=ids), ids)
        facts, lines = facts_of(claims), claim_lines(engine, claims)
        for fact in facts:
            until = f" until {fact.end}" if fact.end else ""
            days = f"before {fact.end}" if fact.is_former else f"{fact.start}{until}"
            quote(f"{days}  {lines[fact.claim.id]}")
        for one in conflicts:
            if not one.is_evolution:
                quote(f"cannot both hold: {lines[one.a.id]} / {lines[one.b.id]}: {one.suggestion}")
        if not facts:
            say(f"Nothing is claimed of {name} as a fact. `pmg recall` finds what was said.")


@people.command()
def timeline(context: typer.Context, topic: Topic, name: Person) -> None:
    """How something of a person's went on, conversation by conversation, and what the reconciler makes of it."""
    from pmg.people.reconcile import reconcile_topic
    from pmg.people.tools import get_entity_timeline

    with engine_of(context, model=False) as engine:
        engine.extract()
        store, namespace = engine.reads.people, engine.config.namespace
        steps = get_entity_timeline(store, namespace, topic, name)
        if not steps:
            say(
                f"Nothing is claimed of {name} that is about {topic}: job, location, relationship, or a thing by its name."
            )
        for step in steps:
            quote(f"{step.conversation} ({step.first}, with {', '.join(step.partners) or 'nobody else'})")
            for line in claim_lines(engine, step.claims).values():
                quote(f"    {line}")
        for verdict in reconcile_topic(store, namespace, topic, name):
            quote(f"{verdict.verdict.value}: {verdict.a} and {verdict.b}: {verdict.reason}")


@people.command("context")
def conversation_context(
    context: typer.Context,
    conversation: Annotated[str, typer.Argument(help="A conversation, as `pmg people timeline` names it.")],
    topic: Topic,
) -> None:
    """What one conversation says of something, each claim as a question and its answer."""
    from pmg.people.tools import get_conversation_context

    with engine_of(context, model=False) as engine:
        engine.extract()
        found = get_conversation_context(engine.reads.people, engine.config.namespace, conversation, topic)
        for one, form in zip(found.mentions, found.questions, strict=True):
            quote(
                f"{form.question} {form.answer}  (said by {one.claim.speaker}, {one.claim.said_at:%Y-%m-%d}, {one.claim.segment})"
            )


@people.command()
def compare(
    context: typer.Context,
    topic: Topic,
    a: Annotated[str, typer.Argument(help="A conversation.")],
    b: Annotated[str, typer.Argument(help="Another one.")],
    name: Person,
) -> None:
    """Two conversations side by side."""
    from pmg.people.tools import compare_entities_across_conversations

    with engine_of(context, model=False) as engine:
        engine.extract()
        quote(
            compare_entities_across_conversations(
                engine.reads.people, engine.config.namespace, topic, a, b, name
            ).overlap
        )


@people.command()
def reconcile(context: typer.Context) -> None:
    """Decide which people of one name are one; `pmg steward undo last` takes it back."""
    with engine_of(context, model=False) as engine:
        engine.extract()
        decided = steward_of(engine).reconcile(engine.config.namespace)
        if not decided:
            say("There is nothing to decide: no two people here have one name that was not decided on.")
        for one in decided:
            quote(
                f"{one.verdict.value}  {one.a.id} {one.a.name} ({one.a.conversation}) and {one.b.id} {one.b.name} ({one.b.conversation}): {one.reason}"
            )


@people.command()
def review(context: typer.Context) -> None:
    """Pairs that nobody could tell: decide with `pmg people decide`."""
    with engine_of(context, model=False) as engine:
        unsure = list(steward_of(engine).unsure(engine.config.namespace))
        if not unsure:
            say(
                "Nobody waits to be told apart. `pmg people reconcile` looks for people who may be one; the steward does so every night."
            )
        for a, b, decision in unsure:
            quote(f"{a.id} {a.name} ({a.conversation}) and {b.id} {b.name} ({b.conversation}): {decision.reason}")


@people.command()
def decide(
    context: typer.Context,
    a: Annotated[int, typer.Argument(help="A person's number.")],
    b: Annotated[int, typer.Argument(help="Another one's.")],
    verdict: Annotated[str, typer.Argument(help="merge or separate.")],
) -> None:
    """Say whether two are one person; it can be undone."""
    from pmg.store.people import Identity

    known = {"merge": Identity.MERGE, "separate": Identity.SEPARATE}
    with engine_of(context, model=False) as engine:
        if verdict.lower() not in known:
            raise InputError(f"{verdict!r} is no decision: say merge or separate.")
        steward_of(engine).identify(a, b, known[verdict.lower()], engine.config.namespace)
        say("Decided. `pmg steward undo last` takes it back.")


@people.command()
def rename(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="A person's number.")],
    name: Annotated[str, typer.Argument(help='The name to show; "" takes it away.')],
) -> None:
    """Give somebody another name; what was said stays as it was said."""
    with engine_of(context, model=False) as engine:
        steward_of(engine).rename(number, name, engine.config.namespace)
        say("Renamed. `pmg steward undo last` takes it back.")


def claim_lines(engine: Engine, claims: Sequence[StoredClaim]) -> dict[int, str]:
    """Each as a sentence or in the speaker's own words, with its source, as the People page shows it."""
    from pmg.store.people import Ruling
    from pmg.ui.people.claim_text import claim_text
    from pmg.ui.people.person_data import clauses_of

    words = clauses_of(engine, claims)
    given = _given_names(engine)
    found = {}
    for one in claims:
        claim = one.claim
        told = claim_text(
            claim, "" if one.ruling is Ruling.CORRECTED else words.get(one.id, ""), given.get(one.about, claim.subject)
        )
        said = f"“{told.text}”" if told.is_quote else told.text
        found[one.id] = f"{said} (claim {one.id}, said by {claim.speaker} on {claim.said_at:%Y-%m-%d}, {claim.segment})"
    return found


def _given_names(engine: Engine) -> dict[int, str]:
    """The name that was given by hand to a person, by each entity that is them."""
    from pmg.people.knowledge import Knowledge

    store, namespace = engine.reads.people, engine.config.namespace
    given, known = store.given_names(namespace), Knowledge.read(store, namespace)
    return {part: name for one, name in given.items() for part in known.person(one)} | given


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is not a day: write it like 2023-06-01.") from None
