"""What a source notes of a turn or a session (its `meta`), without secrets.

A name and its value are looked at together, as a re-scan sees them: many a value is a secret only because it is called `password`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pmg.ingest.redact import KnownValues, Redactor

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CleanedMeta:
    """The notes as they may be kept, and how many secrets of each kind were taken out of them."""

    meta: Mapping[str, str]
    redacted: Mapping[str, int]


def clean_metas(
    metas: Sequence[Mapping[str, str]], redactor: Redactor, known: KnownValues | None = None
) -> list[CleanedMeta]:
    """Those of one session: its turns mostly say the same of themselves, so each pair is looked at once."""
    pairs = dict.fromkeys(pair for meta in metas for pair in meta.items())
    held = {pair: cleaned for pair in pairs if (cleaned := _cleaned(pair, redactor, known)) is not None}
    return [_whole(meta, held) for meta in metas]


def _whole(meta: Mapping[str, str], held: Mapping[Pair, tuple[Pair, Mapping[str, int]]]) -> CleanedMeta:
    counts: Counter[str] = Counter()
    if not held.keys() & meta.items():
        return CleanedMeta(meta, counts)
    kept = {}
    for pair in meta.items():
        (name, value), found = held.get(pair, (pair, {}))
        kept[name] = value
        counts.update(found)
    return CleanedMeta(kept, counts)


def _cleaned(pair: Pair, redactor: Redactor, known: KnownValues | None) -> tuple[Pair, Mapping[str, int]] | None:
    """The pair without its secret and how many of which kind there were; None for almost every pair: it stays."""
    name, value = pair
    label = f"{name}: "
    together = redactor.redact(label + value, known)
    if not together.counts:
        return None
    if together.text.startswith(label):
        return (name, together.text[len(label) :]), together.counts
    return (redactor.redact(name, known).text, redactor.redact(value, known).text), together.counts
