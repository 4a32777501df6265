"""`python -m benchmarks analytics`: what every chart's question costs, by size.

Only what is printed stands here; it is measured by benchmarks/analytics.py.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.recall import bench
from pmg.base.errors import InputError
from pmg.cli.console import errors, say


@bench.command()
def analytics(
    sizes: Annotated[list[int] | None, typer.Argument(help="Segments; 10000 100000 1000000 unless given.")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Save the table here as Markdown.")] = None,
) -> None:
    """Time every chart's question on synthetic memories; a plain count of the largest table is the floor."""
    from benchmarks import analytics as measuring

    with errors():
        wanted = sizes or list(measuring.SIZES)
        if min(wanted) < 100:
            raise InputError(f"{min(wanted)} segments are too few to time: give 100 or more.")
        say(
            f"{measuring.cores()} cores; milliseconds on the clock, and of all cores together (cpu); fastest of {measuring.REPEATS}"
        )
        found = measuring.run(
            wanted,
            lambda c: say(
                f"{c.segments:>9,}  {c.question:24} {c.clock_ms:9.0f} ms   cpu {c.cpu_ms:8.0f}   {c.rows:,} rows"
            ),
        )
        table = measuring.markdown(found)
        say(
            f"\n{table}\n\n{found[-1].question}: {found[-1].clock_ms:.0f} ms, cpu {found[-1].cpu_ms:.0f}, at every size"
        )
        if markdown:
            markdown.write_text(table + "\n", encoding="utf-8")
        if as_json:
            as_json.write_text(json.dumps([asdict(one) for one in found], indent=2), encoding="utf-8")
