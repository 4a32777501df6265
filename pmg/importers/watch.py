"""Folders that are followed: transcripts as they grow, and whatever is dropped.

Knows: that a file is worth another look when its size or time changed, that one still being written is left for the next look,
and what was taken in before (the store remembers, so a new start does not read everything again).
Does not know: formats, or what is new inside a file (import_run.py).
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from pmg.base.text import counted
from pmg.config import Config, drop_folder
from pmg.engine import Engine
from pmg.importers.conversation import Problem
from pmg.importers.import_run import ImportOptions, import_paths
from pmg.importers.reading.archive import plain_files
from pmg.importers.report import ImportReport
from pmg.store.forget import WATCHED, watched_name

log = logging.getLogger(__name__)

NOTE = WATCHED
MAX_FILES = 100_000  # files
FileStamp = tuple[int, int]  # size and time of the last change, in nanoseconds


@dataclass(frozen=True, slots=True)
class WatchedImport:
    """One file that was looked at, and what came of it."""

    file: Path
    report: ImportReport

    def text(self) -> str:
        report = self.report
        parts = [counted(report.turns, "new turn")]
        parts += [f"{n} {word}" for word in ("grown", "edited") if (n := report.total(word))]
        broken = sum(problem.level.value == "broken" for problem in report.problems)
        parts += [f"{broken} not readable"] if broken else []
        return f"{self.file.name}: {', '.join(parts)} ({', '.join(sorted(report.sources)) or 'no conversation'})"


def folders_of(config: Config) -> list[Path]:
    """The configured transcript folders that are there, and the drop folder, which is made."""
    drop = drop_folder(config)
    drop.mkdir(mode=0o700, parents=True, exist_ok=True)
    configured = [Path(folder).expanduser() for folder in config.imports.watch]
    return [*(folder for folder in configured if folder.is_dir()), drop]


class Watcher:
    """Follows some folders for one engine. `once` looks one time; `run` looks until it is told to stop."""

    def __init__(self, engine: Engine, folders: Sequence[Path], options: ImportOptions | None = None) -> None:
        self._engine = engine
        self._folders = list(folders)
        self._options = options or ImportOptions()
        self._seen = _remembered(engine, self._namespace)

    @property
    def _namespace(self) -> str:
        return self._options.namespace or self._engine.config.namespace

    def once(self, on_taken: Callable[[WatchedImport], None] = lambda _: None) -> list[WatchedImport]:
        """Takes in every file that is new or changed since the last look."""
        taken = []
        for file, mark in list(self._changed()):
            one = WatchedImport(file, import_paths(self._engine, [file], replace(self._options, dry_run=False)))
            self._seen[self._name(file)] = mark
            taken.append(one)
            on_taken(one)
            self._remember()
        return taken

    def run(self, stop: Event, on_taken: Callable[[WatchedImport], None] = lambda _: None) -> None:
        while not stop.is_set():
            self.once(on_taken)
            stop.wait(self._engine.config.imports.poll_seconds)

    def _changed(self) -> Iterator[tuple[Path, FileStamp]]:
        settled = time.time() - self._engine.config.imports.settle_seconds
        for found in plain_files([folder for folder in self._folders if folder.exists()]):
            if isinstance(found, Problem):
                continue
            file = found[0]
            try:
                stat = file.stat()
            except OSError as error:  # gone or closed to us between two looks: the next look will tell
                log.info("%s cannot be looked at: %s", file.name, error.strerror)
                continue
            mark = (stat.st_size, stat.st_mtime_ns)
            if stat.st_size and self._seen.get(self._name(file)) != mark and stat.st_mtime <= settled:
                yield file, mark

    def _name(self, file: Path) -> str:
        return watched_name(self._engine.reads.store_id, str(file))

    def _remember(self) -> None:
        """By digest: the name of a file can tell what was in it, and would outlive what is forgotten."""
        while len(self._seen) > MAX_FILES:
            del self._seen[next(iter(self._seen))]
        self._engine.put_note(f"{NOTE} {self._namespace}", json.dumps(self._seen))


def _remembered(engine: Engine, namespace: str) -> dict[str, FileStamp]:
    known = json.loads(engine.reads.note(f"{NOTE} {namespace}") or "{}")
    store_id = engine.reads.store_id
    return {watched_name(store_id, name): (int(mark[0]), int(mark[1])) for name, mark in known.items()}
