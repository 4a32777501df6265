"""The browsers that were let in: each has a place of its own in the address and a cookie that is sent to that place alone.

Why both: a browser sends a cookie to every server of a machine, whatever its port, if the path fits. The path holds a secret, so no other
server is ever sent the cookie; and a path that somebody read in a history is worthless without the cookie. Neither opens anything alone.
Knows: how long a login lives after its last use, and that it ends at logout. Kept over a restart as digests only (0600).
Does not know: requests (guard.py), or who may be let in (access.py).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pmg.base.atomic_files import write_atomically

FILE = "server.logins"
HOUR = 3_600.0
RENEW = 600.0  # seconds between two notes of use: a page asks many times a minute
MAX_LOGINS = 100
_PLACE = re.compile(r"(/browser/[\w-]{43})(/.*)", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class BrowserLogin:
    """What one browser was given."""

    place: str  # `/browser/…`, without a slash at its end
    cookie: str

    def __repr__(self) -> str:  # never in a log or a traceback
        return "BrowserLogin(…)"


def place_of(path: str) -> tuple[str, str]:
    """The place in a path and what follows it; an empty place where the path has none."""
    found = _PLACE.fullmatch(path)
    return (found[1], found[2]) if found else ("", path)


class BrowserLogins:
    """Thread-safe. `keyed` binds every login to this memory, its port and its password: a new one of these ends them all."""

    def __init__(self, file: Path, keyed: bytes, hours: int = 12, clock: Callable[[], float] = time.time) -> None:
        self._file = file
        self._keyed = keyed
        self.seconds = hours * HOUR
        self._clock = clock
        self._lock = threading.Lock()
        self._used = _read(file)  # digest of place and cookie -> last use

    def begin(self) -> BrowserLogin:
        made = BrowserLogin(f"/browser/{secrets.token_urlsafe(32)}", secrets.token_urlsafe(32))
        with self._lock:
            self._used[self._digest(made)] = self._clock()
            self._write()
        return made

    def known(self, place: str, cookies: Iterable[str]) -> BrowserLogin | None:
        """The login with this place and one of these cookies. Looked up by digest: how long that takes tells nothing."""
        for cookie in cookies:
            login = BrowserLogin(place, cookie)
            name = self._digest(login)
            with self._lock:
                if name in self._used and self._clock() - self._used[name] < self.seconds:
                    return login
        return None

    def renew(self, login: BrowserLogin) -> bool:
        """Notes that it is in use; True now and then, when the browser should be told to keep its cookie for longer."""
        name, now = self._digest(login), self._clock()
        with self._lock:
            if name not in self._used or now - self._used[name] < RENEW:
                return False
            self._used[name] = now
            self._write()
            return True

    def end(self, login: BrowserLogin) -> None:
        with self._lock:
            self._used.pop(self._digest(login), None)
            self._write()

    def end_all(self) -> int:
        with self._lock:
            count = len(self._used)
            self._used.clear()
            self._write()
        return count

    def _digest(self, login: BrowserLogin) -> str:
        said = f"{login.place}\0{login.cookie}".encode("utf-8", "surrogatepass")
        return hmac.new(self._keyed, said, hashlib.sha256).hexdigest()

    def _write(self) -> None:
        """Only those that still live, the latest used first to stay."""
        alive = sorted((used, name) for name, used in self._used.items() if self._clock() - used < self.seconds)
        self._used = {name: used for used, name in alive[-MAX_LOGINS:]}
        write_atomically(self._file, json.dumps(self._used).encode())


def _read(file: Path) -> dict[str, float]:
    """A file that is damaged lets nobody in: whoever was logs in again."""
    try:
        kept = json.loads(file.read_bytes())
        return {str(name): float(used) for name, used in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def end_all_of(home: Path) -> int:
    """Of a memory without a running server: how many there were."""
    count = len(_read(home / FILE))
    (home / FILE).unlink(missing_ok=True)
    return count
