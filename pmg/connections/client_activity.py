"""When each program last asked or told something, and how much it was given.

Knows: names, times and counts; never a word of what was asked. They are carried over a restart by a note in the memory. Who a program is
was decided by its token, its handshake or the address of its hook.
"""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from pmg.base.times import now, parse
from pmg.engine import Engine

NOTE = "clients"
MAX_PROGRAMS = 200  # programs
UNNAMED = "unnamed"
MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class ClientUse:
    """`tokens` is about how many tokens of context it was given, all together."""

    name: str
    asked: int = 0
    told: int = 0
    tokens: int = 0
    asked_at: str = ""
    told_at: str = ""

    @property
    def last_asked(self) -> datetime | None:
        return parse(self.asked_at) if self.asked_at else None

    @property
    def last_told(self) -> datetime | None:
        return parse(self.told_at) if self.told_at else None


class ClientActivity:
    """Thread-safe. Counting costs nothing; `save` writes the note."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._saving = threading.Lock()
        self._uses = {one["name"]: ClientUse(**one) for one in json.loads(engine.reads.note(NOTE) or "[]")}
        self._changed = False

    def asked(self, name: str, tokens: int) -> None:
        with self._lock:
            use = self._of(name)
            self._put(replace(use, asked=use.asked + 1, tokens=use.tokens + tokens, asked_at=_stamp()))

    def told(self, name: str) -> None:
        with self._lock:
            use = self._of(name)
            self._put(replace(use, told=use.told + 1, told_at=_stamp()))

    def all(self) -> list[ClientUse]:
        """The last one first."""
        with self._lock:
            return sorted(self._uses.values(), key=lambda one: (max(one.asked_at, one.told_at), one.name), reverse=True)

    def save(self) -> None:
        with self._saving:
            with self._lock:
                if not self._changed:
                    return
                rows, self._changed = [asdict(one) for one in self._uses.values()], False
            self._engine.put_note(NOTE, json.dumps(rows))

    def _of(self, name: str) -> ClientUse:
        label = "".join(char for char in " ".join(name.split()) if char.isprintable())[:MAX_NAME] or UNNAMED
        return self._uses.get(label, ClientUse(label))

    def _put(self, use: ClientUse) -> None:
        self._uses[use.name] = use
        if len(self._uses) > MAX_PROGRAMS:
            del self._uses[min(self._uses, key=lambda name: max(self._uses[name].asked_at, self._uses[name].told_at))]
        self._changed = True


def _stamp() -> str:
    return now().isoformat(timespec="seconds")
