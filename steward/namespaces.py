"""What of upkeep lies in one namespace: which memories, and which entries of the journal.

An entry belongs to a namespace if every memory it touched does. One that touched memories of several, or none, is the whole memory's:
in a namespace it is neither shown nor undone, and its number means no more than one that was never given out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pmg.engine import Engine
from pmg.store.rows import JournalEntry
from steward.change_set import ChangedRows

NAMESPACE_KEY = "namespace"  # in what a note keeps: the namespace it was made in


def in_namespace(engine: Engine, namespace: str, numbers: Iterable[int]) -> NDArray[np.bool_]:
    """Which of some memories lie in this namespace; all of them if none is named."""
    wanted = np.fromiter(numbers, dtype=np.int64)
    if not namespace:
        return np.ones(len(wanted), dtype=np.bool_)
    catalogue = engine.indexes.catalogue
    known = (wanted > 0) & (wanted <= catalogue.size)
    spaces = catalogue.segment("namespace")[np.where(known, wanted, 0)]
    return np.asarray(known & (spaces == catalogue.namespaces.find(namespace)))


def mark(namespace: str) -> str:
    """For an entry that keeps no rows."""
    return json.dumps({NAMESPACE_KEY: namespace})


def entries_of_namespace(engine: Engine, namespace: str, entries: Sequence[JournalEntry]) -> Iterator[JournalEntry]:
    for entry in entries:
        if not namespace or _belongs(engine, namespace, entry):
            yield entry


def _belongs(engine: Engine, namespace: str, entry: JournalEntry) -> bool:
    touched = [number for text in (entry.before, entry.after) for number in ChangedRows.from_json(text).touched]
    if touched:
        return bool(in_namespace(engine, namespace, touched).all())
    return bool(entry.after) and json.loads(entry.after).get(NAMESPACE_KEY) == namespace
