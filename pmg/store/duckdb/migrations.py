"""Numbered steps from each schema to the next, one transaction a step, so that a kill leaves one version or the next.

A step that was released is never edited, and it says its SQL literally: a function that changes later would make another database of an old
one. A test holds each step to its text, and a database of each schema that there ever was must open (tests/data/schemas).
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from contextlib import nullcontext

import pyarrow as pa

from pmg.base.errors import InputError, StoreError, StoreTooNew
from pmg.base.words import measure_all
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.schema import VIEWS


def m001_first_schema(database: Database) -> None:
    database.run(
        """
        CREATE TABLE meta (key VARCHAR, value VARCHAR);

        CREATE TABLE models (
            generation INTEGER,         -- 1 for the first model, one more at each change
            name VARCHAR, fingerprint VARCHAR, dimension INTEGER,
            state VARCHAR               -- active, building (a re-embed under way) or retired
        );

        CREATE TABLE sessions (
            id VARCHAR, namespace VARCHAR, conversation VARCHAR, title VARCHAR, source VARCHAR,
            started_at TIMESTAMP, started_offset INTEGER,   -- UTC, and the offset in seconds in which it was said
            ended_at TIMESTAMP, ended_offset INTEGER,
            is_open BOOLEAN,
            meta VARCHAR                -- JSON of what the source said of it
        );

        CREATE TABLE segments (
            number BIGINT,              -- short name inside this store; grows, never reused
            id VARCHAR,                 -- seg_<session>_<index>
            session_id VARCHAR, idx INTEGER, namespace VARCHAR,
            said_at TIMESTAMP, said_offset INTEGER,
            state VARCHAR,              -- active, duplicate, merged, archived
            stands_for BIGINT,          -- the segment that a duplicate or merged one gave way to, else 0
            hits INTEGER, last_hit TIMESTAMP,
            pinned BOOLEAN, tags VARCHAR[],
            quality FLOAT,              -- 0 to 1, judged when it was written
            content_hash VARCHAR, origin_id VARCHAR,
            changed BIGINT,             -- the change that last altered what the indexes should hold of it
            meta VARCHAR
        );

        CREATE TABLE lines (
            id BIGINT, segment BIGINT, idx INTEGER,
            speaker VARCHAR, role VARCHAR, text VARCHAR,
            words INTEGER, asserts INTEGER, asks BOOLEAN  -- how much it says by itself: ranking needs it without the text
        );

        CREATE TABLE windows (
            id BIGINT, generation INTEGER, segment BIGINT, line BIGINT,
            start_at INTEGER, end_at INTEGER  -- characters of the line
        );

        CREATE TABLE embedded (generation INTEGER, segment BIGINT);

        CREATE TABLE edges (
            source BIGINT, target BIGINT, kind VARCHAR, weight FLOAT, origin VARCHAR, created_at TIMESTAMP
        );

        CREATE TABLE removed (segment BIGINT, line BIGINT, window_id BIGINT, namespace VARCHAR, changed BIGINT);

        CREATE TABLE recalls (
            id BIGINT, recalled_at TIMESTAMP, namespace VARCHAR, query VARCHAR, mode VARCHAR, milliseconds DOUBLE
        );

        CREATE TABLE recall_hits (recall BIGINT, segment BIGINT, role VARCHAR, score DOUBLE);

        CREATE TABLE journal (
            id BIGINT, run VARCHAR, written_at TIMESTAMP, actor VARCHAR, action VARCHAR, reason VARCHAR,
            before VARCHAR, after VARCHAR, undone_at TIMESTAMP
        );
        """
    )
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


def m005_what_a_line_asserts(database: Database) -> None:
    """The first stores of schemas 1 and 2 counted the words of a line, not those that say something. Others have the column since step 1."""
    if database.rows("SELECT 1 FROM duckdb_columns() WHERE table_name = 'lines' AND column_name = 'asserts'"):
        return
    database.run("ALTER TABLE lines ADD COLUMN asserts INTEGER")
    rows = database.rows("SELECT id, text FROM lines")
    said = measure_all([text for _, text in rows])
    table = pa.table(
        {"id": pa.array([row[0] for row in rows], pa.int64()), "n": pa.array([one.asserts for one in said], pa.int32())}
    )
    with database.reading(table, "measured") as measured:
        database.run(f"UPDATE lines SET asserts = m.n FROM {measured} m WHERE m.id = lines.id")


def m006_line_times(database: Database) -> None:
    """When each line was said: an answer may come an hour after its question. Empty where only the turn's time is known."""
    database.run("ALTER TABLE lines ADD COLUMN said_at TIMESTAMP; ALTER TABLE lines ADD COLUMN said_offset INTEGER")


def m007_links_that_wait(database: Database) -> None:
    """Turns of open sessions have vectors before they have links; and from now on the indexes hold them, so they are stamped anew."""
    database.run("ALTER TABLE embedded ADD COLUMN linked BOOLEAN DEFAULT true")
    database.run(
        """
        UPDATE segments SET changed = 1 + greatest(
            (SELECT coalesce(max(changed), 0) FROM segments), (SELECT coalesce(max(changed), 0) FROM removed)
        ) WHERE session_id IN (SELECT id FROM sessions WHERE is_open)
        """
    )


