"""`python -m benchmarks bearing`: which share of a block bears on what was asked. Only what is printed stands here."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.recall import bench
from pmg.cli.console import errors, say


@bench.command()
def bearing(
    to_judge: Annotated[Path, typer.Option(help="Where the rows are written that nobody has judged yet.")] = Path(
        "to-judge.txt"
    ),
) -> None:
    """Share of the tokens that bear on the question, over forty situations of a person with five projects."""
    with errors(), tempfile.TemporaryDirectory() as folder:
        from benchmarks import bearing as measuring

        found = measuring.blocks(Path(folder) / "memory")
        text, known = measuring.sheet(found)
        if text:
            to_judge.write_text(text + "\n", encoding="utf-8")
            say(f"{text.count(chr(10)) + 1} rows to judge, in {to_judge}: what is not judged counts as not bearing.")
        for how in ("hook", "recall"):
            some = [one for one in found if one.how == how]
            good, every = measuring.share(some, known)
            given = sum(bool(one.text) for one in some)
            say(
                f"{how:7} {good:6,} of {every:6,} tokens bear: {good / max(1, every):.0%}; {given} of {len(some)} given something"
            )
