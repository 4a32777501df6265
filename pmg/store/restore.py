"""Putting a backup in place of a memory, without losing the one that was there.

Knows: the order in which files are moved so that a kill leaves the old memory or the new one. Backups are written and checked by
duckdb/backup.py.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pmg.base.errors import PmgError, StoreError
from pmg.base.times import now
from pmg.store import evidence, switch
from pmg.store.duckdb import backup, foreign
from pmg.store.duckdb.database import Database
from pmg.store.duckdb.store import FILE_NAME
from pmg.store.keys import CLOSING, HEADER, header_file, key_for, read_header, write_header
from pmg.store.owner import Owner, prepare_home


@dataclass(frozen=True, slots=True)
class Restored:
    segments: int
    kept: Path | None  # where the memory that was there is now


@dataclass(frozen=True, slots=True)
class BackupContents:
    """What a backup holds, for whoever is about to put it in place."""

    segments: int
    sessions: int
    first: datetime | None
    last: datetime | None


def contents(file: Path) -> BackupContents:
    """Looks without changing anything; refuses what is no memory, as the restore would."""
    with foreign.reading(file) as found:
        foreign.refuse_wrong_values(found)
        row = found.database.row(
            "SELECT count(*), count(DISTINCT session_id), min(said_at)::TIMESTAMP, max(said_at)::TIMESTAMP FROM segments"
        )
    return BackupContents(*row) if row else BackupContents(0, 0, None, None)


def restore_backup(home: Path, file: Path) -> Restored:
    """Checks the backup first; the present memory is moved to backups/, never deleted. Indexes are made anew at the next open.

    The file may be anybody's: its values go into a database of our own making, and nothing else of it.
    """
    with foreign.reading(file) as found:  # refused before anything here is touched
        foreign.refuse_wrong_values(found)
    prepare_home(home)
    owner = Owner.claim(home)
    try:
        current = home / FILE_NAME
        incoming = home / f".{FILE_NAME}.incoming"
        segments = _bring(file, incoming, home)
        kept = _set_aside(home, current)
        shutil.rmtree(home / "index", ignore_errors=True)  # before the switch: no index may outlive the store it knows
        switch.replace_memory(home, incoming)
        _drop_known_texts(home, file)
        return Restored(segments, kept)
    finally:
        owner.release()


def _drop_known_texts(home: Path, file: Path) -> None:
    """Plain text of what came back is written anew; that of a session which the backup does not know may be its only copy."""
    with foreign.reading(file) as found:
        known = {row[0] for row in found.database.rows("SELECT id FROM sessions WHERE NOT is_open")}
    for name, text in evidence.plain_sessions(home).items():
        if name in known:
            text.unlink()


def _bring(file: Path, incoming: Path, home: Path) -> int:
    """The backup's values under the key of the memory it becomes. A home that has none yet takes over the backup's own."""
    there, here = key_for(file), key_for(home / FILE_NAME) if (home / HEADER).exists() else None
    key = here
    if there is not None and not (home / HEADER).exists():
        source = header_file(file)
        if source is not None:  # what lies here in the clear is encrypted at the next open
            write_header(home / HEADER, replace(read_header(source), state=CLOSING))
            key = there
    return foreign.copied(file, incoming, key=key, copies=_is_ours(file, home))


def _is_ours(file: Path, home: Path) -> bool:
    """Whether this memory made the backup. Another's list of exports names files of this machine that are none of its own."""
    if file.resolve().parent == (home / "backups").resolve():
        return True
    try:
        with foreign.reading(file) as found, foreign.reading(home / FILE_NAME) as here:
            return found.store_id == here.store_id
    except PmgError:  # nothing here, or damaged
        return False


def _set_aside(home: Path, current: Path) -> Path | None:
    """A copy of the present memory, in one file; of one that does not open the files as they are."""
    if not current.exists():
        return None
    folder = home / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    kept = folder / f"before-restore-{now():%Y%m%d-%H%M%S-%f}.duckdb"
    try:
        database = Database.open(current)
        try:
            backup.copy(database, kept)
        finally:
            database.close()
    except StoreError:  # a damaged memory is kept as it is, with its log
        kept.unlink(missing_ok=True)
        log = current.with_name(current.name + ".wal")
        for source, target in ((log, kept.with_name(kept.name + ".wal")), (current, kept)):
            if source.exists():
                shutil.copyfile(source, target)
                target.chmod(0o600)
    return kept


def accept_loss(home: Path) -> None:
    """The indexes that know more than the memory are given up; they hold no text. Everything else stays where it is."""
    prepare_home(home)
    owner = Owner.claim(home)
    try:
        shutil.rmtree(home / "index", ignore_errors=True)
    finally:
        owner.release()
