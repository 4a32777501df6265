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

from pmg.components import Components
from pmg.config import checked_namespace
from pmg.ingest import plaintext, quarantine, turns
from pmg.ingest.build import Built, build
from pmg.ingest.redact import KnownValues, Redactor
from pmg.ingest.redacted_places import RedactedPlace, places_of, some_places
from pmg.ingest.release import release
from pmg.ingest.turns import SessionInput
from pmg.model import Session
from pmg.progress import Progress, silent
from pmg.store.rows import NewSegment

STORE_AT_ONCE = 2_000  # turns a transaction: large enough to be fast, small enough to see progress
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


def ingest(
    components: Components, sessions: Iterable[SessionInput], redactor: Redactor, progress: Progress = silent
) -> Ingested:
    """Takes whole sessions in. Repeating it, wholly or partly, changes nothing."""
    done = Ingested()
    for batch in _batches(sessions):
        taken = store_turns(components, batch, redactor)
        done = Ingested(
            done.sessions + taken.sessions,
            done.turns + taken.turns,
            done.known + taken.known,
            done.redacted + taken.redacted,
            forgotten=done.forgotten + taken.forgotten,
            aside=(*done.aside, *taken.aside),
            places=some_places((*done.places, *taken.places)),
        )
        progress("storing turns", done.turns + done.known, 0)
    components.indexes.catch_up()
    if done.turns > STORE_AT_ONCE:
        components.store.release_pages()
        release()
    built = build(components, progress)
    return replace(done, built=built)


def store_turns(components: Components, sessions: Sequence[SessionInput], redactor: Redactor) -> Ingested:
    """redact → segment → persist for some sessions, in one transaction, closed; then their plain text."""
    limit = components.config.ingest.max_turn_bytes
    spaces = [checked_namespace(session.namespace or components.config.namespace) for session in sessions]
    redacted: Counter[str] = Counter()
    places: list[turns.PlacedTurn] = []
    begun_now: dict[str, Session] = {}
    aside: list[str] = []
    marked: list[RedactedPlace] = []
    known_count = forgotten = 0
    forgotten_digests = components.store.forgetting.digests()
    with components.store.writing():
        names, there = _names(components, sessions, spaces)
        known = {name: list[tuple[str, str]]() for name in names} | components.store.known_turns(sorted(there))
        free = {name: components.store.next_index(name) if turns_known else 0 for name, turns_known in known.items()}
        for session, name, space in zip(sessions, names, spaces, strict=True):
            secrets = KnownValues()
            whole_session = turns.clean_session(session, redactor, limit, secrets)
            cleaned = list(filter(quarantine.is_checked, whole_session))
            if len(cleaned) < len(whole_session):
                aside += quarantine.keep_unchecked(components.store, name, whole_session)
            fresh = turns.unseen([c.turn for c in cleaned], known[name])
            known_count += len(cleaned) - len(fresh)
            talk, came = session.conversation or name, len(fresh)
            fresh = [
                (t, digest) for t, digest in fresh if not forgotten_digests.hold(space, name, talk, digest, t.origin_id)
            ]
            forgotten += came - len(fresh)
            if not fresh:
                continue
            for c in cleaned:
                redacted.update(c.redacted)
                marked += places_of(name, c)
            begun = turns.started(session)
            moments = turns.times([turn for turn, _ in fresh], begun)
            if name not in there:
                there.add(name)
                begun_now[name] = _session(session, name, space, redactor.redact(session.title, secrets).text)
            sealed = {id(c.turn): c.sealed for c in cleaned if c.sealed}
            first = free[name]
            free[name] += len(fresh)
            places += [
                turns.PlacedTurn(turn, name, first + i, at, digest, sealed.get(id(turn), ()))
                for i, ((turn, digest), at) in enumerate(zip(fresh, moments, strict=True))
            ]
            known[name] = [*known[name], *((digest, turn.origin_id) for turn, digest in fresh)]
        new = turns.placed_together(places)
        changed = {segment.session_id for segment in new}
        older = sorted(changed - begun_now.keys())
        whole = _closed(begun_now, new)
        components.store.put_sessions(whole)
        components.store.append(new)
        components.store.close_sessions(older)
    plaintext.write_new(components, whole, new)
    plaintext.write_all(components, older)
    return Ingested(
        len(changed),
        len(new),
        known_count,
        redacted,
        forgotten=forgotten,
        aside=tuple(aside),
        places=some_places(marked),
    )


def _names(
    components: Components, sessions: Sequence[SessionInput], spaces: Sequence[str]
) -> tuple[list[str], set[str]]:
    """The sessions' names, and which of them are there. Another name where a session of another namespace has it: a wall has two sides."""
    names = [turns.session_name(session, space) for session, space in zip(sessions, spaces, strict=True)]
    taken = components.store.namespaces_of(names)
    there = {*taken}
    own = [
        name if taken.setdefault(name, space) == space else turns.behind_wall(name, space)
        for name, space in zip(names, spaces, strict=True)
    ]
    moved = [name for name, wished in zip(own, names, strict=True) if name != wished]
    return own, {*own} & (there | components.store.namespaces_of(moved).keys() if moved else there)


def _closed(begun: Mapping[str, Session], new: Sequence[NewSegment]) -> list[Session]:
    """Sessions that came whole: they ended with the last thing said in them."""
    ended: dict[str, datetime] = {}
    for segment in new:
        ended[segment.session_id] = max(ended.get(segment.session_id, segment.at), segment.at)
    return [replace(session, is_open=False, ended_at=ended[name]) for name, session in begun.items()]


def _session(session: SessionInput, name: str, namespace: str, title: str) -> Session:
    begun = turns.started(session)
    return Session(
        id=name,
        namespace=namespace,
        conversation=session.conversation or name,
        title=title,
        source=session.source,
        started_at=begun,
        ended_at=None,
        is_open=True,
        meta=session.meta,
    )


def _batches(sessions: Iterable[SessionInput]) -> Iterator[list[SessionInput]]:
    batch: list[SessionInput] = []
    size = characters = 0
    for session in sessions:
        batch.append(session)
        size += len(session.turns)
        characters += sum(len(line.text) for turn in session.turns for line in turn.lines)
        if size >= STORE_AT_ONCE or characters >= STORE_CHARACTERS:
            yield batch
            batch, size, characters = [], 0, 0
    if batch:
        yield batch
