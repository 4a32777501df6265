"""Which old memories stay because an earlier one about the same matter does: what is so now must not leave recall while what was so is still in it.

"I work as a baker" said twice has hits and stays; "I work as a nurse now" said once, later, has none and would be archived alone. Knows: who is about the
same matter as an earlier memory: a pair of the review list, a likeness as of near-duplicates, or, of those that are linked or near each other in one
session, where ingest makes no links, a pair that tells it otherwise in mostly the same words. One topic alone is not one matter, nor are two days. Whom that holds is in
recall too, and holds in its turn what was told after it. archive.py says who is old.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind, Segment, State
from pmg.index.catalogue import KINDS, STATES, Catalogue
from pmg.ingest.day_words import DAY_WORDS
from pmg.ingest.guard.compare import Reader
from pmg.ingest.guard.words import read
from pmg.ingest.said_between import told_otherwise
from pmg.ingest.spoken import by_people
from pmg.people.told_values import says_anew
from pmg.store.rows import Numbers
from steward.task import TaskContext

ALIKE = [KINDS.index(kind) for kind in (Kind.SEMANTIC, Kind.RELATED_TO)]
ACTIVE = STATES.index(State.ACTIVE)
STEP = 512  # windows of one session held against others of it at once
READ_BATCH = 256  # pairs whose texts are in memory together
_OF_ITS_DAY = re.compile(rf"\b(?:{DAY_WORDS})\b", re.IGNORECASE)
Marks = NDArray[np.bool_]  # by segment number


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Row for row two memories and how alike they are."""

    later: Numbers
    earlier: Numbers
    cosine: NDArray[np.float32]

    def where(self, kept: NDArray[np.bool_]) -> _Pairs:
        return _Pairs(self.later[kept], self.earlier[kept], self.cosine[kept])

    def between(self, later: Marks, earlier: Marks) -> _Pairs:
        return self.where(later[self.later] & earlier[self.earlier])


_NO_PAIRS = _Pairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))


def _joined(*some: _Pairs) -> _Pairs:
    every = (_NO_PAIRS, *some)
    return _Pairs(
        np.concatenate([one.later for one in every]),
        np.concatenate([one.earlier for one in every]),
        np.concatenate([one.cosine for one in every]),
    )


def superseding(work: TaskContext, due: Numbers) -> Numbers:
    """Of the memories that are due, those told after one about the same matter that stays."""
    catalogue, reader = work.components.indexes.catalogue, cache(read)
    telling = _telling(catalogue)
    leaving = np.zeros_like(telling)
    leaving[due] = telling[due]
    fresh = telling & ~leaving
    linked = _in_order(catalogue, _joined(_linked(work, np.flatnonzero(leaving)), _reviewed(work)))
    while fresh.any():  # whoever was held in the round before holds others in this one: each pair is looked at once
        near = _joined(linked.between(leaving, fresh), _near_in_sessions(work, leaving, fresh))
        fresh = _held(work, near, reader)
        leaving &= ~fresh
    return due[telling[due] & ~leaving[due]]


def _held(work: TaskContext, pairs: _Pairs, reader: Reader) -> Marks:
    """The later ones of those pairs that are of one matter. Texts are read where the likeness does not say it."""
    sure = pairs.cosine >= work.components.thresholds.merge
    held = np.zeros(len(work.components.indexes.catalogue.segment("state")), dtype=np.bool_)
    held[pairs.later[sure]] = True
    left = np.flatnonzero(~held[pairs.later])
    for at in range(0, len(left), READ_BATCH):
        some = left[at : at + READ_BATCH]
        ends = list(zip(pairs.later[some].tolist(), pairs.earlier[some].tolist(), strict=True))
        texts = {s.number: s for s in work.engine.reads.segments(sorted({n for pair in ends for n in pair}))}
        for later, earlier in ends:
            if not held[later] and later in texts and earlier in texts:
                held[later] = _corrects(texts[later], texts[earlier], reader)
    return held


def _corrects(later: Segment, earlier: Segment, reader: Reader) -> bool:
    """Does it tell the same matter otherwise? "Today I ran 5 km" and "Today I ran 8 km" of two days tell of two runs."""
    if later.at.date() != earlier.at.date() and all(
        any(_OF_ITS_DAY.search(line.text) for line in one.lines) for one in (later, earlier)
    ):
        return False
    return bool(told_otherwise(earlier, [(later, 0.0)], 1.0, reader)) or _says_that_it_changed(later, earlier)


