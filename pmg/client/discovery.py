"""Where the running server of a memory is: server.json in its directory, and the lock that says whether it still runs.

Knows: the note (address, token, process), 0600, and that the kernel's lock is the truth while the note may be left over.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: whether the address answers has to do
    fcntl = None  # type: ignore[assignment]

NOTE = "server.json"
LOCK = "server.lock"
HEALTH = "/healthz"  # asked without a token: whether it is there, and ready


@dataclass(frozen=True, slots=True)
class RunningServer:
    """How to reach a server."""

    address: str
    token: str
    pid: int
    since: str

    def __repr__(self) -> str:  # the token stays out of logs and tracebacks
        return f"Place({self.address}, process {self.pid})"


class ServerClaim:
    """Held by the one server of a memory for as long as it runs; it goes with the process, however that ends."""

    def __init__(self, home: Path, handle: int) -> None:
        self._home = home
        self._handle = handle

    @classmethod
    def take(cls, home: Path) -> ServerClaim | None:
        """None when another server has it."""
        handle = os.open(home / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        if _locked(handle):
            (home / NOTE).unlink(missing_ok=True)  # of a server that ended without a word
            return cls(home, handle)
        os.close(handle)
        return None

    def tell(self, place: RunningServer) -> None:
        from pmg.base.atomic_files import write_atomically  # whoever only looks for a server wants to start at once

        write_atomically(self._home / NOTE, json.dumps(asdict(place)).encode())

    def release(self) -> None:
        (self._home / NOTE).unlink(missing_ok=True)
        os.close(self._handle)


def _locked(handle: int) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def find(home: Path) -> RunningServer | None:
    """The server that runs on this memory now; what a dead one left behind is no server."""
    try:
        place = RunningServer(**json.loads((home / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return place if _runs(home) else None


def _runs(home: Path) -> bool:
    try:
        handle = os.open(home / LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return False
    try:  # the lock is given back at once: it was only asked for
        return fcntl is None or not _locked(handle)
    finally:
        os.close(handle)
