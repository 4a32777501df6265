"""Removing segments from a database, and writing its file anew so that nothing of them is left in it.

Knows: every table that hangs on a segment, in this store or in a backup of any schema. Does not know: who asked, or what a piece
of text is: `holds` says which texts quote what is forgotten.

What goes: lines, windows, vectors, links, scores, reviews, memberships, the recalls that brought it up or quote it. What is
emptied: titles, notes and journal texts that quote it; titles lose the name of a person who is forgotten (title_names.py). What was
joined by it is joined again: a session's chain, and whoever gave way to it and says it in other words.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from pmg.base.errors import InputError
from pmg.base.filesystem import sync_file, sync_folder
from pmg.base.text import escape, unescape
from pmg.store import switch
from pmg.store.duckdb import backup, chat_quotes, foreign, logs, migrations, people_cleanup, topics
from pmg.store.duckdb.database import Database, numbers_table
from pmg.store.duckdb.edited import generations
from pmg.store.duckdb.schema import COUNTERS
from pmg.store.forget import WATCHED, ForgetOrder, Holds, StripResult, digest, digests, watched_name
from pmg.store.keys import key_for
from pmg.store.title_names import title_names

_GONE = "(SELECT n FROM gone)"
_FREED = "(SELECT n FROM freed)"
_HERE = "NOT internal AND database_name = current_database()"

_GAVE_WAY = f"""SELECT number FROM segments WHERE stands_for IN {_GONE} AND number NOT IN {_GONE}
                AND state IN ('duplicate', 'merged')"""


def strip(database: Database, gone: ForgetOrder, holds: Holds, change: int) -> StripResult:
    """Inside a transaction of the caller. Doing it again finds nothing more."""
    there = tables(database)
    names = pa.table({"id": pa.array(list(gone.ids), pa.string())})
    hashes = pa.table({"h": pa.array(list(gone.hashes), pa.string())})
    with database.reading(names, "names") as a, database.reading(hashes, "hashes") as b:
        rows = database.rows(
            f"""SELECT number, id, session_id FROM segments WHERE namespace = ?
                AND (id IN (SELECT id FROM {a}) OR content_hash IN (SELECT h FROM {b})) ORDER BY number""",
            [gone.namespace],
        )
    numbers, sessions = [row[0] for row in rows], sorted({row[2] for row in rows})
    counts: Counter[str] = Counter(segments=len(numbers))
    turns = chat_quotes.quoting(database, gone.namespace, {*gone.ids, *(row[1] for row in rows)})
    sessions += chat_quotes.clean(database, turns, change)
    counts["answers of the chat that named it"] = len(turns)
    counts["journal entries"] = _empty_journal(database, {*gone.ids, *(row[1] for row in rows)}, holds)
    with database.reading(numbers_table(numbers), "gone"):
        if "forgotten" in there and numbers:
            _leave_marks(database, gone)
        if "recalls" in there:
            counts["recalls"] = _drop_recalls(database, numbers, holds)
        if "topics" in there and numbers:
            counts["topics"] = topics.without_words_of(database, numbers)
        spoke = people_cleanup.speakers(database, numbers) if "claims" in there else set()
        freed = [row[0] for row in database.rows(_GAVE_WAY)]
        counts["copies in other words, now on their own"] = len(freed)
        with database.reading(numbers_table(freed), "freed"):
            counts += _drop_rows(database, there, change)
        if "claims" in there:
            people_cleanup.unmake(database, sessions)
        counts["sessions"] = _mend_sessions(database, there, sessions, gone.sessions)
    _unname_files(database, gone.store_id)
    unnamed = _unname_titles(database, gone, there)
    counts["titles that named them"] = len(unnamed)
    sessions += unnamed
    counts["titles"] = _empty_titles(database, gone, holds, there)
    if "claims" in there:
        people_cleanup.unname_silent(database, spoke)
        people_cleanup.unname(database, holds)
    return StripResult(+counts, tuple(sorted(set(sessions))))


def tables(database: Database) -> set[str]:
    return {row[0] for row in database.rows(f"SELECT table_name FROM duckdb_tables() WHERE {_HERE}")}


def _leave_marks(database: Database, gone: ForgetOrder) -> None:
    """Hashes by which an import knows them again; none where they may come back."""
    if gone.allow_return:
        return
    rows = database.rows(
        f"""SELECT g.namespace, g.session_id, s.conversation, g.content_hash, g.origin_id
            FROM segments g JOIN sessions s ON s.id = g.session_id WHERE g.number IN {_GONE}"""
    )
    marks = {d for r in rows for d in digests(gone.store_id, r[0], r[1], unescape(r[2]), r[3], unescape(r[4]))}
    known = {row[0] for row in database.rows("SELECT digest FROM forgotten")}
    database.insert("forgotten", {"digest": pa.array(sorted(marks - known), pa.string())})


def recalls_of(database: Database, numbers: Sequence[int], holds: Holds) -> list[int]:
    """Recalls that brought one of them up, or whose question quotes them."""
    with database.reading(numbers_table(numbers), "brought") as brought:
        found = {
            r[0] for r in database.rows(f"SELECT recall FROM recall_hits WHERE segment IN (SELECT n FROM {brought})")
        }
    rows = database.rows("SELECT id, query FROM recalls")
    mask = holds([row[1] for row in rows])
    return sorted(found | {row[0] for row, held in zip(rows, mask, strict=True) if held})


def _drop_recalls(database: Database, numbers: Sequence[int], holds: Holds) -> int:
    found = recalls_of(database, numbers, holds)
    with database.reading(numbers_table(found), "asked") as asked:
        database.run(f"DELETE FROM recalls WHERE id IN (SELECT n FROM {asked})")
        database.run(f"DELETE FROM recall_hits WHERE recall IN (SELECT n FROM {asked})")
    return len(found)


def journal_of(database: Database, ids: Sequence[str], holds: Holds) -> list[int]:
    """Entries that hold words of theirs: what they were before an edit, or a raw piece that quotes them."""
    named = {f'"{name}"' for name in ids}
    rows = database.rows("SELECT id, reason, before, after FROM journal WHERE contains(before || after, '\"')")
    found = {row[0] for row in rows if _named(row[2], named)}
    for column in (1, 2, 3):
        mask = holds([row[column] for row in rows])
        found |= {row[0] for row, held in zip(rows, mask, strict=True) if held}
    return sorted(found)


def _named(before: str, names: set[str]) -> bool:
    """Whether an entry's words are those of one of these segments: `{"segment": "seg_…", "lines": …`."""
    if not before.startswith('{"segment": '):
        return False
    return before[len('{"segment": ') :].partition(",")[0] in names


