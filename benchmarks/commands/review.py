"""`python -m benchmarks review`: how many pairs that belong on the steward's review list are on it.

Only what is printed stands here; it is measured by benchmarks/review.py.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.recall import Json, Model, bench, embedder_for
from pmg.cli.console import bar, errors, say


@bench.command()
def review(
    data: Annotated[list[Path] | None, typer.Argument(help="LongMemEval files, for the facts updated in them.")] = None,
    as_json: Json = None,
    model: Model = "bundled",
) -> None:
    """The review list: how many of the pairs that are known to belong there it shows, beside as many by likeness alone."""
    from benchmarks import review as measuring

    with errors():
        with bar() as progress, tempfile.TemporaryDirectory() as folder:
            embedder = embedder_for(model, progress)
            found = list(measuring.run(embedder, Path(folder), data or (), progress))
        say(f"{'':30} memories  known  listed  found  by likeness alone")
        for one in found:
            say(f"{one.name:30} {one.memories:8}  {one.known:5}  {one.listed:6}  {one.found:5}  {one.floor:17}")
        if as_json is not None:
            as_json.write_text(json.dumps([asdict(one) for one in found], indent=2) + "\n", encoding="utf-8")
