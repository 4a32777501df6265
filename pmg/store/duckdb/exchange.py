"""The SQL of imports and exports: turns by their source's name, words replaced, marks, whole sessions out.

Knows: which rows hang on a segment's words (lines, windows, vectors, automatic links) and must go with them. pmg/importers and
pmg/exporters decide what comes in and goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from pmg.base.model import Edge, Kind, Origin, Session, content_hash
from pmg.base.text import escape, unescape
from pmg.base.times import from_micros, offset_seconds, to_micros
from pmg.store.duckdb import sessions
from pmg.store.duckdb.database import Database, numbers_table
from pmg.store.duckdb.relation import IS_AUTO_LINK, said_compared
from pmg.store.duckdb.schema import TIMESTAMP
from pmg.store.exchange import ExportFilter, ImportedTurn, LineTime, Rewrite, SegmentUse, StoredSegment

_EDGE = """SELECT a.id, b.id, e.kind, e.weight, e.origin, epoch_us(e.created_at)
           FROM edges e JOIN segments a ON a.number = e.source JOIN segments b ON b.number = e.target"""


class DuckExchange:
    """Meets pmg.store.exchange.Exchange. `take` gives the first of some fresh numbers of a counter."""

    def __init__(self, database: Database, take: Callable[[str, int], int]) -> None:
        self._database = database
        self._take = take

    # coming in

    def turns_of(self, namespace: str, conversations: Sequence[str]) -> dict[str, dict[str, ImportedTurn]]:
        """For each conversation its turns that the source names, in whichever session they are."""
        known: dict[str, dict[str, ImportedTurn]] = {name: {} for name in conversations}
        table = pa.table({"name": pa.array([escape(name) for name in conversations], pa.string())})
        with self._database.reading(table, "wanted") as wanted:
            rows = self._database.rows(
                f"""SELECT s.conversation, g.origin_id, g.number, g.session_id, g.content_hash, coalesce(x.digest, '')
                    FROM segments g JOIN sessions s ON s.id = g.session_id
                    LEFT JOIN (SELECT DISTINCT segment, digest FROM sealed WHERE restored) x ON x.segment = g.number
                    WHERE s.namespace = ? AND g.origin_id <> '' AND s.conversation IN (SELECT name FROM {wanted})
                    ORDER BY g.number DESC""",
                [namespace],
            )
        for conversation, origin, *turn in rows:  # the first of two with one name is the one known
            known[unescape(conversation)][unescape(origin)] = ImportedTurn(*turn)
        return known

    def sessions_of(self, namespace: str, conversations: Sequence[str]) -> dict[str, list[Session]]:
        known: dict[str, list[Session]] = {name: [] for name in conversations}
        table = pa.table({"name": pa.array([escape(name) for name in conversations], pa.string())})
        with self._database.reading(table, "talks") as talks:
            condition = f"s.namespace = ? AND s.conversation IN (SELECT name FROM {talks})"
            for session in sessions.where(self._database, condition, [namespace]):
                known[session.conversation].append(session)
        return known

    def rewrite(self, rewrites: Sequence[Rewrite]) -> None:
        """Other words for these segments. What was made from the old ones goes, and is made again like for new ones.

        What gave way to a rewritten segment because it said the same comes back: the two may differ now.
        """
        if not rewrites:
            return
        with self._database.writing():
            change = self._take("change", 1)
            with self._database.reading(numbers_table([r.number for r in rewrites]), "edited") as edited:
                self._unmake(edited, change)
                self._database.run(
                    f"""UPDATE segments SET state = 'active', stands_for = 0, changed = {change}
                        WHERE state IN ('duplicate', 'merged')
                          AND (number IN (SELECT n FROM {edited}) OR stands_for IN (SELECT n FROM {edited}))"""
                )
            self._put_lines(rewrites)
            self._put_heads(rewrites, change)

    def _unmake(self, edited: str, change: int) -> None:
        run, inside = self._database.run, f"(SELECT n FROM {edited})"
        # A segment number of 0: the lines and windows are gone, the segment is not.
        run(
            f"""INSERT INTO removed SELECT 0, l.id, 0, g.namespace, {change} FROM lines l
                JOIN segments g ON g.number = l.segment WHERE l.segment IN {inside}
                UNION ALL SELECT 0, w.line, w.id, g.namespace, {change} FROM windows w
                JOIN segments g ON g.number = w.segment WHERE w.segment IN {inside}"""
        )
        for (generation,) in self._database.rows("SELECT generation FROM models WHERE state <> 'retired'"):
            run(
                f"""DELETE FROM vectors_{int(generation)} WHERE window_id IN (
                    SELECT id FROM windows WHERE generation = {int(generation)} AND segment IN {inside})"""
            )
        run(f"DELETE FROM windows WHERE segment IN {inside}")
        run(f"DELETE FROM embedded WHERE segment IN {inside}")
        run(f"DELETE FROM lines WHERE segment IN {inside}")
        run(
            f"""DELETE FROM edges e WHERE (e.source IN {inside} OR e.target IN {inside})
                AND {IS_AUTO_LINK}"""
        )

    def _put_lines(self, rewrites: Sequence[Rewrite]) -> None:
        flat = [(r.number, j, line) for r in rewrites for j, line in enumerate(r.lines)]
        first = self._take("line", len(flat))
        self._database.insert("lines", sessions.line_columns(flat, first))

    def _put_heads(self, rewrites: Sequence[Rewrite], change: int) -> None:
        table = pa.table(
            {
                "number": pa.array([r.number for r in rewrites], pa.int64()),
                "quality": pa.array([r.quality for r in rewrites], pa.float32()),
                "digest": pa.array([content_hash(r.lines) for r in rewrites], pa.string()),
                "meta": pa.array([sessions.meta_json(r.meta) for r in rewrites], pa.string()),
            }
        )
        with self._database.reading(table, "heads") as heads:
            self._database.run(
                f"""UPDATE segments SET quality = h.quality, content_hash = h.digest, meta = h.meta, changed = {change}
                    FROM {heads} h WHERE h.number = segments.number"""
            )

    def set_line_times(self, times: Sequence[LineTime]) -> int:
        """Gives lines that have none a time of their own; how many had none."""
        table = pa.table(
            {
                "number": pa.array([one.number for one in times], pa.int64()),
                "idx": pa.array([one.index for one in times], pa.int32()),
                "at": pa.array([to_micros(one.at) for one in times], TIMESTAMP),
                "shift": pa.array([offset_seconds(one.at) for one in times], pa.int32()),
            }
        )
        with self._database.writing(), self._database.reading(table, "timed") as timed:
            same = "t.number = lines.segment AND t.idx = lines.idx AND lines.said_at IS NULL"
            row = self._database.row(f"SELECT count(*) FROM lines JOIN {timed} t ON {same}")
            count = int(row[0]) if row else 0
            if count:
                self._database.run(
                    f"UPDATE lines SET said_at = t.at, said_offset = t.shift FROM {timed} t WHERE {same}"
                )
        return count

    def put_segment_use(self, marks: Sequence[SegmentUse]) -> None:
        if not marks:
            return
        table = pa.table(
            {
                "number": pa.array([m.number for m in marks], pa.int64()),
                "state": pa.array([m.state.value for m in marks], pa.string()),
                "stands_for": pa.array([m.stands_for for m in marks], pa.int64()),
                "hits": pa.array([m.hits for m in marks], pa.int32()),
                "last_hit": pa.array([None if m.last_hit is None else to_micros(m.last_hit) for m in marks], TIMESTAMP),
                "pinned": pa.array([m.pinned for m in marks], pa.bool_()),
                "tags": pa.array([[escape(tag) for tag in m.tags] for m in marks], pa.list_(pa.string())),
            }
        )
        with self._database.writing(), self._database.reading(table, "marked") as marked:
            self._database.run(
                f"""UPDATE segments SET state = m.state, stands_for = m.stands_for, hits = m.hits, last_hit = m.last_hit,
                    pinned = m.pinned, tags = m.tags, changed = {self._take("change", 1)}
                    FROM {marked} m WHERE m.number = segments.number"""
            )

    def missing_edges(self, edges: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Those of (source, target, kind) that are not there, each once, in order; never into another namespace."""
        table = pa.table(
            {
                "source": pa.array([e[0] for e in edges], pa.int64()),
                "target": pa.array([e[1] for e in edges], pa.int64()),
                "kind": pa.array([e[2] for e in edges], pa.string()),
            }
        )
        with self._database.reading(table, "wanted") as wanted:
            rows = self._database.rows(
                f"""SELECT DISTINCT w.source, w.target, w.kind FROM {wanted} w
                    JOIN segments a ON a.number = w.source
                    JOIN segments b ON b.number = w.target AND b.namespace = a.namespace
                    ANTI JOIN edges e ON e.source = w.source AND e.target = w.target AND e.kind = w.kind ORDER BY ALL"""
            )
        return [(int(a), int(b), str(kind)) for a, b, kind in rows]

    # going out

    def chosen(self, filters: ExportFilter) -> list[Session]:
        """The sessions that meet every filter, in the order in which they came in."""
        clauses: list[tuple[str, list[Any]]] = []
        if filters.namespace is not None:
            clauses.append(("s.namespace = ?", [filters.namespace]))
        inside = "EXISTS (SELECT 1 FROM segments g WHERE g.session_id = s.id AND "
        for how, at in ((">=", filters.since), ("<", filters.until)):
            if at is not None:
                condition, value = said_compared(how, at)
                clauses.append((f"{inside}{condition})", [value]))
        if filters.person:
            speaks = "g.number IN (SELECT segment FROM lines WHERE lower(speaker) = lower(?)))"
            clauses.append((inside + speaks, [escape(filters.person)]))
        if filters.topic:
            member = """g.number IN (SELECT m.segment FROM topic_members m JOIN topics t ON t.id = m.topic
                        WHERE lower(t.name) = lower(?)))"""
            clauses.append((inside + member, [escape(filters.topic)]))
        where = " AND ".join(sql for sql, _ in clauses) or "true"
        return sessions.where(self._database, where, [value for _, values in clauses for value in values])

    def stored_segments(self, session_id: str) -> list[StoredSegment]:
        named = {
            number: (unescape(origin), digest)
            for number, origin, digest in self._database.rows(
                "SELECT number, origin_id, content_hash FROM segments WHERE session_id = ?", [session_id]
            )
        }
        return [StoredSegment(s, *named[s.number]) for s in sessions.of_session(self._database, session_id)]

    def lasting_edges(self) -> Iterator[Edge]:
        """Every link that could not be made again from the words, in an order that depends on nothing but them."""
        sql = f"{_EDGE} WHERE e.kind <> 'chain' AND NOT {IS_AUTO_LINK} ORDER BY a.id, b.id, e.kind, e.origin, e.created_at, e.weight"
        for batch in self._database.batches(sql, 4096):
            yield from (_edge(row) for row in zip(*(column.to_pylist() for column in batch.columns), strict=True))

    def edges_between(self, session_id: str) -> list[Edge]:
        """Links of a session's segments with those of other sessions."""
        sql = f"""{_EDGE} WHERE e.kind <> 'chain' AND a.session_id <> b.session_id
                  AND (a.session_id = ? OR b.session_id = ?) ORDER BY e.weight DESC, a.id, b.id, e.kind"""
        return [_edge(row) for row in self._database.rows(sql, [session_id, session_id])]


def _edge(row: Sequence[Any]) -> Edge:
    return Edge(row[0], row[1], Kind(row[2]), row[3], Origin(row[4]), from_micros(row[5]))
