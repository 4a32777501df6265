"""What earlier versions of the chat copied under an answer: `– Speaker, date, in 'Title'`, a row for each memory that was quoted.

Knows: how such an answer was stored: rows at its end, and the memories they name in the turn's notes, in the same order. When a
memory is forgotten its row goes, and the note names it no more. Answers of today refer to their sources and copy nothing of them.
Does not know: how a chat shows its quotes (pmg/chat/turn.py).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pmg.base.model import CHAT_SOURCE
from pmg.base.text import escape, unescape
from pmg.store.duckdb import edited
from pmg.store.duckdb.database import Database

USED, QUOTED = "used", "quoted"  # of a turn's notes: names of memories, each with more behind a slash
ROW = "– "
GONE = "forgotten"  # stands in a note where a memory was named


@dataclass(frozen=True, slots=True)
class QuotingTurn:
    """A turn of the chat that names a memory which is forgotten; its texts as they are, and as they may stay."""

    number: int
    id: str
    session: str
    meta: str
    lines: tuple[tuple[int, str, str], ...]  # id, text, text without the rows of what is gone

    @property
    def rows(self) -> list[str]:
        """The rows that go."""
        kept = {row for _, _, after in self.lines for row in after.split("\n")}
        return [row for _, before, _ in self.lines for row in before.split("\n") if row not in kept]


def quoting(database: Database, namespace: str, gone: Collection[str]) -> list[QuotingTurn]:
    """Turns that stay and name one that goes."""
    rows = database.rows(
        """SELECT g.number, g.id, g.session_id, g.meta FROM segments g JOIN sessions s ON s.id = g.session_id
           WHERE s.source = ? AND g.namespace = ? AND g.meta <> '' ORDER BY 1""",
        [CHAT_SOURCE, namespace],
    )
    return [_turn(database, row, gone) for row in rows if row[1] not in gone and gone & _named(row[3]).keys()]


def _named(meta: str) -> dict[str, str]:
    notes = json.loads(unescape(meta))
    entries = [entry for key in (USED, QUOTED) for entry in str(notes.get(key, "")).split()]
    return {entry.partition("/")[0]: entry for entry in entries}


def _turn(database: Database, row: Sequence[object], gone: Collection[str]) -> QuotingTurn:
    number, name, session, meta = int(str(row[0])), str(row[1]), str(row[2]), str(row[3])
    notes = json.loads(unescape(meta))
    quoted = [entry.partition("/")[0] in gone for entry in str(notes.get(QUOTED, "")).split()]
    kept = {
        key: " ".join(_renamed(str(value), gone)) if key in (USED, QUOTED) else value for key, value in notes.items()
    }
    lines = database.rows("SELECT id, text FROM lines WHERE segment = ? AND role = 'assistant' ORDER BY id", [number])
    cleaned = tuple((int(line), text, escape(_without_rows(unescape(text), quoted))) for line, text in lines)
    return QuotingTurn(number, name, session, escape(json.dumps(kept, ensure_ascii=False)), cleaned)


def _renamed(entries: str, gone: Collection[str]) -> Iterator[str]:
    for entry in entries.split():
        name, slash, rest = entry.partition("/")
        yield f"{GONE}{slash}{rest}" if name in gone else entry


def _without_rows(text: str, quoted: Sequence[bool]) -> str:
    """Rows and notes stand in the same order; where their numbers differ it is not known which is whose, and all rows go."""
    rows = text.split("\n")
    begin = len(rows)
    while begin > 1 and rows[begin - 1].startswith(ROW):
        begin -= 1
    last = rows[begin:]
    kept = [row for row, is_gone in zip(last, quoted, strict=True) if not is_gone] if len(last) == len(quoted) else []
    return "\n".join([*rows[:begin], *kept]) if any(quoted) else text


def clean(database: Database, turns: Sequence[QuotingTurn], change: int) -> list[str]:
    """Writes them as they may stay; the sessions they are in."""
    for turn in turns:
        database.run("UPDATE segments SET meta = ? WHERE number = ?", [turn.meta, turn.number])
        for line, before, after in turn.lines:
            if after != before:
                database.run("UPDATE lines SET text = ? WHERE id = ?", [after, line])
    edited.reset_derived(database, [turn.number for turn in turns if turn.rows], change)
    return sorted({turn.session for turn in turns})
