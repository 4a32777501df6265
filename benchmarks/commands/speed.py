"""`python -m benchmarks speed`: how fast and how large, beside the plain libraries, as a table.

Only what is printed stands here; it is measured by benchmarks/speed.py.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.recall import bench
from pmg.cli.console import errors, say

if TYPE_CHECKING:
    from benchmarks.speed import SpeedResult


@bench.command()
def speed(
    sizes: Annotated[list[int] | None, typer.Argument(help="Segments; 10000 30000 100000 unless given.")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")] = None,
) -> None:
    """Time ingest, recall and opening on synthetic memories, with plain FAISS and DuckDB in the same run."""
    from benchmarks import speed as measuring

    with errors():
        say(
            f"{measuring.machine()}; one window of {measuring.DIMENSION} numbers a segment, no embedding model in the figures"
        )
        found = measuring.run(sizes or [10_000, 30_000, 100_000], _show)
        if as_json:
            as_json.write_text(json.dumps([asdict(one) for one in found], indent=2), encoding="utf-8")


def _show(one: SpeedResult) -> None:
    floor = one.floor_faiss_s + one.floor_insert_s
    allowed = 2 * one.vectors_mb + 400
    say(f"\n{one.segments:,} segments, {one.edges:,} edges")
    say(
        f"  ingest and link     {one.ingest_s:8.1f} s    {one.ingest_ratio:.2f} × plain FAISS search + Arrow insert ({floor:.1f} s)"
    )
    say(f"  one more session    {one.session_ms:8.0f} ms   20 turns, stored, linked and indexed")
    say(
        f"  recall p50 / p95    {one.recall_p50_ms:8.1f} ms / {one.recall_p95_ms:.1f} ms   {one.recall_ratio:.2f} × one plain FAISS search ({one.floor_search_ms:.1f} ms)"
    )
    say(f"  open                {one.open_s:8.2f} s")
    say(f"  disk                {one.extra_bytes:8.0f} bytes a segment beyond text and vectors")
    say(f"  peak memory         {one.peak_mb:8.0f} MB   (2 × vectors + 400 MB = {allowed:.0f} MB)")
