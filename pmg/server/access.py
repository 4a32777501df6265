"""Who may come in: the token, the password, tickets, and how often somebody may guess.

Knows: how each is made, kept and compared. Does not know: requests, or what a browser is given once it is in (browser_logins.py).
The token is new at every start and goes into server.json (0600). The key that logins are bound to stays in the memory's directory (0600), so
that a browser that was let in finds its way back after a restart. Every comparison takes the same time whatever is wrong.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pmg.base.atomic_files import write_atomically
from pmg.base.errors import ConfigError
from pmg.base.filesystem import others_can_read
from pmg.server.browser_logins import BrowserLogins

KEY_FILE = "server.key"
PASSWORD_FILE = "server.password"
MIN_PASSWORD = 8
TICKET_SECONDS = 60.0  # from printing an address into a browser's command line to the browser's first request
FREE_TRIES = 5
MAX_WAIT = 60.0  # seconds: a thousand guesses a day, and whoever shares the address of a guesser waits a minute at most
MAX_ADDRESSES = 1_000


def same(given: str, right: str) -> bool:
    """Equal, found out in a time that does not depend on where they differ, nor on the length of the right one."""
    one, two = (hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in (given, right))
    return hmac.compare_digest(one, two)


@dataclass(frozen=True, slots=True)
class Keys:
    token: str
    signing: bytes
    password: str = ""  # empty: none is set, and only the token lets in

    def __repr__(self) -> str:  # never in a log or a traceback
        return "Keys(…)"


def login_key(keys: Keys, port: int) -> bytes:
    """What logins are bound to. Whoever takes our old port once we have gone cannot use at a new one what browsers send there."""
    said = f"logins:{port}:{hashlib.sha256(keys.password.encode('utf-8', 'surrogatepass')).hexdigest()}"
    return hmac.new(keys.signing, said.encode(), hashlib.sha256).digest()


def open_keys(home: Path, environ: Mapping[str, str] = os.environ) -> Keys:
    return Keys(secrets.token_urlsafe(32), _signing_key(home / KEY_FILE), password_of(home, environ))


def _signing_key(file: Path) -> bytes:
    """Kept between starts; one that others could read, or that is cut short, is replaced."""
    if file.is_file() and not file.is_symlink() and private(file):
        kept = file.read_bytes()
        if len(kept) == 32:
            return kept
    made = secrets.token_bytes(32)
    write_atomically(file, made)
    return made


def password_of(home: Path, environ: Mapping[str, str] = os.environ) -> str:
    """From PMG_PASSWORD or a 0600 file; never from the command line, which other people on the machine can read."""
    file = home / PASSWORD_FILE
    password, where = environ.get("PMG_PASSWORD", ""), "PMG_PASSWORD"
    if not password and file.is_file():
        if not private(file):
            raise ConfigError(f"{file} can be read by others. Make it yours alone: chmod 600 {file}")
        password, where = file.read_text(encoding="utf-8").rstrip("\r\n"), str(file)
    if password and len(password) < MIN_PASSWORD:
        raise ConfigError(f"The password in {where} is too short: use at least {MIN_PASSWORD} characters.")
    return password


def private(file: Path) -> bool:
    return not others_can_read(file)


class Access:
    """What the guard asks. Thread-safe."""

    def __init__(self, keys: Keys, logins: BrowserLogins, clock: Callable[[], float] = time.time) -> None:
        self._keys = keys
        self.logins = logins
        self._clock = clock
        self._tickets: dict[str, float] = {}
        self._lock = threading.Lock()
        self.tries = LoginAttempts(clock)

    @property
    def has_password(self) -> bool:
        return bool(self._keys.password)

    def is_token(self, given: str) -> bool:
        return same(given, self._keys.token)

    def is_password(self, given: str) -> bool:
        return self.has_password and same(given, self._keys.password)

    def ticket(self) -> str:
        """Lets in once, within a minute: it stands in a browser's command line, where others may see it."""
        made = secrets.token_urlsafe(32)
        with self._lock:
            self._tickets[hashlib.sha256(made.encode()).hexdigest()] = self._clock() + TICKET_SECONDS
        return made

    def takes_ticket(self, given: str) -> bool:
        """By the ticket's digest: how long looking it up takes tells nothing about a ticket."""
        name = hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()
        with self._lock:
            return self._tickets.pop(name, 0.0) > self._clock()


class LoginAttempts:
    """Wrong guesses by address: a few are free, then each doubles the wait."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._wrong: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def wait(self, address: str) -> float:
        """Seconds until this address may guess again; 0: now."""
        with self._lock:
            count, last = self._wrong.get(address, (0, 0.0))
        if count < FREE_TRIES:
            return 0.0
        return max(0.0, last + min(2.0 ** (count - FREE_TRIES + 1), MAX_WAIT) - self._clock())

    def wrong(self, address: str) -> None:
        with self._lock:
            count, _ = self._wrong.pop(address, (0, 0.0))
            self._wrong[address] = (count + 1, self._clock())
            while len(self._wrong) > MAX_ADDRESSES:
                del self._wrong[next(iter(self._wrong))]

    def right(self, address: str) -> None:
        with self._lock:
            self._wrong.pop(address, None)
