"""The SQL of the pages that show a memory: one read a view.

Knows: the tables of segments, lines, edges and topics. pmg/ui draws what it gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from pmg.base.errors import InputError
from pmg.base.model import YOU, Kind, Origin, Role
from pmg.base.text import escape, unescape
from pmg.store.browse import (
    GROUPINGS,
    UNITS,
    BrowseFilter,
    LaneBucket,
    SessionSpan,
    SpeakerCount,
    TimeBucket,
    TimeExtent,
    TimelinePoint,
)
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.relation import SAID, said_compared
from pmg.store.duckdb.session_names import first_words, shown_names
from pmg.store.duckdb.sessions import state_of
from pmg.store.duckdb.speaking import SPOKEN, by_segment
from pmg.store.maintenance import EdgeRow

WORDS = 160  # characters of a segment that a point in time carries
_SORT = {
    "topic": "coalesce((SELECT min(m.topic) FROM topic_members m WHERE m.segment = g.number)::VARCHAR, '')",
    "source": "s.source",
    "person": "coalesce(first.told, '')",
    "quality": "least(floor(g.quality * 5), 4)::INTEGER::VARCHAR",
    "state": "g.state",
}
_BEFORE = "(g.said_at, g.number) < (SELECT (b.said_at, b.number) FROM segments b WHERE b.id = ?)"
_AMONG = "g.session_id IN (SELECT unnest(?::VARCHAR[]))"
_TURNS = "segments g JOIN sessions s ON s.id = g.session_id"


class DuckBrowse:
    """Meets pmg.store.browse.Browse."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def extent(self, browse_filter: BrowseFilter) -> TimeExtent:
        where, values = _where(browse_filter)
        row = self._database.row(
            f"""SELECT min({SAID}), max({SAID}), count(*), count(DISTINCT g.session_id)
                FROM segments g JOIN sessions s ON s.id = g.session_id WHERE {where}""",
            values,
        )
        return TimeExtent(*row) if row else TimeExtent(None, None, 0, 0)

    def buckets(self, browse_filter: BrowseFilter, unit: str, group_by: str) -> list[TimeBucket]:
        where, values = _where(browse_filter)
        if unit not in UNITS:
            raise InputError(f"{unit!r} is no unit of time here: {', '.join(UNITS)}.")
        rows = self._database.rows(
            f"""SELECT date_trunc('{unit}', {SAID})::TIMESTAMP AS start, {_group(group_by)} AS shown, count(*),
                       count(DISTINCT g.session_id)
                FROM {_turns(group_by)} WHERE {where} GROUP BY 1, 2 ORDER BY 1, 2""",
            values,
        )
        return [TimeBucket(start, unescape(group), segments, sessions) for start, group, segments, sessions in rows]

    def points(self, browse_filter: BrowseFilter, group_by: str, limit: int) -> list[TimelinePoint]:
        """In order of time; of more than `limit` the newest."""
        where, values = _where(browse_filter)
        rows = self._database.rows(
            f"""WITH chosen AS (SELECT g.number, g.id, g.session_id, s.title, {SAID} AS said, {_group(group_by)} AS shown, g.state, g.said_at, g.said_offset
                                FROM {_turns(group_by)} WHERE {where} ORDER BY g.said_at DESC, g.number DESC LIMIT {int(limit)})
                SELECT g.number, g.id, g.session_id, g.title, g.said, g.shown, g.state,
                       (SELECT left(string_agg(l.speaker || ': ' || left(l.text, {WORDS}), ' ' ORDER BY l.idx), {WORDS})
                        FROM lines l WHERE l.segment = g.number),
                       spoke.told,
                       (SELECT arg_min(l.speaker, l.idx) FROM lines l WHERE l.segment = g.number),
                       g.said_offset
                FROM chosen g LEFT JOIN {by_segment("list(l.person ORDER BY l.idx)", "chosen")} spoke ON spoke.segment = g.number
                ORDER BY g.said_at, g.number""",
            values,
        )
        called = shown_names(self._database, ((r[2], unescape(r[3] or "")) for r in rows))
        return [
            TimelinePoint(
                r[0],
                r[1],
                r[2],
                called[r[2]],
                r[4],
                unescape(r[5]),
                state_of(r[6]),
                unescape(r[7] or ""),
                _names(r[8]),
                unescape(r[9] or ""),
                r[10] or 0,
            )
            for r in rows
        ]

    def session_spans(self, browse_filter: BrowseFilter, limit: int, group_by: str = "topic") -> list[SessionSpan]:
        """The newest first."""
        where, values = _where(browse_filter)
        rows = self._database.rows(
            f"""WITH mine AS (SELECT g.number, g.id, g.session_id, {SAID} AS said, {_group(group_by)} AS shown
                              FROM {_turns(group_by)} WHERE {where}),
                spans AS (SELECT session_id, arg_min(id, number) AS first, min(said) AS at, count(*) AS n, max(said) AS until,
                                 mode(shown ORDER BY shown) AS shown FROM mine GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT {int(limit)}),
                talk AS (SELECT session_id, list(person ORDER BY said DESC, person) AS people FROM
                           (SELECT m.session_id, l.person, count(*) AS said FROM mine m JOIN spans USING (session_id)
                            JOIN {SPOKEN} l ON l.segment = m.number GROUP BY 1, 2) GROUP BY 1)
                SELECT s.id, s.title, s.source, p.first, p.at, p.n, p.until, p.shown, t.people
                FROM spans p JOIN sessions s ON s.id = p.session_id LEFT JOIN talk t ON t.session_id = s.id ORDER BY p.at DESC, s.id""",
            values,
        )
        called = shown_names(self._database, ((r[0], unescape(r[1] or "")) for r in rows))
        return [
            SessionSpan(r[0], called[r[0]], unescape(r[2]), r[3], r[4], r[5], r[6], unescape(r[7]), _names(r[8]))
            for r in rows
        ]

    def lane_buckets(
        self, browse_filter: BrowseFilter, unit: str, group_by: str, lanes: Sequence[str]
    ) -> list[LaneBucket]:
        """As `buckets`, once for each of the lanes' people who speaks in a segment."""
        where, values = _where(browse_filter)
        if unit not in UNITS:
            raise InputError(f"{unit!r} is no unit of time here: {', '.join(UNITS)}.")
        wanted = pa.table({"name": pa.array([escape(lane) for lane in lanes], pa.string())})
        with self._database.reading(wanted, "lanes") as table:
            rows = self._database.rows(
                f"""SELECT coalesce(who.person, ''), date_trunc('{unit}', {SAID})::TIMESTAMP, {_group(group_by)}, count(*),
                           count(DISTINCT g.session_id)
                    FROM {_turns(group_by)}
                    LEFT JOIN (SELECT DISTINCT segment, person FROM {SPOKEN} WHERE person IN (SELECT name FROM {table})) who
                        ON who.segment = g.number
                    WHERE {where} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""",
                values,
            )
        return [LaneBucket(unescape(r[0]), r[1], unescape(r[2]), r[3], r[4]) for r in rows]

    def speakers(self, browse_filter: BrowseFilter, limit: int) -> list[SpeakerCount]:
        """The people who speak in most segments first; an assistant, a tool or a file is nobody's lane."""
        where, values = _where(browse_filter)
        rows = self._database.rows(
            f"""SELECT l.person, count(DISTINCT g.number) FROM segments g JOIN sessions s ON s.id = g.session_id
                JOIN {SPOKEN} l ON l.segment = g.number
                WHERE l.person <> '' AND l.role IN ('{Role.USER}', '{Role.PERSON}') AND {where}
                GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {int(limit)}""",
            values,
        )
        return [SpeakerCount(unescape(row[0]), row[1]) for row in rows]

    def among(self, browse_filter: BrowseFilter, numbers: Iterable[int]) -> set[int]:
        """Those of these segments that the filter lets through."""
        where, values = _where(browse_filter)
        wanted = pa.table({"n": pa.array(sorted({int(n) for n in numbers}), pa.int64())})
        with self._database.reading(wanted, "asked_of") as table:
            rows = self._database.rows(
                f"""SELECT g.number FROM segments g JOIN sessions s ON s.id = g.session_id
                    WHERE g.number IN (SELECT n FROM {table}) AND {where}""",
                values,
            )
        return {row[0] for row in rows}

    def people(self, namespace: str, limit: int = 200) -> list[str]:
        """The names of those who speak, the most talkative first."""
        return self._talkative(namespace, "lines", "speaker", limit)

    def persons(self, namespace: str, limit: int = 200) -> list[str]:
        """The same, but the owner of the memory once, as `YOU`, under however many names they speak."""
        return self._talkative(namespace, SPOKEN, "person", limit)

    def _talkative(self, namespace: str, lines: str, name: str, limit: int) -> list[str]:
        rows = self._database.rows(
            f"""SELECT l.{name} FROM {lines} l JOIN segments g ON g.number = l.segment
                WHERE g.namespace = ? AND l.{name} <> '' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {int(limit)}""",
            [namespace],
        )
        return [unescape(row[0]) for row in rows]

    def owner_names(self, namespace: str) -> list[str]:
        """Under which the owner of the memory speaks, in one conversation or in all."""
        rows = self._database.rows(
            "SELECT DISTINCT name FROM v_owner_names WHERE namespace = ? ORDER BY 1", [namespace]
        )
        return [unescape(row[0]) for row in rows]

    def owner_lines(self, numbers: Iterable[int]) -> set[tuple[int, int]]:
        """Which lines of these segments the owner of the memory says, under whatever name: segment and place of each."""
        wanted = pa.table({"n": pa.array(sorted({int(n) for n in numbers}), pa.int64())})
        with self._database.reading(wanted, "read_out") as table:
            rows = self._database.rows(
                f"SELECT l.segment, l.idx FROM {SPOKEN} l WHERE l.segment IN (SELECT n FROM {table}) AND l.person = '{YOU}'"
            )
        return {(row[0], row[1]) for row in rows}

    def first_words(self, sessions: Sequence[str]) -> dict[str, str]:
        """What sessions without a title are called; those that say nothing are left out."""
        return first_words(self._database, sessions)

    def tags(self, namespace: str) -> list[str]:
        rows = self._database.rows(
            "SELECT DISTINCT unnest(tags) AS tag FROM segments WHERE namespace = ? ORDER BY tag", [namespace]
        )
        return [unescape(row[0]) for row in rows]

    def edges_at(self, numbers: Iterable[int]) -> list[EdgeRow]:
        """Every edge that touches one of them, chains too."""
        wanted = pa.table({"n": pa.array(sorted({int(n) for n in numbers}), pa.int64())})
        with self._database.reading(wanted, "looked_at") as table:
            rows = self._database.rows(
                f"""SELECT source, target, kind, weight, origin, epoch_us(created_at) FROM edges
                    WHERE source IN (SELECT n FROM {table}) OR target IN (SELECT n FROM {table})"""
            )
        return sorted(EdgeRow(r[0], r[1], Kind(r[2]), r[3], Origin(r[4]), r[5]) for r in rows)


