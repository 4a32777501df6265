"""`python -m benchmarks topics`: how well topics are found, on sessions whose theme is known and on the sample memory.

Only what is printed stands here; it is measured by benchmarks/topics.py.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.recall import Json, Model, bench, embedder_for
from pmg.base.text import printable
from pmg.cli.console import bar, errors, say

if TYPE_CHECKING:
    from benchmarks.topics import TopicsReport


@bench.command()
def topics(
    as_json: Json = None,
    model: Model = "bundled",
    sample: Annotated[bool, typer.Option(help="Also find the topics of the sample memory.")] = True,
) -> None:
    """Topics: coverage, purity and NMI on labelled sessions beside plain k-means in the same run, and stability from run to run."""
    from benchmarks import topics as measuring

    with errors():
        with bar() as progress, tempfile.TemporaryDirectory() as folder:
            embedder = embedder_for(model, progress)
            found = measuring.run(embedder, Path(folder) if sample else None)
        _show(found)
        if as_json is not None:
            as_json.write_text(json.dumps(asdict(found), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _show(found: TopicsReport) -> None:
    say(f"{found.sessions} sessions of {found.themes} themes")
    say(f"{'':28} groups  coverage  purity    NMI")
    for way in found.ways:
        say(f"{way.name:28} {way.groups:6}  {way.coverage:8.1%}  {way.purity:6.3f}  {way.nmi:5.3f}")
    say(f"\n{'stability (adjusted Rand)':36} mean   worst")
    for one in found.stability:
        say(f"{one.name:36} {one.mean:.3f}  {one.worst:.3f}")
    if found.sample is not None:
        say(
            f"\nthe sample memory: {found.sample.coverage:.1%} of turns, {found.sample.seconds:.1f} s of processor time"
        )
        for name, turns in found.sample.topics:
            say(f"{turns:6}  {printable(name)}")
