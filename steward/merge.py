"""Merging near-duplicates: one stays in recall, the others stand behind it, word for word as they were.

Knows: which of two has more retrieval signal, how a cluster is handled whole, what passes to the winner (hits, links) and what
stays (text, chain). Pairs are found by near_pairs.py and blocked by pmg/ingest/guard; retold.py finds what only a person can decide about; journal.py writes the changes.

    near pairs → by the same people → guard → nothing else told in between → clusters with one winner each → one change a pair
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import Kind, Origin, Segment, State
from pmg.base.text import counted
from pmg.base.times import to_micros
from pmg.ingest import guard
from pmg.ingest.same_people import namesakes, same_people
from pmg.ingest.shown_differences import kinds
from pmg.ingest.spoken import answers, what_counts
from pmg.store.maintenance import MERGED, OPEN, EdgeRow, Review, SegmentRow
from steward import journal
from steward.change_set import ChangedRows, ChangeSet, JournaledChange
from steward.kept_apart import SEEN_NOTE, kept_apart, told_between
from steward.near_pairs import NearPairs, near
from steward.retold import BlockedPair, retold
from steward.task import TaskContext, TaskResult

TOLD_BETWEEN = "what-was-told-in-between"  # the words are the same, and it may have been otherwise for a while
MAX_OPEN = 100  # pairs that wait for a person, beyond which only near-duplicates are added
BATCH = 50  # pairs a transaction: some tens of milliseconds
READ_BATCH = 256  # pairs whose texts are in memory together
Signal = tuple[bool, int, float, int, int]  # what decides who stays
_SYMMETRIC = (Kind.SEMANTIC, Kind.RELATED_TO, Kind.CONTRADICTS)
_STRENGTH = {Origin.AUTO: 0, Origin.MODEL: 1, Origin.USER: 2}


@dataclass(frozen=True, slots=True)
class MergePair:
    winner: int
    loser: int
    cosine: float


@dataclass(frozen=True, slots=True)
class MergePlan:
    merges: tuple[MergePair, ...] = ()
    blocked: tuple[BlockedPair, ...] = ()
    upto: str = ""  # what the note SEEN says once this plan is carried out

    @property
    def leaving(self) -> int:
        return len(self.merges)

    @property
    def summary(self) -> str:
        pairs = counted(len(self.merges), "near-duplicate")
        return f"{pairs} to merge, {counted(len(self.blocked), 'pair')} to list for review"


def plan(work: TaskContext) -> MergePlan:
    parts, upkeep = work.components, work.engine.reads.maintenance
    after, upto = _range(work)
    model = work.engine.reads.model
    # Turns of open sessions: ingest holds them against the others first, when their session closes.
    apart = work.engine.reads.unlinked_segments(model.generation if model else 0)
    known = upkeep.reviewed_pairs() | kept_apart(upkeep)
    merges: list[MergePair] = []
    blocked: list[BlockedPair] = []
    waiting = len(upkeep.reviews(state=OPEN))
    for namespace in [name for name in parts.indexes.sizes() if work.namespace in ("", name)]:
        found = near(parts, namespace, parts.thresholds.merge, after, work.pace, work.progress, apart=apart)
        others = ~same_people(parts.indexes.catalogue, found.a, found.b)
        known |= _pairs(found, others & namesakes(parts.indexes.catalogue, found.a, found.b))
        passed, held = judge(work, found, known | _pairs(found, others))
        anew = told_between(work, namespace, passed)
        held += [BlockedPair(a, b, passed[(a, b)], (TOLD_BETWEEN,)) for a, b in sorted(anew)]
        signal = signals(work, {number for pair in passed for number in pair})
        same = {pair: cosine for pair, cosine in passed.items() if pair not in anew}
        merges += clusters(same, {(row.a, row.b) for row in held} | known, signal)
        blocked += sorted(held, key=lambda pair: (-pair.cosine, pair.a, pair.b))
        blocked += retold(
            work, namespace, after, {*known, *passed, *((row.a, row.b) for row in held)}, MAX_OPEN - waiting
        )
    return MergePlan(tuple(merges), tuple(blocked), "" if work.pace.stopping or work.namespace else upto)


def _pairs(found: NearPairs, rows: NDArray[np.bool_]) -> set[tuple[int, int]]:
    return set(zip(found.a[rows].tolist(), found.b[rows].tolist(), strict=True))


def _range(work: TaskContext) -> tuple[int, str]:
    """Above which number to look, and what to note when done: never beyond a segment that still waits for its vectors or its links."""
    store = work.engine.reads
    model = store.model
    generation = model.generation if model else 0
    waiting = [*store.pending_segments(generation).tolist(), *store.unlinked_segments(generation).tolist()]
    top = min(waiting) - 1 if model and waiting else work.engine.indexes.catalogue.size
    held, _, seen = (store.note(SEEN_NOTE) or "0:0").partition(":")
    return (0 if work.full or held != str(generation) else int(seen)), f"{generation}:{top}"


def uncompared(work: TaskContext) -> int:
    """How many segments came in since near-duplicates were last looked for: of these nobody knows yet whether there is something to decide."""
    after, upto = _range(work)
    return max(0, int(upto.partition(":")[2]) - after)


def judge(
    work: TaskContext, found: NearPairs, known: set[tuple[int, int]]
) -> tuple[dict[tuple[int, int], float], list[BlockedPair]]:
    """The guard on every pair that no person has been asked about yet. Where the answers differ, retold.py has the say."""
    pairs = [
        p for p in zip(found.a.tolist(), found.b.tolist(), found.cosine.tolist(), strict=True) if p[:2] not in known
    ]
    passed: dict[tuple[int, int], float] = {}
    held: list[BlockedPair] = []
    done = 0
    for some in work.pace.chunks(pairs, READ_BATCH):
        texts = {s.number: s for s in work.engine.reads.segments(sorted({n for a, b, _ in some for n in (a, b)}))}
        for a, b, cosine in some:
            if a not in texts or b not in texts or not work.pace.go():
                continue
            one, other = what_counts(texts[a]), what_counts(texts[b])
            why = guard.blocks(one, other)
            if why and answers(one) == answers(other):
                held.append(BlockedPair(a, b, round(cosine, 4), kinds(why)))
            elif not why:
                passed[(a, b)] = round(cosine, 4)
        done += len(some)
        work.progress("comparing near-duplicates", done, len(pairs))
    return passed, held


def signals(work: TaskContext, numbers: Iterable[int]) -> dict[int, Signal]:
    """What decides who stays: pinned, then hits, then quality, then the one said first."""
    found = work.engine.reads.segments(sorted(numbers))
    return {s.number: (s.pinned, s.hits, s.quality, -to_micros(s.at), -s.number) for s in found}


def clusters(
    passed: Mapping[tuple[int, int], float], held: set[tuple[int, int]], signal: Mapping[int, Signal]
) -> list[MergePair]:
    """The strongest takes in all that may stand behind it, then the strongest of the rest, and so on.

    A member joins only if it passed against the winner itself and is blocked against no other member. A chain of small steps
    therefore never merges two that differ, and nobody is a winner here and a loser there.
    """
    partners: dict[int, list[int]] = {}
    for a, b in passed:
        partners.setdefault(a, []).append(b)
        partners.setdefault(b, []).append(a)
    merges: list[MergePair] = []
    taken: set[int] = set()
    for winner in sorted(partners, key=lambda number: signal[number], reverse=True):
        if winner in taken:
            continue
        members = [winner]
        for loser in sorted(partners[winner], key=lambda other: (-passed[_ordered(winner, other)], other)):
            pinned = signal[loser][0]  # what a person pinned stays in recall
            if loser in taken or pinned or any(_ordered(loser, member) in held for member in members):
                continue
            members.append(loser)
            merges.append(MergePair(winner, loser, passed[_ordered(winner, loser)]))
        if len(members) > 1:
            taken.update(members)
    return merges


def _ordered(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def apply(work: TaskContext, plan: MergePlan) -> TaskResult:
    merged = listed = 0
    for chunk in work.pace.chunks(plan.merges, BATCH):
        merged += merge_pairs(work, chunk)
        work.progress("merging", merged, len(plan.merges))
    for some in work.pace.chunks(plan.blocked, BATCH):
        listed += list_pairs(work, some)
    if plan.upto and not work.pace.stopping:
        work.engine.put_note(SEEN_NOTE, plan.upto)
    if merged or listed:
        work.engine.indexes.reload_edges()
    said = [f"{counted(merged, 'near-duplicate')} merged"] if merged else []
    said += [f"{counted(listed, 'pair')} for you to decide"] if listed else []
    return TaskResult("merge", ", ".join(said) or "no new duplicates", merged + listed)


def merge_pairs(work: TaskContext, pairs: Sequence[MergePair], reviews: Sequence[int] = (), reason: str = "") -> int:
    """One transaction. What changed since the plan was made is left alone."""
    numbers = {number for pair in pairs for number in (pair.winner, pair.loser)}

    def make(change_set: ChangeSet) -> list[JournaledChange]:
        changes = []
        for pair in pairs:
            winner, loser = (change_set.segments.get(number) for number in (pair.winner, pair.loser))
            if winner and loser and winner.state is loser.state is State.ACTIVE and not loser.pinned:
                why = reason or f"cosine {pair.cosine:.3f}, no difference"
                changes.append(change_set.apply(merging(change_set, winner, loser, why, reviews)))
        return changes

    made = journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, (), numbers, reviews), make)
    work.engine.indexes.catch_up()
    return len(made)


def merging(
    change_set: ChangeSet, winner: SegmentRow, loser: SegmentRow, reason: str, reviews: Sequence[int] = ()
) -> JournaledChange:
    """The loser stands behind the winner; hits add up; links pass over without doubles or loops."""
    times = [time for time in (winner.last_hit, loser.last_hit) if time is not None]
    marks = [score for score in (winner.score, loser.score) if score is not None]
    stronger = replace(
        winner, hits=winner.hits + loser.hits, last_hit=max(times, default=None), score=max(marks, default=None)
    )
    behind = replace(loser, state=State.MERGED, stands_for=winner.number)
    gone, new = carried(
        change_set.edges_of(winner.number), change_set.edges_of(loser.number), winner.number, loser.number
    )
    open_ones = tuple(change_set.reviews[number] for number in reviews)
    decided = tuple(replace(review, state=MERGED) for review in open_ones)
    return JournaledChange(
        journal.MERGE,
        reason,
        ChangedRows((winner, loser), tuple(gone), open_ones),
        ChangedRows((stronger, behind), tuple(new), decided),
    )


def carried(
    mine: Sequence[EdgeRow], theirs: Sequence[EdgeRow], winner: int, loser: int
) -> tuple[list[EdgeRow], list[EdgeRow]]:
    """(rows that go, rows that come) when the loser's links become the winner's."""
    held = {_place(row): row for row in sorted(mine, key=lambda row: (_STRENGTH[row.origin], row.weight))}
    first = dict(held)
    gone: list[EdgeRow] = []
    for row in theirs:
        gone.append(row)
        ends = [winner if end == loser else end for end in (row.source, row.target)]
        if ends[0] == ends[1]:
            continue  # between the two themselves: it has nothing left to say
        moved = replace(row, source=ends[0], target=ends[1])
        there = held.get(_place(moved))
        held[_place(moved)] = moved if there is None else _joined(there, moved)
    gone += [row for place, row in first.items() if held[place] != row and row not in gone]
    new = [row for place, row in held.items() if first.get(place) != row and _ends_elsewhere(row, loser)]
    return gone, new


def _place(row: EdgeRow) -> tuple[int, int, Kind]:
    """Where a link is: without direction for kinds that have none."""
    if row.kind in _SYMMETRIC and row.source > row.target:
        return (row.target, row.source, row.kind)
    return (row.source, row.target, row.kind)


def _joined(there: EdgeRow, moved: EdgeRow) -> EdgeRow:
    origin = max(there.origin, moved.origin, key=_STRENGTH.__getitem__)
    return replace(there, weight=max(there.weight, moved.weight), origin=origin)


def _ends_elsewhere(row: EdgeRow, loser: int) -> bool:
    return loser not in (row.source, row.target)


def list_pairs(work: TaskContext, pairs: Sequence[BlockedPair]) -> int:
    """Each blocked pair becomes a related_to link and a line of the review list."""
    numbers = {number for pair in pairs for number in (pair.a, pair.b)}
    reviews = work.engine.reads.maintenance

    def make(change_set: ChangeSet) -> list[JournaledChange]:
        known, number = reviews.reviewed_pairs(), reviews.next_review()
        changes = []
        for pair in pairs:
            rows = (change_set.segments.get(pair.a), change_set.segments.get(pair.b))
            if (pair.a, pair.b) not in known and all(row and row.state is State.ACTIVE for row in rows):
                changes.append(change_set.apply(_listing(change_set, pair, number, to_micros(work.who.at))))
                number += 1
        return changes

    return len(journal.carry_out(work.engine, work.who, lambda tables: ChangeSet.load(tables, (), numbers), make))


def _listing(change_set: ChangeSet, pair: BlockedPair, number: int, at: int) -> JournaledChange:
    review = Review(number, pair.a, pair.b, pair.cosine, pair.kinds, OPEN, at)
    linked = any(
        row.kind is Kind.RELATED_TO and {row.source, row.target} == {pair.a, pair.b}
        for row in change_set.edges_of(pair.a)
    )
    link = EdgeRow(pair.b, pair.a, Kind.RELATED_TO, pair.cosine, Origin.AUTO, at)
    reason = f"cosine {pair.cosine:.3f}, but they differ in: {', '.join(pair.kinds)}"
    return JournaledChange(
        journal.REVIEW, reason, ChangedRows(), ChangedRows(edges=() if linked else (link,), reviews=(review,))
    )


def shown_pairs(work: TaskContext, pairs: Iterable[tuple[int, int]]) -> list[tuple[Segment, Segment]]:
    """The texts of pairs, for showing side by side."""
    listed = list(pairs)
    texts = {s.number: s for s in work.engine.reads.segments(sorted({n for pair in listed for n in pair}))}
    return [(texts[a], texts[b]) for a, b in listed if a in texts and b in texts]