def _empty_journal(database: Database, ids: set[str], holds: Holds) -> int:
    found = journal_of(database, sorted(ids), holds)
    with database.reading(numbers_table(found), "emptied") as emptied:
        logs.empty_journal(database, f"id IN (SELECT n FROM {emptied})")
    return len(found)


def _drop_rows(database: Database, there: set[str], change: int) -> Counter[str]:
    """Everything that hangs on a gone segment; who gave way to it is made anew, like something just said."""
    run, counts = database.run, Counter[str]()
    unmade = "(SELECT n FROM gone UNION SELECT n FROM freed)"
    run(
        f"""INSERT INTO removed
            SELECT g.number, l.id, 0, g.namespace, {change} FROM lines l JOIN segments g ON g.number = l.segment WHERE l.segment IN {_GONE}
            UNION ALL SELECT CASE WHEN w.segment IN {_GONE} THEN w.segment ELSE 0 END, w.line, w.id, g.namespace, {change}
            FROM windows w JOIN segments g ON g.number = w.segment WHERE w.segment IN {unmade}"""
    )
    counts["windows"] = _count(database, f"FROM windows WHERE segment IN {_GONE}")
    for generation in generations(database):
        run(f"DELETE FROM vectors_{generation} WHERE window_id IN (SELECT id FROM windows WHERE segment IN {unmade})")
    for table in ("windows", "embedded"):
        run(f"DELETE FROM {table} WHERE segment IN {unmade}")
    counts["lines"] = _count(database, f"FROM lines WHERE segment IN {_GONE}")
    touching = f"FROM edges WHERE source IN {_GONE} OR target IN {_GONE}"
    counts["edges"] = _count(database, touching)
    run(f"DELETE {touching}")
    if "reviews" in there:
        counts["reviews"] = _count(database, f"FROM reviews WHERE a IN {_GONE} OR b IN {_GONE}")
        run(f"DELETE FROM reviews WHERE a IN {_GONE} OR b IN {_GONE}")
    # Whatever names a segment in a column `segment`, in tables of this version and of later ones.
    for (table,) in database.rows(f"SELECT table_name FROM duckdb_columns() WHERE column_name = 'segment' AND {_HERE}"):
        if table in there and table != "removed":
            run(f'DELETE FROM "{table}" WHERE segment IN {_GONE}')
    run(f"UPDATE segments SET state = 'active', stands_for = 0, changed = {change} WHERE number IN {_FREED}")
    return counts


