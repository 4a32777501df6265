"""One process owns a store directory. The lock file says who, so that the second one can say whom to ask.

Knows: the lock and the note in it.
The lock is the kernel's and goes with the process, however it ends; the note may be stale, the lock never is.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from pmg.base.errors import StoreBusy, StoreError
from pmg.base.filesystem import is_mine

try:
    import fcntl
except ImportError:  # Windows: DuckDB's own lock still refuses a second process
    fcntl = None  # type: ignore[assignment]


class Owner:
    """Holds `owner.lock` in the store's directory until released."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    @classmethod
    def claim(cls, home: Path) -> Owner:
        path = home / "owner.lock"
        file = os.fdopen(
            os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600), "r+", encoding="utf-8"
        )
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                note = file.read()
                file.close()
                raise StoreBusy(_who_holds(home, note)) from None
        owner = cls(file)
        owner.note()
        return owner

    def note(self, address: str = "") -> None:
        """Writes who holds the store, and the address of its server once there is one."""
        note = {
            "pid": os.getpid(),
            "command": " ".join([Path(sys.argv[0] or "python").name, *sys.argv[1:2]]),
            "since": datetime.now().astimezone().isoformat(timespec="seconds"),
            "address": address,
        }
        with suppress(OSError):  # a full disk: the lock holds without the note
            self._file.seek(0)
            self._file.truncate()
            self._file.write(json.dumps(note))
            self._file.flush()

    def release(self) -> None:
        with suppress(OSError):  # what could not be written cannot be written now either
            self._file.close()


def _who_holds(home: Path, note: str) -> str:
    try:
        record = json.loads(note)
    except ValueError:
        record = {}
    who = f"process {record.get('pid', '?')} ({record.get('command', 'unknown')}, since {record.get('since', '?')})"
    reach = f"reach it at {record['address']}" if record.get("address") else "it has no server to talk to"
    return f"The memory in {home} is held by {who}; {reach}. Close that process, or use another directory with --home."


def _links(folder: Path, depth: int) -> Iterator[Path]:
    """Symbolic links in a folder and the folders below it: down to the months of sessions/, whose files are never followed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink():
                yield Path(entry.path)
            elif depth > 1 and entry.is_dir():
                yield from _links(Path(entry.path), depth - 1)


def prepare_home(home: Path) -> None:
    """The directory, mode 0700; symbolic links in it are refused: they could lead text out of it."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_mine(home):
            home.chmod(0o700)
        links = sorted(str(link.relative_to(home)) for link in _links(home, 3))
        probe = home / f".write-{os.getpid()}"
        probe.touch(mode=0o600)
        probe.unlink()
    except OSError as error:
        if error.errno == errno.ENOSPC:  # reading is possible all the same
            return
        raise StoreError(
            f"{home} cannot be used as a memory directory: {error.strerror or error}. "
            f"Choose a directory you can write to, with --home or PMG_HOME."
        ) from None
    if links:
        raise StoreError(
            f"{home} holds symbolic links ({', '.join(links)}); replace them by the real files and try again."
        )
