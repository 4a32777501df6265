"""Transcripts that tools say have grown: taken in behind the answer, one after the other.

Knows: that a path must lie in the tool's own folder once every link is followed, that a tool writes its transcript a moment after it
says so, and the note that carries what waits over a kill. Reading and storing is the importer's.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pmg.base.errors import InputError
from pmg.connections.known_tools import ConfigPlaces
from pmg.engine import Engine
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.server.hooks.events import MAX_PATH, HookEvent

log = logging.getLogger(__name__)
NOTE = "hooks waiting"
KINDS = (".jsonl", ".json")
SEE_TO = 30.0  # seconds between two looks whether something is to be written down


@dataclass(frozen=True, slots=True)
class WaitingTranscript:
    file: Path
    namespace: str
    source: str


def transcript_of(event: HookEvent, places: ConfigPlaces) -> Path | None:
    """The file, with every link followed; None where there is none yet. Raises InputError for any that is not the tool's transcript."""
    if not event.transcript:
        return None
    folder = event.tool.transcripts(places)
    wrong = InputError(
        f"transcript_path is not a transcript of {event.tool.title}: only {' and '.join(KINDS)} files in {folder} are read."
    )
    if "\0" in event.transcript or len(event.transcript) > MAX_PATH:
        raise wrong
    try:
        given = Path(event.transcript).expanduser()
        file = given.resolve()
        inside = given.is_absolute() and file.is_relative_to(folder.resolve()) and file.suffix in KINDS
        there = inside and file.is_file()
    except (OSError, RuntimeError):  # links that lead in a circle, a home that nobody has
        raise wrong from None
    if not inside:
        raise wrong
    return file if there else None


class TranscriptInbox:
    """Started with the server. `offer` returns at once; `stop` waits for the file in hand, and what still waits comes at the next start."""

    def __init__(self, engine: Engine, settle: float, behind: Callable[[], None] = lambda: None) -> None:
        self._engine = engine
        self._settle = settle
        self._behind = behind  # what else is to be written down behind an answer
        self._changed = threading.Condition()
        self._due: dict[WaitingTranscript, float] = dict.fromkeys(_read(engine.reads.note(NOTE)), 0.0)
        self._stopped = False
        self._awake = False
        self._thread = threading.Thread(target=self._run, name="pmg-hooks", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float = 30.0) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def offer(self, one: WaitingTranscript) -> bool:
        """False when the server is ending. One that waits already is not waited for longer."""
        with self._changed:
            if self._stopped:
                return False
            self._due.setdefault(one, time.monotonic() + self._settle)
            self._awake = True
            self._changed.notify_all()
            return True

    def wake(self) -> None:
        """Something else is to be written down."""
        with self._changed:
            self._awake = True
            self._changed.notify_all()

    @property
    def waiting(self) -> int:
        with self._changed:
            return len(self._due)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopped or self._awake or bool(self._ready()), self._patience())
                self._awake = False
                stopped, ready = self._stopped, self._ready()
            self._kept(self._write_down)
            if stopped:
                return
            if ready:
                self._kept(partial(self._take, ready[0]))
                with self._changed:
                    self._awake = True  # the note is to be written again

    def _ready(self) -> list[WaitingTranscript]:
        now = time.monotonic()
        return [one for one, due in self._due.items() if due <= now]

    def _patience(self) -> float:
        """Until the next file may be read, and never so long that what others count is lost in a kill."""
        return max(0.0, min([SEE_TO, *(due - time.monotonic() for due in self._due.values())]))

    def _take(self, one: WaitingTranscript) -> None:
        with self._changed:  # first: what the tool says while it is being read counts again
            del self._due[one]
        report = import_paths(self._engine, [one.file], ImportOptions(namespace=one.namespace, only=(one.source,)))
        log.info("a transcript of %s: %d new turns", one.source, report.turns)

    def _write_down(self) -> None:
        with self._changed:
            rows = [[str(one.file), one.namespace, one.source] for one in self._due]
        written = json.dumps(rows)
        if written != (self._engine.reads.note(NOTE) or "[]"):
            self._engine.put_note(NOTE, written)
        self._behind()

    def _kept(self, work: Callable[[], None]) -> None:
        """The edge of the thread: what goes wrong is in the log, and the tool tells again after its next turn."""
        try:
            work()
        except Exception:
            log.exception("a transcript could not be taken in")


def _read(note: str | None) -> list[WaitingTranscript]:
    return [WaitingTranscript(Path(file), namespace, source) for file, namespace, source in json.loads(note or "[]")]