def m008_people(database: Database) -> None:
    """What was claimed by whom about whom, whom and what claims name, and who was decided to be one person."""
    database.run(
        """
        CREATE TABLE claims (
            id BIGINT, segment BIGINT, line INTEGER,
            start_at INTEGER, end_at INTEGER,           -- the clause, in characters of the line
            speaker VARCHAR, subject VARCHAR, relation VARCHAR, object VARCHAR,
            is_positive BOOLEAN, certainty FLOAT,
            modality VARCHAR,                           -- stated, question, hypothetical, plan, quotation
            valid_from DATE, valid_to DATE,             -- when it holds, where the words say so
            quoted VARCHAR,                             -- of a quotation: whose words they are
            about BIGINT, object_entity BIGINT          -- entities, 0 for none
        );
        CREATE TABLE extracted (segment BIGINT, version INTEGER);   -- which extractor has read it
        CREATE TABLE entities (id BIGINT, namespace VARCHAR, conversation VARCHAR, kind VARCHAR);
        CREATE TABLE mentions (segment BIGINT, line INTEGER, entity BIGINT, name VARCHAR);
        CREATE TABLE entity_names (entity BIGINT, name VARCHAR);    -- given by a person
        CREATE TABLE identity_decisions (
            a BIGINT, b BIGINT,                         -- entities, a < b
            verdict VARCHAR,                            -- MERGE, SEPARATE, UNSURE
            reason VARCHAR,                             -- relations and dates, no word of anybody's
            actor VARCHAR, decided_at TIMESTAMP
        );
        """
    )


def m009_sealed_redactions(database: Database) -> None:
    """What was taken out of lines, sealed under the memory's key, where the person wants that kept."""
    database.run(
        """
        CREATE TABLE sealed (
            id BIGINT, segment BIGINT, line INTEGER,    -- the line's place in its segment
            place INTEGER,                              -- the character of the line where the mark or the restored text begins
            size INTEGER,                               -- characters that were taken out
            kind VARCHAR,
            box BLOB,                                   -- what was taken out, encrypted; empty in a memory in the clear
            sealed_at TIMESTAMP,
            restored BOOLEAN,
            digest VARCHAR                              -- of a segment with something restored: its hash with every mark
        );
        """
    )


def m010_claim_rulings(database: Database) -> None:
    """What a person decided about a claim, by the place it was read from: it stands when claims are read again."""
    database.run(
        """
        CREATE TABLE claim_rulings (
            segment BIGINT, line INTEGER, start_at INTEGER, relation VARCHAR, object VARCHAR,   -- the claim as it was read
            ruling VARCHAR,                             -- wrong, holds, ended, corrected
            words VARCHAR, ended DATE                   -- of a corrected one its new object, of an ended one the day
        );
        """
    )


def m011_claim_sources(database: Database) -> None:
    """Which extractor read a claim, and which segments a language model has read: it is asked once, for it may cost something."""
    database.run(
        """
        ALTER TABLE claims ADD COLUMN source VARCHAR DEFAULT 'grammar';     -- or model: and its name
        CREATE TABLE model_read (segment BIGINT, model VARCHAR);
        """
    )


def m012_session_ends_on_their_clock(database: Database) -> None:
    """The end of a session that was closed with its last turn, in the offset of that turn: it was kept in UTC."""
    database.run(
        """
        UPDATE sessions SET ended_offset = last_turn.said_offset
        FROM (SELECT session_id, max(said_at) AS said_at, arg_max(said_offset, said_at) AS said_offset
              FROM segments GROUP BY session_id) AS last_turn
        WHERE last_turn.session_id = sessions.id AND sessions.ended_at = last_turn.said_at
          AND sessions.ended_offset IS DISTINCT FROM last_turn.said_offset;
        """
    )


MIGRATIONS: tuple[Callable[[Database], None], ...] = (
    m001_first_schema,
    m002_steward,
    m003_forget,
    m004_words_by_segment,
    m005_what_a_line_asserts,
    m006_line_times,
    m007_links_that_wait,
    m008_people,
    m009_sealed_redactions,
    m010_claim_rulings,
    m011_claim_sources,
    m012_session_ends_on_their_clock,
)
SCHEMA_VERSION = len(MIGRATIONS)


def version_of(database: Database) -> int:
    known = database.row("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'meta'")
    if known is None or known[0] == 0:
        return 0
    rows = database.rows("SELECT value FROM meta WHERE key = 'schema_version'")
    if not rows:
        return 0
    version = str(rows[0][0])
    if len(rows) > 1 or not (version.isascii() and version.isdigit()):
        raise StoreError(
            f"{database.path} says that its schema is {version[:40]!r}, which is no number. Nothing was changed. "
            f"The file is damaged: restore the newest backup with `pmg restore FILE`."
        )
    return int(version[:9])


def checked_version(database: Database) -> int:
    """The schema of a file that must be a memory, and one that this PMG knows."""
    found = refuse_newer(database)
    if found == 0:
        raise InputError(f"{database.path} is a database, but not a memory of PMG.")
    return found


def refuse_newer(database: Database) -> int:
    """The schema of a file, 0 for none; StoreTooNew for one that only a newer PMG knows."""
    found = version_of(database)
    if found > SCHEMA_VERSION:
        raise StoreTooNew(
            f"{database.path} has schema {found}; this PMG knows up to {SCHEMA_VERSION}. "
            f"Nothing was changed. Upgrade PMG (`pip install -U private-memory-graph`) to open it."
        )
    return found


def migrate(database: Database, found: int) -> None:
    """Every step after schema `found`, in order; then the views, if their text changed. A new memory gets all of it in one transaction."""
    with database.writing() if found == 0 else nullcontext():
        for number in range(found + 1, SCHEMA_VERSION + 1):
            with database.writing():
                MIGRATIONS[number - 1](database)
                put_meta(database, "schema_version", str(number))
        _renew_views(database)


def _renew_views(database: Database) -> None:
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
