"""Ingest: from turns to a linked memory.

Knows: the order of the stages and what must be one transaction. Does not know: how each stage works.

    redact → archive → segment → window → embed → link → persist, then the indexes follow

Turns are on disk after the first transaction; vectors and links come after it, batch by batch, and are found missing and made
whenever they are (after a kill, or when there was no model). So no step is ever repeated by hand and none can be lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from pmg.components import Components
from pmg.config import checked_namespace
from pmg.index.catalogue import STATES
from pmg.index.indexes import silent
from pmg.index.vector import VectorIndex
from pmg.ingest import duplicates, link, plaintext, turns
from pmg.ingest.redact import Redactor
from pmg.ingest.release import release
from pmg.ingest.turns import SessionInput
from pmg.ingest.vectors import embed_lines
from pmg.model import Kind, Session, State
from pmg.store.rows import NewSegment, NewVectors, Numbers, PendingLine, StateChange, StoreModel
from pmg.times import now

Progress = Callable[[str, int, int], None]

ACTIVE = STATES.index(State.ACTIVE)
STORE_AT_ONCE = 2_000  # turns a transaction: large enough to be fast, small enough to see progress
STORE_CHARACTERS = 16_000_000  # … and of text, so that a few enormous turns do not fill the memory
BUILD_AT_ONCE = 256  # segments embedded and linked a transaction: what a kill may cost
RELEASE_AFTER = 32  # such batches: what was written is not needed in memory any more


@dataclass(frozen=True, slots=True)
class Ingested:
    """What one ingest did."""

    sessions: int = 0
    turns: int = 0
    known: int = 0  # turns that were there already
    redacted: Counter[str] = field(default_factory=Counter)
    built: Built = field(default_factory=lambda: Built())
    forgotten: int = 0  # turns that the person has forgotten: they do not come back


@dataclass(frozen=True, slots=True)
class Built:
    """What was embedded and linked. `waiting` segments have no vectors because there is no model."""

    segments: int = 0
    duplicates: int = 0
    edges: Counter[Kind] = field(default_factory=Counter)
    waiting: int = 0

    def __add__(self, other: Built) -> Built:
        return Built(
            self.segments + other.segments,
            self.duplicates + other.duplicates,
            self.edges + other.edges,
            max(self.waiting, other.waiting),
        )


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
    known_count = forgotten = 0
    marks = components.store.forgetting.marks()
    with components.store.writing():
        names, there = _names(components, sessions, spaces)
        known = {name: list[tuple[str, str]]() for name in names} | components.store.known_turns(sorted(there))
        free = {name: components.store.next_index(name) if turns_known else 0 for name, turns_known in known.items()}
        for session, name, space in zip(sessions, names, spaces, strict=True):
            cleaned = [turns.clean(turn, redactor, limit) for turn in session.turns]
            fresh = turns.unseen([c.turn for c in cleaned], known[name])
            known_count += len(cleaned) - len(fresh)
            talk, came = session.conversation or name, len(fresh)
            fresh = [(t, digest) for t, digest in fresh if not marks.hold(space, name, talk, digest, t.origin_id)]
            forgotten += came - len(fresh)
            if not fresh:
                continue
            for c in cleaned:
                redacted.update(c.redacted)
            begun = turns.started(session)
            moments = turns.times([turn for turn, _ in fresh], begun)
            if name not in there:
                there.add(name)
                begun_now[name] = _session(session, name, space, redactor)
            first = free[name]
            free[name] += len(fresh)
            places += [
                turns.PlacedTurn(turn, name, first + i, at, digest)
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
    return Ingested(len(changed), len(new), known_count, redacted, forgotten=forgotten)


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


def _session(session: SessionInput, name: str, namespace: str, redactor: Redactor) -> Session:
    begun = turns.started(session)
    return Session(
        id=name,
        namespace=namespace,
        conversation=session.conversation or name,
        title=redactor.redact(session.title).text,
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


def build(components: Components, progress: Progress = silent) -> Built:
    """window → embed → link → persist for everything that still lacks it."""
    done = Built()
    if components.embedder is None:
        held = components.store.model
        components.indexes.waiting = components.store.pending(held.generation if held else 0)
        return Built(waiting=components.indexes.waiting)
    embedder = components.embedder
    model = components.store.use_model(embedder.name, embedder.fingerprint, embedder.dimension)
    while len(waiting := components.store.pending_segments(model.generation)):
        if not components.indexes.knows(waiting):
            components.indexes.catch_up()  # another thread closed a session since
        total = done.segments + len(waiting)
        for number, some in enumerate(np.split(waiting, range(BUILD_AT_ONCE, len(waiting), BUILD_AT_ONCE)), 1):
            lines = components.store.lines_to_embed(some)
            done += connect(components, model, some, lines, embed_lines(lines, embedder))
            progress("embedding and linking", done.segments, total)
            if number % RELEASE_AFTER == 0:
                components.store.release_pages()
                release()
        if len(waiting) <= BUILD_AT_ONCE:
            break  # done in a moment: nobody need look again at once
    components.indexes.waiting = 0
    return done


def connect(
    components: Components, model: StoreModel, segments: Numbers, lines: Sequence[PendingLine], vectors: NewVectors
) -> Built:
    """link → persist for one batch, in one transaction; then the indexes take it in."""
    near = nearest(components, vectors, segments, components.indexes.vector)
    twins = duplicates.find(components, lines, vectors, near)
    made = edges_of_batch(components, near, twins)
    edges = link.as_arrays(made)
    with components.store.writing():
        ids = components.store.put_vectors(model.generation, vectors, segments.tolist())
        components.store.put_edges(edges)
        components.store.change_states([StateChange(s, State.DUPLICATE, older) for s, older in twins.items()])
        components.store.add_hits(list(twins.values()), now())
    active = components.indexes.catalogue.segment("state")[vectors.segment] == ACTIVE
    kept = active & ~np.isin(vectors.segment, np.array(list(twins), dtype=np.int64))
    components.indexes.absorb(ids, vectors.line, vectors.vectors, kept, [edges])
    if twins:
        components.indexes.catch_up()
    return Built(len(segments), len(twins), Counter(row[2] for row in made))


def nearest(
    components: Components, vectors: NewVectors, segments: Numbers, index_of: Callable[[str], VectorIndex | None]
) -> link.Neighbours:
    """For every segment of the batch its nearest older segments of other sessions, inside its namespace."""
    catalogue = components.indexes.catalogue
    wanted = max(
        components.config.ingest.edge_cap, components.config.ingest.link_top, 1
    )  # a repeat is looked for at any setting
    floor = min(
        components.thresholds.edge,
        components.thresholds.link,
        components.thresholds.extend,
        components.thresholds.ingest_duplicate,
    )
    session, space = catalogue.segment("session"), catalogue.segment("namespace")
    found = []
    for code in np.unique(space[vectors.segment]):
        mine = np.flatnonzero(space[vectors.segment] == code)
        found.append(_inside(components, vectors, mine, index_of(catalogue.namespaces.names[int(code)]), wanted))
    rows, other, score = (np.concatenate([part[i] for part in found]) if found else np.empty(0) for i in range(3))
    elsewhere = session[rows.astype(np.int64)] != session[other.astype(np.int64)]
    return link.neighbours(
        rows[elsewhere].astype(np.int64),
        other[elsewhere].astype(np.int64),
        score[elsewhere].astype(np.float32),
        floor,
        segments,
    )


def _inside(
    components: Components, vectors: NewVectors, mine: Numbers, index: VectorIndex | None, wanted: int
) -> tuple[Numbers, Numbers, link.Scores]:
    """Hits of some windows of the batch in their namespace: in the index, and among the batch itself."""
    catalogue = components.indexes.catalogue
    segment, matrix = vectors.segment[mine], vectors.vectors[mine]
    session = catalogue.segment("session")
    found = [link.within_batch(matrix, segment, session[segment], 2 * wanted)]
    if index is not None and len(index):
        ids = index.ids()
        home = session[catalogue.segments_of_lines(catalogue.lines_of_windows(ids))]
        own = np.bincount(home, minlength=int(session.max()) + 1)[session[segment]]
        # A session that is most of its namespace would fill every answer with itself: it is compared with the others only.
        large = own > len(index) - own
        for code in np.unique(session[segment[large]]):
            rows = np.flatnonzero(large & (session[segment] == code))
            found.append(_among(components, index, ids[home != code], segment[rows], matrix[rows], 2 * wanted))
        rows = np.flatnonzero(~large)
        if len(rows):
            found.append(_searched(components, index, segment[rows], matrix[rows], wanted))
    rows_found, other, score = (np.concatenate([part[i] for part in found]) for i in range(3))
    return rows_found, other, score


def _among(
    components: Components, index: VectorIndex, ids: Numbers, segment: Numbers, matrix: NDArray[np.float32], k: int
) -> tuple[Numbers, Numbers, link.Scores]:
    """The k nearest of some windows, compared with each of them."""
    catalogue = components.indexes.catalogue
    if not len(ids):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    similar = matrix @ index.vectors_of(ids).T
    k = min(k, len(ids))
    nearest_ids = np.argpartition(-similar, k - 1, axis=1)[:, :k]
    found = catalogue.segments_of_lines(catalogue.lines_of_windows(ids[nearest_ids.ravel()]))
    return np.repeat(segment, k), found, np.take_along_axis(similar, nearest_ids, axis=1).ravel()


def _searched(
    components: Components, index: VectorIndex, segment: Numbers, matrix: NDArray[np.float32], wanted: int
) -> tuple[Numbers, Numbers, link.Scores]:
    catalogue = components.indexes.catalogue
    session = catalogue.segment("session")
    k = min(2 * wanted, len(index))
    while True:
        hits = index.search(matrix, k)
        real = hits.ids >= 0
        found = np.zeros_like(hits.ids)
        found[real] = catalogue.segments_of_lines(catalogue.lines_of_windows(hits.ids[real]))
        useful = real & (session[found] != session[segment][:, None])
        # A long session can fill the whole answer with itself: ask for more until every row has enough of others.
        short = (useful.sum(axis=1) < wanted) & (hits.scores[:, -1] >= components.thresholds.edge)
        if k >= len(index) or k >= 1024 or not short.any():
            break
        k = min(4 * k, len(index))
    at = np.nonzero(useful)
    return segment[at[0]], found[at], hits.scores[at]


def edges_of_batch(
    components: Components, near: link.Neighbours, twins: dict[int, int]
) -> list[tuple[int, int, Kind, float]]:
    catalogue, limits = components.indexes.catalogue, components.thresholds
    rule = link.LinkRule(
        limits.edge, limits.link, limits.extend, components.config.ingest.edge_cap, components.config.ingest.link_top
    )
    said, document = catalogue.segment("said_at"), catalogue.segment("document")
    made: list[tuple[int, int, Kind, float]] = []
    for i, segment in enumerate(near.segment.tolist()):
        if segment in twins:
            continue
        other, score = near.of(i)
        if twins:
            alive = np.array([number not in twins for number in other.tolist()], dtype=np.bool_)
            other, score = other[alive], score[alive]
        newer = (said[other] > said[segment]) | ((said[other] == said[segment]) & (other > segment))
        about = document[other] & ~document[segment]
        made += link.edges_for(segment, other, score, about, newer, rule)
    return made
