"""`python -m benchmarks exam`: one part of the sealed exam, run and logged.

Knows: the options, what is printed and what is logged.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands import recall
from benchmarks.commands.recall import bench
from pmg.cli import console


@bench.command()
def exam(
    part: Annotated[str, typer.Argument(help="a, b or german.")],
    label: Annotated[str, typer.Option(help="What is measured, as it stands in the log.")],
    against: Annotated[Path | None, typer.Option(help="The marks of an earlier run, to compare with.")] = None,
    read: Annotated[bool, typer.Option(help="With the reader, or by the ranking alone.")] = True,
    marks: Annotated[Path | None, typer.Option(help="Save every mark here, one JSON a line; no words.")] = None,
) -> None:
    """Asks every question of a part and prints what the answers were worth."""
    from benchmarks import exam as sealed

    with console.errors():
        lives = sealed.read_part(part)
        with console.bar() as progress:
            found = sealed.run(lives, recall.embedder_for("bundled", progress), progress, read)
        table = asdict(sealed.figures(found))
        if against is not None:
            before = [sealed.ExamMark(**json.loads(row)) for row in against.read_text(encoding="utf-8").splitlines()]
            table["gain"] = asdict(sealed.gain(found, before))
        if marks is not None:
            rows = (json.dumps(row, sort_keys=True) for row in sealed.to_rows(found))
            marks.write_text("\n".join(rows) + "\n", encoding="utf-8")
        measured = {name: None if value != value else value for name, value in table.items()}  # NaN is no JSON
        with (sealed.EXAMS / "runs.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps({"part": part, "label": label, **measured}, allow_nan=False) + "\n")
        console.say("\n".join(f"{name}: {value}" for name, value in table.items()))
