"""What an import may write, inside one transaction that the engine holds.

Turns that are new to the memory come in through ingest; this is for what is there already and for other memories taken in whole.
What should be written is decided by the importers.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.base.model import Session
from pmg.ingest import quarantine
from pmg.ingest.turns import CleanedTurn
from pmg.store.contract import Store
from pmg.store.exchange import LineTime, Rewrite, SegmentUse
from pmg.store.maintenance import EdgeRow
from pmg.store.rows import JournalEntry, NewEdges, NewSegment


class ImportWrites:
    """Given out by `Engine.importing()`; the transaction ends with its block."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put_sessions(self, sessions: Sequence[Session]) -> None:
        self._store.put_sessions(sessions)

    def append(self, segments: Sequence[NewSegment]) -> list[int]:
        """The numbers of the new segments, in their order."""
        return self._store.append(segments)

    def rewrite(self, rewrites: Sequence[Rewrite], journal: Sequence[JournalEntry]) -> None:
        """Other words for stored segments, and with them the entries that keep the words which give way."""
        self._store.exchange.rewrite(rewrites)
        for one in rewrites:
            self._store.sealed.replace(one.number, one.sealed)
        self._store.write_journal(journal)

    def set_line_times(self, times: Sequence[LineTime]) -> int:
        """Times of their own for lines that came in without one; how many there were."""
        return self._store.exchange.set_line_times(times)

    def keep_aside(self, session_id: str, turns: Sequence[CleanedTurn]) -> list[str]:
        """Turns on which a redaction rule failed, into the journal; says of each where it is."""
        return quarantine.keep_unchecked(self._store, session_id, turns)

    def put_segment_use(self, marks: Sequence[SegmentUse]) -> None:
        self._store.exchange.put_segment_use(marks)

    def put_edges(self, new: NewEdges) -> None:
        """Links that this import makes."""
        self._store.put_edges(new)

    def put_edge_rows(self, rows: Sequence[EdgeRow]) -> None:
        """Links as another memory had them, with their origin and time."""
        self._store.maintenance.replace_edge_rows([], rows)
