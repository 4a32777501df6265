"""A token for each program that may ask this memory: named, for one namespace if wanted, reading only if wanted, revoked any time.

Knows: the file (0600) and that it holds hashes only: a token is shown once, when it is made. What a token opens is decided by guard.py
(the paths) and mcp/caller.py (namespace and tools). The file is read again when it changes, so taking a token back counts at once.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pmg.base.atomic_files import write_atomically
from pmg.base.errors import InputError, NotFound, StoreError
from pmg.base.times import now
from pmg.config import checked_namespace

FILE = "client_tokens.json"
CLIENT = "pmg.client"  # in the scope behind the guard: the ClientToken, where one was given
PREFIX = "pmg_"
MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class ClientToken:
    """What is known of a token; never the token itself."""

    name: str
    digest: str
    namespace: str = ""  # empty: any
    read_only: bool = False
    made_at: str = ""


class ClientTokens:
    """The tokens of one memory. Thread-safe; another process may change the file meanwhile."""

    def __init__(self, home: Path) -> None:
        self._file = home / FILE
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._known: tuple[ClientToken, ...] = ()

    def all(self) -> tuple[ClientToken, ...]:
        with self._lock:
            try:
                state = self._file.stat()
            except FileNotFoundError:
                self._stamp, self._known = None, ()
                return ()
            stamp = (state.st_mtime_ns, state.st_ino)
            if stamp != self._stamp:
                self._known, self._stamp = _read(self._file), stamp
            return self._known

    def find(self, given: str) -> ClientToken | None:
        """By the digest: how long looking takes tells nothing about a token."""
        if not given.startswith(PREFIX):
            return None
        digest = _digest(given)
        return next((one for one in self.all() if one.digest == digest), None)

    def make(self, name: str, namespace: str = "", read_only: bool = False) -> str:
        """The token itself, this once."""
        label = " ".join(name.split())
        if not label or len(label) > MAX_NAME or not label.isprintable():
            raise InputError(f"{name[:80]!r} cannot name a token: use 1 to {MAX_NAME} characters.")
        if any(one.name == label for one in self.all()):
            raise InputError(f"There is a token {label!r} already: revoke it first, or choose another name.")
        made = PREFIX + secrets.token_urlsafe(32)
        namespace = checked_namespace(namespace) if namespace else ""
        entry = ClientToken(label, _digest(made), namespace, read_only, now().isoformat(timespec="seconds"))
        self._write((*self.all(), entry))
        return made

    def revoke(self, name: str) -> ClientToken:
        kept = [one for one in self.all() if one.name != name]
        gone = [one for one in self.all() if one.name == name]
        if not gone:
            raise NotFound(f"There is no token {name!r}. `pmg token list` shows them.")
        self._write(tuple(kept))
        return replace(gone[0], digest="")

    def _write(self, entries: tuple[ClientToken, ...]) -> None:
        write_atomically(self._file, json.dumps([asdict(one) for one in entries], indent=1).encode())


def _read(file: Path) -> tuple[ClientToken, ...]:
    try:
        return tuple(ClientToken(**one) for one in json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise StoreError(
            f"{file} cannot be read ({type(error).__name__}): delete it and make the tokens anew."
        ) from None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