def _mend_sessions(database: Database, there: set[str], sessions: Sequence[str], named: Sequence[str]) -> int:
    """Places are never used twice, chains close over a gap, and a session without turns goes: an open one where it was asked for by name."""
    asked = ", ".join("?" * len(named)) or "NULL"
    with database.reading(pa.table({"id": pa.array(list(sessions), pa.string())}), "touched") as touched:
        inside = f"session_id IN (SELECT id FROM {touched})"
        if "gaps" in there:
            database.run(
                f"""INSERT INTO gaps SELECT session_id, max(idx) FROM segments WHERE {inside} GROUP BY session_id"""
            )
        database.run(f"DELETE FROM segments WHERE number IN {_GONE}")
        empty = f"""FROM sessions WHERE id IN (SELECT id FROM {touched}) AND (NOT is_open OR id IN ({asked}))
                    AND id NOT IN (SELECT session_id FROM segments WHERE {inside})"""
        count = _count(database, empty, named)
        database.run(f"DELETE {empty}", list(named))
        # Another that is still open stays for what comes, without what it was called after. It goes when it closes as empty (sessions.py).
        database.run(
            f"""UPDATE sessions SET title = '', meta = '' WHERE id IN (SELECT id FROM {touched})
                AND id NOT IN (SELECT session_id FROM segments WHERE {inside})"""
        )
        if "gaps" in there:
            database.run("DELETE FROM gaps WHERE session_id NOT IN (SELECT id FROM sessions)")
        database.run(
            f"""INSERT INTO edges
                WITH neighbours AS (SELECT number AS b, said_at, lag(number) OVER (PARTITION BY session_id ORDER BY idx) AS a
                                    FROM segments WHERE {inside}),
                     pairs AS (SELECT a, b, said_at FROM neighbours WHERE a IS NOT NULL),
                     both_ways AS (SELECT a, b, said_at FROM pairs UNION ALL SELECT b, a, said_at FROM pairs)
                SELECT p.a, p.b, 'chain', 1.0, 'auto', p.said_at FROM both_ways p
                ANTI JOIN edges e ON e.source = p.a AND e.target = p.b AND e.kind = 'chain' ORDER BY 1, 2"""
        )
    return count


def _empty_titles(database: Database, gone: ForgetOrder, holds: Holds, there: set[str]) -> int:
    """Titles and notes of sessions that quote what is gone; an import does not bring such a title back."""
    rows = database.rows("SELECT id, title, meta FROM sessions WHERE namespace = ?", [gone.namespace])
    titled, noted = (holds([row[i] for row in rows]) for i in (1, 2))
    for row, title, note in zip(rows, titled, noted, strict=True):
        if title or note:
            database.run(
                "UPDATE sessions SET title = ?, meta = ? WHERE id = ?",
                ["" if title else row[1], "" if note else row[2], row[0]],
            )
    if "forgotten" in there and not gone.allow_return:
        quoted = [row[0] for row, title in zip(rows, titled, strict=True) if title]
        marks = [digest(gone.store_id, gone.namespace, "title", name) for name in quoted]
        database.insert("forgotten", {"digest": pa.array(marks, pa.string())})
    return int((titled | noted).sum())


def _unname_titles(database: Database, gone: ForgetOrder, there: set[str]) -> list[str]:
    """Titles of conversations in which a forgotten person spoke lose the name, and an import does not bring it back. The sessions that lost it."""
    names = title_names(gone)
    if not names.sessions:
        return []
    rows = database.rows("SELECT id, title FROM sessions WHERE namespace = ?", [gone.namespace])
    mine = [(name, unescape(title)) for name, title in rows if name in names.sessions]
    changed = [(name, left) for name, title in mine if (left := names.without(name, title)) != title]
    for name, left in changed:
        database.run("UPDATE sessions SET title = ? WHERE id = ?", [escape(left), name])
    if "forgotten" in there and not gone.allow_return:
        known = {row[0] for row in database.rows("SELECT digest FROM forgotten")}
        marks = {digest(gone.store_id, gone.namespace, "title", name) for name, _ in mine}
        database.insert("forgotten", {"digest": pa.array(sorted(marks - known), pa.string())})
    return [name for name, _ in changed]


