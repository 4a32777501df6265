"""The ingest-duplicate check: was this said before, with nothing different?

Knows: when a new segment may give way to an older one. connect.py writes what follows from the answer. Cosine alone is not safe
(a role swap scores 0.99), so the words decide, and in doubt nothing is a duplicate. Nor is what was said before but not last:
said_between.py looks at what was told in the meantime, and told_late.py at what is told of the meantime only later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from pmg.base.model import Line, Role
from pmg.base.times import from_micros
from pmg.components import Components
from pmg.index.catalogue import Catalogue
from pmg.ingest.guard import allows
from pmg.ingest.guard.compare import Reader
from pmg.ingest.guard.words import read
from pmg.ingest.link import Neighbours
from pmg.ingest.said_between import changed_between, told_otherwise
from pmg.ingest.same_people import same_people
from pmg.ingest.spoken import what_counts
from pmg.ingest.timed_text import SaidText
from pmg.store.rows import PendingLine

# A turn this short ("yes", "thanks") says what the turns around it make of it: it is kept as it is.
MIN_WORDS = 4
OWN_TURNS = 50  # turns of the same session that are looked at for what was told in between


def find(components: Components, lines: Sequence[PendingLine], near: Neighbours) -> dict[int, int]:
    """New segment → the older one it repeats. Chains of repeats all lead to the first, unless something else was told in between."""
    threshold = components.thresholds.ingest_duplicate
    candidates = [(i, *near.of(i)) for i in range(len(near.segment))]
    close = {
        int(near.segment[i]): other[score >= threshold].tolist()
        for i, other, score in candidates
        if (score >= threshold).any()
    }
    if not close:
        return {}
    reader = cache(read)  # a text of a form that many share is compared with all of them
    same = _same(components, lines, close, reader)
    if not same:
        return {}
    cosines = {
        int(near.segment[i]): dict(zip(other.tolist(), score.tolist(), strict=True)) for i, other, score in candidates
    }
    news = _told_anew(components, lines, same, cosines, reader)
    twins: dict[int, int] = {}
    for segment, others in same.items():
        older = next((number for number in others if number not in twins and (segment, number) not in news), None)
        if older is not None:
            twins[segment] = older
    return twins


def _by_same_people(catalogue: Catalogue, near: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    """Of the others that each has, those that may be by the same people."""
    a = np.repeat(list(near), [len(others) for others in near.values()]).astype(np.int64)
    b = np.array([number for others in near.values() for number in others], dtype=np.int64)
    found: dict[int, list[int]] = {}
    for segment, other, same in zip(a.tolist(), b.tolist(), same_people(catalogue, a, b).tolist(), strict=True):
        if same:
            found.setdefault(segment, []).append(other)
    return found


def _with_same_moment(
    catalogue: Catalogue, close: Mapping[int, Sequence[int]], people: Mapping[int, Sequence[int]]
) -> dict[int, list[int]]:
    """Those by the same people, and those said at the same moment: one chat may be exported twice, under two names."""
    said_at = catalogue.segment("said_at")
    return {
        segment: [n for n in others if n in people.get(segment, ()) or said_at[n] == said_at[segment]]
        for segment, others in close.items()
    }


def _same(
    components: Components, lines: Sequence[PendingLine], close: Mapping[int, Sequence[int]], reader: Reader
) -> dict[int, list[int]]:
    """Of the segments that are close by cosine, those that say the same."""
    catalogue = components.indexes.catalogue
    people, document = _by_same_people(catalogue, close), catalogue.segment("document")
    close = _with_same_moment(catalogue, close, people)
    said = texts(components, lines, {*close, *(number for others in close.values() for number in others)})
    found = {
        segment: [
            older
            for older in others
            if older in said
            and document[segment] == document[older]
            and (older in people.get(segment, ()) or said[segment].lines == said[older].lines)
            and repeats(said[segment], said[older], reader)
        ]
        for segment, others in close.items()
    }
    return {segment: others for segment, others in found.items() if others}


def _told_anew(
    components: Components,
    lines: Sequence[PendingLine],
    same: Mapping[int, Sequence[int]],
    cosines: Mapping[int, Mapping[int, float]],
    reader: Reader,
) -> set[tuple[int, int]]:
    """The pairs between which something else was told. Texts are read only of what was told at such a time: most often nothing."""
    catalogue = components.indexes.catalogue
    said_at, document = catalogue.segment("said_at"), catalogue.segment("document")
    between: dict[int, list[int]] = {}
    for segment, others in same.items():
        if document[segment]:
            continue
        times = said_at[[segment, *others]]
        first, last = times.min(), times.max()
        around = (*cosines[segment], *before_in_session(catalogue, segment))
        if inside := [number for number in around if first < said_at[number] < last]:
            between[segment] = inside
    between = _by_same_people(catalogue, between)
    if not between:
        return set()
    said = texts(components, lines, {n for s, inside in between.items() for n in (s, *same[s], *inside)})
    alike = components.thresholds.edge
    news: set[tuple[int, int]] = set()
    for segment, inside in between.items():
        near = [(said[number], cosines[segment].get(number, 0.0)) for number in inside if number in said]
        if otherwise := told_otherwise(said[segment], near, alike, reader):
            news |= {
                (segment, older) for older in same[segment] if changed_between(said[segment], said[older], otherwise)
            }
    return news


def before_in_session(catalogue: Catalogue, segment: int) -> list[int]:
    """The turns before it in its own session, where no neighbours are looked for."""
    before, found = catalogue.segment("previous"), list[int]()
    while len(found) < OWN_TURNS and (segment := int(before[segment])):
        found.append(segment)
    return found


def repeats(new: SaidText, old: SaidText, reader: Reader = read) -> bool:
    """Line for line the same speakers, roles and meaning, on a day on which the words mean the same."""
    return sum(len(line.text.split()) for line in new.lines) >= MIN_WORDS and allows(new, old, reader)


def texts(components: Components, lines: Sequence[PendingLine], wanted: set[int]) -> dict[int, SaidText]:
    """What counts of them, from the batch in hand where it has the words, else from the store."""
    found: dict[int, tuple[Line, ...]] = {}
    for line in lines:
        if line.segment in wanted:
            found[line.segment] = (*found.get(line.segment, ()), Line(line.speaker, Role(line.role), line.text))
    found.update(components.store.lines_of(sorted(wanted - found.keys())))
    micros, offset = (
        components.indexes.catalogue.segment("said_at"),
        components.indexes.catalogue.segment("said_offset"),
    )
    return {
        number: what_counts(SaidText(words, from_micros(int(micros[number]), int(offset[number]))))
        for number, words in found.items()
    }
