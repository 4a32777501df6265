"""Which old memories stay because an earlier one about the same matter does: what is so now must not leave recall while what was so is still in it.

"I work as a baker" said twice has hits and stays; "I work as a nurse now" said once, later, has none and would be archived alone. Knows: who is about the
same matter as an earlier memory: a link from the cosine of edges on, a pair of the review list, or such a cosine within one session, where ingest makes no
links. Whom that holds is in recall too, and holds in its turn what was told after it. archive.py says who is old.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pmg.index.catalogue import KINDS, STATES, Catalogue
from pmg.model import Kind, State
from pmg.store.rows import Numbers
from steward.task import TaskContext

ALIKE = [KINDS.index(kind) for kind in (Kind.SEMANTIC, Kind.RELATED_TO)]
ACTIVE = STATES.index(State.ACTIVE)
STEP = 512  # windows of one session held against others of it at once
_NO_PAIRS: Numbers = np.empty((0, 2), dtype=np.int64)
Marks = NDArray[np.bool_]  # by segment number


def superseding(work: TaskContext, due: Numbers) -> Numbers:
    """Of the memories that are due, those told after one about the same matter that stays."""
    catalogue = work.components.indexes.catalogue
    telling = _telling(catalogue)
    leaving = np.zeros_like(telling)
    leaving[due] = telling[due]
    fresh = telling & ~leaving
    pairs = _in_order(catalogue, np.concatenate([_linked(work, np.flatnonzero(leaving)), _reviewed(work)]))
    while fresh.any():  # whoever was held in the round before holds others in this one
        fresh |= _held_by_links(pairs, fresh, leaving)
        leaving &= ~fresh
        fresh = _held_in_sessions(work, fresh, leaving)
        leaving &= ~fresh
    return due[telling[due] & ~leaving[due]]


def _telling(catalogue: Catalogue) -> Marks:
    """What is in recall and is told: a question corrects nothing, and a document is there for reference."""
    column = catalogue.segment
    there = (column("state") == ACTIVE) & (column("lines") > 0)
    return np.asarray(there & ~column("asked") & ~column("document"))


def _linked(work: TaskContext, segments: Numbers) -> Numbers:
    links = work.components.indexes.catalogue.links(segments).of_kinds(ALIKE)
    near = links.weight >= work.components.thresholds.edge
    return np.stack([links.source[near], links.target[near]], axis=1)


def _reviewed(work: TaskContext) -> Numbers:
    pairs = sorted(work.engine.reads.maintenance.reviewed_pairs())
    return np.array(pairs, dtype=np.int64) if pairs else _NO_PAIRS


def _in_order(catalogue: Catalogue, pairs: Numbers) -> Numbers:
    """Each pair as (told later, told earlier)."""
    pairs = pairs[(pairs < len(catalogue.segment("said_at"))).all(axis=1) & (pairs[:, 0] != pairs[:, 1])]
    return np.where(_is_later(catalogue, pairs[:, 0], pairs[:, 1])[:, None], pairs, pairs[:, ::-1])


def _is_later(catalogue: Catalogue, a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    said_at = catalogue.segment("said_at")
    return np.asarray((said_at[a] > said_at[b]) | ((said_at[a] == said_at[b]) & (a > b)))


def _held_by_links(pairs: Numbers, fresh: Marks, leaving: Marks) -> Marks:
    """All that would leave and is linked to something earlier that stays, at once or over others."""
    later, earlier = pairs[:, 0], pairs[:, 1]
    held = np.zeros_like(leaving)
    while len(found := later[leaving[later] & ~held[later] & (fresh | held)[earlier]]):
        held[found] = True
    return held


def _held_in_sessions(work: TaskContext, fresh: Marks, leaving: Marks) -> Marks:
    """Those that would leave and are near something earlier of their own session that stays."""
    session = work.components.indexes.catalogue.segment("session")
    later, earlier = (_by_session(session, marks) for marks in (leaving, fresh))
    held = np.zeros_like(leaving)
    for code in sorted(later.keys() & earlier.keys()):
        held[_near(work, later[code], earlier[code])] = True
    return held


def _by_session(session: NDArray[np.int32], marks: Marks) -> dict[int, Numbers]:
    numbers = np.flatnonzero(marks)
    numbers = numbers[np.argsort(session[numbers], kind="stable")]
    parts = np.split(numbers, np.flatnonzero(np.diff(session[numbers])) + 1)
    return {int(session[part[0]]): part for part in parts if len(part)}


def _near(work: TaskContext, later: Numbers, earlier: Numbers) -> Numbers:
    """Those of the one group that have an earlier one in the other, as near as links are."""
    catalogue = work.components.indexes.catalogue
    index = work.components.indexes.vector(catalogue.namespaces.names[int(catalogue.segment("namespace")[later[0]])])
    if index is None:
        return np.empty(0, dtype=np.int64)
    mine, others = (catalogue.windows_of_lines(catalogue.lines_of(segments)) for segments in (later, earlier))
    owner, other = (catalogue.segments_of_lines(catalogue.lines_of_windows(windows)) for windows in (mine, others))
    vectors, against = index.vectors_of(mine), index.vectors_of(others).T
    held = np.zeros(len(mine), dtype=np.bool_)
    for at in range(0, len(mine), STEP):
        some = slice(at, at + STEP)
        near = vectors[some] @ against >= work.components.thresholds.edge
        held[some] = (near & _is_later(catalogue, owner[some, None], other[None, :])).any(axis=1)
    return owner[held]
