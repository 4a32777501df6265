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

from pmg.base.errors import InputError
from pmg.base.text import escape, hidden_id, unescape
from pmg.store.duckdb import edited, migrations, sealed_upkeep, strip
from pmg.store.duckdb.database import Database
from pmg.store.forget import Clean, StripResult, TakenFrom
from pmg.store.sealed import SealedText

# Other entries of the steward hold numbers only, and a number can look like a card's.
_WRITTEN = "(action LIKE 'import%' OR action IN ('rename', 'claim', 'ingest.aside'))"
PLACES: tuple[tuple[str, str, str], ...] = (
    ("lines", "text", "true"),
    ("lines", "speaker", "true"),
    ("sessions", "title", "true"),
    ("sessions", "meta", "true"),
    ("segments", "meta", "true"),
    ("sessions", "source", "true"),
    ("recalls", "query", "true"),
    ("entity_names", "name", "true"),
    ("claim_rulings", "object", "true"),
    ("claim_rulings", "words", "true"),
    ("journal", "reason", _WRITTEN),
    ("journal", "before", _WRITTEN),
    ("journal", "after", _WRITTEN),
)
_JSON = ("meta", "before", "after")
# Ids that a caller chose. One that holds a secret is replaced whole, always by the same, so that it names the same thing afterwards.
IDS: tuple[tuple[str, str], ...] = (
    ("sessions", "id"),
    ("sessions", "conversation"),
    ("segments", "origin_id"),
    ("entities", "conversation"),
)
TAGS = "segments.tags"


def _places(database: Database) -> list[tuple[str, str, str]]:
    """Those that are there: a backup of an older schema lacks some."""
    there = strip.tables(database)
    return [place for place in PLACES if place[0] in there]


def _ids(database: Database) -> list[tuple[str, str]]:
    there = strip.tables(database)
    return [place for place in IDS if place[0] in there]


def stored(database: Database) -> Iterator[tuple[str, str, int]]:
    """(place, text, how often) of every text that may hold a secret."""
    for table, column, where in _places(database):
        sql = f"SELECT {column} AS text, count(*) AS times FROM {table} WHERE {where} AND {column} <> '' GROUP BY 1"
        for batch in database.batches(sql, 4096):
            for text, times in zip(*(column_.to_pylist() for column_ in batch.columns), strict=True):
                yield f"{table}.{column}", unescape(text), int(times)
    sources = [(f"{table}.{column}", table, column) for table, column in _ids(database)]
    for place, table, column in [*sources, (TAGS, "segments", "unnest(tags)")]:
        rows = database.rows(
            f"SELECT text, count(*) FROM (SELECT {column} AS text FROM {table}) WHERE text <> '' GROUP BY 1"
        )
        yield from ((place, unescape(text), int(times)) for text, times in rows)


def spoken(database: Database) -> Iterator[tuple[str, str]]:
    """(speaker, text) of every line of a person, each once."""
    for batch in database.batches("SELECT DISTINCT speaker, text FROM lines WHERE role = 'person'", 4096):
        for speaker, text in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield unescape(speaker), unescape(text)


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
        replacements = _replacements(database, table, column, where, cleaning.clean)
        if replacements and follows and (table, column) == ("lines", "text"):
            taken = sealed_upkeep.follow(database, list(replacements), cleaning.taken_from)
            if cleaning.keep is not None:
                cleaning.keep(taken)
        if replacements:
            counts[f"{table}.{column}"] = _replace(database, table, column, where, replacements)
    if follows and changed:
        sealed_upkeep.renew_digests(database)
    names = edited.reset_derived(database, changed, change)
    counts |= _clean_tags(database, cleaning.clean) | _clean_ids(database, cleaning.clean)
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
    cleaned = ((row[0], _cleaned(column, row[0], clean)) for row in rows)
    return {old: new for old, new in cleaned if new != old}


def _cleaned(column: str, text: str, clean: Clean) -> str:
    new = escape(clean(unescape(text)))
    if new == text or column not in _JSON:
        return new
    try:
        json.loads(new)
    except ValueError:
        return ""  # a secret across its structure: what is left cannot be read, and is not kept
    return new


def _replace(database: Database, table: str, column: str, where: str, replacements: Mapping[str, str]) -> int:
    rows = pa.table(
        {
            "old": pa.array(list(replacements), pa.large_string()),
            "new": pa.array(list(replacements.values()), pa.large_string()),
        }
    )
    with database.reading(rows, "told") as names:
        count = database.row(f"SELECT count(*) FROM {table} WHERE {where} AND {column} IN (SELECT old FROM {names})")
        database.run(f"UPDATE {table} SET {column} = t.new FROM {names} t WHERE {where} AND {table}.{column} = t.old")
    return int(count[0]) if count else 0


def _clean_tags(database: Database, clean: Clean) -> dict[str, int]:
    replacements = _replacements(database, "(SELECT unnest(tags) AS tag FROM segments)", "tag", "true", clean)
    rows = database.rows("SELECT number, tags FROM segments WHERE len(tags) > 0") if replacements else []
    held = [(number, tags) for number, tags in rows if not replacements.keys().isdisjoint(tags)]
    for number, tags in held:
        database.run(
            "UPDATE segments SET tags = ? WHERE number = ?", [[replacements.get(tag, tag) for tag in tags], number]
        )
    return {TAGS: len(held)} if held else {}


def _clean_ids(database: Database, clean: Clean) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table, column in _ids(database):
        found = _replacements(database, table, column, "true", clean)
        replacements = {old: hidden_id(unescape(old)) for old in found}
        if replacements and (table, column) == ("sessions", "id"):
            _rename_sessions(database, replacements)
        if replacements:
            counts[f"{table}.{column}"] = _replace(database, table, column, "true", replacements)
    return counts


def _rename_sessions(database: Database, replacements: Mapping[str, str]) -> None:
    """What hangs on the name of a session; its own row is the caller's."""
    _replace(database, "segments", "session_id", "true", replacements)
    if "gaps" in strip.tables(database):
        _replace(database, "gaps", "session_id", "true", replacements)
    names = pa.table({"name": pa.array(list(replacements.values()), pa.string())})
    with database.reading(names, "renamed") as renamed:
        database.run(
            f"""UPDATE segments SET id = 'seg_' || session_id || '_' || idx WHERE session_id IN (SELECT name FROM {renamed})"""
        )


def _numbers_holding(database: Database, clean: Clean) -> list[int]:
    """The segments whose words will change."""
    found: set[int] = set()
    for column in ("text", "speaker"):
        old = list(_replacements(database, "lines", column, "true", clean))
        with database.reading(pa.table({"old": pa.array(old, pa.large_string())}), "old_texts") as texts:
            rows = database.rows(f"SELECT DISTINCT segment FROM lines WHERE {column} IN (SELECT old FROM {texts})")
        found |= {int(row[0]) for row in rows}
    return sorted(found)
