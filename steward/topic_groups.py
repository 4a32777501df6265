"""What topics are made of, and how it is grouped: sessions and parts of long ones, each as one direction of meaning.

A session becomes a vector out of the vectors that the index holds already, together with its title. One turn says too little to be put anywhere
("yes, Tuesday"); a sitting is about something. Directions become groups by mutual nearest neighbours, Leiden on that graph, and a home for what is left
over; -1 is what belongs nowhere. communities.py finds groups in a graph; topics.py keeps them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pmg.base.model import State
from pmg.index.catalogue import STATES, Catalogue
from pmg.index.vector import VectorIndex
from pmg.store.rows import Numbers
from steward.communities import SEED, groups
from steward.task import TaskContext

PART_WORDS = 1_500  # of one part: some twenty minutes of talk; a longer session may well change its subject
SAYS_ENOUGH = 12  # words: a shorter line counts by its share of them
TITLE_SHARE = (
    0.6  # of a title beside everything that was said; one that several sessions have counts by its part of them
)
COMPANY = 5  # units with the same people from which what they have in common is known
COMPANY_SHARE = 0.5  # of it that is taken out: talk with a friend is alike whatever it is about
CENTRED_FROM = 12  # units: fewer have nothing in common that can be told from what they are about
BATCH = 8_192  # windows in memory together

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class TopicUnit:
    """A session, or a part of a long one. Segments by number, in their order."""

    session: int
    title: str
    segments: tuple[int, ...]
    people: tuple[int, ...] = ()  # who speaks in it


@dataclass(frozen=True, slots=True)
class TopicUnits:
    """Units with their directions, row for row: of length 1, the common direction of all taken out."""

    units: tuple[TopicUnit, ...]
    vectors: Vectors

    def __len__(self) -> int:
        return len(self.units)


def gather(work: TaskContext, namespace: str) -> TopicUnits:
    """Every unit of one namespace that has a vector."""
    catalogue, index = work.components.indexes.catalogue, work.components.indexes.vector(namespace)
    segments = _segments(catalogue, namespace)
    if index is None or not len(index) or not len(segments):
        return TopicUnits((), np.empty((0, 1), np.float32))
    which = _parts(catalogue, segments)
    said = _summed(catalogue, index, segments, which, work)
    units = _units(catalogue, segments, which)
    model = work.engine.model.ready()
    vectors = directions(said, units, model.embed if model is not None else None)
    there = np.flatnonzero(np.abs(said).sum(axis=1) > 0)
    taken = tuple(units[row] for row in there.tolist())
    return TopicUnits(taken, centred(vectors[there], [unit.people for unit in taken]))


def _units(catalogue: Catalogue, segments: Numbers, which: Numbers) -> list[TopicUnit]:
    session, edges = catalogue.segment("session"), np.append(_firsts(which), len(segments))
    made = []
    for begin, end in pairwise(edges.tolist()):
        mine, code = segments[begin:end], int(session[segments[begin]])
        people = np.unique(catalogue.line("speaker")[catalogue.lines_of(mine)])
        made.append(TopicUnit(code, catalogue.title_of(code), tuple(mine.tolist()), tuple(people.tolist())))
    return made


def _segments(catalogue: Catalogue, namespace: str) -> Numbers:
    """The active ones of a namespace, by session and place."""
    column = catalogue.segment
    numbers = np.arange(1, catalogue.size + 1, dtype=np.int64)
    here = catalogue.recallable(numbers, catalogue.namespaces.find(namespace))
    numbers = numbers[here & (column("state")[numbers] == STATES.index(State.ACTIVE))]
    return np.asarray(numbers[np.lexsort((column("index")[numbers], column("session")[numbers]))])


def _parts(catalogue: Catalogue, segments: Numbers) -> Numbers:
    """For each segment the number of its unit, growing from 0. A session's parts have about as many words each."""
    session = catalogue.segment("session")[segments]
    words = catalogue.segment("words")[segments].astype(np.float64) + 1
    starts = np.flatnonzero(np.diff(session, prepend=-1))
    turns = np.diff(np.append(starts, len(segments)))
    total = np.add.reduceat(words, starts)
    before = np.cumsum(words) - words
    inside = before - np.repeat(before[starts], turns)
    parts = np.maximum(1, np.round(total / PART_WORDS))
    part = np.floor(inside * np.repeat(parts / total, turns))
    changed = np.diff(np.repeat(np.arange(len(starts)), turns) * (parts.max() + 1) + part, prepend=-1) != 0
    return np.asarray(np.cumsum(changed) - 1, dtype=np.int64)


