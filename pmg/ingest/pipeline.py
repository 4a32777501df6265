"""Ingest: from turns to a linked memory.

The order of the stages, and what must be one transaction, stand here; each stage has a file of its own beside this one.

    redact → segment → store → window → embed → link, and the indexes follow

Turns are on disk after the first transaction; vectors and links come after it, batch by batch (build.py). So no step is ever
repeated by hand and none can be lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pmg.base.freed_memory import return_freed_memory
from pmg.base.model import Session
from pmg.base.progress import Progress, silent
from pmg.components import Components
from pmg.config import checked_namespace
from pmg.ingest import plaintext, turns
from pmg.ingest.build import Built, build
from pmg.ingest.new_turns import NewTurns
from pmg.ingest.redact import Redactor
from pmg.ingest.redacted_places import RedactedPlace, some_places
from pmg.ingest.turns import SessionInput
from pmg.store.rows import NewSegment

STORE_BATCH = 2_000  # turns a transaction: large enough to be fast, small enough to see progress
STORE_CHARACTERS = 16_000_000  # … and of text, so that a few enormous turns do not fill the memory


@dataclass(frozen=True, slots=True)
class Ingested:
    """What one ingest did."""

    sessions: int = 0
    turns: int = 0
    known: int = 0  # turns that were there already
    redacted: Counter[str] = field(default_factory=Counter)
    built: Built = field(default_factory=Built)
    forgotten: int = 0  # turns that the person has forgotten: they do not come back
    places: tuple[RedactedPlace, ...] = ()  # where something was taken out: some of every kind
    aside: tuple[str, ...] = ()  # what became of turns on which a redaction rule failed, one text each
    changed: int = 0  # of the known: came with other words under the origin id of a stored turn, which stays as it is

    def __add__(self, other: Ingested) -> Ingested:
        return Ingested(
            self.sessions + other.sessions,
            self.turns + other.turns,
            self.known + other.known,
            self.redacted + other.redacted,
            self.built + other.built,
            self.forgotten + other.forgotten,
            some_places((*self.places, *other.places)),
            self.aside + other.aside,
            self.changed + other.changed,
        )


def ingest(
    components: Components,
    sessions: Iterable[SessionInput],
    redactor: Redactor,
    progress: Progress = silent,
    long_told: set[int] | None = None,
) -> Ingested:
    """Takes whole sessions in. Repeating it, wholly or partly, changes nothing. `long_told`: as `build` says."""
    done = Ingested()
    for batch in _batches(sessions):
        done += store_turns(components, batch, redactor)
        progress("storing turns", done.turns + done.known, 0)
    components.indexes.catch_up()
    if done.turns > STORE_BATCH:
        components.store.release_pages()
        return_freed_memory()
    built = build(components, progress, long_told)
    return replace(done, built=built)


def store_turns(components: Components, sessions: Sequence[SessionInput], redactor: Redactor) -> Ingested:
    """redact → segment → persist for some sessions, in one transaction, closed; then their plain text."""
    namespaces = [checked_namespace(session.namespace or components.config.namespace) for session in sessions]
    with components.store.writing():
        names, there = _names(components, sessions, namespaces)
        found = NewTurns.of(components, redactor, names, there)
        for session, name, namespace in zip(sessions, names, namespaces, strict=True):
            found.add(session, name, namespace)
        new = turns.placed_together(found.placed)
        changed = {segment.session_id for segment in new}
        older = sorted(changed - found.begun.keys())
        whole = _closed(found.begun, new)
        components.store.put_sessions(whole)
        components.store.append(new)
        components.store.close_sessions(older)
    plaintext.write_new(components, whole, new)
    plaintext.write_all(components, older)
    return Ingested(
        len(changed),
        len(new),
        found.seen,
        found.redacted,
        forgotten=found.forgotten,
        aside=tuple(found.aside),
        places=some_places(found.marks),
        changed=found.changed,
    )


def _names(
    components: Components, sessions: Sequence[SessionInput], namespaces: Sequence[str]
) -> tuple[list[str], set[str]]:
    """The sessions' names, and which of them are there. Another name where a session of another namespace has it."""
    names = [turns.session_name(session, namespace) for session, namespace in zip(sessions, namespaces, strict=True)]
    others = [turns.id_in_namespace(name, namespace) for name, namespace in zip(names, namespaces, strict=True)]
    taken = components.store.namespaces_of([*names, *others])
    there = {*taken}
    own = []
    for name, namespace in zip(names, namespaces, strict=True):
        own.append(turns.name_here(name, namespace, taken))
        taken.setdefault(own[-1], namespace)
    return own, {*own} & there


def _closed(begun: Mapping[str, Session], new: Sequence[NewSegment]) -> list[Session]:
    """Sessions that came whole: they ended with the last thing said in them."""
    ended: dict[str, datetime] = {}
    for segment in new:
        ended[segment.session_id] = max(ended.get(segment.session_id, segment.at), segment.at)
    return [replace(session, is_open=False, ended_at=ended[name]) for name, session in begun.items()]


def _batches(sessions: Iterable[SessionInput]) -> Iterator[list[SessionInput]]:
    batch: list[SessionInput] = []
    size = characters = 0
    for session in sessions:
        batch.append(session)
        size += len(session.turns)
        characters += sum(len(line.text) for turn in session.turns for line in turn.lines)
        if size >= STORE_BATCH or characters >= STORE_CHARACTERS:
            yield batch
            batch, size, characters = [], 0, 0
    if batch:
        yield batch
