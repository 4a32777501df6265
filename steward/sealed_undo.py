"""How a restored redaction is put back behind its mark: from its journal entry, or not at all.

Knows: what such an entry holds. pmg/ingest/restore_sealed.py makes them; journal.py undoes all others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from pmg.base.errors import InputError
from pmg.engine import Engine
from pmg.store.rows import JournalEntry
from pmg.store.sealed import RESTORED

ACTIONS = (RESTORED,)


def put_back(engine: Engine, entries: Sequence[JournalEntry]) -> None:
    """Inside the transaction of an undo."""
    for entry in sorted(entries, key=lambda one: -one.id):
        told = json.loads(entry.after)
        row = engine.reads.sealed.find(told["sealed"])
        if row is None or row.segment_id != told["segment"] or not row.is_restored:
            raise InputError(
                f"Entry {entry.id} ({entry.action}) cannot be undone: its words were changed or forgotten since."
            )
        engine.seal_again(row.id)


def sessions_of(engine: Engine, entries: Sequence[JournalEntry]) -> list[str]:
    """The sessions whose words changed: their plain text and indexes must follow."""
    named = [json.loads(entry.after)["segment"] for entry in entries if entry.action in ACTIONS]
    return sorted({engine.segment(name).session_id for name in named})
