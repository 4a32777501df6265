"""The bar of an import: bytes read of all, then the steps that follow, and the time left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from pmg.cli import console


@contextmanager
def byte_bar() -> Iterator[console.Show]:
    """Bytes read of all and the time left; then the same for each step that follows reading: the bar moves to the end."""
    from pmg.importers.import_run import READING

    far, err = console.terminal().far, console.terminal().err
    if far is not None:
        yield lambda what, done, total: far("bytes", what, done, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(),
    )
    reading = Progress(
        *columns,
        console=err,
        transient=True,
        disable=not err.is_terminal,
        speed_estimate_period=console.SPEED_SECONDS,
    )
    with reading:
        task = reading.add_task(READING, total=None, told="")
        step = READING

        def show(what: str, done: int, total: int) -> None:
            nonlocal step
            if what != step:
                step = what
                reading.reset(task, description=what, total=total or None, told="")
            told = f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB" if what == READING else f"{done:,} of {total:,}"
            reading.update(task, completed=done, total=total or None, told=told if total else "")

        yield show
