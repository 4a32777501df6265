"""What an undo means for the next merge: a pair that a person took apart stays apart, and a pair taken off the review list is looked at again.

Knows: the pairs that a person has decided about without a line in the review list, by the journal alone. merge.py asks for them; review.py has the other decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pmg.base.model import State
from pmg.engine import Engine
from pmg.store.maintenance import MaintenanceReads
from pmg.store.rows import JournalEntry
from steward.archive import RESTORE
from steward.journal import MERGE, REVIEW, change_of

SEEN_NOTE = "steward.merge"  # the store's note of the highest segment that merging has looked at, model by model


def kept_apart(tables: MaintenanceReads) -> set[tuple[int, int]]:
    """Pairs a < b whose merge was undone, and those of which one was brought back after it had given way to the other."""
    undone = [entry for entry in tables.journal_entries(action=MERGE) if entry.undone_at is not None]
    restored = [entry for entry in tables.journal_entries(action=RESTORE) if entry.undone_at is None]
    return {pair for entry in (*undone, *restored) for pair in _apart(entry)}


def _apart(entry: JournalEntry) -> Iterator[tuple[int, int]]:
    """Which segment gave way to which in the change: merged by it, or a duplicate until it."""
    change = change_of(entry)
    rows = change.after.segments if entry.action == MERGE else change.before.segments
    for row in rows:
        if row.stands_for and row.state in (State.MERGED, State.DUPLICATE):
            yield min(row.number, row.stands_for), max(row.number, row.stands_for)


def look_again(engine: Engine, undone: Sequence[JournalEntry]) -> None:
    """The next run begins before the pairs that these entries listed or merged, as if theirs had not been."""
    later = [_later(entry) for entry in undone if entry.action in (MERGE, REVIEW)]
    generation, _, seen = (engine.reads.note(SEEN_NOTE) or "0:0").partition(":")
    first = min(later, default=0)
    if 0 < first <= int(seen or 0):
        engine.put_note(SEEN_NOTE, f"{generation}:{first - 1}")


def _later(entry: JournalEntry) -> int:
    """The higher number of the pair: a run sees a pair that has one above its mark."""
    after = change_of(entry).after
    return (
        max(max(review.a, review.b) for review in after.reviews)
        if entry.action == REVIEW
        else max(row.number for row in after.segments)
    )
