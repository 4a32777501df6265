"""Duplicates that are none any more: what is told of the matter otherwise, of a time between them and what they gave way to, came in only now.

"I take 5 mg" of 2021 and of 2025 are in, the second as a duplicate; then the export of another assistant brings "I take 10 mg" of 2023. In the order of
time the one of 2025 would have been news, and so it is now. Knows: which duplicates a new segment parts from their like, and how they are brought back.
connect.py links them anew, as if they had come after it, so that the memory does not hang on which import came first. Merges have their journal: the
steward looks at what lies between before it merges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from pmg.components import Components
from pmg.index.catalogue import STATES, Catalogue
from pmg.ingest.duplicates import before_in_session, texts
from pmg.ingest.guard.words import read
from pmg.ingest.link import Neighbours, Scores
from pmg.ingest.said_between import told_otherwise
from pmg.ingest.same_people import same_people
from pmg.model import State
from pmg.store.contract import Store
from pmg.store.rows import Numbers, PendingLine

DUPLICATE = STATES.index(State.DUPLICATE)


@dataclass(frozen=True, slots=True)
class _Repeats:
    """The duplicates by what is recalled in their place: rows `start[i]` to `start[i + 1]` of `loser` belong to `winner[i]`."""

    winner: Numbers
    start: Numbers
    loser: Numbers

    def of(self, winner: int) -> Numbers:
        i = int(np.searchsorted(self.winner, winner))
        return self.loser[self.start[i] : self.start[i + 1]]


def parted(
    components: Components, lines: Sequence[PendingLine], near: Neighbours, twins: Mapping[int, int]
) -> set[int]:
    """The duplicates, `twins` of this batch among them, between which and their winner one of the new segments tells otherwise."""
    catalogue = components.indexes.catalogue
    repeats = _repeats(catalogue, twins)
    pairs = [
        (new, winner, cosine)
        for new, winner, cosine in _between(catalogue, near, repeats, twins)
        if twins.get(new) != winner
    ]
    if not pairs:
        return set()
    said = texts(components, lines, {number for new, winner, _ in pairs for number in (new, winner)})
    said_at, sure, reader = catalogue.segment("said_at"), components.thresholds.merge, cache(read)
    found: set[int] = set()
    for new, winner, cosine in pairs:
        if told_otherwise(said[winner], [(said[new], cosine)], sure, reader):
            losers = repeats.of(winner)
            beyond = np.sign(said_at[losers] - said_at[new]) * np.sign(said_at[winner] - said_at[new]) < 0
            found.update(losers[beyond].tolist())
    return found


def _repeats(catalogue: Catalogue, twins: Mapping[int, int]) -> _Repeats:
    held = np.flatnonzero(catalogue.segment("state") == DUPLICATE)
    loser = np.concatenate([held, np.array(list(twins), dtype=np.int64)])
    stands_for = catalogue.segment("stands_for")
    winner = np.concatenate([stands_for[held], np.array(list(twins.values()), dtype=np.int64)])
    while (behind := stands_for[winner] > 0).any():  # what was merged since is recalled as another
        winner = np.where(behind, stands_for[winner], winner)
    order = np.lexsort((loser, winner))
    unique, start = np.unique(winner[order], return_index=True)
    return _Repeats(unique, np.append(start, len(loser)), loser[order])


def _between(
    catalogue: Catalogue, near: Neighbours, repeats: _Repeats, twins: Mapping[int, int]
) -> Iterator[tuple[int, int, float]]:
    """(new, winner, cosine): said after the one and before the other of a winner and its duplicates, by the same people."""
    if not len(repeats.winner):
        return
    new, other, cosine = _around(catalogue, near, twins)
    place = np.minimum(np.searchsorted(repeats.winner, other), len(repeats.winner) - 1)
    said_at, document = catalogue.segment("said_at"), catalogue.segment("document")
    times = said_at[repeats.loser]
    first = np.minimum(np.minimum.reduceat(times, repeats.start[:-1]), said_at[repeats.winner])
    last = np.maximum(np.maximum.reduceat(times, repeats.start[:-1]), said_at[repeats.winner])
    inside = (repeats.winner[place] == other) & (first[place] < said_at[new]) & (said_at[new] < last[place])
    new, other, cosine = (column[inside & ~document[other]] for column in (new, other, cosine))
    same = same_people(catalogue, new, other)
    yield from zip(new[same].tolist(), other[same].tolist(), cosine[same].tolist(), strict=True)


def _around(catalogue: Catalogue, near: Neighbours, twins: Mapping[int, int]) -> tuple[Numbers, Numbers, Scores]:
    """Row for row each new segment, one that is near it or before it in its session, and their best cosine, 0 where it is not known.

    For a twin of this batch stands what it gives way to: of many that are the same not all are among the nearest.
    """
    own = [(new, before) for new in near.segment.tolist() for before in before_in_session(catalogue, new)]
    mine = np.array(own, dtype=np.int64).reshape(-1, 2)
    new = np.concatenate([np.repeat(near.segment, np.diff(near.start)), mine[:, 0]])
    found = np.array([twins.get(number, number) for number in near.other.tolist()], dtype=np.int64)
    other = np.concatenate([found, mine[:, 1]])
    cosine = np.concatenate([near.score, np.zeros(len(mine), dtype=np.float32)])
    order = np.lexsort((-cosine, other, new))
    _, best = np.unique(np.stack([new[order], other[order]], axis=1), axis=0, return_index=True)
    return new[order[best]], other[order[best]], cosine[order[best]]


def bring_back(store: Store, numbers: Sequence[int]) -> None:
    """In recall again and waiting for their links; what stood for them was said once less for each."""
    rows = {row.number: row for row in store.maintenance.segment_rows(numbers)}
    fewer = Counter(row.stands_for for row in rows.values())
    rows = {row.number: row for row in store.maintenance.segment_rows(fewer)} | rows
    for number in numbers:
        rows[number] = replace(rows[number], state=State.ACTIVE, stands_for=0)
    for number, count in fewer.items():
        rows[number] = replace(rows[number], hits=max(0, rows[number].hits - count))
    store.maintenance.put_segment_rows(list(rows.values()))
    store.set_linked(numbers, False)
