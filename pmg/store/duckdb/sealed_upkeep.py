"""Sealed redactions when what is around them changes: a line is cleaned again, a database gets another key or none.

Knows: that a database in the clear holds no box, for there is no key to open it; what was restored is still known there, so that it
is not redacted again. Listing and restoring stand in sealed.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import pyarrow as pa

from pmg.base.errors import StoreError
from pmg.base.text import redaction_mark, unescape
from pmg.store.duckdb import sessions
from pmg.store.duckdb.database import Database
from pmg.store.forget import TakenFrom
from pmg.store.seal import Key
from pmg.store.sealed import SealedText, place_after, sealed_digest


def is_there(database: Database) -> bool:
    """A database of an older schema has no such table."""
    return bool(
        database.rows(
            "SELECT 1 FROM duckdb_tables() WHERE table_name = 'sealed' AND database_name = current_database()"
        )
    )


def follow(database: Database, old: Sequence[str], taken_from: TakenFrom) -> list[tuple[int, SealedText]]:
    """Moves the rows of lines whose text is about to be cleaned; returns what is taken out, with the segment of each."""
    with database.reading(pa.table({"old": pa.array(list(old), pa.large_string())}), "old_texts") as texts:
        lines = database.rows(
            f"SELECT segment, idx, text FROM lines WHERE text IN (SELECT old FROM {texts}) ORDER BY id"
        )
    found: list[tuple[int, SealedText]] = []
    for segment, line, text in lines:
        taken = taken_from(unescape(text))
        _move(database, segment, line, taken)
        found += [(segment, replace(one, line=line)) for one in taken]
    return found


def _move(database: Database, segment: int, line: int, taken: Sequence[SealedText]) -> None:
    for number, place in database.rows("SELECT id, place FROM sealed WHERE segment = ? AND line = ?", [segment, line]):
        new = place_after(place, taken)
        if new is None:  # what is taken out now holds it
            database.run("DELETE FROM sealed WHERE id = ?", [number])
        elif new != place:
            database.run("UPDATE sealed SET place = ? WHERE id = ?", [new, number])


def renew_digests(database: Database, segment: int | None = None) -> None:
    """What a restored turn is known by when it comes in once more: the hash of its words with every mark in place."""
    found = database.rows(
        "SELECT DISTINCT segment FROM sealed WHERE restored AND segment = coalesce(?, segment)", [segment]
    )
    numbers = sorted(int(row[0]) for row in found)
    for number, lines in sessions.lines_of(database, numbers).items():
        rows = database.rows("SELECT line, place, size, kind FROM sealed WHERE restored AND segment = ?", [number])
        digest = sealed_digest(lines, [(line, place, size, redaction_mark(kind)) for line, place, size, kind in rows])
        database.run("UPDATE sealed SET digest = ? WHERE segment = ?", [digest, number])


def count_closed(database: Database) -> int:
    """How many are sealed and not restored."""
    row = database.row("SELECT count(*) FROM sealed WHERE NOT restored") if is_there(database) else None
    return int(row[0]) if row else 0


def drop_boxes(database: Database) -> None:
    """For a database that is to be in the clear."""
    if is_there(database):
        with database.writing():
            database.run("DELETE FROM sealed WHERE NOT restored")
            database.run("UPDATE sealed SET box = ''::BLOB")


def reseal(database: Database, key: Key, before: Key) -> None:
    """Every box under another key. One that the key before does not open stays as it is, and stays shut."""
    if not is_there(database) or key.id == before.id:
        return
    old, new = before.box(), key.box()
    with database.writing():
        for number, kind, box in database.rows("SELECT id, kind, box FROM sealed WHERE octet_length(box) > 0"):
            with suppress(StoreError):
                renewed = new.close(old.open(bytes(box), kind), kind)
                database.run("UPDATE sealed SET box = ? WHERE id = ?", [renewed, number])
