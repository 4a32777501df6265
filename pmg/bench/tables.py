"""The report as tables: for the terminal and as Markdown.

Knows: which figures stand together and how a cell reads. Does not know: how they were measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table as RichTable

from pmg.bench.ablate import Worth
from pmg.bench.bootstrap import Interval
from pmg.bench.metrics import Metric
from pmg.bench.report import Report, Summary, columns
from pmg.bench.run import machine

NAMES = {
    "pmg": "PMG",
    "fixed": "published fixed expansion",
    "rrf": "RRF of both (floor)",
    "bm25": "BM25 alone (floor)",
    "dense": "dense alone (floor)",
}


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(report: Report) -> list[Table]:
    """In the order in which a person reads them."""
    found: list[Table] = []
    for label, summaries in report.labels.items():
        questions = max(summary.questions for summary in summaries.values())
        about = f"{report.dataset.headline_name}, {questions} questions, {label} labels"
        found.append(_main(f"Found, per cent ({about})", summaries))
    for label, summaries in report.labels.items():
        found += [_categories(f"{name}: by category ({label} labels)", s) for name, s in _ours(summaries)]
    if report.ablations:
        found.append(_ablations(report.ablations))
    return found


def _ours(summaries: Mapping[str, Summary]) -> list[tuple[str, Summary]]:
    return [(NAMES.get(name, name), summary) for name, summary in summaries.items() if name in ("pmg", "bm25")]


def _main(title: str, summaries: Mapping[str, Summary]) -> Table:
    metrics = _distinct(columns(summaries.values()), summaries)
    rows = [
        (NAMES.get(name, name), *(_cell(s.figures.get(m)) for m in metrics), _latency(s))
        for name, s in summaries.items()
    ]
    return Table(title, ("ranking", *(_head(m) for m in metrics), "ms p50/p95"), tuple(rows))


def _distinct(metrics: Sequence[Metric], summaries: Mapping[str, Summary]) -> list[Metric]:
    """Where every segment is one line, the segment figures repeat the turn figures: they are left out of the table."""
    same = all(
        s.figures.get(m) == s.figures.get(Metric("turn", m.name))
        for s in summaries.values()
        for m in metrics
        if m.level == "segment"
    )
    return [m for m in metrics if not (same and m.level == "segment")]


def _categories(title: str, summary: Summary) -> Table:
    metrics = _distinct(columns([summary]), {"": summary})
    rows = [(name, str(n), *(_cell(f.get(m)) for m in metrics)) for name, (n, f) in summary.by_category.items()]
    return Table(title, ("category", "questions", *(_head(m) for m in metrics)), tuple(rows))


def _ablations(worths: Sequence[Worth]) -> Table:
    metrics = list(dict.fromkeys(metric for worth in worths for metric in worth.lost))
    rows = [
        (worth.part, *(_interval(worth.lost.get(m), worth.off) for m in metrics or [Metric("turn", "R@10")]))
        for worth in worths
    ]
    title = "What each part is worth: points lost without it, with a 95 % interval (paired bootstrap)"
    return Table(title, ("without", *(_head(m) for m in metrics or [Metric("turn", "R@10")])), tuple(rows))


def _head(metric: Metric) -> str:
    return f"context {metric.name}" if metric.level == "context" else str(metric)


def _cell(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.1f}"


def _latency(summary: Summary) -> str:
    return f"{summary.latency[0]:.1f} / {summary.latency[1]:.1f}" if summary.latency else "–"


def _interval(found: Interval | None, off: str) -> str:
    if found is None or not found.pairs:
        return off or "–"
    return f"{100 * found.mean:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}]{'' if found.sure else ' ?'}"


def rich_table(table: Table) -> RichTable:
    drawn = RichTable(title=table.title, box=box.SIMPLE, title_justify="left", title_style="bold")
    for place, name in enumerate(table.head):
        drawn.add_column(name, justify="left" if place == 0 else "right", overflow="fold")
    for row in table.rows:
        drawn.add_row(*row, style="bold" if row[0] == NAMES["pmg"] else "")
    return drawn


def about(report: Report) -> list[str]:
    """What was run, in sentences: under the tables on the terminal and above them in the file."""
    counts, where = report.run.counts, machine()
    built = f"{counts['memories']} memories, {counts['sessions']} sessions, {counts['segments']} segments"
    lines = [
        f"{report.dataset.name}: {built}; embeddings by {report.model.name}, no language model, default settings"
        f" on {where['cores']} cores ({where['architecture']}). Times are without the embedding of the question."
    ]
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


def markdown(report: Report) -> str:
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
