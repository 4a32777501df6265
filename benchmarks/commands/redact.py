"""`python -m benchmarks redact`: how fast secrets are looked for, by kind of text; or how many of each kind are found.

Only what is printed stands here; it is measured by benchmarks/redact.py and benchmarks/redact_recall.py.
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


@bench.command("redact")
def redact(
    megabytes: Annotated[float, typer.Option("--mb", help="Size of each kind of text.")] = 1.0,
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")] = None,
    recall: Annotated[bool, typer.Option("--recall", help="Count the secrets that are found, by kind.")] = False,
) -> None:
    """Redact talk, code, files full of secrets and hostile text: megabytes a second of processor time, one core.

    With --recall: made-up secrets of every kind in several surroundings, and how many of them are taken out.
    """
    from benchmarks import redact as measuring

    with errors():
        if recall:
            _recall(as_json)
            return
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


def _recall(as_json: Path | None) -> None:
    from benchmarks import redact_recall as measuring

    kinds = measuring.measure()
    say("removed     of   per cent   kind")
    for kind in (*kinds, measuring.total(kinds)):
        say(f"{kind.removed:7,}  {kind.texts:5,}  {kind.percent:9.1f}   {kind.kind}")
    low = sum(kind.percent < measuring.GOAL for kind in kinds)
    say(f"{len(kinds) - low} of {len(kinds)} kinds reach {measuring.GOAL:.0f} %")
    if as_json:
        figures = [{**asdict(kind), "percent": kind.percent} for kind in kinds]
        as_json.write_text(json.dumps(figures, indent=2), encoding="utf-8")
