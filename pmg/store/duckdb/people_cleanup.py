"""What goes from the tables of people when words go: claims of sessions that changed, entities that nothing names any more, names that quote what is forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from pmg.store.duckdb import logs
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.migrations import get_meta, put_meta
from pmg.store.forget import Holds

HIGHEST_DROPPED = "highest_entity_gone"  # in meta: the highest number of an entity that was dropped
_HERE = "database_name = current_database()"


def drop_orphans(database: Database) -> None:
    """An entity that nothing names any more is gone, and with it what was decided about it. Its number is nobody else's later."""
    gone = database.row("SELECT max(id) FROM entities WHERE id NOT IN (SELECT entity FROM mentions)")
    if gone and gone[0] is not None:
        put_meta(database, HIGHEST_DROPPED, str(max(gone[0], int(get_meta(database, HIGHEST_DROPPED) or 0))))
    database.run("DELETE FROM entities WHERE id NOT IN (SELECT entity FROM mentions)")
    database.run("DELETE FROM entity_names WHERE entity NOT IN (SELECT id FROM entities)")
    _forget_renames(database)
    database.run(
        "DELETE FROM identity_decisions WHERE a NOT IN (SELECT id FROM entities) OR b NOT IN (SELECT id FROM entities)"
    )


def _forget_renames(database: Database) -> None:
    """The journal's entries about names given to entities that are gone: a name given by hand may be nowhere else."""
    logs.empty_journal(
        database,
        """action = 'rename' AND starts_with(after, '{"name": [')
           AND TRY_CAST(regexp_extract(after, '^\\{"name": \\[([0-9]+)', 1) AS BIGINT) NOT IN (SELECT id FROM entities)""",
    )


def unmake(database: Database, sessions: Sequence[str]) -> None:
    """The claims of whole sessions go and are made again: a name in one turn may have come from another that is no more."""
    with database.reading(pa.table({"id": pa.array(list(sessions), pa.string())}), "unmade") as names:
        mine = f"SELECT g.number FROM segments g JOIN {names} u ON u.id = g.session_id"
        there = {row[0] for row in database.rows(f"SELECT table_name FROM duckdb_tables() WHERE {_HERE}")}
        for table in ("claims", "mentions", "extracted", "model_read"):
            if table not in there:  # a backup of an older schema lacks some
                continue
            database.run(f"DELETE FROM {table} WHERE segment IN ({mine})")


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
