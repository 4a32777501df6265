"""What a session is given: the memories that bear on a prompt, or where the work in a folder was left.

Knows: how they are chosen and that the block stays within a budget, repeats nothing, and is the same for a retry. Whether it comes in
time is decided by deadline.py; what was given before stands in given.py.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from pmg.answer.message import MessageKind, is_small_talk, kind_of
from pmg.base.model import Passage, Role, Segment, Session, State
from pmg.base.project import CWD, Project, ProjectScope, path_of, project_in, project_key
from pmg.base.words import STOP_WORDS, count_words
from pmg.engine import Engine
from pmg.importers.turns import conversation_id
from pmg.recall.assemble import assemble
from pmg.recall.pack import BlockItem
from pmg.recall.receipt import Recalled
from pmg.server.answers import passage_of
from pmg.server.bearing import bearing_memories
from pmg.server.here import recall_here
from pmg.server.hooks.events import HookEvent
from pmg.server.hooks.given import GivenBlock, GivenMemories, digest
from pmg.store.rows import Numbers

BUDGET = 800  # tokens
REMARK_TOKENS = 40  # of them, for a remark on where it comes from
LAST_SESSIONS = 3  # of a folder, each with the end of it
LAST_TURNS = 2
LEFT_OPEN = ("the next step", "it was decided")
MAX_LOOKED_AT = 50  # memories that are looked through for them
MIN_WORDS = (
    2  # that say something: "go on" asks for nothing. One is enough for a question about the person or somebody by name
)
LONG_WORD = 4  # letters: a folder called src or app says nothing
RECENT = "recent"
RESUMED = "resume"
LOSING = ("compact", "clear", RESUMED)  # why a session starts, where it does not hold what it was given before
_WORD = re.compile(r"\w+")
# "Which bike do I have?", "Who is Anna?", and not "can you fix this?"
_ABOUT_SOMEBODY = re.compile(
    r"\b(?:(?i:i|me|my|mine|we|us|our|ours|who|whom|whose|ich|mir|mich|meine?[nmrs]?|wir|uns|unsere?[nmrs]?|wer|wem|wen|wessen)\b|(?<!^)(?<![.!?:] )[A-ZÀ-Þ]\w)"
)


@dataclass(frozen=True, slots=True)
class Injection:
    """What one event is answered with; the session remembers it once it was answered in time."""

    session: str
    block: GivenBlock


@dataclass(frozen=True, slots=True)
class Chosen:
    """A block and the numbers of what stands in it."""

    text: str = ""
    numbers: tuple[int, ...] = ()


def inject(engine: Engine, given: GivenMemories, namespace: str, event: HookEvent) -> Injection:
    """The same event twice in a row is a retry, and gets the same again: the same bytes, unless a memory in them has changed."""
    session = given_to(namespace, event)
    asked = _asked(event)
    known = given.to(session)
    again = asked == known.last.asked
    if again and known.last.text and known.last.made_from == _state(engine, known.last.numbers):
        return Injection(session, known.last)
    before = known.before if again else known.numbers
    found = _chosen(engine, namespace, event, before, known.compacted_at)
    return Injection(session, GivenBlock(asked, found.numbers, found.text, _state(engine, found.numbers)))


def note_loss(given: GivenMemories, namespace: str, event: HookEvent) -> None:
    """A tool that compacts or clears its context, or reads it in anew, no longer holds what it was given. A retry is no second loss."""
    session = given_to(namespace, event)
    if event.name == event.tool.compaction:
        given.lost(session, time.time())
    elif event.name == event.tool.start and event.source in LOSING and given.to(session).last.asked != _asked(event):
        given.lost(session, 0.0 if event.source == RESUMED else time.time())


def given_to(namespace: str, event: HookEvent) -> str:
    """The name under which it is kept what this session was given."""
    return digest(namespace, event.tool.name, event.session)


def _asked(event: HookEvent) -> str:
    return digest(event.name, event.source, event.prompt)


def _state(engine: Engine, numbers: Sequence[int]) -> str:
    return state_of(engine.reads.segments(numbers) if numbers else [])


def state_of(memories: Iterable[Segment]) -> str:
    """Changes when one of these memories says something else, or is no longer to be shown."""
    found = sorted(memories, key=lambda one: one.number)
    return digest(*(f"{one.number} {one.state.value} {one.title} {one.text}" for one in found))


def numbers_in_block(found: Recalled) -> tuple[int, ...]:
    inside = {entry.segment for entry in found.receipt.found if entry.in_context}
    return tuple(one.number for one in found.segments if one.id in inside)


def _chosen(engine: Engine, namespace: str, event: HookEvent, before: Sequence[int], compacted_at: float) -> Chosen:
    own = own_sessions(engine, namespace, event)
    if event.name == event.tool.prompt:
        if not asks_memory(event.prompt):
            return Chosen()
        if compacted_at:  # what it said before that is no longer before it
            held = _said_since(engine, own, compacted_at)
            return _recalled(engine, namespace, event, own, (), (*before, *held))
        return _recalled(engine, namespace, event, own, own, before)
    recent = _recent(engine, namespace, event.cwd, {one.id for one in own}, set(before))
    return recent if recent.text else _named(engine, namespace, event.cwd, own, before)


def own_sessions(engine: Engine, namespace: str, event: HookEvent) -> list[Session]:
    """What is stored of this very session: it holds that already."""
    name = conversation_id(event.tool.source, event.session)
    return engine.reads.exchange.sessions_of(namespace, [name])[name]


def _said_since(engine: Engine, own: Iterable[Session], moment: float) -> list[int]:
    with engine.indexes.lock.reading():
        numbers = _numbers_of(engine, own)
        said_at = engine.indexes.catalogue.segment("said_at")[numbers]
    found: list[int] = numbers[said_at >= 1_000_000 * moment].tolist()
    return found


def _numbers_of(engine: Engine, sessions: Iterable[Session]) -> Numbers:
    """By the catalogue, in their order: to read the words of a session of thousands of turns takes longer than a tool waits. What it does not have yet no
    recall finds either."""
    catalogue = engine.indexes.catalogue
    codes = [code for one in sessions if (code := catalogue.sessions.find(one.id)) >= 0]
    numbers: Numbers = np.flatnonzero(np.isin(catalogue.segment("session")[: catalogue.size + 1], codes))
    return numbers[numbers > 0]  # there is no segment 0


def asks_memory(prompt: str) -> bool:
    """Whether a prompt says enough to look for: no command of the tool, no small talk, no bare "go on"."""
    said = prompt.strip()
    if not said or said.startswith(("/", "!")) or (len(said) < 200 and is_small_talk(said)):
        return False
    telling = [word for word in _WORD.findall(said[:2_000].lower()) if word not in STOP_WORDS]
    enough = 1 if kind_of(said) is MessageKind.QUESTION and _ABOUT_SOMEBODY.search(said[:2_000]) else MIN_WORDS
    return sum(count_words(word) for word in telling) >= enough


def folder_words(cwd: str) -> str:
    """What a project is called: the last folder of its path, as words; empty where that says nothing (src, app)."""
    name = path_of(cwd).name
    words = [word for word in _WORD.findall(name.replace("_", " ").lower()) if word not in STOP_WORDS]
    return " ".join(words) if any(len(word) >= LONG_WORD for word in words) else ""


def _recalled(
    engine: Engine,
    namespace: str,
    event: HookEvent,
    own: Iterable[Session],
    left_out: Iterable[Session],
    before: Sequence[int],
) -> Chosen:
    """Nothing where nothing found bears on the prompt: nobody asked the memory, so the nearest there is would be noise."""
    here = project_in(
        event.cwd, *(one.meta.get(CWD, "") for one in own)
    )  # a tool may have changed its folder on the way

    def ask(scope: ProjectScope | None) -> Recalled:
        return engine.recall(
            event.prompt,
            namespace=namespace,
            exclude_session=[session.id for session in left_out],
            exclude_segments=before,
            project=scope or "",
            budget_tokens=BUDGET - REMARK_TOKENS,
        )

    found = recall_here(engine, here, event.prompt, ask)
    return Chosen(found.text, numbers_in_block(found.recalled)) if found.bears else Chosen()


def _named(engine: Engine, namespace: str, cwd: str, own: Iterable[Session], before: Sequence[int]) -> Chosen:
    """What speaks of a project by its name; another may have the same. What merely sounds like it would be noise, for nobody has asked anything yet."""
    name = folder_words(cwd)
    if not name:
        return Chosen()
    left_out = [session.id for session in own]
    found = engine.recall(
        name, namespace=namespace, exclude_session=left_out, exclude_segments=before, budget_tokens=BUDGET
    )
    speaking = [one.number for one in found.segments if all(word in one.text.lower() for word in name.split())]
    return _quoted(engine, namespace, speaking)


def _recent(engine: Engine, namespace: str, cwd: str, own: set[str], before: set[int]) -> Chosen:
    """How the last sessions in this folder ended, the latest first."""
    project = project_in(cwd)
    if project is None:
        return Chosen()
    here = (s for s in sorted(engine.sessions(namespace), key=_when, reverse=True)
            if project.has(project_key(s.meta)) and s.id not in own)  # fmt: skip
    last = list(islice(here, LAST_SESSIONS))
    numbers = _left_open(engine, namespace, project, {session.id for session in last}, before)
    for session in last:
        numbers += [number for number in reversed(_ending(engine, namespace, session)) if number not in before]
    return _quoted(engine, namespace, list(dict.fromkeys(numbers)))


def _left_open(engine: Engine, namespace: str, project: Project, last: set[str], before: Collection[int]) -> list[int]:
    """The next step and the last decision, where the last sessions say so."""
    found: list[int] = []
    for wanted in LEFT_OPEN:
        some = engine.recall(
            wanted, namespace=namespace, project=ProjectScope(project), limit=MAX_LOOKED_AT, count=False
        )
        bearing = bearing_memories(engine, some).keys() - set(before)
        inside = [one for one in some.segments if one.number in bearing and one.session_id in last]
        found += [one.number for one in sorted(inside, key=lambda one: (one.at, one.number))[-1:]]
    return found


def _ending(engine: Engine, namespace: str, session: Session) -> list[int]:
    with engine.indexes.lock.reading():
        numbers, catalogue = _numbers_of(engine, [session]), engine.indexes.catalogue
        shown = catalogue.recallable(numbers, catalogue.namespaces.find(namespace))
        told = ~catalogue.segment("asked")[numbers]
    last: list[int] = numbers[shown & told][-LAST_TURNS:].tolist()
    return last


def _when(session: Session) -> tuple[float, str]:
    return ((session.ended_at or session.started_at).timestamp(), session.id)


def _may(one: Segment, namespace: str) -> bool:
    return one.namespace == namespace and one.state is State.ACTIVE


def _without_notes(one: Passage) -> Passage:
    """Without what a tool told its model about itself, which nobody said; a turn that holds nothing else stays as it is."""
    said = tuple(line for line in one.lines if line.role is not Role.SYSTEM)
    return replace(one, lines=said) if said else one


def _quoted(engine: Engine, namespace: str, numbers: Sequence[int]) -> Chosen:
    """As many of these as fit, the first ones first."""
    held = {one.number: one for one in engine.reads.segments(numbers)} if numbers else {}
    rows = [held[number] for number in numbers if number in held and _may(held[number], namespace)]
    items = [BlockItem(_without_notes(passage_of(one)), RECENT) for one in rows]
    made = assemble(items, BUDGET, engine.reads.store_id, engine.config.recall.flag_instructions)
    return Chosen(made.text, tuple(one.item.segment.number for one in made.placed))
