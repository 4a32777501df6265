"""A backup is one database file, written whole or not at all.

Knows: copying the open store into a new file (which also leaves out what was deleted) and checking such a file. Which backups are
made when, and kept, is decided by steward/backups.py.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from pmg.base.errors import InputError, PmgError, StoreError
from pmg.base.filesystem import sync_file
from pmg.store.duckdb import foreign
from pmg.store.duckdb.database import Database, protect
from pmg.store.keys import BESIDE, HEADER, header_file, read_header, write_header
from pmg.store.seal import Key


def write(database: Database, file: Path) -> None:
    """A consistent copy, through a temporary file and a rename: a kill leaves the old backup or the new one."""
    if file.exists() and file.is_dir():
        raise InputError(f"{file} is a directory: name a file, such as {file / 'memory-backup.duckdb'}.")
    if file.resolve() in (database.path.resolve(), database.path.resolve().with_name(database.path.name + ".wal")):
        raise InputError(f"{file} is the memory itself: write the backup to another file.")
    _refuse_other_files(database, file)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        file.parent.parent.mkdir(parents=True, exist_ok=True)
        file.parent.mkdir(mode=0o700, exist_ok=True)
        temporary.unlink(missing_ok=True)
        copy(database, temporary)
        sync_file(temporary)
        if database.key is not None:
            _leave_header(database, file)
        temporary.replace(file)
    except OSError as error:
        raise StoreError(
            f"The backup {file} could not be written: {error.strerror or error}. Choose another place."
        ) from None
    finally:
        with suppress(OSError):  # where no file can be there is none to clear away
            temporary.unlink(missing_ok=True)
            temporary.with_name(temporary.name + ".wal").unlink(missing_ok=True)


def _refuse_other_files(database: Database, file: Path) -> None:
    """A diary that has the name by mistake is not written over: only a backup gives way to a backup."""
    if holds_something(file) and held(file, database.key) is None:
        raise InputError(
            f"{file} is there already and is no backup that can be read: name another file, or take it away first."
        )


def holds_something(file: Path) -> bool:
    return file.exists() and not (file.is_file() and file.stat().st_size == 0)


def held(file: Path, key: Key | None) -> int | None:
    """How many segments a file holds as a backup, under this key or as its folder says; None: it is none."""
    for one in dict.fromkeys((key, None)):
        with suppress(PmgError), foreign.reading(file, one) as found:
            return found.segments()
    return None


def _leave_header(database: Database, file: Path) -> None:
    """A backup outside the memory's directory takes its header along; inside, the memory's own serves, with the newest passphrase."""
    home = database.path.parent
    if file.resolve().parent not in (home.resolve(), (home / "backups").resolve()):
        place = header_file(database.path) or home / HEADER
        write_header(file.with_name(file.name + BESIDE), read_header(place))


def copy(database: Database, target: Path) -> None:
    """Every table into a new database file: only this leaves deleted text behind (a DELETE alone does not).

    The copy is encrypted with the same key, or not, as the database is.
    """
    copy_with(database, target, database.key)


def copy_with(database: Database, target: Path, key: Key | None) -> None:
    """The same under another key, or under none: how a memory is encrypted and decrypted."""
    database.copy_into(target, key)
    protect(target)


def check(file: Path) -> int:
    """How many segments a backup holds, or an error that says why it cannot be used."""
    with foreign.reading(file) as found:
        return found.segments()
