"""What follows a turn that is on disk: its windows, its vectors, its links.

They are found missing and made, whenever that is: at once, after a kill, or when there was no model. Turns of a session that is still
open get their vectors too, and their links when it is closed. How a batch is linked and written stands in connect.py.

    window → embed → link → persist, then the indexes follow
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pmg.base.freed_memory import return_freed_memory
from pmg.base.model import Kind, State
from pmg.base.progress import Progress, silent
from pmg.components import Components
from pmg.embed.embedder import Embedder
from pmg.index.catalogue import STATES
from pmg.ingest.connect import BUILD_BATCH, batches, connect, vectors_held
from pmg.ingest.vectors import WindowsDone, embed_lines
from pmg.store.rows import NewVectors, Numbers, PendingLine, StoreModel

ACTIVE = STATES.index(State.ACTIVE)
EMBEDDING = "embedding and linking (words)"  # its progress: one segment may have as many words as a thousand others
# Characters a transaction, of a batch of segments: what a kill or a stop may cost, and what a turn of megabytes may hold up.
BATCH_CHARACTERS = 50_000
LITTLE_WORDS = 4_000  # embedded in a few seconds on two cores: so long somebody who asks may wait
RELEASE_AFTER = 32  # such batches: what was written is not needed in memory any more


@dataclass(frozen=True, slots=True)
class Built:
    """What was embedded and linked. `waiting` segments have no vectors yet: there is no model, or too much waits to be done at once."""

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


def build(components: Components, progress: Progress = silent, long_told: set[int] | None = None) -> Built:
    """window → embed → link → persist for everything that still lacks it; turns of open sessions are not linked yet.

    With `long_told`, whoever embeds turns of that kind by themselves has these in hand: they are left, and others like them are added.
    """
    done = Built()
    if components.embedder is None:
        return Built(waiting=count_waiting(components))
    embedder = components.embedder
    model = components.store.use_model(embedder.name, embedder.fingerprint, embedder.dimension)
    while len(waiting := _without(components.store.pending_segments(model.generation), long_told)):
        components.indexes.waiting = len(waiting)
        if not components.indexes.knows(waiting):
            components.indexes.catch_up()  # another thread has stored something since
        work = _WordsLeft(progress, components.indexes.catalogue.segment("words"), waiting)
        for number, some in enumerate(batches(waiting, BUILD_BATCH), 1):
            lacking = components.store.without_vectors(model.generation, some)
            for part in _embed(components, embedder, model, lacking, work, long_told):
                done += part
                components.indexes.waiting = max(0, components.indexes.waiting - part.segments)
            if number % RELEASE_AFTER == 0:
                components.store.release_pages()
                return_freed_memory()
        if len(waiting) <= BUILD_BATCH:
            break  # done in a moment: nobody need look again at once
    components.indexes.waiting = len(long_told or ())
    return done + link_closed(components, model, progress)


def count_waiting(components: Components) -> int:
    """How many segments have no vectors yet; recall says so from now on."""
    held = components.store.model
    components.indexes.waiting = components.store.pending(held.generation if held else 0)
    return components.indexes.waiting


def much_waits(components: Components, long_told: set[int] | None = None) -> bool:
    """Whether making all vectors that are missing, but for those of `long_told`, would keep somebody waiting who only asks or tells one thing."""
    held = components.store.model
    waiting = _without(components.store.pending_segments(held.generation if held else 0), long_told)
    if not components.indexes.knows(waiting):
        components.indexes.catch_up()
    return _words_in(components.indexes.catalogue.segment("words"), waiting) > LITTLE_WORDS


def _without(segments: Numbers, some: set[int] | None) -> Numbers:
    return np.setdiff1d(segments, list(some)) if some else segments


def embed_pending(components: Components, long_told: set[int]) -> int:
    """window → embed → persist for the turns of open sessions: what a person has told just now does not wait for an import.

    Those that are too long to be done in a moment are added to `long_told`, for whoever embeds them by themselves.
    """
    if components.embedder is None:
        return 0
    embedder = components.embedder
    model = components.store.use_model(embedder.name, embedder.fingerprint, embedder.dimension)
    told = _without(components.store.pending_in_open_sessions(model.generation), long_told)
    if not components.indexes.knows(told):
        components.indexes.catch_up()
    for some in batches(told, BUILD_BATCH):
        for _ in _embed(components, embedder, model, some, None, long_told):
            pass
    return len(told)


@dataclass(frozen=True, slots=True)
class LongTurn:
    """A turn that is embedded by itself, without a lock: its lines as they were read, and the model that was in force."""

    segments: Numbers  # the one
    lines: list[PendingLine]
    embedder: Embedder
    model: StoreModel

    def embed(self, done: WindowsDone) -> NewVectors:
        return embed_lines(self.lines, self.embedder, done)


def read_long(components: Components, number: int) -> LongTurn | None:
    """None where it needs no vectors any more: it has them, or is gone, or there is no model."""
    segments, embedder = np.array([number], dtype=np.int64), components.embedder
    if embedder is None:
        return None
    model = components.store.use_model(embedder.name, embedder.fingerprint, embedder.dimension)
    lines = components.store.lines_to_embed(components.store.without_vectors(model.generation, segments))
    return LongTurn(segments, lines, embedder, model) if lines else None


def keep_long(components: Components, turn: LongTurn, vectors: NewVectors) -> bool:
    """Its vectors, and its links where its session was closed meanwhile. False, and nothing kept, where its words or the model are others by
    now: it is to be embedded again."""
    now_there = read_long(components, int(turn.segments[0]))
    if now_there is None:
        return True
    if now_there.lines != turn.lines or now_there.model != turn.model:
        return False
    if not components.indexes.knows(turn.segments):
        components.indexes.catch_up()
    _keep_part(components, turn.model, turn.segments, turn.lines, vectors)
    if components.indexes.waiting:
        count_waiting(components)
    return True


class _WordsLeft:
    """How far the embedding is, told while a long part is under way too."""

    def __init__(self, progress: Progress, words: Numbers, waiting: Numbers) -> None:
        self._progress, self._words = progress, words
        self._done, self._total = 0, self._in(waiting)
        progress(EMBEDDING, 0, self._total)

    def during(self, segments: Numbers) -> WindowsDone:
        """For a part of these segments, of whose windows so many are done; the last of them count when the part is on disk."""
        words = self._in(segments)

        def told(done: int, windows: int) -> None:
            if done < windows:
                self._progress(EMBEDDING, self._done + words * done // windows, self._total)

        return told

    def finish(self, segments: Numbers) -> None:
        self._done += self._in(segments)
        self._progress(EMBEDDING, self._done, self._total)

    def _in(self, segments: Numbers) -> int:
        return _words_in(self._words, segments)


def _words_in(words: Numbers, segments: Numbers) -> int:
    return int(np.maximum(words[segments], 1).sum())


def _embed(
    components: Components,
    embedder: Embedder,
    model: StoreModel,
    segments: Numbers,
    work: _WordsLeft | None = None,
    long_told: set[int] | None = None,
) -> Iterator[Built]:
    """One batch, in parts of so much text that each is done in a moment; a turn that is longer is a part of its own, and with `long_told`
    it is only added there, if its session is open."""
    segments, lines = np.sort(segments), components.store.lines_to_embed(segments)
    size = np.zeros(len(segments), dtype=np.int64)
    np.add.at(size, np.searchsorted(segments, [line.segment for line in lines]), [len(line.text) for line in lines])
    for part in _of_such_size(size, BATCH_CHARACTERS):
        some = segments[part]
        if (
            long_told is not None
            and size[part].sum() > BATCH_CHARACTERS
            and len(components.store.in_open_sessions(some))
        ):
            long_told.update(some.tolist())
            continue
        wanted = set(some.tolist())
        here = [line for line in lines if line.segment in wanted]
        vectors = embed_lines(here, embedder, work.during(some) if work else None)
        yield _keep_part(components, model, some, here, vectors)
        if work:
            work.finish(some)


def _of_such_size(sizes: Numbers, most: int) -> Iterator[slice]:
    """Runs of rows that have at most so much together, or one row that has more."""
    first, held = 0, 0
    for at, size in enumerate(sizes.tolist()):
        if at > first and held + size > most:
            yield slice(first, at)
            first, held = at, 0
        held += size
    if len(sizes):
        yield slice(first, len(sizes))


def _keep_part(
    components: Components, model: StoreModel, segments: Numbers, lines: Sequence[PendingLine], vectors: NewVectors
) -> Built:
    """Those of closed sessions get vectors and links in one transaction, the others vectors only."""
    # Whoever was told of the progress may have given vectors to what was just said.
    segments = components.store.without_vectors(model.generation, segments)
    still_open = components.store.in_open_sessions(segments)
    if len(still_open):
        _keep_vectors(components, model, still_open, _of_segments(vectors, still_open))
    closed = np.setdiff1d(segments, still_open)
    if not len(closed):
        return Built(len(segments))
    linked = connect(components, model, closed, lines, _of_segments(vectors, closed))
    return Built(len(segments), len(linked.twins), linked.edges)


def _of_segments(vectors: NewVectors, segments: Numbers) -> NewVectors:
    rows = np.isin(vectors.segment, segments)
    return NewVectors(
        vectors.segment[rows], vectors.line[rows], vectors.start[rows], vectors.end[rows], vectors.vectors[rows]
    )


def _keep_vectors(components: Components, model: StoreModel, segments: Numbers, vectors: NewVectors) -> None:
    ids = components.store.put_vectors(model.generation, vectors, segments.tolist(), linked=False)
    active = components.indexes.catalogue.segment("state")[vectors.segment] == ACTIVE
    components.indexes.absorb(ids, vectors.line, vectors.vectors, active, [])


def link_closed(components: Components, model: StoreModel, progress: Progress = silent) -> Built:
    """link → persist for turns that got their vectors while their session was open, and that is closed now."""
    waiting = components.store.unlinked_segments(model.generation)
    closed = np.setdiff1d(waiting, components.store.in_open_sessions(waiting)) if len(waiting) else waiting
    if not components.indexes.knows(closed):
        components.indexes.catch_up()
    active = closed[components.indexes.catalogue.segment("state")[closed] == ACTIVE]
    done = Built()
    for some in batches(active, BUILD_BATCH):
        if len(some):
            vectors = vectors_held(components, some)
            lines = components.store.lines_to_embed(some)
            linked = connect(components, model, some, lines, vectors, embedded=True)
            done += Built(len(some), len(linked.twins), linked.edges)
            progress("linking", done.segments, len(active))
    return done
