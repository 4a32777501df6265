"""The recall log, the journal and the counts.

Knows: how recalls are counted and what was done to the memory is written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from pmg.base.model import Kind, State
from pmg.base.text import escape, unescape
from pmg.base.times import from_micros, to_micros
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.feeds import ASKED
from pmg.store.duckdb.relation import IS_LINK
from pmg.store.duckdb.schema import TIMESTAMP
from pmg.store.forget import FORGOTTEN
from pmg.store.rows import Counts, JournalEntry, RecallRecord

_IN_NAMESPACE = "(?::VARCHAR IS NULL OR namespace = ?)"  # takes it twice


def record_recalls(database: Database, records: Sequence[RecallRecord], first: int) -> None:
    ids = range(first, first + len(records))
    database.insert(
        "recalls",
        {
            "id": pa.array(ids, pa.int64()),
            "recalled_at": pa.array([to_micros(r.at) for r in records], TIMESTAMP),
            "namespace": [r.namespace for r in records],
            "query": [escape(r.query) for r in records],
            "mode": [r.mode for r in records],
            "milliseconds": pa.array([r.milliseconds for r in records], pa.float64()),
        },
    )
    used = [(i, *hit) for i, record in zip(ids, records, strict=True) for hit in record.used]
    database.insert(
        "recall_hits",
        {
            "recall": pa.array([u[0] for u in used], pa.int64()),
            "segment": pa.array([u[1] for u in used], pa.int64()),
            "role": pa.array([u[2] for u in used], pa.string()),
            "score": pa.array([u[3] for u in used], pa.float64()),
        },
    )


def add_hits(database: Database, counted: dict[int, int], micros: int) -> None:
    table = pa.table({"number": pa.array(counted.keys(), pa.int64()), "hits": pa.array(counted.values(), pa.int32())})
    with database.reading(table) as rows:
        database.run(
            f"""UPDATE segments SET hits = segments.hits + r.hits, last_hit = make_timestamp({int(micros)})
                FROM {rows} r WHERE r.number = segments.number"""
        )


def empty_journal(database: Database, condition: str) -> None:
    """The entries stay, without the words they held."""
    database.run(f"UPDATE journal SET before = '', after = '', reason = '{FORGOTTEN}' WHERE {condition}")


def write_journal(database: Database, entries: Iterable[JournalEntry], first: int) -> int:
    rows = list(entries)
    database.insert(
        "journal",
        {
            "id": pa.array(range(first, first + len(rows)), pa.int64()),
            "run": [e.run for e in rows],
            "written_at": pa.array([to_micros(e.at) for e in rows], TIMESTAMP),
            "actor": [e.actor for e in rows],
            "action": [e.action for e in rows],
            "reason": [escape(e.reason) for e in rows],
            "before": [escape(e.before) for e in rows],
            "after": [escape(e.after) for e in rows],
            "undone_at": pa.array([None if e.undone_at is None else to_micros(e.undone_at) for e in rows], TIMESTAMP),
        },
    )
    return len(rows)


def journal(database: Database, limit: int) -> list[JournalEntry]:
    rows = database.rows(
        """SELECT id, run, epoch_us(written_at), actor, action, reason, before, after, epoch_us(undone_at)
           FROM journal ORDER BY id DESC LIMIT ?""",
        [limit],
    )
    return [
        JournalEntry(
            r[0], r[1], from_micros(r[2]), r[3], r[4], unescape(r[5]), unescape(r[6]), unescape(r[7]),
            None if r[8] is None else from_micros(r[8]),
        )
        for r in rows
    ]  # fmt: skip


def segments_by_state(database: Database, namespace: str | None) -> dict[State, int]:
    """The one of the counts that the page asks for again and again: it reads no text and no edge."""
    where, both = _IN_NAMESPACE, [namespace, namespace]
    states = dict(database.rows(f"SELECT state, count(*) FROM segments WHERE {where} GROUP BY state", both))
    return {state: int(states.get(state.value, 0)) for state in State}


def memories(database: Database, namespace: str | None) -> int:
    """What recall may find: active, and more than a question to memory itself."""
    found = database.row(
        f"SELECT count(*) FROM segments g WHERE {_IN_NAMESPACE} AND state = ? AND NOT {ASKED}",
        [namespace, namespace, State.ACTIVE.value],
    )
    return int(found[0]) if found else 0


def counts(database: Database, namespace: str | None, pending: int) -> Counts:
    where, both = _IN_NAMESPACE, [namespace, namespace]
    sessions = database.row(
        f"""SELECT count(*) FILTER (id IN (SELECT session_id FROM segments)), count(*) FILTER (is_open)
            FROM sessions WHERE {where}""",
        both,
    ) or (0, 0)
    mine = f"(SELECT number FROM segments WHERE {where})"
    lines = database.row(
        f"SELECT count(*), coalesce(sum(strlen(text)), 0) FROM lines WHERE segment IN {mine}", both
    ) or (0, 0)
    windows = database.row(f"SELECT count(*) FROM windows WHERE segment IN {mine}", both) or (0,)
    links = dict(
        database.rows(f"SELECT kind, count(*) FROM edges e WHERE {IS_LINK} AND source IN {mine} GROUP BY kind", both)
    )
    asked = database.row(f"SELECT count(*) FROM segments g WHERE {where} AND {ASKED}", both) or (0,)
    recalls = database.row(f"SELECT count(*) FROM recalls WHERE {where}", both) or (0,)
    return Counts(
        sessions=sessions[0],
        open_sessions=sessions[1],
        segments=segments_by_state(database, namespace),
        lines=lines[0],
        windows=windows[0],
        pending=pending,
        links={kind: int(links.get(kind.value, 0)) for kind in Kind},
        recalls=recalls[0],
        text_bytes=int(lines[1]),
        asked=int(asked[0]),
        memories=memories(database, namespace),
    )


def indexable_lines(database: Database) -> int:
    """How many lines the lexical indexes should hold together."""
    row = database.row("SELECT count(*) FROM lines l JOIN segments g ON g.number = l.segment WHERE g.state = 'active'")
    return int(row[0]) if row else 0


def indexable_windows(database: Database, generation: int) -> int:
    """How many windows the vector indexes should hold together."""
    row = database.row(
        """SELECT count(*) FROM windows w JOIN segments g ON g.number = w.segment
           WHERE w.generation = ? AND g.state = 'active'""",
        [generation],
    )
    return int(row[0]) if row else 0


def orphan_edges(database: Database) -> int:
    row = database.row(
        """SELECT count(*) FROM edges WHERE source NOT IN (SELECT number FROM segments)
           OR target NOT IN (SELECT number FROM segments)"""
    )
    return int(row[0]) if row else 0


def said_after(database: Database, micros: int) -> int:
    row = database.row(f"SELECT count(*) FROM segments WHERE said_at > make_timestamp({int(micros)})")
    return int(row[0]) if row else 0
