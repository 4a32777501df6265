"""The words that attach a database file, in the clear or encrypted, and the extension that encrypts.

Knows: DuckDB's row groups, its encryption, its extension inside a package, and that spilled rows are encrypted too.
Nothing is fetched: the extension is loaded from the installed package by its path.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pmg.base.errors import StoreError
from pmg.store.seal import Key

NAME = "store"  # what the database is called inside its connection; `memory` is taken by the connection's own
USE = f"USE {NAME}"
# Row groups that are merged are held in memory meanwhile, and written anew: 190 MB of vectors each at DuckDB's 122,880 rows.
ROW_GROUP = 16_384
NO_CHECKPOINT, EAGER_CHECKPOINT = "1TB", "1KB"  # of its log, from which the library writes it into the file


def attach(connection: Any, path: Path, key: Key | None, read_only: bool) -> Any:
    """A connection on nothing but this file, which then may also write another. It is closed again if the file does not open."""
    try:
        if key is not None:
            load(connection)
        connection.execute(f"SET temp_directory = {_quoted(path.with_name(path.name + '.tmp'))}")
        # The library makes no checkpoint by itself: one that is torn leaves a file that does not open (checkpoint.py).
        connection.execute(f"SET wal_autocheckpoint = '{NO_CHECKPOINT}'")
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        connection.execute(attach_statement(path, NAME, key, read_only))
        connection.execute(USE)
    except BaseException:
        connection.close()
        raise
    return connection


def attach_foreign(connection: Any, path: Path, key: Key | None) -> Any:
    """A connection on a file that may be anybody's: it sees this file and no other, loads nothing and changes no setting.

    All of that holds before the first byte of the file is read: its log is replayed when it is attached.
    """
    log = path.with_name(path.name + ".wal")
    try:
        if key is not None:
            load(connection)
        connection.execute(f"SET temp_directory = {_quoted(path.with_name(path.name + '.tmp'))}")
        connection.execute(f"SET allowed_paths = [{_quoted(path)}, {_quoted(log)}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        connection.execute(attach_statement(path, NAME, key, read_only=True))
    except BaseException:
        connection.close()
        raise
    return connection


def load(connection: Any) -> None:
    connection.execute(f"LOAD {_quoted(_extension(connection))}")
    connection.execute("SET temp_file_encryption = true")


def attach_statement(path: Path, name: str, key: Key | None, read_only: bool = False) -> str:
    options = ["READ_ONLY"] if read_only else [f"ROW_GROUP_SIZE {ROW_GROUP}"]
    options += [f"ENCRYPTION_KEY '{key.database()}'"] if key is not None else []
    return f"ATTACH {_quoted(path)} AS {name} ({', '.join(options)})"


def _extension(connection: Any) -> Path:
    (version,) = connection.execute("SELECT version()").fetchone()
    found = find_spec("duckdb_extension_httpfs")
    folders = [Path(folder) for folder in (found.submodule_search_locations or [])] if found else []
    for folder in folders:
        file = folder / "extensions" / str(version) / "httpfs.duckdb_extension"
        if file.is_file():
            return file
    raise StoreError(
        f"Encryption needs the package duckdb-extension-httpfs for DuckDB {version}, and it is not installed: "
        f"`pip install duckdb-extension-httpfs=={str(version).removeprefix('v')}`."
    )


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
