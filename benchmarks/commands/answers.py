"""`python -m benchmarks answers`: how good the chat answers without a language model.

Knows: the options and what is printed.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands import recall
from benchmarks.commands.recall import bench
from pmg.cli import console

if TYPE_CHECKING:
    from benchmarks.answer_fit import FoldFigures
    from benchmarks.answers import AnswerCase, AnswerFigures
    from pmg.base.progress import Progress
    from pmg.embed.embedder import Embedder

_COLUMNS = (
    ("quoted", "quoted"),
    ("first", "first"),
    ("anchored", "as answer"),
    ("words_first", "words, first"),
    ("words_all", "words, all"),
    ("sure", "sure"),
    ("wrong_while_sure", "wrong while sure"),
    ("right_if_sure", "right if sure"),
    ("denied", "nothing"),
    ("floor", "floor first"),
    ("floor_words", "floor words"),
)


@bench.command()
def answers(
    locomo: Annotated[Path | None, typer.Option(help="LoCoMo's file too.")] = None,
    longmemeval: Annotated[
        Path | None, typer.Option(help="A file of LongMemEval too; without vectors at hand it takes an hour.")
    ] = None,
    more: Annotated[Path | None, typer.Option(help="More questions about the sample, one JSON object a line.")] = None,
    twice: Annotated[
        Path | None,
        typer.Option(help="Pairs of an earlier and a later memory, one JSON object a line, and who answers."),
    ] = None,
    facts: Annotated[
        Path | None,
        typer.Option(
            help="Facts to tell in the chat and ask for in another, one JSON object a line; only these are asked."
        ),
    ] = None,
    dialogues: Annotated[
        Path | None,
        typer.Option(help="Dialogues with the chat to hold and judge, one JSON object a line; only these are held."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(help="Only the first N questions of each memory, for a quick look.", min=1)
    ] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="Save every figure and answer here as JSON.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Save the table here as Markdown.")] = None,
    fit: Annotated[
        Path | None,
        typer.Option(
            help="Fit the weights of an answer instead, tell what they reach on held-out memories, and save them here as JSON."
        ),
    ] = None,
    model: recall.Model = "bundled",
) -> None:
    """The chat's answers to questions with known answers; the floor is the first line of recall."""
    from benchmarks import answers as measuring
    from benchmarks import dialogues as holding
    from benchmarks import told_facts

    with console.errors():
        cases = measuring.sample_cases(more)
        cases += measuring.told_twice_cases(twice) if twice else []
        cases += measuring.locomo_cases(locomo) if locomo else []
        cases += measuring.longmemeval_cases(longmemeval) if longmemeval else []
        with console.bar() as progress:
            embedder = recall.embedder_for(model, progress)
            if facts is not None:
                console.say(told_facts.as_markdown(told_facts.run(told_facts.read(facts), embedder)))
                return
            if dialogues is not None:
                console.say(holding.as_markdown(holding.run(holding.read(dialogues), embedder, progress)))
                return
            if fit is not None:
                save_fit(measuring.limited(cases, limit), embedder, progress, fit)
                return
            results = measuring.run(measuring.limited(cases, limit), embedder, progress)
        table = as_markdown(measuring.figures(results))
        console.say(table)
        if markdown is not None:
            markdown.write_text(table + "\n", encoding="utf-8")
        if as_json is not None:
            as_json.write_text(json.dumps(measuring.to_dict(results), indent=2) + "\n", encoding="utf-8")


def save_fit(cases: Sequence[AnswerCase], embedder: Embedder, progress: Progress, file: Path) -> None:
    """The folds as a table, and the weights fitted on everything, with what they were fitted on."""
    from benchmarks import answer_fit
    from benchmarks.small_memories import small_cases

    questions = answer_fit.gather(cases, embedder, progress)
    console.say(folds_as_markdown(answer_fit.cross_validated(questions)))
    counts = Counter(one.kind for one in questions if one.answerable)
    origin = "python -m benchmarks answers --fit on " + ", ".join(
        f"{n} questions of {kind}" for kind, n in sorted(counts.items())
    )
    small = answer_fit.gather(
        small_cases([one for one in cases if one.case.name != answer_fit.SAMPLE]), embedder, progress
    )
    found = answer_fit.fitted(questions, small, origin)
    file.write_text(json.dumps(asdict(found), indent=2) + "\n", encoding="utf-8")


def folds_as_markdown(found: Sequence[FoldFigures]) -> str:
    """Shares in per cent; today's are of the weights in force, on the same held-out questions."""
    head = ["fold", "questions", "quoted", "first", "today's quoted", "today's first", "train quoted", "train first"]
    rows = [
        [one.name, str(one.questions)]
        + [_share(share) for side in (one.test, one.today, one.train) for share in (side.quoted, side.first)]
        for one in found
    ]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_markdown(found: list[AnswerFigures]) -> str:
    """Shares in per cent; lengths in characters."""
    head = ["group", "questions", *(name for _, name in _COLUMNS), "length", "floor length"]
    rows = [
        [
            one.group,
            str(one.questions),
            *(_share(getattr(one, field)) for field, _ in _COLUMNS),
            f"{one.length:.0f}",
            f"{one.floor_length:.0f}",
        ]
        for one in found
    ]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{100 * value:.1f}"
