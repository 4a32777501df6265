"""Files that are written whole or not at all, and what a killed process left of one.

Knows: a temporary file beside the target, 0600 from the start, locked as long as somebody writes it. The lock is the kernel's and goes with the
process, however it ends: a file of ours that nobody holds was left behind. Does not know: what is written, nor which folders to look at.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pmg.base.filesystem import is_mine, others_can_read

try:
    import fcntl
except ImportError:  # Windows: a file that is open cannot be deleted there
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None
PREFIX, SUFFIX = ".pmg-", ".tmp"
_NAME = re.compile(r"\.pmg-[a-z0-9_]{8}\.tmp")  # as `tempfile` fills in what stands between


@dataclass(frozen=True, slots=True)
class Removal:
    """What became of half-written files."""

    removed: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()  # being written now, or on a disk that does not tell


@contextmanager
def written(file: Path, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """A stream whose content appears under `file` when the block ends well, and nowhere when it does not. OSError where it cannot be."""
    handle, temporary = _begun(file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
            if HAS_LOCKS:  # while it is held: nobody takes it for one that was left behind
                temporary.replace(file)
        if not HAS_LOCKS:  # Windows renames no file that is open
            temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def half_written(folders: Iterable[Path]) -> list[Path]:
    """Files that are plainly ours and unfinished, whether somebody is writing them or not."""
    found: list[Path] = []
    for folder in folders:
        with suppress(OSError):  # a folder that is gone or closed holds none that we could reach
            found += [file for file in sorted(folder.iterdir()) if _NAME.fullmatch(file.name) and _is_ours(file)]
    return found


def remove_half_written(folders: Iterable[Path]) -> Removal:
    """Takes those away that nobody is writing."""
    removed: list[Path] = []
    left: list[Path] = []
    for file in half_written(folders):
        if _taken_away(file):
            removed.append(file)
        elif os.path.lexists(file):  # else it was finished meanwhile
            left.append(file)
    return Removal(tuple(removed), tuple(left))


def _begun(folder: Path) -> tuple[int, Path]:
    """A new file that is held. One that was taken away before it could be held is begun anew."""
    while True:
        handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=SUFFIX, dir=folder)  # 0600 whatever the umask
        if HAS_LOCKS:
            with suppress(OSError):  # a disk without locks: there none is ever taken away
                fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.lexists(name):
            return handle, Path(name)
        os.close(handle)


def _is_ours(file: Path) -> bool:
    with suppress(OSError):
        return stat.S_ISREG(file.lstat().st_mode) and is_mine(file) and not others_can_read(file)
    return False


def _taken_away(file: Path) -> bool:
    """Whether it was. It is held meanwhile: whoever has just begun it sees that it is gone, and begins anew."""
    try:
        if not HAS_LOCKS:
            file.unlink()
        else:
            with open(file, "r+b", opener=_not_through_a_link) as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.unlink()
    except OSError:
        return False
    return True


def _not_through_a_link(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0))
