"""`python -m benchmarks mcp`: what MCP adds to a recall, against what it may.

Only what is printed stands here; it is measured by benchmarks/mcp.py.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.recall import bench
from pmg.base.errors import InputError
from pmg.cli.console import errors, say

if TYPE_CHECKING:
    from benchmarks.mcp import McpTiming


@bench.command()
def mcp(
    segments: Annotated[str, typer.Option(help="Sizes of the synthetic memory, with commas between them.")] = "10000",
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")] = None,
) -> None:
    """Time recall over MCP, by stdio and by HTTP, against the engine's own in the same run."""
    with errors():
        sizes = _sizes(segments)
        from benchmarks import mcp as measuring

        say("A synthetic memory, a server on it in a process of its own; no embedding model in the figures …")
        found = measuring.run(sizes, _show)
        if as_json:
            as_json.write_text(json.dumps([asdict(one) for one in found], indent=2), encoding="utf-8")
        missed = sum(not one.reached for one in found)
        say(
            "\nAll within what is allowed."
            if not missed
            else f"\n{missed} of {len(found)} sizes missed what is allowed."
        )


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(part) for part in text.split(",")]
    except ValueError:
        sizes = [0]
    if min(sizes) < 100:
        raise InputError(f"--segments {text} is not a list of sizes from 100 on: write it like 10000,100000.")
    return sizes


def _show(one: McpTiming) -> None:
    from benchmarks import mcp as measuring

    say(f"\n{one.segments:,} segments")
    say(f"  recall, the engine's own p50   {one.engine_ms:8.1f} ms")
    say(
        f"  recall over HTTP p50           {one.http_ms:8.1f} ms   + {one.http_ms - one.engine_ms:.1f}, allowed + {measuring.ADDED:.0f}"
    )
    say(
        f"  recall over stdio p50          {one.stdio_ms:8.1f} ms   + {one.stdio_ms - one.engine_ms:.1f}, allowed + {measuring.ADDED:.0f}"
    )
    say(
        f"  processor time of the server   {one.http_cpu_ms:8.1f} ms a recall over HTTP, {one.engine_cpu_ms:.1f} ms the engine's own"
    )
    say(f"  start of `pmg mcp`             {one.start_ms:8.0f} ms of processor time, allowed {measuring.START:.0f}")
    say(f"  tool list with instructions    {one.list_tokens:8,} tokens, allowed {measuring.TOKENS:,}")
    say(f"  {one.clients} clients at once             {one.per_second:8.1f} recalls a second")