def _firsts(which: Numbers) -> Numbers:
    return np.flatnonzero(np.diff(which, prepend=-1))


def _summed(
    catalogue: Catalogue, index: VectorIndex, segments: Numbers, which: Numbers, work: TaskContext
) -> NDArray[np.float64]:
    """The windows of each unit added up, a short line by its share."""
    lines = catalogue.lines_of(segments)
    unit_of_line = np.repeat(which, catalogue.segment("lines")[segments])
    count = catalogue.line("windows")[lines]
    windows, unit = catalogue.windows_of_lines(lines), np.repeat(unit_of_line, count)
    share = np.repeat(np.minimum(1.0, catalogue.line("words")[lines] / SAYS_ENOUGH), count)
    there = np.isin(windows, index.ids())
    windows, unit, share = windows[there], unit[there], share[there]
    total = np.zeros((int(which[-1]) + 1, index.dimension))
    for start in range(0, len(windows), BATCH):
        if not work.pace.go():
            break
        some = slice(start, start + BATCH)
        np.add.at(total, unit[some], index.vectors_of(windows[some]) * share[some, None])
        work.progress("finding topics: reading what was said", min(start + BATCH, len(windows)), len(windows))
    return total


def directions(said: NDArray[np.float64], units: Sequence[TopicUnit], embed: Embed | None) -> Vectors:
    """What was said in each unit, of length 1, with its title beside it. Without a model the titles are left out."""
    vectors = _unit_length(said)
    sessions = Counter(title for _, title in {(unit.session, unit.title) for unit in units})
    named = sorted(title for title in sessions if title.strip()) if embed is not None else []
    if embed is None or not named:
        return vectors
    rows = dict(zip(named, embed(named), strict=True))
    beside = np.zeros_like(vectors)
    for row, unit in enumerate(units):
        if unit.title in rows:
            beside[row] = TITLE_SHARE / sessions[unit.title] * rows[unit.title]
    return _unit_length(vectors + beside)


def centred(vectors: Vectors, people: Sequence[tuple[int, ...]]) -> Vectors:
    """Without what all have in common (talk is talk), nor half of what talk among the same people has: what is left tells them apart."""
    if len(vectors) < CENTRED_FROM:
        return vectors
    made = np.asarray(vectors - vectors.mean(axis=0, dtype=np.float64))
    together: dict[tuple[int, ...], list[int]] = {}
    for row, company in enumerate(people):
        together.setdefault(company, []).append(row)
    for rows in together.values():
        if len(rows) >= COMPANY:
            made[rows] -= COMPANY_SHARE * made[rows].mean(axis=0)
    return _unit_length(made)


def _unit_length(vectors: NDArray[np.floating]) -> Vectors:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12), dtype=np.float32)


BLOCK = 512  # rows held against all others at once
MAX_ROWS = 30_000  # rows that are grouped; beyond, an even sample is, and the rest joins the nearest group
UNASSIGNED = -1
MIN_ROWS = 40  # rows: with fewer, groups are as coarse as modularity itself makes them
RESOLUTION = (
    1.6  # beyond that: at 1 a year of a person falls into seven groups, of which the largest is everything else
)
NEAR_ENOUGH = 0.5  # of how near those in a group usually are to its middle: what a leftover must reach to join


def group(vectors: Vectors, initial: Numbers, smallest: int, *, seed: int = SEED, resolution: float = 0.0) -> Numbers:
    """A group for each row, numbered from 0; -1 for what is like none of them. `initial` are the groups of last time (-1: new). A higher
    `resolution` gives finer groups; 0 leaves it to the number of rows."""
    resolution = resolution or (1.0 if len(vectors) < MIN_ROWS else RESOLUTION)
    if len(vectors) > MAX_ROWS:
        return _sampled(vectors, initial, smallest, seed, resolution)
    if len(vectors) < smallest:
        return np.full(len(vectors), UNASSIGNED, dtype=np.int64)
    source, target, weight = mutual(vectors, neighbours(len(vectors)))
    begin = _alone_where_new(initial)
    found = groups(len(vectors), source, target, weight, begin, resolution=resolution, seed=seed)
    return settle(vectors, found, smallest)


