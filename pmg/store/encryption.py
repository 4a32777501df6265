"""Turning encryption on and off, changing the passphrase and the key, without a moment in which a kill could lose the memory.

Knows: the order. The header says what was begun; the database file itself says whether it is encrypted, and is replaced in one
step by a whole copy. What is derived is thrown away before and made again after. While the key is changed the header holds the new key
and, behind it, the old one: the new passphrase opens every file, whichever key it is under.

A file that was deleted may be read from the disk with special tools until something else is written over it; on most disks
nobody can prevent that. Encrypt a memory before it holds what must not be found.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pmg.base.errors import InputError, StoreError
from pmg.base.filesystem import sync_file, sync_folder
from pmg.base.progress import Progress, silent
from pmg.base.text import counted
from pmg.store import disk_space, leftovers, switch
from pmg.store.duckdb import backup, foreign, sealed_upkeep
from pmg.store.duckdb.database import Database
from pmg.store.keys import (
    BESIDE,
    CLOSING,
    HEADER,
    MEMORY,
    OPENING,
    READY,
    RENEWING,
    Header,
    drop_header,
    held,
    hold,
    is_encrypted,
    is_encrypted_home,
    key_for,
    mark,
    read_header,
    write_header,
)
from pmg.store.owner import Owner, prepare_home
from pmg.store.seal import COST, Key, checked_passphrase

log = logging.getLogger(__name__)
MB = 1_000_000
POLL_SECONDS = 0.5  # seconds between two looks at how large a copy has become
_DERIVED = ("index", "sessions", "temp")  # temp: uploads that a killed server left
_TELLING = ("reports",)  # full of names, and never made anew by themselves: they go when a memory is encrypted


@dataclass(frozen=True, slots=True)
class EncryptionResult:
    """What was written anew: the memory and its backups."""

    backups: int
    megabytes: float


def encrypt(home: Path, passphrase: str, cost: int = COST) -> EncryptionResult:
    """An existing memory becomes an encrypted one; a new one is encrypted from the start."""
    checked_passphrase(passphrase)
    with _alone(home):
        if is_encrypted_home(home):
            raise InputError(
                f"The memory in {home} is encrypted already. `pmg encrypt --change` changes its passphrase."
            )
        _require_room(home)
        key = Key.fresh()
        hold(key)
        with _header_kept(home):
            write_header(home / HEADER, Header(key.id, key.wrap(passphrase, cost), CLOSING))
            _replace(home / MEMORY, key)
        return _finish(home, key)


def decrypt(home: Path, *, drop_sealed: bool = False) -> EncryptionResult:
    """Back to a memory in the clear. Its key must be held: see unlock.py. What is sealed has no key then, and must go with it."""
    with _alone(home):
        if not (home / HEADER).exists():
            raise InputError(f"The memory in {home} is not encrypted: there is nothing to do.")
        _settle(home)
        held(read_header(home / HEADER), home / HEADER)
        if not drop_sealed:
            _refuse_sealed(home)
        _require_room(home)
        with _header_kept(home):
            mark(home / HEADER, OPENING)
            _replace(home / MEMORY, None)
        return _finish(home, None)


def _refuse_sealed(home: Path) -> None:
    if not (home / MEMORY).exists():
        return
    database = Database.open(home / MEMORY)
    try:
        count = sealed_upkeep.count_closed(database)
    finally:
        database.close()
    if count:
        raise InputError(
            f"{counted(count, 'redaction')} of this memory {'is' if count == 1 else 'are'} kept sealed under its key, and without a key they cannot be: restore those "
            f"you want (`pmg redact --sealed` lists them), then `pmg decrypt --drop-sealed` gives up the others for good."
        )


def change(home: Path, new: str, cost: int = COST) -> None:
    """The same key behind another passphrase: nothing but the header is written. Its key must be held."""
    checked_passphrase(new)
    with _alone(home):
        if not is_encrypted_home(home):
            raise InputError(f"The memory in {home} is not encrypted. `pmg encrypt` encrypts it.")
        _settle(home)
        header = read_header(home / HEADER)
        write_header(home / HEADER, replace(header, wrapped=held(header, home / HEADER).wrap(new, cost)))


def renew(home: Path, passphrase: str, progress: Progress = silent, cost: int = COST) -> EncryptionResult:
    """A fresh key behind a passphrase: the memory and its backups are written anew. The present key must be held.

    Whoever kept the old header and knows its passphrase can open nothing that is written from now on.
    """
    checked_passphrase(passphrase)
    with _alone(home):
        if not is_encrypted_home(home):
            raise InputError(f"The memory in {home} is not encrypted. `pmg encrypt` encrypts it.")
        _settle(home)
        _require_room(home)
        key, before = Key.fresh(), held(read_header(home / HEADER), home / HEADER)
        hold(key)
        with _header_kept(home):
            write_header(home / HEADER, Header(key.id, key.wrap(passphrase, cost), RENEWING, key.hide(before)))
            _replace(home / MEMORY, key, before, progress)
        return _renew_rest(home, key, before, progress)


def _require_room(home: Path) -> None:
    """DiskFull, before anything is written, unless the largest file fits once more: they are written anew one after the other."""
    files = [home / MEMORY, *(home / "backups").glob("*.duckdb")]
    disk_space.require_free(home, max((file.stat().st_size for file in files if file.exists()), default=0))


@contextmanager
def _header_kept(home: Path) -> Iterator[None]:
    """For the steps up to the replaced memory: when they fail before it, the header is as it was, or gone if there was none.

    A copy that lies in `switch/` is the memory from then on, and needs the new header.
    """
    place, memory = home / HEADER, home / MEMORY
    header, key = None, key_for(memory) if is_encrypted(memory) else None
    with suppress(StoreError):  # there is none, or a damaged one beside a memory that needs none
        header = read_header(place)
    try:
        yield
    except BaseException:
        is_as_before = _opens(memory, key) if key is not None else not is_encrypted(memory)
        if is_as_before and not switch.is_due(home):
            if header is None:
                drop_header(home)
            else:
                write_header(place, header)
        raise


def resume(home: Path) -> None:
    """Finishes what a kill interrupted. What had not replaced the memory itself was either not begun, or is done now."""
    place = home / HEADER
    switch.settle(home)
    if place.is_file() and (home / MEMORY).exists() and read_header(place).state in (CLOSING, RENEWING):
        with _alone(home):
            _settle(home)


def _settle(home: Path) -> None:
    header, encrypted = read_header(home / HEADER), is_encrypted_home(home)
    if header.state == CLOSING and encrypted:
        _finish(home, held(header, home / HEADER))
    elif header.state == RENEWING and encrypted:
        key = held(header, home / HEADER)
        before = key.reveal(header.before)
        if not _opens(home / MEMORY, key) and _opens(home / MEMORY, before):
            _replace(home / MEMORY, key, before)
        try:
            _renew_rest(home, key, before, silent)
        except (
            StoreError
        ) as problem:  # the memory is whole under the new key; its backups are tried again at the next open
            log.warning("A backup still has the old key: %s", problem)


def _renew_rest(home: Path, key: Key, before: Key, progress: Progress) -> EncryptionResult:
    """The backups, then what is derived, then the header. A file that neither key opens is none of ours and stays as it is."""
    files = [file for file in sorted((home / "backups").glob("*.duckdb")) if _is_ours(file, None)]
    old = [file for file in files if not _opens(file, key) and _opens(file, before)]
    for file in old:
        _replace(file, key, before, progress)
    done = _finish(home, key)
    return replace(done, backups=done.backups + len(old))


def _opens(file: Path, key: Key) -> bool:
    try:
        Database.open_foreign(file, key).close()
    except StoreError:
        return False
    return True


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    prepare_home(home)
    owner = Owner.claim(home)
    try:
        yield
    finally:
        owner.release()


def _finish(home: Path, key: Key | None) -> EncryptionResult:
    """Everything beside the memory, then the header. Repeating any of it does no harm."""
    for name in (*_DERIVED, *(_TELLING if key is not None else ())):
        shutil.rmtree(home / name, ignore_errors=True)
    leftovers.clear(home)
    turned = [file for file in sorted((home / "backups").glob("*.duckdb")) if _is_ours(file, key)]
    for file in turned:
        _replace(file, key)
    if key is not None:
        mark(home / HEADER, READY)
    else:
        drop_header(home)
    size = (home / MEMORY).stat().st_size if (home / MEMORY).exists() else 0
    return EncryptionResult(len(turned), size / 1e6)


def _is_ours(file: Path, key: Key | None) -> bool:
    """Still to be turned, and not under a key of its own."""
    return is_encrypted(file) == (key is None) and not file.with_name(file.name + BESIDE).exists()


@contextmanager
def _reporting_growth(growing: Path, whole: Path, progress: Progress) -> Iterator[None]:
    """One statement copies a whole database and says nothing meanwhile: the size of what it writes tells how far it is."""
    done, total, what = threading.Event(), -(-whole.stat().st_size // MB), f"writing {whole.name} anew (MB)"

    def look() -> None:
        while not done.wait(POLL_SECONDS):
            with suppress(OSError):  # not there yet
                progress(what, min(growing.stat().st_size // MB, total), total)

    watcher = threading.Thread(target=look, name="pmg-watch-copy", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
    progress(what, total, total)


def _copy_own(file: Path, target: Path, key: Key | None, before: Key | None) -> None:
    database = Database.open(file, key=before)
    try:
        if key is None:
            sealed_upkeep.drop_boxes(database)
        backup.copy_with(database, target, key)
        before = database.key
    finally:
        database.close()
    if key is not None and before is not None:
        copy = Database.open(target, key=key)
        try:
            sealed_upkeep.reseal(copy, key, before)
            copy.run("CHECKPOINT")  # the file alone takes the memory's place, without its log
        finally:
            copy.close()


def _replace(file: Path, key: Key | None, before: Key | None = None, progress: Progress = silent) -> None:
    """A whole copy under the other key, on disk, then one rename: a kill leaves the old file or the new one."""
    if not file.exists():
        return
    temporary = file.with_name(f".{file.name}.turning")
    log = file.with_name(file.name + ".wal")
    try:
        for stale in (temporary, temporary.with_name(temporary.name + ".wal")):
            stale.unlink(missing_ok=True)
        with _reporting_growth(temporary, file, progress):
            if file.name == MEMORY:
                _copy_own(file, temporary, key, before)
            else:  # a backup: somebody may have put it there
                foreign.copied(file, temporary, key=key, before=before)
        sync_file(temporary)
        if file.name == MEMORY:
            switch.replace_memory(file.parent, temporary)
        else:
            temporary.replace(file)
            log.unlink(missing_ok=True)
            sync_folder(file.parent)
    except OSError as error:
        raise StoreError(
            f"{file} could not be written anew: {error.strerror or error}. Nothing is lost; there must be room for a "
            f"second copy. Then try again."
        ) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    shutil.rmtree(file.with_name(file.name + ".tmp"), ignore_errors=True)
