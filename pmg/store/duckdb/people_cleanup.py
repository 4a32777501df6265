"""What goes from the tables of people when words go: claims of sessions that changed, entities that nothing names any more, names that quote what is forgotten.

Knows: that whoever is still named stays the same entity, with its number and what was decided about it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyarrow as pa

from pmg.base.text import unescape
from pmg.store.duckdb import logs
from pmg.store.duckdb.database import Database, numbers_table
from pmg.store.duckdb.migrations import get_meta, put_meta
from pmg.store.forget import Holds
from pmg.store.told_names import tells_name

HIGHEST_DROPPED = "highest_entity_gone"  # in meta: the highest number of an entity that was dropped
_HERE = "database_name = current_database()"
_IS_RENAME = """action = 'rename' AND starts_with(after, '{"name": [')"""  # of an entity; topics have other entries


def drop_orphans(database: Database) -> None:
    """An entity that nothing names any more is gone, and with it what was decided about it. Its number is nobody else's later."""
    gone = database.row("SELECT max(id) FROM entities WHERE id NOT IN (SELECT entity FROM mentions)")
    if gone and gone[0] is not None:
        put_meta(database, HIGHEST_DROPPED, str(max(gone[0], int(get_meta(database, HIGHEST_DROPPED) or 0))))
    database.run("DELETE FROM entities WHERE id NOT IN (SELECT entity FROM mentions)")
    database.run("DELETE FROM entity_names WHERE entity NOT IN (SELECT id FROM entities)")
    _forget_renames(database, "NOT IN (SELECT id FROM entities)")
    database.run(
        "DELETE FROM identity_decisions WHERE a NOT IN (SELECT id FROM entities) OR b NOT IN (SELECT id FROM entities)"
    )


def _forget_renames(database: Database, condition: str) -> None:
    """The journal's entries about names given to some entities: a name given by hand may be nowhere else."""
    logs.empty_journal(
        database,
        f"""{_IS_RENAME}
            AND TRY_CAST(regexp_extract(after, '^\\{{"name": \\[([0-9]+)', 1) AS BIGINT) {condition}""",
    )


def speakers(database: Database, segments: Sequence[int]) -> set[int]:
    """Who speaks in these segments."""
    with database.reading(numbers_table(segments), "heard") as heard:
        return _speaking(database, f"m.segment IN (SELECT n FROM {heard})")


def _speaking(database: Database, condition: str) -> set[int]:
    rows = database.rows(
        f"""SELECT DISTINCT m.entity FROM mentions m JOIN lines l ON l.segment = m.segment AND l.idx = m.line AND l.speaker = m.name
            WHERE {condition}"""
    )
    return {row[0] for row in rows}


def unname_silent(database: Database, spoke: Collection[int]) -> None:
    """Of those who spoke and of whose words nothing is left, names that were given by hand go: these stand in nobody's words. That they are one
    or two people is no word of theirs, and stays as long as somebody names them."""
    if not spoke or not _was_any_named(database):
        return
    people = _joined(database, spoke)
    with database.reading(numbers_table(sorted(set().union(*people))), "silent") as some:
        still = _speaking(database, f"m.entity IN (SELECT n FROM {some})")
    silent = sorted({one for person in people if not person & still for one in person})
    with database.reading(numbers_table(silent), "silent") as some:
        database.run(f"DELETE FROM entity_names WHERE entity IN (SELECT n FROM {some})")
        _forget_renames(database, f"IN (SELECT n FROM {some})")


def _was_any_named(database: Database) -> bool:
    """Whether a name was ever given by hand: one that was taken back still stands in the journal."""
    return bool(
        database.rows("SELECT 1 FROM entity_names LIMIT 1")
        or database.rows(f"SELECT 1 FROM journal WHERE {_IS_RENAME} LIMIT 1")
    )


def _joined(database: Database, entities: Collection[int]) -> list[set[int]]:
    """The people whom these are: each with everything that was decided to be one person with them."""
    person_of = {one: {one} for one in entities}
    for a, b in database.rows("SELECT a, b FROM identity_decisions WHERE verdict = 'MERGE'"):
        small, large = sorted((person_of.get(a, {a}), person_of.get(b, {b})), key=len)
        large |= small
        person_of |= dict.fromkeys((*small, a, b), large)
    return list({id(person): person for person in map(person_of.__getitem__, entities)}.values())


def unmake(database: Database, sessions: Sequence[str]) -> None:
    """The claims of whole sessions go and are made again: a name in one turn may have come from another that is no more. Where a name stands in
    the words that are left, it is still said whose it is: else every forgetting would make new people, of whom nothing was decided."""
    with database.reading(pa.table({"id": pa.array(list(sessions), pa.string())}), "unmade") as names:
        mine = f"SELECT g.number FROM segments g JOIN {names} u ON u.id = g.session_id"
        there = {row[0] for row in database.rows(f"SELECT table_name FROM duckdb_tables() WHERE {_HERE}")}
        said = _still_said(database, mine)
        for table in ("claims", "mentions", "extracted", "model_read"):
            if table not in there:  # a backup of an older schema lacks some
                continue
            database.run(f"DELETE FROM {table} WHERE segment IN ({mine})")
    database.insert("mentions", _mention_columns(said))


def _still_said(database: Database, segments: str) -> list[tuple[int, int, int, str]]:
    """The mentions in some segments that stand there word for word."""
    rows = database.rows(
        f"""SELECT m.segment, m.line, m.entity, m.name, l.speaker, l.text
            FROM mentions m JOIN lines l ON l.segment = m.segment AND l.idx = m.line WHERE m.segment IN ({segments})"""
    )
    return [(one[0], one[1], one[2], one[3]) for one in rows if tells_name(*map(unescape, one[3:]))]


def _mention_columns(rows: Sequence[tuple[int, int, int, str]]) -> dict[str, pa.Array]:
    segments, lines, entities, names = zip(*rows, strict=True) if rows else ((), (), (), ())
    return {
        "segment": pa.array(segments, pa.int64()),
        "line": pa.array(lines, pa.int32()),
        "entity": pa.array(entities, pa.int64()),
        "name": pa.array(names, pa.string()),
    }


def unname(database: Database, holds: Holds) -> None:
    """Names that were given by hand and quote what is forgotten go; then whatever nothing names any more."""
    rows = database.rows("SELECT entity, name FROM entity_names")
    for (entity, _), held in zip(rows, holds([row[1] for row in rows]), strict=True):
        if held:
            database.run("DELETE FROM entity_names WHERE entity = ?", [entity])
    if database.rows(f"SELECT 1 FROM duckdb_tables() WHERE table_name = 'claim_rulings' AND {_HERE}"):
        _unrule(database, holds)  # a backup of an older schema has none
    drop_orphans(database)


def _unrule(database: Database, holds: Holds) -> None:
    """A ruling goes with its segment, and when its words quote what is forgotten."""
    rows = database.rows("SELECT DISTINCT object, words FROM claim_rulings")
    for row, *held in zip(rows, holds([row[0] for row in rows]), holds([row[1] for row in rows]), strict=True):
        if any(held):
            database.run("DELETE FROM claim_rulings WHERE object = ? AND words = ?", list(row))
