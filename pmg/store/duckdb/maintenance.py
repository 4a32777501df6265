"""The steward's SQL: rows as they stand and back, scores, reviews, topics, the use of edges, checks.

Knows: the tables that m002 added and how upkeep reads and writes the others. The package steward decides what is changed. Every
statement works on sets: one for a whole chunk of changes, so that a transaction stays short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pmg.base.model import CHAT_SOURCE, Kind, Origin, Role
from pmg.base.text import escape, unescape
from pmg.base.times import from_micros, to_micros
from pmg.store.duckdb import topics
from pmg.store.duckdb.database import Database, numbers_table
from pmg.store.duckdb.feeds import SAID_AT
from pmg.store.duckdb.schema import TIMESTAMP
from pmg.store.duckdb.sessions import state_of
from pmg.store.duckdb.values import CHECKED, wrong_values
from pmg.store.maintenance import EdgeRow, EdgeUse, Orphans, Review, SegmentRow, Signals, Topic, TopicNames
from pmg.store.rows import JournalEntry, Numbers

_EDGE = "e.source, e.target, e.kind, e.weight, e.origin, epoch_us(e.created_at)"
_ENTRY = "id, run, epoch_us(written_at), actor, action, reason, before, after, epoch_us(undone_at)"
_ORPHANS = {
    "edges": "source NOT IN (SELECT number FROM segments) OR target NOT IN (SELECT number FROM segments)",
    "windows": "segment NOT IN (SELECT number FROM segments)",
    "lines": "segment NOT IN (SELECT number FROM segments)",
    "scores": "segment NOT IN (SELECT number FROM segments)",
}


class DuckMaintenance:
    """Meets pmg.store.maintenance.Maintenance. `take_change` gives the number of the next change."""

    def __init__(self, database: Database, take_change: Callable[[], int]) -> None:
        self._database = database
        self._take_change = take_change

    # rows as they stand

    def segment_rows(self, numbers: Iterable[int]) -> list[SegmentRow]:
        with self._database.reading(numbers_table(numbers), "wanted") as wanted:
            rows = self._database.rows(
                f"""SELECT g.number, g.state, g.stands_for, g.hits, epoch_us(g.last_hit), g.pinned, s.score
                    FROM segments g LEFT JOIN scores s ON s.segment = g.number
                    WHERE g.number IN (SELECT n FROM {wanted}) ORDER BY g.number"""
            )
        return [SegmentRow(row[0], state_of(row[1]), *row[2:]) for row in rows]

    def edge_rows(self, numbers: Iterable[int]) -> list[EdgeRow]:
        """Every edge but chains that touches one of them."""
        with self._database.reading(numbers_table(numbers), "wanted") as wanted:
            rows = self._database.rows(
                f"""SELECT {_EDGE} FROM edges e WHERE e.kind <> 'chain'
                    AND (e.source IN (SELECT n FROM {wanted}) OR e.target IN (SELECT n FROM {wanted}))"""
            )
        return sorted(_edge(row) for row in rows)

    def put_segment_rows(self, rows: Sequence[SegmentRow]) -> None:
        if not rows:
            return
        table = pa.table(
            {
                "number": pa.array([r.number for r in rows], pa.int64()),
                "state": pa.array([r.state.value for r in rows], pa.string()),
                "stands_for": pa.array([r.stands_for for r in rows], pa.int64()),
                "hits": pa.array([r.hits for r in rows], pa.int32()),
                "last_hit": pa.array([r.last_hit for r in rows], TIMESTAMP),
                "pinned": pa.array([r.pinned for r in rows], pa.bool_()),
            }
        )
        with self._database.writing(), self._database.reading(table, "rows_now") as now:
            self._database.run(
                f"""UPDATE segments SET state = r.state, stands_for = r.stands_for, hits = r.hits, last_hit = r.last_hit,
                    pinned = r.pinned, changed = {self._take_change()} FROM {now} r WHERE r.number = segments.number"""
            )
            self._database.run(f"DELETE FROM scores WHERE segment IN (SELECT number FROM {now})")
            scored = [r for r in rows if r.score is not None]
            self._insert_scores([r.number for r in scored], [r.score for r in scored])

    def touch(self, numbers: Sequence[int]) -> None:
        """Stamps segments as changed, so that the indexes look at them again."""
        if numbers:
            with self._database.writing(), self._database.reading(numbers_table(numbers), "touched") as rows:
                change = self._take_change()
                self._database.run(f"UPDATE segments SET changed = {change} WHERE number IN (SELECT n FROM {rows})")

    def put_tags(self, number: int, tags: Sequence[str]) -> None:
        """These and no others. No index holds tags, so nothing is stamped as changed."""
        with self._database.writing():
            self._database.run("UPDATE segments SET tags = ? WHERE number = ?", [[escape(t) for t in tags], number])

    def replace_edge_rows(self, old: Sequence[EdgeRow], new: Sequence[EdgeRow]) -> None:
        with self._database.writing():
            if old:
                with self._database.reading(pa.table(_edge_columns(old)), "gone") as gone:
                    self._database.run(
                        f"""DELETE FROM edges e USING {gone} r WHERE e.source = r.source AND e.target = r.target
                            AND e.kind = r.kind AND e.weight = r.weight AND e.origin = r.origin
                            AND e.created_at = r.created_at"""
                    )
            self._database.insert("edges", _edge_columns(new))

    # scores

    def signals(self) -> Signals:
        table = self._database.arrow(
            f"""SELECT g.number, g.namespace, {SAID_AT} AS said_at, coalesce(epoch_us(g.last_hit), -1) AS last_hit,
                      g.hits, g.quality, g.pinned, coalesce(s.score, 'nan'::FLOAT) AS score
               FROM segments g JOIN sessions o ON o.id = g.session_id LEFT JOIN scores s ON s.segment = g.number
               WHERE g.state = 'active' AND NOT o.is_open ORDER BY g.number"""
        )
        return Signals(
            number=_ints(table, "number"),
            namespace=table.column("namespace").to_pylist(),
            said_at=_ints(table, "said_at"),
            last_hit=_ints(table, "last_hit"),
            hits=_ints(table, "hits"),
            quality=np.asarray(table.column("quality").to_numpy(), dtype=np.float64),
            pinned=np.asarray(table.column("pinned").to_numpy(zero_copy_only=False), dtype=np.bool_),
            score=np.asarray(table.column("score").to_numpy(), dtype=np.float64),
        )

    def scores(self) -> tuple[Numbers, NDArray[np.float32]]:
        table = self._database.arrow("SELECT segment, score FROM scores ORDER BY segment")
        return _ints(table, "segment"), np.asarray(table.column("score").to_numpy(), dtype=np.float32)

    def put_scores(self, numbers: Numbers, scores: NDArray[np.float32]) -> None:
        """These scores and no others; those of segments that are not there are left out."""
        with self._database.writing():
            self._database.run("DELETE FROM scores")
            self._insert_scores(numbers, scores)
            self._database.run(f"DELETE FROM scores WHERE {_ORPHANS['scores']}")

    def _insert_scores(self, numbers: Any, scores: Any) -> None:
        columns = {"segment": pa.array(numbers, pa.int64()), "score": pa.array(scores, pa.float32())}
        self._database.insert("scores", columns)

    # journal

    def journal_entries(self, *, run: str = "", action: str = "", ids: Sequence[int] = ()) -> list[JournalEntry]:
        if run or action:
            column = "run" if run else "action"
            found = self._database.rows(f"SELECT {_ENTRY} FROM journal WHERE {column} = ? ORDER BY id", [run or action])
            return [_entry(row) for row in found]
        with self._database.reading(numbers_table(ids), "wanted") as wanted:
            rows = self._database.rows(f"SELECT {_ENTRY} FROM journal WHERE id IN (SELECT n FROM {wanted}) ORDER BY id")
        return [_entry(row) for row in rows]

    def write_touched(self, pairs: Sequence[tuple[int, int]]) -> None:
        columns = {
            "entry": pa.array([p[0] for p in pairs], pa.int64()),
            "segment": pa.array([p[1] for p in pairs], pa.int64()),
        }
        with self._database.writing():
            self._database.insert("journal_touched", columns)

    def later_entries(self, after: int, segments: Iterable[int]) -> list[JournalEntry]:
        """Entries after one, not undone, that touched any of these segments."""
        with self._database.reading(numbers_table(segments), "wanted") as wanted:
            rows = self._database.rows(
                f"""SELECT {_ENTRY} FROM journal WHERE id > ? AND undone_at IS NULL AND id IN (
                        SELECT entry FROM journal_touched WHERE segment IN (SELECT n FROM {wanted})) ORDER BY id""",
                [after],
            )
        return [_entry(row) for row in rows]

    def mark_undone(self, ids: Sequence[int], at: datetime) -> None:
        with self._database.writing(), self._database.reading(numbers_table(ids), "wanted") as wanted:
            self._database.run(
                f"UPDATE journal SET undone_at = make_timestamp({to_micros(at)}) WHERE id IN (SELECT n FROM {wanted})"
            )

    def blank_before(self, action: str, keep: int) -> None:
        """Empties what entries of one action were before, but for the newest `keep`: they are large and soon stale."""
        with self._database.writing():
            self._database.run(
                """UPDATE journal SET before = '' WHERE action = ? AND before <> '' AND id NOT IN (
                       SELECT id FROM journal WHERE action = ? ORDER BY id DESC LIMIT ?)""",
                [action, action, keep],
            )

    # reviews

    def reviews(self, *, state: str | None = None, ids: Sequence[int] | None = None) -> list[Review]:
        sql = "SELECT id, a, b, cosine, kinds, state, epoch_us(found_at) FROM reviews"
        with self._database.reading(numbers_table(ids or ()), "wanted") as wanted:
            rows = self._database.rows(
                f"""{sql} WHERE (?::VARCHAR IS NULL OR state = ?) AND (? OR id IN (SELECT n FROM {wanted})) ORDER BY id""",
                [state, state, ids is None],
            )
        return [Review(r[0], r[1], r[2], r[3], tuple(r[4].split()), r[5], r[6]) for r in rows]

    def reviewed_pairs(self) -> set[tuple[int, int]]:
        return {(a, b) for a, b in self._database.rows("SELECT a, b FROM reviews")}

    def next_review(self) -> int:
        return _count(self._database.row("SELECT max(id) FROM reviews")) + 1

    def replace_reviews(self, old: Sequence[Review], new: Sequence[Review]) -> None:
        with self._database.writing():
            with self._database.reading(numbers_table(review.id for review in (*old, *new)), "wanted") as wanted:
                self._database.run(f"DELETE FROM reviews WHERE id IN (SELECT n FROM {wanted})")
            columns = {
                "id": pa.array([r.id for r in new], pa.int64()),
                "a": pa.array([r.a for r in new], pa.int64()),
                "b": pa.array([r.b for r in new], pa.int64()),
                "cosine": pa.array([r.cosine for r in new], pa.float32()),
                "kinds": pa.array([" ".join(r.kinds) for r in new], pa.string()),
                "state": pa.array([r.state for r in new], pa.string()),
                "found_at": pa.array([r.found_at for r in new], TIMESTAMP),
            }
            self._database.insert("reviews", columns)

    # links and topics

    def edges_beyond(self, cap: int) -> list[EdgeRow]:
        """Automatic semantic edges that are not among the `cap` best that leave their segment."""
        rows = self._database.rows(
            f"""SELECT {_EDGE} FROM edges e WHERE e.kind = 'semantic' AND e.origin = 'auto'
                QUALIFY row_number() OVER (PARTITION BY e.source ORDER BY e.weight DESC, e.target, e.created_at) > {int(cap)}"""
        )
        return sorted(_edge(row) for row in rows)

    def edge_use(self, after: int) -> list[EdgeUse]:
        """Automatic edges with an end in the result of a recall after this one: used where both ends were in it."""
        rows = self._database.rows(
            f"""WITH hits AS (SELECT DISTINCT recall, segment FROM recall_hits WHERE recall > {int(after)}),
                 auto AS (SELECT * FROM edges WHERE origin = 'auto' AND kind IN ('semantic', 'related_to')),
                 seen AS (SELECT e.*, h.recall FROM auto e JOIN hits h ON h.segment = e.source
                          UNION ALL SELECT e.*, h.recall FROM auto e JOIN hits h ON h.segment = e.target),
                 each AS (SELECT *, count(*) = 2 AS used FROM seen GROUP BY ALL)
                SELECT {_EDGE}, count(*) FILTER (e.used), count(*) FILTER (NOT e.used)
                FROM each e GROUP BY e.source, e.target, e.kind, e.weight, e.origin, e.created_at ORDER BY 1, 2, 3"""
        )
        return [EdgeUse(_edge(row), row[6], row[7]) for row in rows]

    def last_recall(self) -> int:
        return _count(self._database.row("SELECT max(id) FROM recalls"))

    def topics(self) -> list[Topic]:
        return topics.read(self._database)

    def next_topic(self) -> int:
        return topics.next_number(self._database)

    def put_topics(self, wanted: Sequence[Topic]) -> None:
        """These and no others."""
        with self._database.writing():
            topics.write(self._database, wanted)

    def topic_names(self, entry: int) -> TopicNames | None:
        return topics.read_names(self._database, entry)

    def put_topic_names(self, entry: int, names: TopicNames) -> None:
        with self._database.writing():
            topics.write_names(self._database, entry, names)

    def texts(self, numbers: Sequence[int], *, own_answers: bool = True) -> Iterator[tuple[int, str]]:
        """(segment, text) line by line, in order; without `own_answers` nothing of what this program's own chat answered."""
        left_out = (
            f"AND NOT (l.role = '{Role.ASSISTANT.value}' AND s.source = '{CHAT_SOURCE}')" if not own_answers else ""
        )
        for start in range(0, len(numbers), 2048):
            with self._database.reading(numbers_table(numbers[start : start + 2048]), "wanted") as wanted:
                rows = self._database.rows(
                    f"""SELECT l.segment, l.text FROM lines l JOIN segments g ON g.number = l.segment JOIN sessions s ON s.id = g.session_id
                        WHERE l.segment IN (SELECT n FROM {wanted}) {left_out} ORDER BY l.segment, l.idx"""
                )
            yield from ((segment, unescape(text)) for segment, text in rows)

    # checks

    def indexable_windows(self, generation: int) -> Numbers:
        """The windows that the vector indexes should hold together."""
        table = self._database.arrow(
            f"""SELECT w.id FROM windows w JOIN segments g ON g.number = w.segment
                WHERE w.generation = {int(generation)} AND g.state = 'active' ORDER BY w.id"""
        )
        return _ints(table, "id")

    def segments_of_windows(self, windows: Numbers) -> Numbers:
        with self._database.reading(numbers_table(windows.tolist()), "wanted") as wanted:
            table = self._database.arrow(
                f"SELECT DISTINCT segment FROM windows WHERE id IN (SELECT n FROM {wanted}) ORDER BY 1"
            )
        return _ints(table, "segment")

    def wrong_values(self) -> list[str]:
        """Where a value stands that cannot be read back, the first of each column: no word of it."""
        return [found.place for found in wrong_values(self._database, CHECKED)]

    def orphans(self) -> Orphans:
        return Orphans(
            **{
                name: _count(self._database.row(f"SELECT count(*) FROM {name} WHERE {where}"))
                for name, where in _ORPHANS.items()
            }
        )

    def drop_orphans(self) -> None:
        """Removes what is derived and belongs to nothing; lines are somebody's words and are left for a person to look at."""
        with self._database.writing():
            for name, where in _ORPHANS.items():
                if name != "lines":
                    self._database.run(f"DELETE FROM {name} WHERE {where}")

    def archived(self, namespace: str) -> list[int]:
        rows = self._database.rows(
            "SELECT number FROM segments WHERE state = 'archived' AND namespace = ? ORDER BY said_at, number",
            [namespace],
        )
        return [row[0] for row in rows]

    def archived_holding(self, namespace: str, letters: Sequence[str]) -> list[str]:
        """The lines of the archive that have one of some letters, whatever case and accents."""
        rows = self._database.rows(
            """SELECT l.text FROM lines l JOIN segments g ON g.number = l.segment WHERE g.state = 'archived' AND g.namespace = ?
               AND list_bool_or([contains(strip_accents(lower(l.text)), one) FOR one IN ?::VARCHAR[]])""",
            [namespace, list(letters)],
        )
        return [unescape(row[0]) for row in rows]

    def archived_vectors(self, namespace: str, generation: int) -> Iterator[tuple[Numbers, NDArray[np.float32]]]:
        """(segments, vectors) of the archive, which no index holds."""
        sql = f"""SELECT w.segment, v.vector FROM windows w JOIN vectors_{int(generation)} v ON v.window_id = w.id
                  JOIN segments g ON g.number = w.segment
                  WHERE w.generation = {int(generation)} AND g.state = 'archived' AND g.namespace = ?"""
        for batch in self._database.batches(sql, 8192, [namespace]):
            if batch.num_rows:
                flat = batch.column(1).flatten().to_numpy(zero_copy_only=False)
                segments = np.asarray(batch.column(0).to_numpy(zero_copy_only=False), dtype=np.int64)
                yield segments, flat.reshape(batch.num_rows, -1).astype(np.float32, copy=False)


def _ints(table: pa.Table, name: str) -> Numbers:
    return np.asarray(table.column(name).to_numpy(), dtype=np.int64)


def _count(row: tuple[Any, ...] | None) -> int:
    return int(row[0] or 0) if row else 0


def _edge(row: tuple[Any, ...]) -> EdgeRow:
    return EdgeRow(row[0], row[1], Kind(row[2]), row[3], Origin(row[4]), row[5])


def _edge_columns(rows: Sequence[EdgeRow]) -> dict[str, Any]:
    return {
        "source": pa.array([r.source for r in rows], pa.int64()),
        "target": pa.array([r.target for r in rows], pa.int64()),
        "kind": pa.array([r.kind.value for r in rows], pa.string()),
        "weight": pa.array(np.array([r.weight for r in rows], dtype=np.float32)),
        "origin": pa.array([r.origin.value for r in rows], pa.string()),
        "created_at": pa.array([r.created_at for r in rows], TIMESTAMP),
    }


def _entry(r: tuple[Any, ...]) -> JournalEntry:
    undone = None if r[8] is None else from_micros(r[8])
    return JournalEntry(
        r[0], r[1], from_micros(r[2]), r[3], r[4], unescape(r[5]), unescape(r[6]), unescape(r[7]), undone
    )
