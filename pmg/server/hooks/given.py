"""What each session of a tool was given, so that it is not given twice, and a retry gets the same again.

Knows: the numbers of segments by session and the last question of each, and the note that carries them over a restart. The last block of
a session is kept beside them while the process lives, with a mark of what it was made from: whoever uses it again looks whether the
memory still says the same.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from dataclasses import dataclass

from pmg.engine import Engine

NOTE = "hooks given"
SESSIONS = 200  # sessions that are remembered, the latest first
NUMBERS = 1_000  # segments of one session: 800 tokens hold a handful


@dataclass(frozen=True, slots=True)
class GivenBlock:
    """What one question was answered with. `made_from` changes when one of its memories does."""

    asked: str = ""  # the question, as a digest
    numbers: tuple[int, ...] = ()
    text: str = ""
    made_from: str = ""


@dataclass(frozen=True, slots=True)
class GivenToSession:
    before: tuple[int, ...] = ()  # segments given before the last question
    last: GivenBlock = GivenBlock()
    compacted_at: float = (
        0.0  # when the tool last threw away most of what the session held, in seconds since 1970; 0: never
    )

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys((*self.before, *self.last.numbers)))

    def and_then(self, block: GivenBlock) -> GivenToSession:
        before = self.before if block.asked == self.last.asked else self.numbers[-NUMBERS:]
        return GivenToSession(before, block, self.compacted_at)


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


class GivenMemories:
    """Thread-safe. `save` writes the note, without any text; whoever answers does not wait for it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._saving = threading.Lock()
        self._sessions = _read(engine.reads.note(NOTE))
        self._changed = False

    def to(self, session: str) -> GivenToSession:
        with self._lock:
            return self._sessions.get(session, GivenToSession())

    def put(self, session: str, block: GivenBlock) -> None:
        with self._lock:
            self._sessions[session] = self._sessions.get(session, GivenToSession()).and_then(block)
            self._sessions.move_to_end(session)
            while len(self._sessions) > SESSIONS:
                self._sessions.popitem(last=False)
            self._changed = True

    def lost(self, session: str, compacted_at: float = 0.0) -> None:
        """The tool no longer holds what this session was given: all of it may be given again."""
        with self._lock:
            known = self._sessions.get(session)
            if known is None and not compacted_at:
                return
            kept = known.compacted_at if known is not None else 0.0
            self._sessions[session] = GivenToSession(compacted_at=max(kept, compacted_at))
            self._sessions.move_to_end(session)
            self._changed = True

    def save(self) -> None:
        with self._saving:  # an older state must not be written over a newer one
            with self._lock:
                if not self._changed:
                    return
                rows = [
                    [name, one.before, one.last.asked, one.last.numbers, one.compacted_at]
                    for name, one in self._sessions.items()
                ]
                self._changed = False
            self._engine.put_note(NOTE, json.dumps(rows, separators=(",", ":")))


def _read(note: str | None) -> OrderedDict[str, GivenToSession]:
    return OrderedDict(
        (name, GivenToSession(tuple(before), GivenBlock(asked, tuple(numbers)), *compacted_at))
        for name, before, asked, numbers, *compacted_at in json.loads(note or "[]")
    )
