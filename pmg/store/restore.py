"""Putting a backup in place of a memory, without losing the one that was there.

Knows: the order in which files are moved so that a kill leaves the old memory or the new one. Backups are written and checked by
duckdb/backup.py.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pmg.errors import StoreError
from pmg.filesystem import sync_file
from pmg.store.duckdb import backup
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME
from pmg.store.keys import CLOSING, HEADER, header_file, key_for, read_header, write_header
from pmg.store.owner import Owner, prepare_home
from pmg.times import now


@dataclass(frozen=True, slots=True)
class Restored:
    segments: int
    kept: Path | None  # where the memory that was there is now


def restore_backup(home: Path, file: Path) -> Restored:
    """Checks the backup first; the present memory is moved to backups/, never deleted. Indexes are made anew at the next open."""
    segments = backup.check(file)
    prepare_home(home)
    owner = Owner.claim(home)
    try:
        current = home / FILE_NAME
        incoming = home / f".{FILE_NAME}.incoming"
        _bring(file, incoming, home)
        incoming.chmod(0o600)
        sync_file(incoming)
        kept = _set_aside(home, current)
        shutil.rmtree(home / "index", ignore_errors=True)  # before the switch: no index may outlive the store it knows
        incoming.replace(current)
        shutil.rmtree(home / "sessions", ignore_errors=True)
        return Restored(segments, kept)
    finally:
        owner.release()


def _bring(file: Path, incoming: Path, home: Path) -> None:
    """The backup under the key of the memory it becomes. A home that has none yet takes over the backup's own."""
    there, here = key_for(file), key_for(home / FILE_NAME) if (home / HEADER).exists() else None
    if there is not None and not (home / HEADER).exists():
        source = header_file(file)
        if source is not None:  # what lies here in the clear is encrypted at the next open
            write_header(home / HEADER, replace(read_header(source), state=CLOSING))
    elif (there and there.id) != (here and here.id):
        incoming.unlink(missing_ok=True)
        database = Database.open(file, read_only=True)
        try:
            backup.copy_with(database, incoming, here)
        finally:
            database.close()
        return
    shutil.copyfile(file, incoming)


def _set_aside(home: Path, current: Path) -> Path | None:
    """A copy of the present file, whole. Its log of unwritten changes is folded in first: the log fits no other file."""
    if not current.exists():
        return None
    with suppress(StoreError):  # a damaged memory is kept as it is, with its log
        Database.open(current).close()
    folder = home / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    kept = folder / f"before-restore-{now():%Y%m%d-%H%M%S-%f}.duckdb"
    log = current.with_name(current.name + ".wal")
    for source, target in ((log, kept.with_name(kept.name + ".wal")), (current, kept)):
        if source.exists():
            shutil.copyfile(source, target)
            target.chmod(0o600)
    log.unlink(missing_ok=True)
    return kept
