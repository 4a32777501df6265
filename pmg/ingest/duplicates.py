"""The ingest-duplicate check: was this said before, with nothing different?

Knows: when a new segment may give way to an older one. Does not know: what is done with the answer.
Cosine alone is not safe (a role swap scores 0.99), so the words decide, and in doubt nothing is a duplicate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pmg.ingest.guard import blocks
from pmg.ingest.link import Neighbours
from pmg.model import Line, Role
from pmg.parts import Parts
from pmg.store.contract import NewVectors, PendingLine
from pmg.times import from_micros

# A turn this short ("yes", "thanks") says what the turns around it make of it: it is kept as it is.
SHORTEST = 4


def find(parts: Parts, lines: Sequence[PendingLine], vectors: NewVectors, near: Neighbours) -> dict[int, int]:
    """New segment → the older one it repeats. Chains of repeats all lead to the first."""
    threshold = parts.thresholds.ingest_duplicate
    candidates = [(i, *near.of(i)) for i in range(len(near.segment))]
    close = {
        int(near.segment[i]): other[score >= threshold].tolist()
        for i, other, score in candidates
        if (score >= threshold).any()
    }
    if not close:
        return {}
    said = _said(parts, lines, {*close, *(number for others in close.values() for number in others)})
    document = parts.indexes.catalogue.segment("document")
    twins: dict[int, int] = {}
    for segment, others in close.items():
        for older in others:
            same_kind = document[segment] == document[older]
            if older not in twins and older in said and same_kind and repeats(said[segment], said[older]):
                twins[segment] = older
                break
    return twins


def repeats(new: Said, old: Said) -> bool:
    """Line for line the same speakers, roles and meaning, on a day on which the words mean the same."""
    return sum(len(line.text.split()) for line in new.lines) >= SHORTEST and not blocks(new, old)


@dataclass(frozen=True, slots=True)
class Said:
    lines: tuple[Line, ...]
    at: datetime


def _said(parts: Parts, lines: Sequence[PendingLine], wanted: set[int]) -> dict[int, Said]:
    """From the batch in hand where it has the words, else from the store."""
    found: dict[int, tuple[Line, ...]] = {}
    for line in lines:
        if line.segment in wanted:
            found[line.segment] = (*found.get(line.segment, ()), Line(line.speaker, Role(line.role), line.text))
    found.update(parts.store.lines_of(sorted(wanted - found.keys())))
    micros, offset = parts.indexes.catalogue.segment("said_at"), parts.indexes.catalogue.segment("said_offset")
    return {
        number: Said(words, from_micros(int(micros[number]), int(offset[number]))) for number, words in found.items()
    }
