"""Putting one database file, with its log, in place of another, so that a kill or a power cut leaves the one pair or the other.

Knows: the order. A folder `switch/` that is there holds the truth, whole and on disk: what it holds takes the place of the present
file and log, and then it goes. It is written under another name first, so that it is there whole or not at all.

Two things use it. A new file that replaces the memory (written anew by forgetting, encrypted, restored) is put there, and in place.
And before a checkpoint, which overwrites parts of the memory, a copy of the pair is put there and removed when the
checkpoint is through: one that was torn is then undone by the next process that opens the memory.
"""

from __future__ import annotations

import logging
import os
import shutil
from contextlib import suppress
from pathlib import Path

from pmg.base.errors import StoreBusy
from pmg.base.filesystem import make_private, sync_file, sync_folder
from pmg.store.keys import MEMORY
from pmg.store.owner import Owner

log = logging.getLogger(__name__)
FOLDER = "switch"
_HALF, _DONE = ".switch-half.tmp", ".switch-done.tmp"
LOG = MEMORY + ".wal"
# Other files that DuckDB may leave beside a log, and our copies of it: they belong to the pair that is left.
_WITH_THE_LOG = (LOG, LOG + ".checkpoint", LOG + ".recovery", LOG + ".copy", LOG + ".damaged")


def is_due(home: Path) -> bool:
    return (home / FOLDER).is_dir()


def keep_pair(home: Path) -> None:
    """A copy of the memory and its log, on disk when this returns."""
    half = _fresh(home)
    try:
        for name in (MEMORY, LOG):
            if (home / name).exists():
                _copy(home / name, half / name)
    except OSError:
        shutil.rmtree(half, ignore_errors=True)
        raise
    _commit(home, half)


def drop_pair(home: Path) -> None:
    """The checkpoint is through: the copy must not come back."""
    (home / FOLDER).rename(home / _DONE)
    sync_folder(home)
    shutil.rmtree(home / _DONE)


def replace_memory(home: Path, file: Path) -> None:
    """A whole database file takes the memory's place; the log of the old one goes with it."""
    half = _fresh(home)
    sync_file(file)
    file.replace(half / MEMORY)
    _commit(home, half)
    finish(home)


def finish(home: Path) -> bool:
    """Puts what `switch/` holds in place, if it is there. Killed at any point it is simply done again."""
    for stale in (home / _HALF, home / _DONE):
        shutil.rmtree(stale, ignore_errors=True)
    folder = home / FOLDER
    if not folder.is_dir():
        return False
    if (folder / MEMORY).exists():  # until it is moved, whatever log lies here is the old one's
        for name in _WITH_THE_LOG:
            (home / name).unlink(missing_ok=True)
        sync_folder(home)
        (folder / MEMORY).replace(home / MEMORY)
        sync_folder(home)
    with suppress(FileNotFoundError):
        (folder / LOG).replace(home / LOG)
        sync_folder(home)
    shutil.rmtree(folder)
    sync_folder(home)
    return True


def settle(home: Path) -> None:
    """The same for whoever does not hold the memory: a process that does may be in the middle of it, and then it is none of ours."""
    if is_due(home):
        try:
            owner = Owner.claim(home)
        except StoreBusy:
            return
        try:
            finish(home)
            log.warning("%s: a change of the database file was interrupted, and is finished now", home)
        finally:
            owner.release()


def _fresh(home: Path) -> Path:
    half = home / _HALF
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o700)
    return half


def _commit(home: Path, half: Path) -> None:
    sync_folder(half)
    half.rename(home / FOLDER)
    sync_folder(home)


def _copy(source: Path, target: Path) -> None:
    """By the kernel, which shares the blocks where the file system can."""
    with source.open("rb") as read, target.open("xb") as write:
        make_private(write.fileno())
        left = os.fstat(read.fileno()).st_size
        while left > 0:
            done = _some(read.fileno(), write.fileno(), left)
            if done == 0:
                break
            left -= done
        os.fsync(write.fileno())


def _some(source: int, target: int, count: int) -> int:
    try:
        return os.copy_file_range(source, target, count)
    except (OSError, AttributeError) as error:
        if isinstance(error, OSError) and error.errno == 28:  # no room: told as it is
            raise
        data = os.read(source, min(count, 1 << 20))
        view = memoryview(data)
        while view:
            view = view[os.write(target, view) :]
        return len(data)
