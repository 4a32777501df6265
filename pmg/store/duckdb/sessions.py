"""Sessions and segments: rows in, nouns out.

Knows: the SQL of the tables sessions, segments and lines.
Text passes through `escape` on its way in and `unescape` on its way out, so that every string Python can hold comes back.
A row with a value that cannot be read takes no list with it: the value is empty, and the row's name says which one is damaged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

import pyarrow as pa

from pmg.base.model import Line, Role, Segment, Session, State, content_hash, segment_id
from pmg.base.project import project_key, project_name
from pmg.base.text import escape, unescape
from pmg.base.times import from_micros, offset_seconds, to_micros
from pmg.base.words import measure_all
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.schema import TIMESTAMP
from pmg.store.duckdb.session_names import shown_names
from pmg.store.duckdb.values import MAX_NAME
from pmg.store.rows import NewSegment

_STATES, _ROLES = frozenset(State), frozenset(Role)
_WRITTEN = json.JSONEncoder(sort_keys=True)

_SESSION = """
SELECT s.id, s.namespace, s.conversation, s.title, s.source, epoch_us(s.started_at), s.started_offset,
       epoch_us(s.ended_at), s.ended_offset, s.is_open, s.meta,
       (SELECT count(*) FROM segments g WHERE g.session_id = s.id)
FROM sessions s
"""

_SEGMENT = """
SELECT g.number, g.id, g.session_id, g.idx, g.namespace, epoch_us(g.said_at), g.said_offset, g.state, g.stands_for, g.hits,
       epoch_us(g.last_hit), g.pinned, g.tags, g.quality, s.title, s.source, g.meta, s.meta
