"""Small signed words that a caller hands back: the cursor of a search and the token that confirms a forgetting.

Knows: how they are made and checked. The key is new with each process, so after a restart a caller begins again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

CONFIRM_SECONDS = 600.0  # a person reads a preview; ten minutes later it may not be what is there


@dataclass(frozen=True)
class Signer:
    clock: Callable[[], float] = time.time
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def cursor(self, offset: int, *about: str) -> str:
        return f"{offset}.{self._mark('cursor', str(offset), *about)}"

    def offset(self, cursor: str, *about: str) -> int | None:
        """Where a search goes on; None for a cursor that we did not make for this search."""
        offset, _, mark = cursor.partition(".")
        return int(offset) if self._same(mark, self._mark("cursor", offset, *about)) else None

    def confirmation(self, *about: str) -> str:
        until = str(int(self.clock() + CONFIRM_SECONDS))
        return f"{until}.{self._mark('forget', until, *about)}"

    def confirms(self, token: str, *about: str) -> bool:
        until, _, mark = token.partition(".")
        return self._same(mark, self._mark("forget", until, *about)) and int(until) >= self.clock()

    def _mark(self, *parts: str) -> str:
        said = "\0".join(parts).encode("utf-8", "surrogatepass")
        return hmac.new(self.key, said, hashlib.sha256).hexdigest()[:24]

    @staticmethod
    def _same(one: str, two: str) -> bool:
        return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), two.encode())
