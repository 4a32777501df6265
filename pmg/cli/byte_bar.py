"""The bar of an import: bytes read of all, rate and time left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from pmg.cli import console


@contextmanager
def byte_bar() -> Iterator[console.Show]:
    """Bytes read of all, rate and time left; then the steps that follow reading."""
    from pmg.importers.import_run import READING

    far, err = console.terminal().far, console.terminal().err
    if far is not None:
        yield lambda what, done, total: far("bytes", what, done, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    reading = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
    with reading:
        task = reading.add_task("reading", total=None)
        steps: dict[str, str] = {}

        def show(what: str, done: int, total: int) -> None:
            if what == READING:
                reading.update(task, completed=done, total=total or None)
            elif total:
                steps[what] = f"{what} {done:,} of {total:,}"
                reading.update(task, description=steps[what])

        yield show
