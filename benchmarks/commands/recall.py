"""`python -m benchmarks …`: how good this memory is, measured here, with its floors beside it.

Knows: the options and what is printed and saved. What is measured stands in benchmarks.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pmg import config as configuration
from pmg.base.errors import ConfigError, InputError
from pmg.cli import console

if TYPE_CHECKING:
    from benchmarks.cases import Dataset
    from benchmarks.rankings import Ranker
    from benchmarks.report import BenchReport
    from benchmarks.run import Watch
    from benchmarks.signals import QuestionSignals
    from benchmarks.steward import StewardResult
    from pmg.embed.embedder import Embedder

bench = typer.Typer(
    name="benchmarks",
    help="Measure this memory on public benchmarks, with the floors in the same run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Data = Annotated[Path, typer.Argument(help="The benchmark's file, or the folder that holds it.")]
Json = Annotated[Path | None, typer.Option("--json", help="Save every figure here as JSON.")]
Markdown = Annotated[Path | None, typer.Option(help="Save the tables here as Markdown.")]
Figure = Annotated[
    Path | None, typer.Option(help="Save a chart here: .html, .json, or .png where kaleido is installed.")
]
Limit = Annotated[int | None, typer.Option(help="Only the first N memories, for a quick look.")]
Ablate = Annotated[
    bool, typer.Option("--ablate", help="Also switch off one part at a time and show what each is worth.")
]
Set = Annotated[list[str] | None, typer.Option("--set", help="Another value for a knob of recall, like pool=100.")]
Only = Annotated[list[str] | None, typer.Option("--only", help="Only this ranking (several times for several).")]
Questions = Annotated[
    int | None, typer.Option(help="Only N questions, drawn from every category in turn, with their memories.")
]
Seed = Annotated[int, typer.Option(help="Which questions --questions draws: the same number draws the same.")]
Folds = Annotated[
    int | None,
    typer.Option(
        help="Also choose the weights of recall on K-1 of K parts of the memories and test them on the other."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(help="Save every question here, one JSON a line: rank and signals of its gold, its first candidates."),
]
Fillers = Annotated[
    int | None,
    typer.Option(help="Draw the sessions without evidence from N for all memories: a fraction of the embedding."),
]
Model = Annotated[
    str, typer.Option(help="The embedding model: bundled, multilingual, a folder, or a sentence-transformers name.")
]


@bench.command()
def locomo(
    path: Data,
    audit: Annotated[Path | None, typer.Option(help="The list of wrong labels (else found beside the data).")] = None,
    as_json: Json = None,
    markdown: Markdown = None,
    figure: Figure = None,
    limit: Limit = None,
    ablate: Ablate = False,
    knobs: Set = None,
    only: Only = None,
    model: Model = "bundled",
    questions: Questions = None,
    seed: Seed = 1,
    folds: Folds = None,
    out: Out = None,
) -> None:
    """LoCoMo: long conversations between two people; which turns answer a question?"""
    from benchmarks import locomo as loader

    with console.errors():
        _bench(
            lambda: loader.load(path, audit),
            BenchOptions(limit, ablate, given(knobs or []), tuple(only or ()), model, questions, seed, folds, out),
            as_json,
            markdown,
            figure,
        )


@bench.command()
def longmemeval(
    paths: Annotated[list[Path], typer.Argument(help="The benchmark's files, or the folder that holds its one file.")],
    as_json: Json = None,
    markdown: Markdown = None,
    figure: Figure = None,
    limit: Limit = None,
    ablate: Ablate = False,
    knobs: Set = None,
    only: Only = None,
    model: Model = "bundled",
    questions: Questions = None,
    seed: Seed = 1,
    folds: Folds = None,
    out: Out = None,
    fillers: Fillers = None,
) -> None:
    """LongMemEval: a haystack of chats with an assistant; which messages answer a question?"""
    from benchmarks import cases
    from benchmarks import longmemeval as loader

    with console.errors():
        _bench(
            lambda: cases.sharing_fillers(cases.joined([loader.load(path) for path in paths]), fillers, seed),
            BenchOptions(limit, ablate, given(knobs or []), tuple(only or ()), model, questions, seed, folds, out),
            as_json,
            markdown,
            figure,
        )


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What is to be measured, as typed."""

    limit: int | None
    ablate: bool
    knobs: Mapping[str, Any]
    only: tuple[str, ...]
    model: str
    questions: int | None
    seed: int
    folds: int | None
    out: Path | None


@bench.command()
def steward(
    sizes: Annotated[str, typer.Option(help="Segments, with commas between.")] = "10000,30000,100000",
    as_json: Json = None,
) -> None:
    """What upkeep costs by size, beside the plain library's all-against-all on the same vectors in the same run."""
    with console.errors():
        from dataclasses import asdict

        from benchmarks import steward as measuring

        console.say("segments   score s   new 1,000 s   sweep s   plain s   ratio   extra MB   pairs")
        found = measuring.run([int(size) for size in sizes.split(",")], _show_upkeep)
        if as_json is not None:
            as_json.write_text(json.dumps([asdict(r) for r in found], indent=2) + "\n", encoding="utf-8")