def _turns(group_by: str) -> str:
    """Turns `g` of sessions `s`, with what a grouping by person asks for."""
    if group_by != "person":
        return _TURNS
    return f"{_TURNS} LEFT JOIN {by_segment('arg_min(l.person, l.idx)')} first ON first.segment = g.number"


def _group(name: str) -> str:
    if name not in GROUPINGS:
        raise InputError(f"Segments cannot be told apart by {name!r} here: {', '.join(GROUPINGS)}.")
    return _SORT[name]


def _where(browse_filter: BrowseFilter) -> tuple[str, list[Any]]:
    """Conditions on g and s, and their values. Text is matched as it is stored, without regard to case."""
    lines = "g.number IN (SELECT l.segment FROM lines l WHERE {})"
    asked: list[tuple[object, str, Any]] = [
        (True, "g.namespace = ?", browse_filter.namespace),
        (
            browse_filter.text.strip(),
            lines.format("contains(lower(l.text), lower(?))"),
            escape(browse_filter.text.strip()),
        ),
        (browse_filter.person, _said_by(browse_filter.person), escape(browse_filter.person)),
        (browse_filter.tag, "list_contains(g.tags, ?)", escape(browse_filter.tag)),
        (browse_filter.state, "g.state = ?", browse_filter.state.value if browse_filter.state else ""),
        (browse_filter.since, *_compared(">=", browse_filter.since)),
        (browse_filter.until, *_compared("<", browse_filter.until)),
        (browse_filter.before, _BEFORE, browse_filter.before),
        (browse_filter.sessions is not None, _AMONG, list(browse_filter.sessions or ())),
    ]
    kept = [(condition, value) for given, condition, value in asked if given]
    return " AND ".join(condition for condition, _ in kept), [value for _, value in kept]


def _said_by(person: str) -> str:
    """A name is what the lines have; only the owner has several."""
    lines, name = (SPOKEN, "person") if person == YOU else ("lines", "speaker")
    return f"g.number IN (SELECT l.segment FROM {lines} l WHERE l.{name} = ?)"


def _names(speakers: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unescape(name) for name in speakers or ()))


def _compared(how: str, at: datetime | None) -> tuple[str, Any]:
    return ("", "") if at is None else said_compared(how, at)