def _unname_files(database: Database, store_id: str) -> None:
    """Earlier versions remembered followed files by their names, which can tell what was in them."""
    for key, note in database.rows("SELECT key, value FROM meta WHERE starts_with(key, ?)", [f"{WATCHED} "]):
        named = {watched_name(store_id, unescape(name)): mark for name, mark in json.loads(note).items()}
        migrations.put_meta(database, key, json.dumps(named))


# files


def strip_file(file: Path, gone: ForgetOrder, holds: Holds) -> StripResult:
    """A backup without them."""

    def work(database: Database) -> StripResult:
        if migrations.get_meta(database, "store_id") != gone.store_id:
            raise InputError(f"{file} is a backup of another memory: move it out of the backups of this one.")
        with database.writing():
            return strip(database, gone, holds, next_change(database))

    return rewrite_file(file, work)


def rewrite_file(file: Path, work: Callable[[Database], StripResult]) -> StripResult:
    """A backup after some work on it: done on a copy of its values, which is written anew and then takes the file's place.

    The file itself stays as it is until that moment: a kill leaves the old backup or the new one.
    """
    begun, temporary = (file.with_name(f".{file.name}.{name}") for name in ("begun.tmp", "rewrite"))
    try:
        foreign.copied(file, begun, key=key_for(file))
        database = Database.open(begun, key=key_for(file))
        try:
            done = work(database)
            _copied(database, temporary)
        finally:
            database.close()
    except BaseException:
        clear(temporary)
        raise
    finally:
        clear(begun)
    _put(temporary, file)
    return done


def next_change(database: Database) -> int:
    row = database.row(COUNTERS["change"])
    return int(row[0] or 0) + 1 if row else 1


def rewrite(database: Database) -> int:
    """The store's own file, while the store is open: who reads waits for the moment of the change."""
    temporary = database.path.with_name(f".{database.path.name}.rewrite")
    before = database.path.stat().st_size
    with database.alone():
        _copied(database, temporary)
        with database.set_aside():
            switch.replace_memory(database.path.parent, temporary)
            clear(database.path, keep=True)
    return before - database.path.stat().st_size


def _copied(database: Database, temporary: Path) -> None:
    clear(temporary)
    backup.copy(database, temporary)
    sync_file(temporary)


def _put(temporary: Path, file: Path) -> None:
    """The log and the spilled rows belong to the old file and go with it."""
    temporary.replace(file)
    clear(file, keep=True)
    sync_folder(file.parent)


def clear(file: Path, keep: bool = False) -> None:
    """A database file, its log and its spilled rows; with `keep` only the last two."""
    if not keep:
        file.unlink(missing_ok=True)
    file.with_name(file.name + ".wal").unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        shutil.rmtree(file.with_name(file.name + ".tmp"))


def text_columns(database: Database) -> Iterator[tuple[str, str, Any]]:
    """(table, column, texts as an Arrow array) of everything that is stored as text."""
    rows = database.rows(
        f"""SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE {_HERE}
            AND table_name IN (SELECT table_name FROM duckdb_tables() WHERE {_HERE})
            AND data_type IN ('VARCHAR', 'VARCHAR[]') ORDER BY 1, 2"""
    )
    filled = _filled(database, sorted({table for table, _, _ in rows}))
    for table, column, kind in rows:
        if table not in filled:
            continue
        value = f'unnest("{column}")' if kind == "VARCHAR[]" else f'"{column}"'
        for batch in database.batches(f'SELECT DISTINCT {value} AS text FROM "{table}"', 4096):
            if batch.num_rows:
                yield table, column, batch.column(0)


def _filled(database: Database, tables: Sequence[str]) -> set[str]:
    """Those that have a row, by one question: to ask each column of each empty table is most of the work in a small memory."""
    asked = " UNION ALL ".join(f'SELECT {n} FROM (SELECT 1 FROM "{name}" LIMIT 1)' for n, name in enumerate(tables))
    return {tables[number] for (number,) in database.rows(asked)} if asked else set()


def _count(database: Database, sql: str, values: Sequence[str] = ()) -> int:
    row = database.row(f"SELECT count(*) {sql}", list(values))
    return int(row[0]) if row else 0
