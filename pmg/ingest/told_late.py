"""Duplicates that are none any more: what is told of the matter otherwise, of a time between them and what they gave way to, came in only now.

"I take 5 mg" of 2021 and of 2025 are in, the second as a duplicate; then the export of another assistant brings "I take 10 mg" of 2023. In the order of
time the one of 2025 would have been news, and so it is now. Knows: which duplicates a new segment parts from their like, and how they are brought back: the
first of them, for which the others stand from then on. connect.py links it anew, as if it had come after the new one, so that the memory does not hang on
which import came first. Merges have their journal: the steward looks at what lies between before it merges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from pmg.base.model import State
from pmg.base.times import now
from pmg.components import Components
from pmg.index.catalogue import STATES, Catalogue
from pmg.ingest.duplicates import before_in_session, texts
from pmg.ingest.guard.words import read
from pmg.ingest.link import Neighbours, Scores
from pmg.ingest.said_between import told_otherwise
from pmg.ingest.same_people import same_people
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


@dataclass(frozen=True, slots=True)
class Parted:
    """Duplicates that something told otherwise parts from their winner: the one said first is in recall again, and the others stand for it."""

    winner: int
    back: int
    others: tuple[int, ...]


def parted(
    components: Components, lines: Sequence[PendingLine], near: Neighbours, twins: Mapping[int, int]
) -> list[Parted]:
    """The duplicates, `twins` of this batch among them, between which and their winner one of the new segments tells otherwise."""
    catalogue = components.indexes.catalogue
    repeats = _repeats(catalogue, twins)
    pairs = [
        (new, winner, cosine)
        for new, winner, cosine in _between(catalogue, near, repeats, twins)
        if twins.get(new) != winner
    ]
    if not pairs:
        return []
    said = texts(components, lines, {number for new, winner, _ in pairs for number in (new, winner)})
    alike, reader = components.thresholds.edge, cache(read)
    between: dict[int, list[int]] = {}
    for new, winner, cosine in pairs:
        if told_otherwise(said[winner], [(said[new], cosine)], alike, reader):
            between.setdefault(winner, []).append(new)
    said_at = catalogue.segment("said_at")
    return [one for winner, news in between.items() for one in _parts(said_at, winner, news, repeats.of(winner))]


def _parts(said_at: Numbers, winner: int, news: Sequence[int], losers: Numbers) -> Iterator[Parted]:
    """The losers beyond a new one, in a group for each of the new ones that is the last before them, as seen from the winner."""
    groups: dict[int, list[int]] = {}
    times = np.sort(said_at[news]) - said_at[winner]
    for loser in losers[np.lexsort((losers, said_at[losers]))].tolist():
        away = said_at[loser] - said_at[winner]
        passed = np.flatnonzero((np.sign(times) == np.sign(away)) & (np.abs(times) < np.abs(away)) & (times != 0))
        if len(passed):
            groups.setdefault(int(passed[-1] if away > 0 else passed[0]), []).append(loser)
    for first, *others in groups.values():
        yield Parted(winner, first, tuple(others))


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


def bring_back(store: Store, parts: Sequence[Parted]) -> None:
    """In recall again and waiting for their links; what was recalled in their place was said once less for each of them and of those with them."""
    fewer = Counter[int]()
    for part in parts:
        fewer[part.winner] += 1 + len(part.others)
    numbers = {number for part in parts for number in (part.winner, part.back, *part.others)}
    rows = {row.number: row for row in store.maintenance.segment_rows(sorted(numbers))}
    for part in parts:
        rows[part.back] = replace(rows[part.back], state=State.ACTIVE, stands_for=0)
        for number in part.others:
            rows[number] = replace(rows[number], stands_for=part.back)
    for number, count in fewer.items():
        rows[number] = replace(rows[number], hits=max(0, rows[number].hits - count))
    store.maintenance.put_segment_rows(list(rows.values()))
    store.add_hits([part.back for part in parts for _ in part.others], now())
    store.set_linked([part.back for part in parts], False)
