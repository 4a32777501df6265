"""Every stored text put through a cleaner, in this store or in a backup: for secrets that no rule knew when they came in.

Knows: where texts stand. Does not know: what a secret is: `Clean` gives the text as it may be kept; nor what was made from words that
change (edited.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pmg.errors import InputError
from pmg.store.duckdb import edited, migrations, sealed_upkeep, strip
from pmg.store.duckdb.database import Database
from pmg.store.forget import Clean, StripResult, TakenFrom
from pmg.store.sealed import SealedText
from pmg.text import escape, unescape

# Other entries of the steward hold numbers only, and a number can look like a card's.
_WRITTEN = "(action LIKE 'import%' OR action IN ('rename', 'claim'))"
PLACES: tuple[tuple[str, str, str], ...] = (
    ("lines", "text", "true"),
    ("lines", "speaker", "true"),
    ("sessions", "title", "true"),
    ("sessions", "meta", "true"),
    ("segments", "meta", "true"),
    ("recalls", "query", "true"),
    ("entity_names", "name", "true"),
    ("claim_rulings", "object", "true"),
    ("claim_rulings", "words", "true"),
    ("journal", "reason", _WRITTEN),
    ("journal", "before", _WRITTEN),
    ("journal", "after", _WRITTEN),
)
_JSON = ("meta", "before", "after")


def _places(database: Database) -> list[tuple[str, str, str]]:
    """Those that are there: a backup of an older schema lacks some."""
    there = {
        row[0]
        for row in database.rows("SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()")
    }
    return [place for place in PLACES if place[0] in there]


def stored(database: Database) -> Iterator[tuple[str, str, int]]:
    """(place, text, how often) of every text that may hold a secret."""
    for table, column, where in _places(database):
        sql = f"SELECT {column} AS text, count(*) AS times FROM {table} WHERE {where} AND {column} <> '' GROUP BY 1"
        for batch in database.batches(sql, 4096):
            for text, times in zip(*(column_.to_pylist() for column_ in batch.columns), strict=True):
                yield f"{table}.{column}", unescape(text), int(times)


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How texts are cleaned, what is taken out of one, and where that is kept, if it is."""

    clean: Clean
    taken_from: TakenFrom
    keep: Callable[[Sequence[tuple[int, SealedText]]], None] | None = None


def cleanse(database: Database, cleaning: Cleaning, change: int) -> StripResult:
    """Inside a transaction of the caller. Doing it again finds nothing more."""
    counts: dict[str, int] = {}
    changed = _numbers_holding(database, cleaning.clean)
    follows = sealed_upkeep.is_there(database)
    for table, column, where in _places(database):
        told = _replacements(database, table, column, where, cleaning.clean)
        if told and follows and (table, column) == ("lines", "text"):
            taken = sealed_upkeep.follow(database, list(told), cleaning.taken_from)
            if cleaning.keep is not None:
                cleaning.keep(taken)
        if told:
            counts[f"{table}.{column}"] = _replace(database, table, column, where, told)
    if follows and changed:
        sealed_upkeep.renew_digests(database)
    names = edited.reset_derived(database, changed, change)
    return StripResult(counts | ({"segments": len(changed)} if changed else {}), tuple(names))


def cleanse_file(file: Path, cleaning: Cleaning, store_id: str) -> StripResult:
    """A backup, whose file is then written anew."""

    def work(database: Database) -> StripResult:
        if migrations.get_meta(database, "store_id") != store_id:
            raise InputError(f"{file} is a backup of another memory: move it out of the backups of this one.")
        with database.writing():
            return cleanse(database, cleaning, strip.next_change(database))

    return strip.rewrite_file(file, work)


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
