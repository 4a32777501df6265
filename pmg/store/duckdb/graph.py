"""The SQL of the graph tab: nodes as sets of segments, and what is between them.

Knows: the tables of segments, lines, edges and topics. Which nodes make a picture is decided in pmg/ui/graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pyarrow as pa

from pmg.base.errors import InputError
from pmg.base.text import escape, unescape
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.feeds import ASKED
from pmg.store.duckdb.relation import SAID
from pmg.store.duckdb.session_names import shown_names
from pmg.store.duckdb.speaking import SPOKEN
from pmg.store.graph import MEMORY, PERIOD, PERSON, SESSION, TOPIC, NodeKey, NodeLink, NodeSummary

WORDS = 90  # characters of a memory in its label; the page shortens further
UNITS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
_PERIOD = re.compile(r"\d{4}(-\d{2})?", re.ASCII)
# What was only asked of memory is history, and no memory (feeds.py).
_OWN = f"""own AS (SELECT g.number, g.id, g.session_id, g.quality, {SAID} AS said
                   FROM segments g WHERE g.namespace = ? AND g.state = 'active' AND NOT {ASKED})"""
# The segments of the wanted nodes of each kind; `w.number` is a topic's number, or a period as `_number` counts it.
_MEMBERS = {
    TOPIC: "SELECT w.n, w.kind, o.number AS segment FROM {wanted} w JOIN topic_members m ON m.topic = w.number"
    " JOIN own o ON o.number = m.segment WHERE w.kind = 'topic'",
    PERSON: "SELECT DISTINCT w.n, w.kind, o.number AS segment FROM {wanted} w"
    f" JOIN {SPOKEN} l ON l.person = w.name JOIN own o ON o.number = l.segment WHERE w.kind = 'person'",
    SESSION: "SELECT w.n, w.kind, o.number AS segment FROM {wanted} w JOIN own o ON o.session_id = w.name WHERE w.kind = 'session'",
    PERIOD: "SELECT w.n, w.kind, o.number AS segment FROM {wanted} w JOIN own o ON w.kind = 'period' AND w.number = year(o.said) * 100"
    " UNION ALL SELECT w.n, w.kind, o.number FROM {wanted} w JOIN own o ON w.kind = 'period'"
    " AND w.number = year(o.said) * 100 + month(o.said)",
    MEMORY: "SELECT w.n, w.kind, o.number AS segment FROM {wanted} w JOIN own o ON o.id = w.name WHERE w.kind = 'memory'",
}


class DuckGraph:
    """Meets pmg.store.graph.GraphQueries. Of every kind the largest come first, and every order is total."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def topics(self, namespace: str, limit: int) -> list[NodeKey]:
        rows = self._database.rows(
            f"""WITH {_OWN} SELECT t.id FROM topics t JOIN topic_members m ON m.topic = t.id JOIN own o ON o.number = m.segment
                WHERE t.namespace = ? GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {int(limit)}""",
            [namespace, namespace],
        )
        return [NodeKey(TOPIC, str(row[0])) for row in rows]

    def topic_names(self, namespace: str) -> dict[str, str]:
        """By number, as a key has it."""
        rows = self._database.rows("SELECT id, name FROM topics WHERE namespace = ? ORDER BY id", [namespace])
        return {str(number): unescape(name) for number, name in rows}

    def periods(self, namespace: str, unit: str) -> list[NodeKey]:
        rows = self._database.rows(
            f"WITH {_OWN} SELECT DISTINCT strftime(said, '{UNITS[_checked(unit)]}') FROM own ORDER BY 1", [namespace]
        )
        return [NodeKey(PERIOD, row[0]) for row in rows]

    def sessions(self, namespace: str, inside: NodeKey | None, limit: int) -> list[NodeKey]:
        return self._parts(namespace, inside, SESSION, "o.session_id", "", limit)

    def people(self, namespace: str, inside: NodeKey | None, limit: int) -> list[NodeKey]:
        """Those who speak; an assistant, a tool or a document is nobody."""
        lines = f"JOIN {SPOKEN} l ON l.segment = o.number AND l.person <> '' AND l.role IN ('user', 'person')"
        return self._parts(namespace, inside, PERSON, "l.person", lines, limit)

    def topics_of(self, namespace: str, inside: NodeKey, limit: int) -> list[NodeKey]:
        joined = "JOIN topic_members t ON t.segment = o.number"
        return self._parts(namespace, inside, TOPIC, "t.topic::VARCHAR", joined, limit)

    def memories(self, namespace: str, inside: NodeKey | None, limit: int) -> list[NodeKey]:
        """In order of time."""
        return self._parts(namespace, inside, MEMORY, "o.id", "", limit, "min(o.said), min(o.number)")

    def _parts(
        self, namespace: str, inside: NodeKey | None, kind: str, name: str, join: str, limit: int, order: str = ""
    ) -> list[NodeKey]:
        """The nodes of one kind that have segments in common with `inside`; in the whole namespace where there is none."""
        order = order or f"count(*) DESC, max(o.said) DESC, {name}"
        with self._wanted([inside] if inside else []) as wanted:
            members = f", {_members([inside], wanted)}" if inside else ""
            only = "JOIN members m ON m.segment = o.number" if inside else ""
            rows = self._database.rows(
                f"""WITH {_OWN}{members} SELECT {name} FROM own o {only} {join}
                    GROUP BY {name} ORDER BY {order} LIMIT {int(limit)}""",
                [namespace],
            )
        return [NodeKey(kind, unescape(row[0])) for row in rows]

    def summaries(self, namespace: str, keys: Sequence[NodeKey], unit: str) -> list[NodeSummary]:
        """In the order of `keys`; a node without an active segment is left out."""
        with self._wanted(keys) as wanted:
            rows = self._database.rows(
                f"""WITH {_OWN}, {_members(keys, wanted)},
                    named AS (SELECT w.n, CASE w.kind WHEN 'topic' THEN t.name WHEN 'session' THEN s.title ELSE w.name END AS label
                        FROM {wanted} w LEFT JOIN topics t ON w.kind = 'topic' AND t.id = w.number
                        LEFT JOIN sessions s ON w.kind = 'session' AND s.id = w.name),
                    parts AS (SELECT m.n, date_diff('{_checked(unit)}', TIMESTAMP '1970-01-01', o.said) AS period,
                                     coalesce(p.topic, 0) AS topic, count(*) AS held, min(o.number) AS first, min(o.said) AS since,
                                     max(o.said) AS until, max(o.quality) AS quality, arg_max(o.number, o.quality - 1e-9 * o.number) AS best
                              FROM members m JOIN own o ON o.number = m.segment
                              LEFT JOIN (SELECT segment, min(topic) AS topic FROM topic_members GROUP BY 1) p ON p.segment = m.segment
                              GROUP BY 1, 2, 3),
                    mostly AS (SELECT n, arg_max(topic, held - 1e-9 * topic) AS topic FROM
                                 (SELECT n, topic, sum(held) AS held FROM parts GROUP BY 1, 2) GROUP BY 1),
                    whole AS (SELECT n, sum(held)::BIGINT AS held, min(first) AS first, arg_max(best, quality - 1e-9 * best) AS best,
                                     min(since) AS since, max(until) AS until, list_sort(list(DISTINCT period)) AS periods FROM parts GROUP BY 1)
                    SELECT n, named.label, whole.held, f.id, b.id, whole.since, whole.until, whole.periods, mostly.topic
                    FROM whole JOIN named USING (n) JOIN mostly USING (n) JOIN own f ON f.number = whole.first
                    JOIN own b ON b.number = whole.best ORDER BY n""",
                [namespace],
            )
        said = self._said([row[3] for row in rows if keys[row[0]].kind == MEMORY])
        titles = ((keys[row[0]].name, unescape(row[1] or "")) for row in rows if keys[row[0]].kind == SESSION)
        called = {NodeKey(SESSION, name): shown for name, shown in shown_names(self._database, titles).items()}
        return [
            NodeSummary(
                keys[row[0]],
                said.get(row[3], "")
                if keys[row[0]].kind == MEMORY
                else called.get(keys[row[0]], unescape(row[1] or "")),
                row[2],
                row[3],
                row[4],
                row[5],
                row[6],
                tuple(row[7]),
                row[8],
            )
            for row in rows
        ]

    def _said(self, ids: Sequence[str]) -> dict[str, str]:
        """The beginnings of memories."""
        with self._database.reading(pa.table({"id": pa.array(ids, pa.string())}), "labelled") as table:
            rows = self._database.rows(
                f"""SELECT g.id, left(string_agg(left(l.text, {WORDS}), ' ' ORDER BY l.idx), {WORDS})
                    FROM segments g JOIN lines l ON l.segment = g.number WHERE g.id IN (SELECT id FROM {table}) GROUP BY 1"""
            )
        return {row[0]: unescape(row[1] or "") for row in rows}

    def links(self, namespace: str, keys: Sequence[NodeKey]) -> list[NodeLink]:
        with self._wanted(keys) as wanted:
            rows = self._database.rows(
                f"""WITH {_OWN}, {_members(keys, wanted)}
                    , ends AS (SELECT n, kind = 'memory' AS one, segment FROM members WHERE kind IN ('topic', 'session', 'memory'))
                    SELECT a.n, b.n, 'shared', count(*), 1.0::DOUBLE FROM members a JOIN members b ON b.segment = a.segment
                    WHERE a.n < b.n AND a.kind <> b.kind AND (a.kind, b.kind) NOT IN (('person', 'period'), ('period', 'person'))
                    GROUP BY 1, 2
                    UNION ALL
                    SELECT least(a.n, b.n), greatest(a.n, b.n), if(a.one, e.kind, 'linked') AS kind, count(*), sum(e.weight)::DOUBLE
                    FROM edges e JOIN ends a ON a.segment = e.source JOIN ends b ON b.segment = e.target AND b.one = a.one
                    WHERE a.n <> b.n AND (a.one OR e.kind <> 'chain') GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""",
                [namespace],
            )
        return [NodeLink(keys[a], keys[b], kind, count, weight) for a, b, kind, count, weight in rows]

    @contextmanager
    def _wanted(self, keys: Sequence[NodeKey]) -> Iterator[str]:
        table = pa.table(
            {
                "n": pa.array(range(len(keys)), pa.int32()),
                "kind": pa.array([key.kind for key in keys], pa.string()),
                "name": pa.array([escape(key.name) for key in keys], pa.string()),
                "number": pa.array([_number(key) for key in keys], pa.int64()),
            }
        )
        with self._database.reading(table, "wanted") as name:
            yield name


def _members(keys: Sequence[NodeKey], wanted: str) -> str:
    """The common table of what belongs to each wanted node: only the kinds that are asked for cost anything."""
    kinds = dict.fromkeys(key.kind for key in keys) or {MEMORY: None}
    return f"members AS MATERIALIZED ({' UNION ALL '.join(_MEMBERS[kind].format(wanted=wanted) for kind in kinds)})"


def _number(key: NodeKey) -> int | None:
    """A topic's number; a month as 202603 and a year as 202600. None for all others and for what is neither."""
    if key.kind == TOPIC:
        return int(key.name) if key.name.isdecimal() and key.name.isascii() and len(key.name) < 19 else None
    if key.kind == PERIOD and _PERIOD.fullmatch(key.name):
        year, _, month = key.name.partition("-")
        return int(year) * 100 + int(month or 0)
    return None


def _checked(unit: str) -> str:
    if unit not in UNITS:
        raise InputError(f"{unit!r} is no unit of time here: {', '.join(UNITS)}.")
    return unit