def _show_upkeep(r: StewardResult) -> None:
    console.say(
        f"{r.segments:8}  {r.score_s:8.2f}  {r.incremental_s:12.2f}  {r.sweep_s:8.2f}  {r.floor_s:8.2f}  "
        f"{r.sweep_ratio:6.2f}  {r.sweep_extra_mb:9.0f}  {r.pairs:6}"
    )
    for one in r.contention:
        console.say(
            f"          {one.what} p50/p95 usual {one.usual_p50:.1f}/{one.usual_p95:.1f} ms, "
            f"beside a {one.work} {one.p50:.1f}/{one.p95:.1f} ms ({one.ratio:.2f} ×, {one.ratio_p95:.2f} ×)"
        )


def _bench(
    load: Callable[[], Dataset], asked: BenchOptions, as_json: Path | None, markdown: Path | None, figure: Path | None
) -> None:
    from benchmarks import figure as charts

    if figure is not None:
        charts.checked(figure)
    report = measured(load, asked)
    show(report)
    save(report, as_json, markdown, figure)


def given(knobs: list[str]) -> dict[str, Any]:
    """`name=value` as typed, in the type of the knob; the values are checked where all are."""
    found = {}
    for text in knobs:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--set {text!r} has no value: write it like pool=100.")
        found[name.strip()] = configuration.value_from_text("recall", name.strip(), value.strip())
    return found


def measured(load: Callable[[], Dataset], asked: BenchOptions) -> BenchReport:
    from benchmarks import ablate, cases, folds, report, run, signals

    config = configuration.with_values(configuration.Config(Path()), {"recall": asked.knobs}, "--set")
    with console.bar() as progress:
        dataset = cases.sampled(cases.limited(load(), asked.limit), asked.questions, asked.seed)
        rankers = chosen(asked) | (ablate.rankers(config.recall, asked.knobs) if asked.ablate else {})
        embedder = embedder_for(asked.model, progress)
        seen: dict[str, list[QuestionSignals]] = {case.name: [] for case in dataset.cases}
        done = run.run(dataset, embedder, rankers, progress, _watcher(asked, seen))
    if asked.out is not None:
        signals.write(asked.out, (one for memory in seen.values() for one in memory))
    counted = [[one for one in memory if one.category in dataset.headline] for memory in seen.values()]
    tried = folds.cross_validated(counted, asked.folds) if asked.folds is not None else ()
    worths = ablate.worths(done, config.recall, dataset.headline) if asked.ablate else ()
    return report.make(dataset, embedder, config, done, worths, _command(), tried)


def _watcher(asked: BenchOptions, seen: dict[str, list[QuestionSignals]]) -> Watch | None:
    """Keeps the signals of every question where something is to be made of them."""
    from benchmarks import signals

    if asked.out is None and asked.folds is None:
        return None
    return lambda case, engine, question: seen[case.name].append(signals.collect(engine, question, asked.knobs))


def chosen(asked: BenchOptions) -> dict[str, Ranker]:
    """All rankings, or those asked for; what each part is worth is measured against ours, so then ours is always there."""
    from benchmarks import rankings

    known = rankings.rankers(asked.knobs)
    unknown = [name for name in asked.only if name not in known]
    if unknown:
        raise InputError(f"--only {unknown[0]} is no ranking: choose from {', '.join(known)}.")
    wanted = {*asked.only, rankings.OURS} if asked.ablate else set(asked.only)
    return {name: rank for name, rank in known.items() if not asked.only or name in wanted}


def embedder_for(model: str, progress: Callable[[str, int, int], None]) -> Embedder:
    """The model behind a cache of vectors by content: only the first run has to embed."""
    from benchmarks.cache import CachedEmbedder, default_folder
    from pmg.embed.load import default_cache_dir, open_embedder

    inner = open_embedder(model, default_cache_dir())
    return CachedEmbedder(inner, default_folder(), lambda done, total: progress("embedding new texts", done, total))


def _command() -> str:
    """What was typed, without the folders of this machine."""
    words = [Path(word).name if "/" in word else word for word in sys.argv[1:]]
    return shlex.join(["python", "-m", "benchmarks", *words])


def show(report: BenchReport) -> None:
    from benchmarks import tables

    for table in tables.tables(report):
        console.terminal().out.print(tables.rich_table(table))
    for line in tables.about(report):
        console.say(line)


def save(report: BenchReport, as_json: Path | None, markdown: Path | None, figure: Path | None) -> None:
    from benchmarks import figure as charts
    from benchmarks import report as reports
    from benchmarks import tables

    try:
        if as_json is not None:
            text = json.dumps(reports.to_dict(report), ensure_ascii=False, indent=2)
            as_json.write_text(text + "\n", encoding="utf-8")
        if markdown is not None:
            markdown.write_text(tables.markdown(report), encoding="utf-8")
        if figure is not None:
            charts.write(report, figure)
    except OSError as problem:
        raise InputError(f"{problem.filename} cannot be written: {problem.strerror}.") from None
