"""`python -m benchmarks people`: how good claims are, and the check of a model's answer.

Only what is printed stands here; it is measured by benchmarks/people.py and proofs.py.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands.recall import Data, Json, bench
from pmg.cli.console import errors, quote, say

if TYPE_CHECKING:
    from benchmarks.people import ClaimFigures


@bench.command()
def people(
    path: Data,
    as_json: Json = None,
    draw: Annotated[
        Path | None, typer.Option(help="Write the drawn claims with their lines here, to be labelled by hand.")
    ] = None,
) -> None:
    """Claims on LoCoMo: precision and speakers on a labelled draw, and coverage."""
    from benchmarks import locomo as loader
    from benchmarks import people as measuring
    from benchmarks import proofs as proving

    with errors():
        dataset = loader.load(path)
        if draw is not None:
            draw.write_text(measuring.labelling_form(dataset), encoding="utf-8")
            say(
                f"{measuring.DRAWN} claims drawn. Write 1 or 0 for right and for speaker and subject right in each row."
            )
            return
        labels = measuring.read_labels()
        found = measuring.figures(dataset, path, labels)
        _show_claims(found, measuring.SEED)
        if measuring.is_stale(labels):
            quote(f"The labels are of version {found.label_version} of the extractor: draw and label again.")
        proofs = proving.run(dataset)
        say(
            f"answer check {proofs.marked:.1%} of {proofs.answers:,} right answers have a mark beside their evidence, {proofs.marked_elsewhere:.1%} beside another's"
        )
        if as_json:
            saved = {"claims": asdict(found), "proofs": asdict(proofs)}
            as_json.write_text(json.dumps(saved, indent=2), encoding="utf-8")


def _show_claims(found: ClaimFigures, seed: int) -> None:
    say(
        f"claims       {found.claims:,} from {found.lines:,} lines, {found.lines_a_second:,.0f} lines a second of one processor"
    )
    say("             " + ", ".join(f"{kind} {count:,}" for kind, count in sorted(found.modalities.items())))
    say(f"precision    {found.precision:.1%} of {found.labelled} claims drawn with seed {seed} and labelled by hand")
    say(f"speakers     {found.attribution:.1%} have the right speaker and subject")
    say(
        f"coverage     {found.covered:.1%} of {found.questions:,} answerable questions: their answer is held by one claim ({found.covered_by_lines:.1%}: by one line)"
    )
