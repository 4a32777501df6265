"""`python -m benchmarks people`: how good claims are, and how well questions about the wrong person are declined.

Only what is printed stands here; it is measured by benchmarks/people.py, abstention.py, ask_abstention.py, proofs.py, ask_confidence.py and ask_speed.py.
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
    from benchmarks.abstention import AbstentionFigures
    from benchmarks.ask_abstention import AskAbstention
    from benchmarks.ask_confidence import ConfidenceRun
    from benchmarks.ask_speed import AskSpeed
    from benchmarks.people import ClaimFigures


@bench.command()
def people(
    path: Data,
    as_json: Json = None,
    draw: Annotated[
        Path | None, typer.Option(help="Write the drawn claims with their lines here, to be labelled by hand.")
    ] = None,
    longmemeval: Annotated[
        Path | None, typer.Option(help="A LongMemEval file: how `ask` declines its questions without an answer.")
    ] = None,
) -> None:
    """Claims on LoCoMo: precision and speakers on a labelled draw, coverage, declined questions, and how long `ask` takes."""
    from benchmarks import abstention, ask_abstention, ask_confidence, ask_speed
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
        declined = abstention.run(dataset, path)
        _show_declined(declined)
        proofs = proving.run(dataset)
        say(
            f"answer check {proofs.marked:.1%} of {proofs.answers:,} right answers have a mark beside their evidence, {proofs.marked_elsewhere:.1%} beside another's"
        )
        sureness = ask_confidence.run(dataset)
        _show_confidence(sureness)
        speed = ask_speed.run(dataset)
        _show_speed(speed)
        haystacks = (
            ask_abstention.run(longmemeval) if longmemeval is not None else None
        )  # what takes longest comes last
        if haystacks is not None:
            _show_haystacks(haystacks)
        if as_json:
            saved = {
                "claims": asdict(found),
                "abstention": asdict(declined),
                "proofs": asdict(proofs),
                "confidence": asdict(sureness),
                "ask": asdict(speed),
                **({"longmemeval": asdict(haystacks)} if haystacks is not None else {}),
            }
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


def _show_declined(declined: AbstentionFigures) -> None:
    say(
        f"abstention   AUC {declined.auc:.3f}, F1 {declined.f1:.3f}, {declined.false_abstention:.1%} of the answerable declined; each conversation by weights of the others"
    )
    say(f"  floor      AUC {declined.floor_auc:.3f}, F1 {declined.floor_f1:.3f}: whoever speaks the best lines")
    say(
        f"  in force   F1 {declined.in_force_f1:.3f}, {declined.in_force_false:.1%} declined: these weights know the questions"
    )


def _show_haystacks(found: AskAbstention) -> None:
    say(
        f"longmemeval  {found.rightly_declined} of {found.unanswerable} questions without an answer declined, {found.declined} of {found.answerable} with one; "
        f"AUC of the best line's confidence {found.auc:.3f}"
    )


def _show_confidence(found: ConfidenceRun) -> None:
    for name, one in (("few sessions", found.small), ("whole talks", found.whole)):
        say(
            f"confidence   {name}: {one.said:.2f} said and {one.right:.2f} right of {one.lines:,} first lines, calibration error {one.error:.3f}, Brier {one.brier:.3f}; "
            f"floor {one.floor_said:.2f}, {one.floor_error:.3f}, {one.floor_brier:.3f}"
        )
    say(f"             weights {found.weights}")


def _show_speed(speed: AskSpeed) -> None:
    say(
        f"ask          p50 {speed.p50_ms:.0f} ms, p95 {speed.p95_ms:.0f} ms of the processor at {speed.segments:,} segments and {speed.claims:,} claims"
    )
    say(f"             {speed.after_write_ms:.0f} ms right after a write, when nothing is remembered")
