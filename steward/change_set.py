"""Rows of a few segments, changed in memory and written back with one statement each.

Knows: what a change is (rows before, rows after) and how several that touch the same rows add up. The tasks decide which rows
change; journal.py writes them. The journal keeps exactly these changes, so what is written and what can be undone are one thing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field

from pmg.base.model import Kind, Origin, State
from pmg.store.maintenance import EdgeRow, Maintenance, MaintenanceReads, Review, SegmentRow


@dataclass(frozen=True, slots=True)
class ChangedRows:
    segments: tuple[SegmentRow, ...] = ()
    edges: tuple[EdgeRow, ...] = ()
    reviews: tuple[Review, ...] = ()

    @property
    def touched(self) -> set[int]:
        """The numbers of all segments in it."""
        ends = {end for row in self.edges for end in (row.source, row.target)}
        return {row.number for row in self.segments} | ends | {end for row in self.reviews for end in (row.a, row.b)}

    def to_json(self) -> str:
        """Numbers only: no word of anybody's text reaches the journal."""
        filled = {name: [astuple(row) for row in getattr(self, name)] for name in ("segments", "edges", "reviews")}
        return json.dumps({name: rows for name, rows in filled.items() if rows}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> ChangedRows:
        found = json.loads(text or "{}")
        return cls(
            tuple(SegmentRow(r[0], State(r[1]), *r[2:]) for r in found.get("segments", ())),
            tuple(EdgeRow(r[0], r[1], Kind(r[2]), r[3], Origin(r[4]), r[5]) for r in found.get("edges", ())),
            tuple(Review(r[0], r[1], r[2], r[3], tuple(r[4]), r[5], r[6]) for r in found.get("reviews", ())),
        )


@dataclass(frozen=True, slots=True)
class JournaledChange:
    """One step that can be undone by itself: `before` gives way to `after`."""

    action: str
    reason: str
    before: ChangedRows
    after: ChangedRows

    @property
    def touched(self) -> set[int]:
        return self.before.touched | self.after.touched


@dataclass(slots=True)
class ChangeSet:
    """Loaded and written inside one transaction."""

    segments: dict[int, SegmentRow] = field(default_factory=dict)
    reviews: dict[int, Review] = field(default_factory=dict)
    _edges: Counter[EdgeRow] = field(default_factory=Counter)
    _at: dict[int, set[EdgeRow]] = field(default_factory=dict)
    _first: ChangedRows = ChangedRows()

    @classmethod
    def load(
        cls, tables: MaintenanceReads, segments: Iterable[int], ends: Iterable[int] = (), reviews: Iterable[int] = ()
    ) -> ChangeSet:
        """The rows of some segments, all edges (but chains) of `ends`, and some reviews."""
        wanted, numbers, listed = set(segments), set(ends), list(reviews)
        edges = tables.edge_rows(numbers) if numbers else []
        rows = tables.segment_rows(wanted | numbers) if wanted or numbers else []
        first = ChangedRows(tuple(rows), tuple(edges), tuple(tables.reviews(ids=listed)) if listed else ())
        change_set = cls({r.number: r for r in rows}, {r.id: r for r in first.reviews}, _first=first)
        for edge in edges:
            change_set._put(edge)
        return change_set

    def edges_of(self, number: int) -> list[EdgeRow]:
        """Every row, a doubled one twice, in a settled order."""
        return [row for row in sorted(self._at.get(number, ())) for _ in range(self._edges[row])]

    def find(self, key: tuple[int, int, Kind, Origin, int]) -> EdgeRow | None:
        """The edge whatever its weight is now."""
        return next((row for row in sorted(self._at.get(key[0], ())) if row.key == key), None)

    def apply(self, change: JournaledChange) -> JournaledChange:
        for row in change.before.edges:
            self._drop(row)
        for row in change.after.edges:
            self._put(row)
        self.segments.update({row.number: row for row in change.after.segments})
        for review in change.before.reviews:
            self.reviews.pop(review.id, None)
        self.reviews.update({review.id: review for review in change.after.reviews})
        return change

    def _put(self, row: EdgeRow) -> None:
        self._edges[row] += 1
        for end in (row.source, row.target):
            self._at.setdefault(end, set()).add(row)

    def _drop(self, row: EdgeRow) -> None:
        self._edges[row] -= 1
        if self._edges[row] <= 0:
            del self._edges[row]
            for end in (row.source, row.target):
                self._at.get(end, set()).discard(row)

    def write(self, tables: Maintenance) -> None:
        """The difference between what was loaded and what stands now, however many changes lie between."""
        was = {row.number: row for row in self._first.segments}
        tables.put_segment_rows([row for number, row in self.segments.items() if was.get(number) != row])
        before = Counter(self._first.edges)
        # A DELETE takes every copy of a row, so a row of which some copies stay is put back that often.
        gone = {row for row in before if self._edges[row] < before[row]}
        new = [row for row, count in self._edges.items() for _ in range(count if row in gone else count - before[row])]
        tables.replace_edge_rows(sorted(gone), sorted(new))
        old = {review.id: review for review in self._first.reviews}
        changed = [review for number, review in self.reviews.items() if old.get(number) != review]
        dropped = [review for number, review in old.items() if number not in self.reviews]
        if changed or dropped:
            tables.replace_reviews(dropped, changed)
