"""The ingest-duplicate check: was this said before, with nothing different?

Knows: when a new segment may give way to an older one. pipeline.py writes what follows from the answer. Cosine alone is not safe
(a role swap scores 0.99), so the words decide, and in doubt nothing is a duplicate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from pmg.components import Components
from pmg.ingest.guard import allows
from pmg.ingest.guard.compare import Reader
from pmg.ingest.guard.words import read
from pmg.ingest.link import Neighbours
from pmg.model import Line, Role
from pmg.store.rows import PendingLine
from pmg.times import from_micros

# A turn this short ("yes", "thanks") says what the turns around it make of it: it is kept as it is.
MIN_WORDS = 4


def find(components: Components, lines: Sequence[PendingLine], near: Neighbours) -> dict[int, int]:
    """New segment → the older one it repeats. Chains of repeats all lead to the first."""
    threshold = components.thresholds.ingest_duplicate
    candidates = [(i, *near.of(i)) for i in range(len(near.segment))]
    close = {
        int(near.segment[i]): other[score >= threshold].tolist()
        for i, other, score in candidates
        if (score >= threshold).any()
    }
    if not close:
        return {}
    said = _said(components, lines, {*close, *(number for others in close.values() for number in others)})
    document = components.indexes.catalogue.segment("document")
    twins: dict[int, int] = {}
    reader = cache(read)  # a text of a form that many share is compared with all of them
    for segment, others in close.items():
        for older in others:
            same_kind = document[segment] == document[older]
            if older not in twins and older in said and same_kind and repeats(said[segment], said[older], reader):
                twins[segment] = older
                break
    return twins


def repeats(new: SaidText, old: SaidText, reader: Reader = read) -> bool:
    """Line for line the same speakers, roles and meaning, on a day on which the words mean the same."""
    return sum(len(line.text.split()) for line in new.lines) >= MIN_WORDS and allows(new, old, reader)


@dataclass(frozen=True, slots=True)
class SaidText:
    lines: tuple[Line, ...]
    at: datetime


def _said(components: Components, lines: Sequence[PendingLine], wanted: set[int]) -> dict[int, SaidText]:
    """From the batch in hand where it has the words, else from the store."""
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
        number: SaidText(words, from_micros(int(micros[number]), int(offset[number])))
        for number, words in found.items()
    }
