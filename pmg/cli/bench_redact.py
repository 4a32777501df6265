"""`pmg bench redact`: how fast secrets are looked for, by kind of text.

Only what is printed stands here; it is measured by pmg/bench/redact.py.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pmg.cli.bench import bench
from pmg.cli.console import errors, say
from pmg.errors import InputError


@bench.command("redact")
def redact(
    megabytes: Annotated[float, typer.Option("--mb", help="Size of each kind of text.")] = 1.0,
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")] = None,
) -> None:
    """Redact talk, code, files full of secrets and hostile text: megabytes a second of processor time, one core."""
    from pmg.bench import redact as measuring

    with errors():
        if megabytes <= 0:
            raise InputError(f"--mb {megabytes:g} makes no text: give a size above 0.")
        say("   MB/s   goal  secrets/MB   kind of text")
        found = []
        for rate in measuring.measure(megabytes):
            found.append(rate)
            say(f"{rate.rate:7.1f}  {rate.goal:5.0f}  {rate.secrets / rate.megabytes:10,.0f}   {rate.kind}")
        if as_json:
            figures = [{**asdict(rate), "rate": rate.rate, "goal": rate.goal} for rate in found]
            as_json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
