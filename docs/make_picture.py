"""Draws docs/recall.svg, the picture in the README, from the sample memory: `python docs/make_picture.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from pmg import sample
from pmg.config import Config
from pmg.engine import Engine

QUESTION = "why is the release blocked?"


def main() -> None:
    console = Console(record=True, width=112, file=Path("/dev/null").open("w", encoding="utf-8"))  # noqa: SIM115
    with tempfile.TemporaryDirectory() as folder, Engine.open(Config(home=Path(folder) / "memory")) as engine:
        engine.ingest(sample.sessions())
        found = engine.recall(QUESTION, budget_tokens=520, limit=6)
        console.print(Text(f'$ pmg recall "{QUESTION}" --why', style="bold green"))
        for line in found.context.splitlines():
            header = line.startswith("[") or "memory " in line[:9]
            console.print(Text(line, style="cyan" if header else ""))
        console.print(
            Text(
                f"\nWhy ({found.receipt.mode}; {found.receipt.used_tokens} of {found.receipt.budget_tokens} tokens)",
                style="bold",
            )
        )
        for place, entry in enumerate(found.receipt.found[:4], 1):
            console.print(Text(f" {place}. {entry.segment}  {entry.role}  {entry.score:.2f}", style="yellow"))
            console.print(Text(f"    {entry.why}", style="dim"))
    svg = console.export_svg(title="PMG: a recall and its receipt", clear=False)
    # Fonts of the reader's own machine: the picture asks no host for anything.
    start, end = svg.find("@font-face"), svg.rfind("@font-face")
    if start >= 0:
        svg = svg[:start] + svg[svg.index("}", end) + 1 :]
    (Path(__file__).parent / "recall.svg").write_text(svg.replace("Fira Code", "Menlo, Consolas"), encoding="utf-8")


if __name__ == "__main__":
    main()
