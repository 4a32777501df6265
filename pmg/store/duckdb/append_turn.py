"""One turn into an open session, and with it what the indexes need of it: they take it in without asking for it again.

Whole sessions are written by `sessions.append`; the indexes then follow through feeds.py. Both must tell the same of a turn.
"""

from __future__ import annotations

import pyarrow as pa

from pmg.base.errors import NotFound
from pmg.base.text import unescape
from pmg.base.times import from_micros, now, offset_seconds, to_micros
from pmg.store.duckdb import edges, sessions
from pmg.store.duckdb.database import Database
from pmg.store.rows import IndexLine, NewSegment, StoredTurn

_IN_CATALOGUE = ("id", "segment", "idx", "speaker", "role", "words", "asserts", "asks")


def write(database: Database, turn: NewSegment, number: int, line: int, change: int) -> StoredTurn:
    """Writes the turn under the given numbers, the first free ones. Only called inside a transaction."""
    head = database.row(
        "SELECT namespace, conversation, title, source, is_open, epoch_us(started_at), meta FROM sessions WHERE id = ?",
        [turn.session_id],
    )
    if head is None:
        raise NotFound(f"There is no session {turn.session_id!r} to add a turn to: begin it first.")
    namespace, conversation, title, source, is_open, began, meta = head
    if not is_open:  # somebody closed it meanwhile: it goes on, and is closed and linked again
        database.run("UPDATE sessions SET is_open = true, ended_at = NULL WHERE id = ?", [turn.session_id])
    if turn.index == 0 and to_micros(turn.at) < began:  # told today of then: it is a session of then
        database.run(
            "UPDATE sessions SET started_at = make_timestamp(?::BIGINT), started_offset = ? WHERE id = ?",
            [to_micros(turn.at), offset_seconds(turn.at), turn.session_id],
        )
    lines = sessions.append(database, [turn], {turn.session_id: namespace}, number, line, change)
    edges.chain(database, [turn], number, now())
    at = from_micros(to_micros(turn.at), offset_seconds(turn.at))
    said = [
        IndexLine(line + i, number, namespace, one.speaker, one.text, unescape(title), at)
        for i, one in enumerate(turn.lines)
    ]
    segment = _segment(turn, number, namespace, conversation, title, source)
    return StoredTurn(number, change, segment, lines.select(_IN_CATALOGUE), said, sessions.project_of(meta))


def _segment(turn: NewSegment, number: int, namespace: str, conversation: str, title: str, source: str) -> pa.Table:
    return pa.table(
        {
            "number": [number],
            "session_id": [turn.session_id],
            "idx": [turn.index],
            "namespace": [namespace],
            "state": ["active"],
            "said_at": [to_micros(turn.at)],
            "said_offset": [offset_seconds(turn.at)],
            "stands_for": [0],
            "conversation": [conversation or ""],
            "title": [title],
            "source": [source],
            "is_document": [source == "document"],
            "is_asked": [turn.meta.get("asked") == "yes"],
        }
    )
