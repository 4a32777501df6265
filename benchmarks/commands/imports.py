"""`python -m benchmarks import`: how fast a history comes in and how much memory that takes.

Only what is printed stands here; it is measured by benchmarks/imports.py.
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


@bench.command("import")
def import_(
    megabytes: Annotated[float, typer.Option("--mb", help="Size of the synthetic export, unpacked.")] = 200.0,
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")] = None,
) -> None:
    """Make a ChatGPT-style export of LongMemEval-like chats, zip it, import it without embedding: turns/s and peak memory."""
    from benchmarks import imports

    with errors():
        if megabytes <= 0:
            raise InputError(f"--mb {megabytes:g} makes no export: give a size above 0.")
        found = imports.measure(megabytes)
        say(found.text())
        if as_json:
            figures = {**asdict(found), "rate": found.rate, "over_mb": found.over_mb}
            as_json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
