"""A SQLite file of another program, opened so that nothing in it can run and nothing of it can change.

On disk it is opened read-only and immutable; inside an archive its bytes are read into memory, up to a limit. Only plain
tables count (a view or a virtual table runs code of whoever made the file), and while a reader works the connection
lets through nothing but SELECT on the tables that the reader names.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

MAGIC = b"SQLite format 3\0"
MAX_ARCHIVED_BYTES = 512 * 1024 * 1024  # of a database that is inside an archive and must be held in memory
STEPS = 50_000_000  # of SQLite's machine for one statement: a made-up file must not keep us busy for ever
ALLOWED = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE))


@contextmanager
def open_file(path: Path) -> Iterator[sqlite3.Connection]:
    """A database on the disk. What its program has written but not folded in yet (its -wal file) is not seen."""
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as database:
        yield _restrained(database)


@contextmanager
def open_bytes(data: bytes) -> Iterator[sqlite3.Connection]:
    """A database from its bytes. In memory there is no log beside it: the two bytes that ask for one are set back."""
    plain = data[:18] + b"\x01\x01" + data[20:]
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(plain)
        yield _restrained(database)


def _restrained(database: sqlite3.Connection) -> sqlite3.Connection:
    for setting in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0"):
        database.execute(f"PRAGMA {setting}")
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    return database


def tables(database: sqlite3.Connection) -> dict[str, frozenset[str]]:
    """The plain tables and their columns, in lower case."""
    rows = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' LIMIT 10000").fetchall()
    plain = [name for name, sql in rows if not str(sql or "").lstrip().upper().startswith("CREATE VIRTUAL")]
    columns = "SELECT name FROM pragma_table_info(?)"
    return {
        name.lower(): frozenset(str(row[0]).lower() for row in database.execute(columns, (name,))) for name in plain
    }


@contextmanager
def only(database: sqlite3.Connection, names: frozenset[str]) -> Iterator[None]:
    """Around a reader: SELECT on these tables and nothing else; a statement that takes too long is ended."""
    database.set_authorizer(_judge(names))
    database.set_progress_handler(lambda: 1, STEPS)
    try:
        yield
    finally:
        database.set_progress_handler(None, 0)
        database.set_authorizer(None)


def _judge(names: frozenset[str]) -> Callable[[int, str | None, str | None, str | None, str | None], int]:
    def judge(action: int, first: str | None, second: str | None, _: str | None, inner: str | None) -> int:
        if inner is not None:  # asked by a view or a trigger, never by us
            return sqlite3.SQLITE_DENY
        if action in ALLOWED:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ:
            return sqlite3.SQLITE_OK if (first or "").lower() in names else sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_FUNCTION:
            return (
                sqlite3.SQLITE_OK
                if second in ("length", "substr", "like", "count", "max", "min")
                else sqlite3.SQLITE_DENY
            )
        return sqlite3.SQLITE_DENY

    return judge


def text_of(value: object) -> str:
    """A cell as text: columns of JSON are kept as text by some programs and as bytes by others."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else "" if value is None else str(value)
