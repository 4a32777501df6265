"""Every stored text put through a cleaner, in this store or in a backup: for secrets that no rule knew when they came in.

Knows: where texts stand, and what was made from words that change (hash, windows, vectors, automatic links: made anew later).
Does not know: what a secret is: `Clean` gives the text as it may be kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from pmg.errors import InputError
from pmg.model import content_hash
from pmg.store.duckdb import migrations, sessions, strip
from pmg.store.duckdb.database import Database
from pmg.store.forget import Clean, StripResult
from pmg.text import escape, unescape
from pmg.words import measure

# Entries of the steward hold numbers only, and a number can look like a card's.
_WRITTEN = "action LIKE 'import%'"
PLACES: tuple[tuple[str, str, str], ...] = (
    ("lines", "text", "true"),
    ("lines", "speaker", "true"),
    ("sessions", "title", "true"),
    ("sessions", "meta", "true"),
    ("segments", "meta", "true"),
    ("recalls", "query", "true"),
    ("journal", "reason", _WRITTEN),
    ("journal", "before", _WRITTEN),
    ("journal", "after", _WRITTEN),
)
_JSON = ("meta", "before", "after")
_AUTO = "origin = 'auto' AND kind IN ('semantic', 'related_to', 'extends_source')"


def stored(database: Database) -> Iterator[tuple[str, str, int]]:
    """(place, text, how often) of every text that may hold a secret."""
    for table, column, where in PLACES:
        sql = f"SELECT {column} AS text, count(*) AS times FROM {table} WHERE {where} AND {column} <> '' GROUP BY 1"
        for batch in database.batches(sql, 4096):
            for text, times in zip(*(column_.to_pylist() for column_ in batch.columns), strict=True):
                yield f"{table}.{column}", unescape(text), int(times)


def cleanse(database: Database, clean: Clean, change: int) -> StripResult:
    """Inside a transaction of the caller. Doing it again finds nothing more."""
    counts: dict[str, int] = {}
    changed = _numbers_holding(database, clean)
    for table, column, where in PLACES:
        told = _replacements(database, table, column, where, clean)
        if told:
            counts[f"{table}.{column}"] = _replace(database, table, column, where, told)
    names = _make_anew(database, changed, change)
    return StripResult(counts | ({"segments": len(changed)} if changed else {}), tuple(names))


def cleanse_file(file: Path, clean: Clean, store_id: str) -> StripResult:
    """A backup, whose file is then written anew."""

    def work(database: Database) -> StripResult:
        if migrations.get_meta(database, "store_id") != store_id:
            raise InputError(f"{file} is not a backup of this memory.")
        with database.writing():
            return cleanse(database, clean, strip.next_change(database))

    return strip.anew(file, work)


def _replacements(database: Database, table: str, column: str, where: str, clean: Clean) -> dict[str, str]:
    rows = database.rows(f"SELECT DISTINCT {column} FROM {table} WHERE {where} AND {column} <> ''")
    told = ((row[0], _cleaned(column, row[0], clean)) for row in rows)
    return {old: new for old, new in told if new != old}


def _cleaned(column: str, text: str, clean: Clean) -> str:
    new = escape(clean(unescape(text)))
    if new == text or column not in _JSON:
        return new
    try:
        json.loads(new)
    except ValueError:
        return ""  # a secret across its structure: what is left cannot be read, and is not kept
    return new


def _replace(database: Database, table: str, column: str, where: str, told: Mapping[str, str]) -> int:
    rows = pa.table(
        {"old": pa.array(list(told), pa.large_string()), "new": pa.array(list(told.values()), pa.large_string())}
    )
    with database.reading(rows, "told") as names:
        count = database.row(f"SELECT count(*) FROM {table} WHERE {where} AND {column} IN (SELECT old FROM {names})")
        database.run(f"UPDATE {table} SET {column} = t.new FROM {names} t WHERE {where} AND {table}.{column} = t.old")
    return int(count[0]) if count else 0


def _numbers_holding(database: Database, clean: Clean) -> list[int]:
    """The segments whose words will change."""
    found: set[int] = set()
    for column in ("text", "speaker"):
        old = list(_replacements(database, "lines", column, "true", clean))
        with database.reading(pa.table({"old": pa.array(old, pa.large_string())}), "old_texts") as texts:
            rows = database.rows(f"SELECT DISTINCT segment FROM lines WHERE {column} IN (SELECT old FROM {texts})")
        found |= {int(row[0]) for row in rows}
    return sorted(found)


def _make_anew(database: Database, numbers: Sequence[int], change: int) -> list[str]:
    """New hashes and counts for changed words; their windows, vectors and automatic links go and are made again."""
    if not numbers:
        return []
    hashes = {number: content_hash(lines) for number, lines in sessions.lines_of(database, numbers).items()}
    table = pa.table({"n": pa.array(list(hashes), pa.int64()), "h": pa.array(list(hashes.values()), pa.string())})
    with database.reading(table, "edited"):
        inside = "(SELECT n FROM edited)"
        database.run(
            f"""INSERT INTO removed SELECT 0, w.line, w.id, g.namespace, {change} FROM windows w
                JOIN segments g ON g.number = w.segment WHERE w.segment IN {inside}"""
        )
        for generation in strip.generations(database):
            database.run(
                f"DELETE FROM vectors_{generation} WHERE window_id IN (SELECT id FROM windows WHERE segment IN {inside})"
            )
        for name in ("windows", "embedded"):
            database.run(f"DELETE FROM {name} WHERE segment IN {inside}")
        database.run(f"DELETE FROM edges WHERE (source IN {inside} OR target IN {inside}) AND {_AUTO}")
        database.run(
            f"UPDATE segments SET content_hash = e.h, changed = {change} FROM edited e WHERE e.n = segments.number"
        )
        rows = database.rows(f"SELECT id, text FROM lines WHERE segment IN {inside}")
        names = database.rows(f"SELECT DISTINCT session_id FROM segments WHERE number IN {inside} ORDER BY 1")
    _measure(database, rows)
    return [row[0] for row in names]


def _measure(database: Database, rows: Sequence[tuple[Any, ...]]) -> None:
    said = [measure(row[1]) for row in rows]
    table = pa.table(
        {
            "id": pa.array([row[0] for row in rows], pa.int64()),
            "words": pa.array([one.words for one in said], pa.int32()),
            "asserts": pa.array([one.asserts for one in said], pa.int32()),
            "asks": pa.array([one.asks for one in said], pa.bool_()),
        }
    )
    with database.reading(table, "measured") as measured:
        database.run(
            f"""UPDATE lines SET words = m.words, asserts = m.asserts, asks = m.asks
                FROM {measured} m WHERE m.id = lines.id"""
        )
