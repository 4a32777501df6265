"""The report as tables: for the terminal and as Markdown.

Knows: which figures stand together and how a cell reads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table as RichTable

from benchmarks.ablate import SHOWN, Worth
from benchmarks.bootstrap import Interval
from benchmarks.cases import Dataset
from benchmarks.floors import FloorGap
from benchmarks.folds import FoldResult
from benchmarks.metrics import Metric
from benchmarks.report import BenchReport, Summary, columns
from benchmarks.run import machine

NAMES = {
    "pmg": "PMG",
    "fixed": "fixed",
    "rrf": "RRF",
    "bm25": "BM25",
    "dense": "dense",
}
LEGEND = (
    "Floors of the same run on the same indexes: dense and BM25 are one search alone, RRF is both by reciprocal rank (k = 60), "
    "fixed is the published expansion (3 entries, 3 lateral each, ±2 in the chain: about 20 segments)."
)
TIME = "time p50 / p95"
CATEGORIES_OF = ("pmg", "bm25")  # ours, and the strongest plain floor
IN_CATEGORIES = (
    Metric("turn", "R@5"),
    Metric("turn", "R@10"),
    Metric("turn", "R@20"),
    Metric("segment", "R@5"),
    Metric("segment", "R@10"),
    Metric("session", "all@5"),
    Metric("context", "1000"),
)


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(report: BenchReport) -> list[Table]:
    """In the order in which a person reads them; each is narrow enough for a terminal of eighty columns."""
    found: list[Table] = []
    for label, summaries in report.labels.items():
        questions = max(summary.questions for summary in summaries.values())
        about = f"{report.dataset.headline_name}, {questions} questions, {label} labels"
        found += _main(about, summaries, _shown(columns(summaries.values()), report.dataset))
    for label, summaries in report.labels.items():
        found += [
            _categories(
                f"{NAMES[name]} by category, {label} labels: per cent",
                summaries[name],
                [m for m in _shown(columns([summaries[name]]), report.dataset) if m in IN_CATEGORIES],
            )
            for name in CATEGORIES_OF
            if name in summaries
        ]
    if report.gaps:
        found.append(_gaps(report.gaps))
    if report.ablations:
        found.append(_ablations(report.ablations))
    if report.folds:
        found.append(_folds(report.folds))
    return found


def _shown(metrics: Sequence[Metric], dataset: Dataset) -> list[Metric]:
    """Where every segment is one line, the segment figures repeat the turn figures: they are left out of the tables."""
    return [m for m in metrics if not (dataset.one_line and m.level == "segment")]


def _main(about: str, summaries: Mapping[str, Summary], metrics: Sequence[Metric]) -> list[Table]:
    finding = [m for m in metrics if m.level in ("turn", "segment")]
    around = [m for m in metrics if m.level not in ("turn", "segment")]
    found = [(_name(name), *_cells(s, finding), _latency(s)) for name, s in summaries.items()]
    inside = [(_name(name), *_cells(s, around)) for name, s in summaries.items()]
    return [
        Table(f"Evidence found: per cent ({about}); time: ms", ("ranking", *map(_head, finding), TIME), tuple(found)),
        Table(
            f"Sessions found; evidence in a context of so many tokens: per cent ({about})",
            ("ranking", *map(_head, around)),
            tuple(inside),
        ),
    ]


def _name(name: str) -> str:
    return NAMES.get(name, name)


def _cells(summary: Summary, metrics: Sequence[Metric]) -> tuple[str, ...]:
    return tuple(_cell(summary.figures.get(metric)) for metric in metrics)


def _categories(title: str, summary: Summary, metrics: Sequence[Metric]) -> Table:
    rows = [(name, str(n), *(_cell(f.get(m)) for m in metrics)) for name, (n, f) in summary.by_category.items()]
    return Table(title, ("category", "asked", *map(_head, metrics)), tuple(rows))


def _ablations(worths: Sequence[Worth]) -> Table:
    metrics = list(dict.fromkeys(metric for worth in worths for metric in worth.added)) or [SHOWN[0]]
    rows = [
        (worth.part, "on" if worth.default else "off", *(_interval(worth.added.get(m)) for m in metrics))
        for worth in worths
    ]
    title = (
        "What each part adds: points, with it less without it [95 % interval, paired bootstrap]; ? where zero is inside"
    )
    return Table(title, ("part", "default", *map(_head, metrics)), tuple(rows))


def _gaps(gaps: Sequence[FloorGap]) -> Table:
    """A row a category, a column a cut-off: the difference, its interval, and which floor is the best there."""
    metrics = list(dict.fromkeys(gap.metric for gap in gaps))
    cells = {(gap.category, gap.metric): gap for gap in gaps}
    groups = {gap.category: gap.questions for gap in gaps}
    rows = [
        (name, str(asked), *(_gap(cells.get((name, metric))) for metric in metrics)) for name, asked in groups.items()
    ]
    title = "PMG less the best floor of the same run: points [95 % interval, paired bootstrap] that floor; ! where the whole interval is below zero"
    return Table(title, ("category", "asked", *map(_head, metrics)), tuple(rows))


def _gap(gap: FloorGap | None) -> str:
    if gap is None or not gap.gap.pairs:
        return "–"
    found = gap.gap
    return (
        f"{100 * found.mean:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
        f" {_name(gap.floor)}{' !' if gap.fault else ''}"
    )


def _folds(folds: Sequence[FoldResult]) -> Table:
    """Train and test of each fold: what the choice reaches, and in brackets what today's weights do."""
    rows = []
    for fold in folds:
        for side, chosen, today in (("train", fold.train, fold.today_train), ("test", fold.test, fold.today_test)):
            cells = (f"{100 * chosen[m]:.1f} ({100 * today[m]:.1f})" for m in chosen)
            rows.append((f"{fold.fold} {side}", fold.chosen, str(fold.questions), *cells))
    title = "Weights chosen on the other folds: per cent, and in brackets with today's weights"
    return Table(title, ("fold", "chosen", "tested on", *map(_head, folds[0].train)), tuple(rows))


