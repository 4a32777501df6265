"""Numbered steps from each schema to the next; a step that was released is never edited.

Knows: how to bring an older store up to this version, one transaction a step, so that a kill leaves one version or the next.
Does not know: what the tables are used for.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable

from pmg.errors import StoreTooNew
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.schema import TABLES, VIEWS


def m001_first_schema(database: Database) -> None:
    database.run(TABLES)
    database.run("INSERT INTO meta VALUES ('store_id', ?)", [uuid.uuid4().hex])


def m002_steward(database: Database) -> None:
    """Scores, pairs for a person's eye, topics, and which segments each journal entry touched."""
    database.run(
        """
        CREATE TABLE scores (segment BIGINT, score FLOAT);
        CREATE TABLE reviews (
            id BIGINT, a BIGINT, b BIGINT,  -- a < b
            cosine FLOAT,
            kinds VARCHAR,                  -- in what they differ; the words themselves stay in the texts
            state VARCHAR,                  -- open, merged, kept, linked
            found_at TIMESTAMP
        );
        CREATE TABLE topics (id BIGINT, namespace VARCHAR, name VARCHAR, terms VARCHAR[]);
        CREATE TABLE topic_members (topic BIGINT, segment BIGINT);
        CREATE TABLE journal_touched (entry BIGINT, segment BIGINT);
        """
    )


def m003_forget(database: Database) -> None:
    """What forgetting leaves: hashes, so that an import does not bring it back; and which files hold copies of the memory."""
    database.run(
        """
        CREATE TABLE forgotten (digest VARCHAR);                -- of what was forgotten: no word of it
        CREATE TABLE gaps (session_id VARCHAR, idx INTEGER);    -- the last place that a session has ever used
        CREATE TABLE copies (
            path VARCHAR, kind VARCHAR,                         -- backup or export
            form VARCHAR,                                       -- of an export: markdown, jsonl, csv, parquet, html
            written_at TIMESTAMP
        );
        """
    )


def m004_words_by_segment(database: Database) -> None:
    """Recall reads the words of twenty segments out of all: 1.8 ms with this at 100,000 lines, 26 ms without."""
    database.run("CREATE INDEX lines_by_segment ON lines (segment)")


def m005_line_times(database: Database) -> None:
    """When each line was said: an answer may come an hour after its question. Empty where only the turn's time is known."""
    database.run("ALTER TABLE lines ADD COLUMN said_at TIMESTAMP; ALTER TABLE lines ADD COLUMN said_offset INTEGER")


MIGRATIONS: tuple[Callable[[Database], None], ...] = (
    m001_first_schema,
    m002_steward,
    m003_forget,
    m004_words_by_segment,
    m005_line_times,
)
SCHEMA_VERSION = len(MIGRATIONS)


def version_of(database: Database) -> int:
    known = database.row("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'meta'")
    if known is None or known[0] == 0:
        return 0
    row = database.row("SELECT value FROM meta WHERE key = 'schema_version'")
    return int(row[0]) if row else 0


def refuse_newer(database: Database) -> None:
    found = version_of(database)
    if found > SCHEMA_VERSION:
        raise StoreTooNew(
            f"{database.path} has schema {found}; this PMG knows up to {SCHEMA_VERSION}. "
            f"Nothing was changed. Upgrade PMG (`pip install -U private-memory-graph`) to open it."
        )


def migrate(database: Database) -> None:
    """Every missing step, in order; then the views, if their text changed."""
    for number in range(version_of(database) + 1, SCHEMA_VERSION + 1):
        with database.writing():
            MIGRATIONS[number - 1](database)
            put_meta(database, "schema_version", str(number))
    views = hashlib.sha256(VIEWS.encode()).hexdigest()
    if get_meta(database, "views") != views:
        with database.writing():
            database.run(VIEWS)
            put_meta(database, "views", views)


def get_meta(database: Database, key: str) -> str | None:
    row = database.row("SELECT value FROM meta WHERE key = ?", [key])
    return str(row[0]) if row else None


def put_meta(database: Database, key: str, value: str) -> None:
    database.run("DELETE FROM meta WHERE key = ?", [key])
    database.run("INSERT INTO meta VALUES (?, ?)", [key, value])
