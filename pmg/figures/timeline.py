"""A memory over time: bars while far, one point a memory while near.

Knows: how the two are drawn. Does not know: where the rows come from or what was asked for.
A bar's `customdata` is the range it stands for, a point's the id of its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import plotly.graph_objects as go

from pmg.figures import style

HEIGHT = 380
LANES = 22  # sessions that get a title of their own; beyond this the titles would lie on each other
RANGE = "range:"  # what a click on a bar gives begins with this
_SAID = {"year": "%Y", "month": "%B %Y", "day": "%A %d %B %Y", "hour": "%a %d %b %Y, %H:00"}


@dataclass(frozen=True, slots=True)
class Bar:
    start: datetime
    end: datetime
    segments: int
    sessions: int


@dataclass(frozen=True, slots=True)
class Series:
    """Everything of one sort, with its colour."""

    title: str
    colour: str
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True)
class Dot:
    id: str
    session: str
    title: str
    at: datetime
    text: str
    sort: str
    colour: str
    faded: bool = False  # not recalled: archived, merged or a duplicate


def bars(series: Sequence[Series], unit: str, since: datetime, until: datetime) -> go.Figure:
    figure = go.Figure([_bars(one, unit) for one in series])
    style.dress(figure, HEIGHT)
    return figure.update_layout(
        barmode="stack",
        bargap=0.08,
        xaxis={"type": "date", "range": [since, until], "gridcolor": "rgba(0,0,0,0)"},
        yaxis={"title": {"text": "memories"}, "gridcolor": style.GRID, "fixedrange": True, "rangemode": "tozero"},
        hovermode="closest",
        dragmode="zoom",
    )


def _bars(series: Series, unit: str) -> go.Bar:
    middles = [bar.start + (bar.end - bar.start) / 2 for bar in series.bars]
    title = style.name(series.title)
    return go.Bar(
        x=middles,
        y=[bar.segments for bar in series.bars],
        width=[0.92 * (bar.end - bar.start) / timedelta(milliseconds=1) for bar in series.bars],
        name=title,
        marker={"color": series.colour, "line": {"width": 0}},
        customdata=[f"{RANGE}{bar.start.isoformat()}/{bar.end.isoformat()}" for bar in series.bars],
        hovertext=[
            f"{bar.start:{_SAID[unit]}}<br>{title}: {bar.segments} in {bar.sessions} "
            f"{'session' if bar.sessions == 1 else 'sessions'}"
            for bar in series.bars
        ],
        hoverinfo="text",
    )


def lanes(dots: Sequence[Dot], since: datetime, until: datetime) -> go.Figure:
    """A lane for each session, its memories as points along it."""
    lane: dict[str, int] = {}
    for dot in sorted(dots, key=lambda dot: dot.at):
        lane.setdefault(dot.session, len(lane))
    figure = go.Figure([_threads(dots, lane), *_points(dots, lane)])
    if len(lane) <= LANES:
        figure.add_trace(_titles(dots, lane))
    style.dress(figure, max(230, 120 + 36 * min(len(lane), LANES)))
    return figure.update_layout(
        xaxis={"type": "date", "range": [since, until], "gridcolor": style.GRID},
        yaxis={"visible": False, "range": [len(lane) - 0.4, -0.9], "fixedrange": True},
        hovermode="closest",
        dragmode="zoom",
    )


def _threads(dots: Sequence[Dot], lane: dict[str, int]) -> go.Scatter:
    """A line from the first to the last memory of each session."""
    x: list[datetime | None] = []
    y: list[float | None] = []
    for session, row in lane.items():
        times = [dot.at for dot in dots if dot.session == session]
        x += [min(times), max(times), None]
        y += [row, row, None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": style.NEUTRAL, "width": 2},
        opacity=0.5,
        hoverinfo="skip",
        showlegend=False,
    )


def _points(dots: Sequence[Dot], lane: dict[str, int]) -> list[go.Scatter]:
    traces = []
    for sort in dict.fromkeys(dot.sort for dot in dots):
        mine = [dot for dot in dots if dot.sort == sort]
        traces.append(
            go.Scatter(
                x=[dot.at for dot in mine],
                y=[lane[dot.session] for dot in mine],
                mode="markers",
                name=style.name(sort),
                customdata=[dot.id for dot in mine],
                hovertext=[f"{dot.at:%a %d %b %Y, %H:%M}<br>{style.said(dot.text)}" for dot in mine],
                hoverinfo="text",
                marker={
                    "size": 13,
                    "color": mine[0].colour,
                    "symbol": ["circle-open" if dot.faded else "circle" for dot in mine],
                    "line": {"width": 1.5, "color": mine[0].colour},
                },
            )
        )
    return traces


def _titles(dots: Sequence[Dot], lane: dict[str, int]) -> go.Scatter:
    first = {session: min((dot for dot in dots if dot.session == session), key=lambda dot: dot.at) for session in lane}
    return go.Scatter(
        x=[first[session].at for session in lane],
        y=[row - 0.32 for row in lane.values()],
        mode="text",
        text=[style.name(first[session].title or "Untitled", 44) for session in lane],
        textposition="middle right",
        textfont={"size": 11},
        hoverinfo="skip",
        showlegend=False,
    )


def nothing(sentence: str) -> go.Figure:
    """An empty figure that says why it is empty."""
    figure = style.dress(go.Figure(), 220, legend=False)
    figure.add_annotation(text=style.said(sentence), x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False)
    return figure.update_layout(xaxis={"visible": False}, yaxis={"visible": False})
