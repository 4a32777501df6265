"""The report as a chart: recall of every ranking side by side.

Knows: plotly.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.cases import RAW
from benchmarks.metrics import LEVELS, Level
from benchmarks.report import BenchReport
from benchmarks.tables import NAMES
from pmg.base.errors import InputError

if TYPE_CHECKING:
    import plotly.graph_objects as go

ENDINGS = (".html", ".json", ".png")
COLOURS = {"pmg": "#1f4e79", "fixed": "#c55a11", "rrf": "#8faadc", "bm25": "#a5a5a5", "dense": "#d0cece"}
TITLES: dict[Level, str] = {
    "turn": "turns found",
    "segment": "segments found",
    "session": "sessions found",
    "context": "evidence in the context (tokens)",
}


def chart(report: BenchReport) -> go.Figure:
    """One panel a level, one group of bars a figure, one bar a ranking."""
    from plotly.subplots import make_subplots  # takes a second to import: only when a chart is asked for

    summaries = report.labels[RAW]
    levels = [level for level in LEVELS if any(m.level == level for s in summaries.values() for m in s.figures)]
    figure = make_subplots(rows=1, cols=len(levels), subplot_titles=[TITLES[level] for level in levels])
    for column, level in enumerate(levels, 1):
        for name, summary in summaries.items():
            bars = {m.name: value for m, value in summary.figures.items() if m.level == level}
            if bars:
                figure.add_bar(
                    x=list(bars), y=[round(v, 2) for v in bars.values()], name=NAMES.get(name, name), legendgroup=name,
                    showlegend=column == 1, marker_color=COLOURS.get(name), row=1, col=column,
                )  # fmt: skip
    figure.update_yaxes(range=[0, 100])
    figure.update_xaxes(type="category")
    title = f"{report.dataset.name}: {report.dataset.headline_name}, per cent"
    figure.update_layout(title=title, barmode="group", template="plotly_white", legend={"orientation": "h"})
    return figure


def checked(file: Path) -> Path:
    """Refuses an ending that cannot be written, before an hour of work is done."""
    if file.suffix not in ENDINGS:
        raise InputError(f"{file.name} cannot be a figure: end it with {', '.join(ENDINGS)}.")
    if file.suffix == ".png" and importlib.util.find_spec("kaleido") is None:
        raise InputError("A .png needs the package kaleido, which is not installed: ask for .html or .json instead.")
    return file


def write(report: BenchReport, file: Path) -> None:
    figure = chart(report)
    if file.suffix == ".png":
        figure.write_image(file)
    elif file.suffix == ".json":
        file.write_text(figure.to_json(), encoding="utf-8")
    else:
        figure.write_html(file, include_plotlyjs=True)  # whole in itself: opening it asks nobody for anything
