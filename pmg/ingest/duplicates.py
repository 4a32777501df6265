"""The ingest-duplicate check: was this said before, with nothing different?

Knows: when a new segment may give way to an older one. Does not know: what is done with the answer.
Cosine alone is not safe (a role swap scores 0.99), so the words decide, and in doubt nothing is a duplicate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pmg.ingest.differences import differences
from pmg.ingest.link import Neighbours
from pmg.model import Line, Role
from pmg.parts import Parts
from pmg.store.contract import NewVectors, PendingLine

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
    texts = _texts(parts, lines, {*close, *(number for others in close.values() for number in others)})
    document = parts.indexes.catalogue.segment("document")
    twins: dict[int, int] = {}
    for segment, others in close.items():
        for older in others:
            same_kind = document[segment] == document[older]
            if older not in twins and same_kind and repeats(texts[segment], texts.get(older, ())):
                twins[segment] = older
                break
    return twins


def repeats(new: tuple[Line, ...], old: tuple[Line, ...]) -> bool:
    """Line for line the same speakers, roles and meaning."""
    if len(new) != len(old) or sum(len(line.text.split()) for line in new) < SHORTEST:
        return False
    return all(
        a.speaker == b.speaker and a.role == b.role and (a.text == b.text or not differences(a.text, b.text))
        for a, b in zip(new, old, strict=True)
    )


def _texts(parts: Parts, lines: Sequence[PendingLine], wanted: set[int]) -> dict[int, tuple[Line, ...]]:
    """From the batch in hand where it has them, else from the store."""
    found: dict[int, tuple[Line, ...]] = {}
    for line in lines:
        if line.segment in wanted:
            found[line.segment] = (*found.get(line.segment, ()), Line(line.speaker, Role(line.role), line.text))
    missing = np.array(sorted(wanted - found.keys()), dtype=np.int64)
    found.update({segment.number: segment.lines for segment in parts.store.segments(missing.tolist())})
    return found
