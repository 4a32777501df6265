"""`python -m benchmarks told-twice`: what the steward makes of what is told twice.

Only what is printed stands here; it is measured by benchmarks/told_twice.py.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks.commands.recall import Json, Model, bench, embedder_for
from pmg.cli.console import bar, errors, say


@bench.command("told-twice")
def told_twice(as_json: Json = None, model: Model = "bundled") -> None:
    """Fifty facts told twice in a chat, fifteen that changed, and the sample: merged, listed for a person, left, wrong."""
    from benchmarks import told_twice as measuring

    with errors():
        with bar() as progress, tempfile.TemporaryDirectory() as folder:
            found = list(measuring.run(embedder_for(model, progress), Path(folder)))
        say("| told | again | pairs | merged | listed | left | wrong |\n|---|---|--:|--:|--:|--:|--:|")
        for one in found:
            say(f"| {one.chat} | {one.kind} | {one.pairs} | {one.merged} | {one.listed} | {one.left} | {one.wrong} |")
        if as_json is not None:
            as_json.write_text(json.dumps([asdict(one) for one in found], indent=2) + "\n", encoding="utf-8")
