"""`python -m benchmarks proxy`: what the proxy adds to an answer, against what it may.

Only what is printed stands here; it is measured by benchmarks/proxy.py.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.commands.recall import bench
from pmg.cli.console import errors, say


@bench.command()
def proxy(
    megabytes: Annotated[int, typer.Option(min=1, help="Size of the large stream.")] = 1_000,
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")] = None,
) -> None:
    """Time a local upstream through the proxy and directly, in turns; stream a lot at once, and something large."""
    with errors():
        from benchmarks import proxy as measuring

        say("An upstream and a server, each in a process of its own …")
        one = measuring.measure(megabytes)
        say(f"  first byte, directly          p50 {one.direct_p50:7.2f} ms   p99 {one.direct_p99:7.2f} ms")
        say(f"  first byte, through the proxy p50 {one.proxy_p50:7.2f} ms   p99 {one.proxy_p99:7.2f} ms")
        p50, p99 = one.proxy_p50 - one.direct_p50, one.proxy_p99 - one.direct_p99
        say(f"  added                         p50 {p50:7.2f} ms   p99 {p99:7.2f} ms   (at most {measuring.ADDED_P50:.0f} and {measuring.ADDED_P99:.0f})")  # fmt: skip
        say(
            f"  {one.streams} streams at once: {one.streams_direct:.2f} s directly, {one.streams_proxy:.2f} s through the proxy"
        )
        if one.grown is not None:
            say(
                f"  a stream of {one.streamed:,} MB: the server grew by {one.grown:.0f} MiB (at most {measuring.GROWTH})"
            )
        if as_json:
            as_json.write_text(json.dumps(asdict(one), indent=2), encoding="utf-8")
        say("\nAll within what is allowed." if one.reached else "\nMissed what is allowed.")
