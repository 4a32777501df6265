"""What each session of a tool was given, so that it is not given twice, and a retry gets the same again.

Knows: the numbers of segments by session, the last question of each, and the note that carries both over a restart. No text is kept:
what is given a second time is read from the memory again, and what was forgotten meanwhile is not there.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace

from pmg.engine import Engine

NOTE = "hooks given"
SESSIONS = 200  # sessions that are remembered, the latest first
NUMBERS = 1_000  # segments of one session: 800 tokens hold a handful


@dataclass(frozen=True, slots=True)
class Pin:
    """A segment as it was chosen: its role in the block, and the lines that matched."""

    number: int
    role: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenToSession:
    numbers: tuple[int, ...] = ()  # before the last question
    asked: str = ""  # the last question, as a digest
    pins: tuple[Pin, ...] = field(default=())  # what it was given

    @property
    def everything(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys((*self.numbers, *(pin.number for pin in self.pins))))

    def and_then(self, asked: str, pins: tuple[Pin, ...]) -> GivenToSession:
        if asked == self.asked:
            return replace(self, pins=pins)
        return GivenToSession(self.everything[-NUMBERS:], asked, pins)


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


class GivenMemories:
    """Thread-safe. `save` writes the note; whoever answers does not wait for it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._saving = threading.Lock()
        self._sessions = _read(engine.reads.note(NOTE))
        self._changed = False

    def to(self, session: str) -> GivenToSession:
        with self._lock:
            return self._sessions.get(session, GivenToSession())

    def put(self, session: str, asked: str, pins: tuple[Pin, ...]) -> None:
        with self._lock:
            self._sessions[session] = self._sessions.get(session, GivenToSession()).and_then(asked, pins)
            self._sessions.move_to_end(session)
            while len(self._sessions) > SESSIONS:
                self._sessions.popitem(last=False)
            self._changed = True

    def save(self) -> None:
        with self._saving:  # an older state must not be written over a newer one
            with self._lock:
                if not self._changed:
                    return
                rows = [[name, one.numbers, one.asked, [[p.number, p.role, p.lines] for p in one.pins]]
                        for name, one in self._sessions.items()]  # fmt: skip
                self._changed = False
            self._engine.put_note(NOTE, json.dumps(rows, separators=(",", ":")))


def _read(note: str | None) -> OrderedDict[str, GivenToSession]:
    rows = json.loads(note or "[]")
    return OrderedDict(
        (name, GivenToSession(tuple(numbers), asked, tuple(Pin(n, role, tuple(lines)) for n, role, lines in pins)))
        for name, numbers, asked, pins in rows
    )