def neighbours(rows: int) -> int:
    """How many neighbours each row looks at: more rows, more of them about the same thing."""
    return max(3, min(20, rows // 4, round(2 * math.log2(max(rows, 2)))))


def mutual(vectors: Vectors, count: int) -> tuple[Numbers, Numbers, NDArray[np.float64]]:
    """Pairs of rows that are each among the other's nearest, with the square of their cosine: one near neighbour says more than two far ones."""
    near, cosine = nearest(vectors, min(count, len(vectors) - 1))
    source = np.repeat(np.arange(len(vectors)), near.shape[1])
    target, weight = near.reshape(-1), cosine.reshape(-1)
    here, back = source * len(vectors) + target, target * len(vectors) + source
    both = np.isin(here, back) & (source < target) & (weight > 0)
    return source[both], target[both], weight[both].astype(np.float64) ** 2


def nearest(vectors: Vectors, count: int) -> tuple[Numbers, Vectors]:
    """For each row the rows nearest to it, itself left out; ties go to the lower row."""
    near = np.empty((len(vectors), count), dtype=np.int64)
    cosine = np.empty((len(vectors), count), dtype=np.float32)
    for start in range(0, len(vectors), BLOCK):
        some = slice(start, min(start + BLOCK, len(vectors)))
        scores = vectors[some] @ vectors.T
        scores[np.arange(scores.shape[0]), np.arange(some.start, some.stop)] = -np.inf
        best = np.argpartition(-scores, count - 1, axis=1)[:, :count] if count < len(vectors) else np.argsort(-scores)
        value = np.take_along_axis(scores, best, axis=1)
        order = np.lexsort((best, -value), axis=1)
        near[some], cosine[some] = np.take_along_axis(best, order, 1), np.take_along_axis(value, order, 1)
    return near, cosine


def _alone_where_new(initial: Numbers) -> Numbers:
    begin = initial.copy()
    new = np.flatnonzero(initial < 0)
    begin[new] = int(initial.max(initial=-1)) + 1 + np.arange(len(new))
    return begin


def settle(vectors: Vectors, found: Numbers, smallest: int) -> Numbers:
    """Groups of fewer than `smallest` are given up; their rows join the nearest group if they are half as near to it as is usual."""
    sizes = np.bincount(found)
    kept = np.flatnonzero(sizes >= smallest)
    if not len(kept):
        return np.full(len(found), UNASSIGNED, dtype=np.int64)
    settled = np.full(int(sizes.size), UNASSIGNED, dtype=np.int64)
    settled[kept] = np.arange(len(kept))
    group = settled[found]
    centre = centres(vectors, group)
    inside = group >= 0
    own = np.einsum("ij,ij->i", vectors[inside], centre[group[inside]])
    return joined(vectors, group, centre, NEAR_ENOUGH * float(np.median(own)))


def joined(vectors: Vectors, group: Numbers, centre: Vectors, least: float) -> Numbers:
    """Rows without a group into the one with the nearest centre, where that is near enough."""
    left = np.flatnonzero(group < 0)
    if not len(left):
        return group
    scores = vectors[left] @ centre.T
    best = np.argmax(scores, axis=1)
    near = scores[np.arange(len(left)), best] >= least
    filled = group.copy()
    filled[left[near]] = best[near]
    return filled


def centres(vectors: Vectors, group: Numbers) -> Vectors:
    """The mean direction of each group."""
    total = np.zeros((int(group.max(initial=-1)) + 1, vectors.shape[1]))
    inside = group >= 0
    np.add.at(total, group[inside], vectors[inside])
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(total / np.maximum(length, 1e-12), dtype=np.float32)


def _sampled(vectors: Vectors, initial: Numbers, smallest: int, seed: int, resolution: float) -> Numbers:
    chosen = np.unique(np.linspace(0, len(vectors) - 1, MAX_ROWS).astype(np.int64))
    part = group(vectors[chosen], initial[chosen], smallest, seed=seed, resolution=resolution)
    found = np.full(len(vectors), UNASSIGNED, dtype=np.int64)
    found[chosen] = part
    centre = centres(vectors[chosen], part)
    if not len(centre):
        return found
    own = np.einsum("ij,ij->i", vectors[chosen][part >= 0], centre[part[part >= 0]])
    return joined(vectors, found, centre, NEAR_ENOUGH * float(np.median(own)))
