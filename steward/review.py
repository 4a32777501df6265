"""The review list: pairs that sound alike and differ, and what a person decides about them.

Knows: the three decisions (merge, keep, link), each a journal entry that can be undone. merge.py puts pairs on the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from pmg.base.errors import InputError, NotFound
from pmg.base.model import Kind, Line, Origin, Segment, State
from pmg.base.times import to_micros
from pmg.index.catalogue import STATES
from pmg.ingest.guard.compare import Difference
from pmg.ingest.shown_differences import marked
from pmg.ingest.spoken import PEOPLE
from pmg.store.maintenance import KEPT, LINKED, OPEN, EdgeRow, Review
from steward import journal, merge, namespaces, retold
from steward.change_set import ChangedRows, ChangeSet, JournaledChange
from steward.task import TaskContext

Runs = list[tuple[str, bool]]  # (text, differs)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two memories line by line; what differs is marked."""

    a: Segment
    b: Segment
    cosine: float
    why: tuple[Difference, ...]
    lines: tuple[tuple[str, Runs, str, Runs], ...]  # speaker and runs of a, speaker and runs of b
    review: int = 0

    def side(self, second: bool) -> list[tuple[str, Runs]]:
        """Speaker and runs of one of the two, without the gaps where the other has more lines."""
        halves = [(row[2], row[3]) if second else (row[0], row[1]) for row in self.lines]
        return [(speaker, runs) for speaker, runs in halves if speaker or runs]


def side_by_side(a: Segment, b: Segment, cosine: float, review: int = 0, kinds: Sequence[str] = ()) -> SideBySide:
    """`kinds` says why the two are listed where their words do not."""
    rows = []
    for x, y in _line_pairs(a, b):
        runs = marked(x.text, y.text) if x and y else ([(x.text, True)] if x else [], [(y.text, True)] if y else [])
        rows.append((x.speaker if x else "", runs[0], y.speaker if y else "", runs[1]))
    why = retold.differing(a, b) or tuple(Difference(kind.replace("-", " "), "", "") for kind in kinds)
    return SideBySide(a, b, cosine, why, tuple(rows), review)


def _line_pairs(a: Segment, b: Segment) -> list[tuple[Line | None, Line | None]]:
    """Line for line; of turns of different form first what people say, then the rest."""
    left, right = list(a.lines), list(b.lines)
    if len(a.lines) != len(b.lines):
        left, right = (sorted(lines, key=lambda line: line.role not in PEOPLE) for lines in (left, right))
    return list(zip_longest(left, right))


def waiting(work: TaskContext, namespace: str = "", limit: int | None = None) -> list[SideBySide]:
    """The texts of open pairs side by side, in the order of the list."""
    found = listed(work, namespace)[:limit]
    texts = {s.number: s for s in work.engine.reads.segments(sorted({n for r in found for n in (r.a, r.b)}))}
    both = [r for r in found if r.a in texts and r.b in texts]
    return [side_by_side(texts[r.a], texts[r.b], r.cosine, r.id, r.kinds) for r in both]


def listed(work: TaskContext, namespace: str = "") -> list[Review]:
    """Open pairs whose two memories are both still in recall; of one namespace if one is named.

    In the order in which they were listed: what waits longest first, and of one run the most telling first. A fact told anew in other words is less alike
    than two greetings, and is what a person wants to see.
    """
    opened = work.engine.reads.maintenance.reviews(state=OPEN)
    ends = np.array([(r.a, r.b) for r in opened], dtype=np.int64).reshape(-1, 2)
    catalogue = work.components.indexes.catalogue
    inside = np.asarray((ends <= catalogue.size).all(axis=1))
    ends = np.where(inside[:, None], ends, 0)
    alive = inside & (catalogue.segment("state")[ends] == STATES.index(State.ACTIVE)).all(axis=1)
    if namespace:
        alive &= catalogue.segment("namespace")[ends[:, 0]] == catalogue.namespaces.find(namespace)
    both = [review for review, alright in zip(opened, alive.tolist(), strict=True) if alright]
    return sorted(both, key=lambda review: review.id)


def decide_merge(work: TaskContext, number: int) -> None:
    """The person knows better than the guard: the one with more retrieval signal stays."""
    review = _open(work, number)
    signal = merge.signals(work, (review.a, review.b))
    if len(signal) < 2:
        raise NotFound(f"One of the memories of review {number} is gone: there is nothing to merge.")
    winner, loser = sorted(signal, key=signal.__getitem__, reverse=True)
    pair = merge.MergePair(winner, loser, review.cosine)
    if not merge.merge_pairs(work, [pair], [number], "the person said they are the same"):
        raise InputError(f"The memories of review {number} are not both in recall and unpinned: nothing was merged.")
    work.engine.indexes.reload_edges()


def decide_keep(work: TaskContext, number: int) -> None:
    """Both are right; the pair is not asked about again."""
    _decide(work, _open(work, number), KEPT, "keep", ())


def decide_link(work: TaskContext, number: int, kind: Kind) -> None:
    """Both stay, and the person says how they relate: the newer one points to the older."""
    if kind in (Kind.CHAIN, Kind.SEMANTIC):
        raise InputError(f"A link of kind {kind.value} is made by PMG itself: choose a typed one, like contradicts.")
    review = _open(work, number)
    link = EdgeRow(review.b, review.a, kind, 1.0, Origin.USER, to_micros(work.who.at))
    _decide(work, review, LINKED, "link", (link,))
    work.engine.indexes.reload_edges()


def _decide(work: TaskContext, review: Review, state: str, action: str, edges: tuple[EdgeRow, ...]) -> None:
    def make(change_set: ChangeSet) -> list[JournaledChange]:
        after = ChangedRows(edges=edges, reviews=(replace(review, state=state),))
        return [change_set.apply(JournaledChange(action, "the person decided", ChangedRows(reviews=(review,)), after))]

    ends, listed = (review.a, review.b), (review.id,)
    journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, (), ends, listed), make)


def _open(work: TaskContext, number: int) -> Review:
    found = work.engine.reads.maintenance.reviews(ids=[number])
    if not found or not namespaces.in_namespace(work.engine, work.namespace, (found[0].a, found[0].b)).all():
        raise NotFound(f"There is no pair {number} to review. `pmg steward review` lists them.")
    if found[0].state != OPEN:
        raise InputError(
            f"You decided on pair {number} already ({found[0].state}). Undo that first: pmg steward history"
        )
    return found[0]