def _head(metric: Metric) -> str:
    return f"context {metric.name}" if metric.level == "context" else str(metric)


def _cell(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.1f}"


def _latency(summary: Summary) -> str:
    return f"{summary.latency[0]:.1f} / {summary.latency[1]:.1f}" if summary.latency else "–"


def _interval(found: Interval | None) -> str:
    if found is None or not found.pairs:
        return "–"
    return f"{100 * found.mean:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]{'' if found.sure else ' ?'}"


def rich_table(table: Table) -> RichTable:
    drawn = RichTable(title=table.title, box=box.SIMPLE, padding=(0, 1, 0, 0), title_justify="left", title_style="bold")
    for place, name in enumerate(table.head):
        drawn.add_column(name.replace(" ", "\n", 1), justify="left" if place == 0 else "right", no_wrap=place == 0)
    for row in table.rows:
        drawn.add_row(*row, style="bold" if row[0] == NAMES["pmg"] else "")
    return drawn


def about(report: BenchReport) -> list[str]:
    """What was run, in sentences: under the tables on the terminal and above them in the file."""
    counts, where = report.run.counts, machine()
    built = f"{counts['memories']} memories, {counts['sessions']} sessions, {counts['segments']} segments"
    lines = [
        f"{report.dataset.name}: {built}; embeddings by {report.model.name}, no language model, default settings"
        f" on {where['cores']} cores ({where['architecture']}). Times are without the embedding of the question."
    ]
    lines.append(LEGEND)
    if report.dataset.skipped:
        lines.append(
            "Left out: " + ", ".join(f"{n} {what}" for what, n in sorted(report.dataset.skipped.items()) if n) + "."
        )
    if counts["gold_lines_left_out_as_duplicates"]:
        lines.append(
            f"{counts['gold_lines_left_out_as_duplicates']} lines of evidence repeat an older turn and cannot be found."
        )
    lines += [f"{label.capitalize()} labels: {rule}." for label, rule in report.dataset.notes.items() if label != "raw"]
    return lines


def markdown(report: BenchReport) -> str:
    parts = [f"## {report.dataset.name}", *about(report)]
    if report.command:
        parts.append(f"```\n{report.command}\n```")
    parts += [_markdown(table) for table in tables(report)]
    return "\n\n".join(parts) + "\n"


def _markdown(table: Table) -> str:
    lines = [
        "| " + " | ".join(table.head) + " |",
        "|" + "|".join("---" if i == 0 else "--:" for i in range(len(table.head))) + "|",
        *("| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in table.rows),
    ]
    return f"**{table.title}**\n\n" + "\n".join(lines)


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