def _says_that_it_changed(later: Segment, earlier: Segment) -> bool:
    """ "I work as a nurse in York now": of what it is linked to, in whatever words."""
    return any(
        says_anew(old.text, new.text)
        for new in later.lines
        for old in earlier.lines
        if new.speaker == old.speaker and new.role is old.role
    )


def _telling(catalogue: Catalogue) -> Marks:
    """What is in recall and is told: a question corrects nothing, and a document is there for reference."""
    column = catalogue.segment
    there = (column("state") == ACTIVE) & (column("lines") > 0)
    return np.asarray(there & ~column("asked") & ~column("document"))


def _linked(work: TaskContext, segments: Numbers) -> _Pairs:
    links = work.components.indexes.catalogue.links(segments).of_kinds(ALIKE)
    near = links.weight >= work.components.thresholds.edge
    return _Pairs(links.source[near], links.target[near], links.weight[near])


def _reviewed(work: TaskContext) -> _Pairs:
    """What was listed as one matter is one, however alike."""
    pairs = np.array(sorted(work.engine.reads.maintenance.reviewed_pairs()), dtype=np.int64).reshape(-1, 2)
    return _Pairs(pairs[:, 0], pairs[:, 1], np.ones(len(pairs), dtype=np.float32))


def _in_order(catalogue: Catalogue, pairs: _Pairs) -> _Pairs:
    """Each pair with the one that was told later first."""
    a, b, size = pairs.later, pairs.earlier, len(catalogue.segment("said_at"))
    pairs = pairs.where((a < size) & (b < size) & (a != b))
    a, b = pairs.later, pairs.earlier
    later = _is_later(catalogue, a, b)
    return _Pairs(np.where(later, a, b), np.where(later, b, a), pairs.cosine)


def _is_later(catalogue: Catalogue, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    said_at = catalogue.segment("said_at")
    return np.asarray((said_at[a] > said_at[b]) | ((said_at[a] == said_at[b]) & (a > b)))


def _near_in_sessions(work: TaskContext, leaving: Marks, fresh: Marks) -> _Pairs:
    """Those that would leave, each with what is near it, earlier in its own session, and stays."""
    session = work.components.indexes.catalogue.segment("session")
    later, earlier = (_by_session(session, marks) for marks in (leaving, fresh))
    return _joined(*(_near(work, later[code], earlier[code]) for code in sorted(later.keys() & earlier.keys())))


def _by_session(session: NDArray[np.int32], marks: Marks) -> dict[int, Numbers]:
    numbers = np.flatnonzero(marks)
    numbers = numbers[np.argsort(session[numbers], kind="stable")]
    parts = np.split(numbers, np.flatnonzero(np.diff(session[numbers])) + 1)
    return {int(session[part[0]]): part for part in parts if len(part)}


def _near(work: TaskContext, later: Numbers, earlier: Numbers) -> _Pairs:
    """Those of the one group, each with those of the other that are earlier and as near as links are."""
    catalogue = work.components.indexes.catalogue
    index = work.components.indexes.vector(catalogue.namespaces.names[int(catalogue.segment("namespace")[later[0]])])
    if index is None:
        return _NO_PAIRS
    mine, others = (_said_windows(catalogue, segments) for segments in (later, earlier))
    owner, other = (catalogue.segments_of_lines(catalogue.lines_of_windows(windows)) for windows in (mine, others))
    vectors, against = index.vectors_of(mine), index.vectors_of(others).T
    found = []
    for at in range(0, len(mine), STEP):
        cosine = vectors[at : at + STEP] @ against
        row, column = np.nonzero(cosine >= work.components.thresholds.edge)
        pairs = _Pairs(owner[at + row], other[column], cosine[row, column])
        found.append(pairs.where(_is_later(catalogue, pairs.later, pairs.earlier)))
    return _joined(*found)


def _said_windows(catalogue: Catalogue, segments: Numbers) -> Numbers:
    lines = catalogue.lines_of(segments)
    return catalogue.windows_of_lines(lines[by_people(catalogue, lines)])