FROM segments g JOIN sessions s ON s.id = g.session_id
"""


def put(database: Database, new: Sequence[Session]) -> None:
    """Writes sessions, in place of those of the same name."""
    with database.reading(pa.table({"id": pa.array([session.id for session in new], pa.string())})) as names:
        database.run(f"DELETE FROM sessions WHERE id IN (SELECT id FROM {names})")
    ended = [session.ended_at for session in new]
    database.insert(
        "sessions",
        {
            "id": [session.id for session in new],
            "namespace": [session.namespace for session in new],
            "conversation": [_name(session.conversation) for session in new],
            "title": [_name(session.title) for session in new],
            "source": [_name(session.source) for session in new],
            "started_at": pa.array([to_micros(session.started_at) for session in new], TIMESTAMP),
            "started_offset": [offset_seconds(session.started_at) for session in new],
            "ended_at": pa.array([None if at is None else to_micros(at) for at in ended], TIMESTAMP),
            "ended_offset": pa.array([0 if at is None else offset_seconds(at) for at in ended], pa.int32()),
            "is_open": [session.is_open for session in new],
            "meta": [meta_json(session.meta) for session in new],
        },
    )


def _name(text: str) -> str:
    """No longer than any name is: a backup with a longer one would be refused."""
    return escape(text)[:MAX_NAME]


def append(
    database: Database,
    segments: Sequence[NewSegment],
    namespaces: Mapping[str, str],
    number: int,
    line: int,
    change: int,
) -> pa.Table:
    """Writes segments and their lines, which it returns as written; `number` and `line` are the first free ones."""
    lines = pa.table(_line_columns(segments, number, line))
    database.insert("segments", _segment_columns(segments, namespaces, number, change))
    database.insert("lines", lines)
    return lines


def _segment_columns(
    segments: Sequence[NewSegment], namespaces: Mapping[str, str], number: int, change: int
) -> dict[str, Any]:
    count = len(segments)
    return {
        "number": pa.array(range(number, number + count), pa.int64()),
        "id": [segment_id(s.session_id, s.index) for s in segments],
        "session_id": [s.session_id for s in segments],
        "idx": pa.array([s.index for s in segments], pa.int32()),
        "namespace": [namespaces[s.session_id] for s in segments],
        "said_at": pa.array([to_micros(s.at) for s in segments], TIMESTAMP),
        "said_offset": pa.array([offset_seconds(s.at) for s in segments], pa.int32()),
        "state": [State.ACTIVE.value] * count,
        "stands_for": [0] * count,
        "hits": pa.array([0] * count, pa.int32()),
        "last_hit": pa.array([None] * count, TIMESTAMP),
        "pinned": [False] * count,
        "tags": pa.array([[]] * count, pa.list_(pa.string())),
        "quality": pa.array([s.quality for s in segments], pa.float32()),
        "content_hash": [s.digest or content_hash(s.lines) for s in segments],
        "origin_id": [_name(s.origin_id) for s in segments],
        "changed": [change] * count,
        "meta": [meta_json(s.meta) for s in segments],
    }


def _line_columns(segments: Sequence[NewSegment], number: int, first: int) -> dict[str, Any]:
    return line_columns(
        [(number + i, j, line) for i, s in enumerate(segments) for j, line in enumerate(s.lines)], first
    )


def line_columns(flat: Sequence[tuple[int, int, Line]], first: int) -> dict[str, Any]:
    """(segment, place in it, line) row for row, with ids from `first` on."""
    texts = [escape(line.text) for _, _, line in flat]
    said = measure_all(texts)
    return {
        "id": pa.array(range(first, first + len(flat)), pa.int64()),
        "segment": pa.array([n for n, _, _ in flat], pa.int64()),
        "idx": pa.array([j for _, j, _ in flat], pa.int32()),
        "speaker": pa.array([_name(line.speaker) for _, _, line in flat], pa.string()),
        "role": pa.array([line.role.value for _, _, line in flat], pa.string()),
        "text": pa.array(texts, pa.large_string()),
        "words": pa.array([one.words for one in said], pa.int32()),
        "asserts": pa.array([one.asserts for one in said], pa.int32()),
        "asks": pa.array([one.asks for one in said], pa.bool_()),
        "said_at": pa.array([None if line.at is None else to_micros(line.at) for _, _, line in flat], TIMESTAMP),
        "said_offset": pa.array(
            [None if line.at is None else offset_seconds(line.at) for _, _, line in flat], pa.int32()
        ),
    }


def close(database: Database, ids: Sequence[str], ended_at: Mapping[str, datetime]) -> None:
    """Closes sessions. The indexes have their turns since they were written, so nothing is stamped."""
    for session_id in ids:
        ended = ended_at.get(session_id)
        if ended is not None:
            database.run(
                "UPDATE sessions SET is_open = false, ended_at = make_timestamp(?::BIGINT), ended_offset = ? WHERE id = ?",
                [to_micros(ended), offset_seconds(ended), session_id],
            )
    if len(ids) == 1:
        database.run(f"{_close_at_last_turn('?')} WHERE is_open AND id = ?", [ids[0], ids[0], ids[0]])
        _drop_emptied(database, "= ?", [ids[0]])
        return
    with database.reading(pa.table({"id": pa.array(list(ids), pa.string())})) as names:
        database.run(f"{_close_at_last_turn('sessions.id')} WHERE is_open AND id IN (SELECT id FROM {names})")
        _drop_emptied(database, f"IN (SELECT id FROM {names})", [])


def _close_at_last_turn(session: str) -> str:
    """A session ends when its last turn was said, on the clock of whoever said it; one without turns when it began."""
    of_it = f"FROM segments WHERE session_id = {session}"
    return f"""UPDATE sessions SET is_open = false,
        ended_at = coalesce(ended_at, (SELECT max(said_at) {of_it}), started_at),
        ended_offset = CASE WHEN ended_at IS NOT NULL THEN ended_offset
            ELSE coalesce((SELECT arg_max(said_offset, said_at) {of_it}), started_offset) END"""


def _drop_emptied(database: Database, which: str, values: list[str]) -> None:
    """A session whose turns were all forgotten while it was open: nothing came after them, so it goes as a closed one did (strip.py)."""
    emptied = f"SELECT session_id FROM gaps WHERE session_id {which} EXCEPT SELECT session_id FROM segments"
    if database.row(emptied, values) is None:
        return
    database.run(f"DELETE FROM sessions WHERE id IN ({emptied})", values)
    database.run("DELETE FROM gaps WHERE session_id NOT IN (SELECT id FROM sessions)")


def touch(database: Database, ids: Sequence[str], change: int) -> None:
    """Stamps the turns of sessions: their title is searched with them."""
    with database.reading(pa.table({"id": pa.array(list(ids), pa.string())})) as names:
        database.run(f"UPDATE segments SET changed = {change} WHERE session_id IN (SELECT id FROM {names})")


def find(database: Database, session_id: str) -> Session | None:
    # The name stands in the count too: a subquery that looks outside is planned three times as long as both together.
    row = database.row(_SESSION.replace("= s.id", "= ?") + "WHERE s.id = ?", [session_id, session_id])
    return _sessions(database, [row])[0] if row else None


def where(database: Database, condition: str, parameters: Sequence[Any]) -> list[Session]:
    """Sessions in the order in which their first turns came in; those without turns last."""
    order = "ORDER BY (SELECT min(number) FROM segments g WHERE g.session_id = s.id) NULLS LAST, s.id"
    return _sessions(database, database.rows(f"{_SESSION} WHERE {condition} {order}", parameters))


def listed(database: Database, namespace: str | None, only_open: bool) -> list[Session]:
    where = "WHERE (?::VARCHAR IS NULL OR s.namespace = ?) AND (NOT ? OR s.is_open) ORDER BY s.started_at, s.id"
    return _sessions(database, database.rows(_SESSION + where, [namespace, namespace, only_open]))


def by_number(database: Database, numbers: Iterable[int]) -> list[Segment]:
    """In the order asked for; a number that is gone is left out."""
    wanted = [int(number) for number in numbers]
    if not wanted:
        return []
    where = f"WHERE g.number IN ({', '.join(map(str, sorted(set(wanted))))})"
    found = {segment.number: segment for segment in _segments(database, where, ())}
    return [found[number] for number in wanted if number in found]


def names(database: Database, numbers: Sequence[int]) -> dict[int, str]:
    """Segment ids by number, without reading anything else."""
    return _ids(database, {int(number) for number in numbers})


def lines_of(database: Database, numbers: Iterable[int]) -> dict[int, tuple[Line, ...]]:
    """The words of some segments and nothing else: what recall reads, in one query."""
    listed_numbers = ", ".join(str(int(number)) for number in numbers)
    found: dict[int, list[tuple[int, Line]]] = {}
    if listed_numbers:
        for segment, index, speaker, role, text in database.rows(
            f"SELECT segment, idx, speaker, role, text FROM lines WHERE segment IN ({listed_numbers})"
        ):
            found.setdefault(segment, []).append((index, Line(unescape(speaker), _role(role), unescape(text))))
    return {segment: tuple(line for _, line in sorted(lines, key=_place)) for segment, lines in found.items()}


def _place(indexed: tuple[int, Line]) -> int:
    return indexed[0]


def of_session(database: Database, session_id: str) -> list[Segment]:
    return _segments(database, "WHERE g.session_id = ? ORDER BY g.idx", [session_id])


def of_sessions(database: Database, ids: Sequence[str]) -> list[tuple[Session, list[Segment]]]:
    """Several sessions with their turns, at the cost of one look; those that are not there are left out."""
    if len(ids) == 1:  # a session that is closed: named in the statement it is found in a third of the time
        known = find(database, ids[0])
        return [(known, of_session(database, ids[0]))] if known else []
    with database.reading(pa.table({"id": pa.array(list(ids), pa.string())}), "asked") as names:
        chosen = f"IN (SELECT id FROM {names})"
        found = {s.id: s for s in where(database, f"s.id {chosen}", ())}
        turns = _segments(database, f"WHERE g.session_id {chosen} ORDER BY g.session_id, g.idx", ())
    held: dict[str, list[Segment]] = {session_id: [] for session_id in found}
    for segment in turns:
        held[segment.session_id].append(segment)
    return [(found[session_id], held[session_id]) for session_id in ids if session_id in found]


def known_turns(database: Database, session_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """For each session its turns as (content hash, origin id), in order: what a repeated ingest is held against.

    A turn in which a redaction was restored is known by both: as it is, and as it comes in again.
    """
    known: dict[str, list[tuple[str, str]]] = {session_id: [] for session_id in session_ids}
    if not known:
        return known
    with database.reading(pa.table({"id": pa.array(list(session_ids), pa.string())})) as names:
        rows = database.rows(
            f"""WITH mine AS (SELECT session_id, idx, number, content_hash, origin_id FROM segments
                              WHERE session_id IN (SELECT id FROM {names}))
                SELECT session_id, content_hash, origin_id FROM (
                    SELECT session_id, idx, content_hash, origin_id FROM mine
                    UNION ALL SELECT DISTINCT session_id, idx, digest, origin_id FROM sealed
                    JOIN mine ON segment = number WHERE restored
                ) ORDER BY session_id, idx"""
        )
    for session_id, digest, origin in rows:
        known[session_id].append((digest, unescape(origin)))
    return known


def numbers_of(database: Database, ids: Sequence[str]) -> dict[str, int]:
    if not ids:
        return {}
    with database.reading(pa.table({"id": pa.array(list(ids), pa.string())})) as names:
        return dict(database.rows(f"SELECT id, number FROM segments WHERE id IN (SELECT id FROM {names})"))


def _segments(database: Database, where: str, parameters: Sequence[Any]) -> list[Segment]:
    rows = database.rows(_SEGMENT + where, parameters)
    if not rows:
        return []
    numbers = ", ".join(str(row[0]) for row in rows)
    lines: dict[int, list[Line]] = {}
    for segment, speaker, role, text, micros, offset in database.rows(
        f"""SELECT segment, speaker, role, text, epoch_us(said_at), said_offset FROM lines
            WHERE segment IN ({numbers}) ORDER BY segment, idx"""
    ):
        at = None if micros is None else _moment(micros, offset, "said_at", [])
        lines.setdefault(segment, []).append(Line(unescape(speaker), _role(role), unescape(text), at))
    stands = _ids(database, {row[8] for row in rows if row[8]})
    called = shown_names(database, ((row[2], unescape(row[14] or "")) for row in rows))
    return [_segment(row, tuple(lines.get(row[0], ())), stands.get(row[8], ""), called[row[2]]) for row in rows]


def _ids(database: Database, numbers: set[int]) -> dict[int, str]:
    if not numbers:
        return {}
    listed_numbers = ", ".join(map(str, sorted(numbers)))
    return dict(database.rows(f"SELECT number, id FROM segments WHERE number IN ({listed_numbers})"))


def _segment(row: tuple[Any, ...], lines: tuple[Line, ...], stands_for: str, session_name: str) -> Segment:
    damaged: list[str] = []
    made = Segment(
        number=row[0],
        id=row[1],
        session_id=row[2],
        index=row[3],
        namespace=row[4],
        at=_moment(row[5], row[6], "said_at", damaged),
        lines=lines,
        state=_noted(row[7], damaged),
        stands_for=stands_for,
        hits=row[9],
        last_hit=None if row[10] is None else _moment(row[10], 0, "last_hit", damaged),
        pinned=row[11],
        tags=tuple(unescape(tag or "") for tag in row[12] or ()),
        quality=row[13],
        title=unescape(row[14] or ""),
        source=unescape(row[15] or ""),
        meta=_parsed(row[16], damaged),
        session_name=session_name,
        project=project_name(project_of(row[17])),
    )
    return replace(made, session_name=_told_damaged(damaged, session_name)) if damaged else made


def _sessions(database: Database, rows: Sequence[tuple[Any, ...]]) -> list[Session]:
    called = shown_names(database, ((row[0], unescape(row[3] or "")) for row in rows if row[11]))
    return [_session(row, called.get(row[0], unescape(row[3] or ""))) for row in rows]


def _session(row: tuple[Any, ...], name: str) -> Session:
    damaged: list[str] = []
    made = Session(
        id=row[0],
        namespace=row[1],
        conversation=unescape(row[2] or ""),
        title=unescape(row[3] or ""),
        source=unescape(row[4] or ""),
        started_at=_moment(row[5], row[6], "started_at", damaged),
        ended_at=None if row[7] is None else _moment(row[7], row[8] or 0, "ended_at", damaged),
        is_open=row[9],
        segments=row[11],
        meta=_parsed(row[10], damaged),
        name=name,
    )
    return replace(made, name=_told_damaged(damaged, name)) if damaged else made


def _told_damaged(columns: Sequence[str], name: str) -> str:
    return f"(damaged: {', '.join(columns)}) {name}".strip()


def _moment(micros: int | None, offset: int | None, column: str, damaged: list[str]) -> datetime:
    if micros is not None:  # as the library gives a moment without end
        with suppress(ValueError, OverflowError):
            return from_micros(micros, offset or 0)
    damaged.append(column)
    return from_micros(0)


def _noted(text: str, damaged: list[str]) -> State:
    if text not in _STATES:
        damaged.append("state")
    return state_of(text)


def state_of(text: str) -> State:
    """What nobody can tell the state of is left in peace."""
    return State(text) if text in _STATES else State.ARCHIVED


def meta_json(meta: Mapping[str, str]) -> str:
    # Escaped first: JSON would make one character of two lone surrogates that stand side by side.
    return _WRITTEN.encode({escape(k): escape(v) for k, v in meta.items()}) if meta else ""


def project_of(meta: str | None) -> str:
    """What stands for the project of a session, by its meta as it is written."""
    return project_key(_parsed(meta or "", []))


def projects(database: Database, since: int) -> dict[str, str]:
    """What stands for the project of each session with a segment changed after `since`, where it came from one."""
    rows = database.rows(
        f"""SELECT id, meta FROM sessions WHERE (contains(meta, '"cwd"') OR contains(meta, '"repository"'))
            {f"AND id IN (SELECT session_id FROM segments WHERE changed > {int(since)})" if since else ""}"""
    )
    return {session: project_of(meta) for session, meta in rows}


def _parsed(text: str, damaged: list[str]) -> dict[str, str]:
    try:
        return {unescape(k): unescape(v) for k, v in json.loads(text).items()} if text else {}
    except (ValueError, TypeError, AttributeError, RecursionError):  # no JSON, or no object of texts
        damaged.append("meta")
        return {}


def _role(text: str) -> Role:
    """Words of nobody knows whom are not the person's."""
    return Role(text) if text in _ROLES else Role.SYSTEM
