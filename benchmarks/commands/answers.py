"""`python -m benchmarks answers`: how good the chat answers without a language model.

Knows: the options and what is printed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.commands import recall
from benchmarks.commands.recall import bench
from pmg.cli import console

if TYPE_CHECKING:
    from benchmarks.answer_fit import HandFigures
    from benchmarks.answers import AnswerFigures
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
            help="Fit the chance of an answer on data/reading instead, tell what it reaches on held-out hands, and save it here as JSON."
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
                save_fit(embedder, progress, fit)
                return
            results = measuring.run(measuring.limited(cases, limit), embedder, progress)
        table = as_markdown(measuring.figures(results))
        console.say(table)
        if markdown is not None:
            markdown.write_text(table + "\n", encoding="utf-8")
        if as_json is not None:
            as_json.write_text(json.dumps(measuring.to_dict(results), indent=2) + "\n", encoding="utf-8")


def save_fit(embedder: Embedder, progress: Progress, file: Path) -> None:
    """What the chance reaches on hands it was not fitted on as a table, and the chance fitted on all of them."""
    from benchmarks import answer_fit
    from pmg.answer import scoring
    from pmg.answer.scoring import AnswerWeights

    hands = answer_fit.lives_by_hand()
    ranked = answer_fit.gather(hands, embedder, progress)
    new = {hand: lives for hand, lives in hands.items() if hand in answer_fit.NOT_TAUGHT}
    read = answer_fit.gather(new, embedder, progress, read=True)
    for rows in (ranked, read):
        console.say(hands_as_markdown(answer_fit.held_out(rows)))
    origin = (
        "ranking: questions of LoCoMo and of the sample; "
        f"chance: {len(ranked)} questions of {len(hands)} hands' lives; reader: {len(read)} of {len(new)}"
    )
    score = {"score": scoring.FITTED.reader["score"]}
    table = AnswerWeights(origin, scoring.FITTED.weights, answer_fit.fitted(ranked), score | answer_fit.fitted(read))
    file.write_text(json.dumps(asdict(table), indent=2) + "\n", encoding="utf-8")


def hands_as_markdown(found: Sequence[HandFigures]) -> str:
    lines = [
        ["hand", "questions", "first", "calibration"],
        ["---", "---:", "---:", "---:"],
        *([one.hand, str(one.questions), _share(one.first), f"{one.calibration:.3f}"] for one in found),
    ]
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
