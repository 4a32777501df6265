"""`pmg report`: the state of a memory as one page.

The report itself is written by pmg/report/write.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pmg.base.times import now
from pmg.cli import console
from pmg.cli.root import app, engine_of


@app.command()
def report(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to write it (else pmg-report-DAY.html here).")] = None,
) -> None:
    """Write one self-contained HTML page on the state of this memory: growth, topics, people, upkeep, health, suggestions."""
    with engine_of(context) as engine:
        from pmg.report import write_report

        file = file or Path(f"pmg-report-{now():%Y-%m-%d}.html")
        place = console.path_of(file)
        new_folder = console.new_folder(place)
        write_report(engine, place, engine.config.namespace)
        console.say(
            f"Wrote {file} ({place.stat().st_size / 1e6:.1f} MB): open it in a browser, with or without a network.{new_folder}"
        )
