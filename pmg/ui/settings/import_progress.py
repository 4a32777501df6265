"""Bringing a history in from the page: what was dropped or named, with a bar that knows the total, the rate and the time left.

Knows: how the importers are asked, how their progress reads, that a person may end them early, and that an upload is removed when its import is
done, stopped or failed.
Does not know: file formats, gradio, or where on the page it is shown (the first start and the tab both use it).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pmg.base.errors import InputError, ModelUnavailable, NotFound
from pmg.base.progress import Progress, silent
from pmg.base.text import counted
from pmg.base.times import parse
from pmg.config import checked_namespace
from pmg.importers.import_run import LINKING, READING, ImportOptions, import_paths
from pmg.importers.report import ImportReport

if TYPE_CHECKING:
    from pmg.ui.app_context import AppContext

Bar = Callable[[float | None, str], None]  # share done (None: unknown), sentence
NAMED = 5  # topics told by name when an import is done
BAR_SECONDS = 0.1  # seconds between two looks of the bar


class _StopAsked(BaseException):
    """No `Exception`: readers take those for a fault of the file that they read, and go on with the next."""


def run_import(
    context: AppContext,
    paths: Sequence[Path],
    namespace: str,
    progress: Progress,
    wishes: ImportOptions | None = None,
    stop_asked: Callable[[], bool] = lambda: False,
) -> ImportReport:
    """Everything behind the paths; `wishes` narrows it. Nothing raises for what is in the files. Where it is asked to stop, what is stored by then
    stays, and the report says that it stopped."""
    check(paths)
    engine, asked = context.engine, wishes or ImportOptions(namespace=target_namespace(context, namespace))

    def show(what: str, done: int, total: int) -> None:
        if stop_asked():
            raise _StopAsked
        progress(what, done, total)

    report, before = ImportReport(), engine.counts()
    try:
        if not asked.dry_run:
            show("waiting for the embedding model", 0, 0)
            with suppress(ModelUnavailable):  # without it everything is stored, and the report says what waits
                engine.model.wait()
        return import_paths(engine, paths, asked, show, report)
    except _StopAsked:
        report.stopped = True
        if not asked.dry_run:
            engine.indexes.catch_up()  # words find what is in; links and vectors follow while the server runs
            engine.indexes.reload_edges()
            report.stored = sum(engine.counts().segments.values()) - sum(before.segments.values())
        return report


def stopped_text(report: ImportReport) -> str:
    if report.dry_run:
        return "Stopped. Nothing was stored."
    return (
        f"Stopped. {counted(report.stored, 'turn')} came in and stay; their links follow by themselves. "
        "Import the same again for the rest: what is in is not taken twice."
    )


def named_as_dropped(report: ImportReport, files: Sequence[str]) -> ImportReport:
    """The same, with uploads under the names that they had: where gradio put them aside tells nobody which is meant."""
    folders = [f"{Path(name).parent}{os.sep}" for name in files]

    def plain(text: str) -> str:
        for folder in folders:
            text = text.replace(folder, "")
        return text

    named = [replace(one, file=plain(one.file), reason=plain(one.reason)) for one in report.problems]
    return replace(report, problems=named)


def brought_something(report: ImportReport) -> bool:
    """Whether there is anything now to find topics and links for."""
    return bool(report.built.segments) or any(report.total(name) for name in ("turns", "grown", "edited"))


def find_topics(context: AppContext, progress: Progress = silent) -> str:
    """What the steward would do at night is done when a history came in: topics and links show at once."""
    context.steward.run(("links",), actor="user", progress=progress)
    topics = sorted(context.steward.topics(), key=lambda topic: (-len(topic.members), topic.id))
    if not topics:
        return "Everything is linked. There are too few sessions for topics yet."
    named = ", ".join(topic.name for topic in topics[:NAMED]) + (" …" if len(topics) > NAMED else "")
    return f"Everything is linked. {counted(len(topics), 'topic')}: {named}"


def target_namespace(context: AppContext, here: str, wanted: str = "") -> str:
    """The namespace that a person chose, in the form or on the page; "" where they chose none: then another memory keeps its own namespaces,
    as it does on the command line, and everything else goes into the configured one.
    """
    if wanted.strip():
        return checked_namespace(wanted.strip())
    return "" if here == context.engine.config.namespace else here


def check(paths: Sequence[Path]) -> None:
    """Told before anything begins, and before an upload is used up."""
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise NotFound(f"There is no file or folder {missing[0]}. Give the export as you downloaded it.")
    if not paths:
        raise InputError("There is nothing to import yet: drop a file, or name one by its path.")


@contextmanager
def used_up(files: Sequence[str], folder: Path) -> Iterator[None]:
    """Around an import of uploads: they are gone when it is done, and when it fails."""
    try:
        yield
    finally:
        remove_uploads(files, folder)


def wishes_of(namespace: str, since: str = "", only: Sequence[str] = (), dry_run: bool = False) -> ImportOptions:
    """What the fields of the page say."""
    return ImportOptions(parse(since) if since.strip() else None, tuple(only), namespace, 0.0, dry_run)


def paths_of(text: str) -> list[Path]:
    """Paths as a person types or pastes them: one a line, quotes around one do not matter, ~ is the home."""
    rows = [row.strip().strip("\"'").strip() for row in text.splitlines()]
    return [Path(row).expanduser() for row in rows if row]


def remove_uploads(files: Sequence[str], folder: Path) -> None:
    """What gradio put aside for an upload is gone when it was read; a file outside its folder is never touched."""
    place = folder.resolve()
    for name in files:
        file = Path(name).resolve()
        if not file.is_relative_to(place):
            continue
        with suppress(OSError):  # a file that is gone already, or a folder that others still use
            file.unlink()
            file.parent.rmdir()


@dataclass(slots=True)
class Meter:
    """Turns the importers' progress into a share and a sentence: bytes read, rate, time left; then the steps after reading."""

    bar: Bar
    clock: Callable[[], float] = time.monotonic
    begun: float = 0.0
    shown: float = -1.0
    what: str = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        moment = self.clock()
        if what != self.what:
            self.what, self.begun = what, moment
        elif done < total and moment - self.shown < BAR_SECONDS:
            return
        self.shown = moment
        self.bar(min(1.0, done / total) if total else None, self._sentence(done, total, moment - self.begun))

    def _sentence(self, done: int, total: int, passed: float) -> str:
        if self.what == LINKING:
            return "Everything is stored. Linking …"
        name = f"{self.what[:1].upper()}{self.what[1:]}"
        if not total:
            return f"{name} …"
        if self.what == READING:
            return f"{name} {done / 1e6:,.1f} of {total / 1e6:,.1f} MB{rate_and_rest(done / 1e6, total / 1e6, passed, 'MB/s')}"
        return f"{name}: {done:,} of {total:,}{rate_and_rest(done, total, passed, 'a second')}"


def rate_and_rest(done: float, total: float, passed: float, unit: str) -> str:
    """` · 4.1 MB/s · 12 s left`, as soon as there is enough to tell."""
    if passed < 1.0 or done <= 0:
        return ""
    rate = done / passed
    return f" · {rate:,.1f} {unit} · {duration((total - done) / rate)} left"


def duration(seconds: float) -> str:
    whole = max(0, round(seconds))
    if whole < 100:
        return f"{whole} s"
    return (
        f"{whole // 60} min {whole % 60:02d} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    )
