"""`python -m benchmarks ui`: how soon the page answers, against what is allowed.

Only what is printed stands here; it is measured by benchmarks/ui.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.recall import bench
from pmg.cli.console import errors, say

if TYPE_CHECKING:
    from benchmarks.ui import UiTiming


@bench.command()
def ui(
    segments: Annotated[int, typer.Argument(help="Segments of the synthetic memory.", min=100)] = 10_000,
) -> None:
    """Open the web app in a real Chromium and time what a person waits for."""
    from benchmarks import ui as measuring

    with errors():
        say(f"A synthetic memory of {segments:,} segments, a server of its own, Chromium …")
        found = measuring.run(segments, _show)
        missed = sum(not figure.reached for figure in found)
        say("\nAll within what is allowed." if not missed else f"\n{missed} of {len(found)} took longer than allowed.")


def _show(figure: UiTiming) -> None:
    mark = "reached" if figure.reached else "NOT reached"
    rounds = ", ".join(f"{one:,.0f}" for one in figure.rounds)
    say(f"  {figure.what:48} {figure.median:7,.0f} ms   allowed {figure.allowed:,.0f}   {mark}   ({rounds})")
