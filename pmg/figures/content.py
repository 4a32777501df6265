"""What a memory holds: when, about what, by whom, how good. Pure functions from Data to a figure."""

from __future__ import annotations

from collections import Counter
from datetime import date

import numpy as np
import plotly.graph_objects as go

from pmg.analytics.questions import Data
from pmg.figures import shapes, style
from pmg.figures.growth import EMPTY, ROLES
from pmg.figures.topic_colours import topic_colour

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
STATES = {
    "active": style.COLOURS[0],
    "duplicate": style.COLOURS[2],
    "merged": style.COLOURS[1],
    "archived": style.NEUTRAL,
}
# From nothing to much, readable on light and dark: nothing is the ground itself.
SCALE = ((0.0, "rgba(43,139,130,0.05)"), (0.25, "rgba(43,139,130,0.35)"), (1.0, "rgba(43,139,130,1)"))
RIVER = 9  # topics with a colour of their own
MIN_STREAM_MONTHS = 3  # with fewer a stream is a wedge that tells nothing


def activity(data: Data) -> go.Figure:
    """When things are said: day of the week by hour."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(EMPTY)
    counted = np.zeros((7, 24), dtype=np.int64)
    for row in rows:
        counted[row["weekday"] - 1, row["hour"]] = row["segments"]
    figure = go.Figure(
        go.Heatmap(
            z=counted,
            x=list(range(24)),
            y=list(DAYS),
            colorscale=[list(step) for step in SCALE],
            xgap=2,
            ygap=2,
            showscale=False,
            customdata=[
                [shapes.pick("hour", f"{day}-{hour}") if n else "" for hour, n in enumerate(row)]
                for day, row in enumerate(counted.tolist(), 1)
            ],
            hovertemplate="%{y} from %{x}:00<br>%{z:,} memories<extra></extra>",
        )
    )
    shapes.apply_style(figure, 280, legend=False)
    return figure.update_layout(
        xaxis={"title": {"text": "hour of the day"}, "dtick": 3, "gridcolor": "rgba(0,0,0,0)"},
        yaxis={"autorange": "reversed", "gridcolor": "rgba(0,0,0,0)"},
    )


def topic_river(data: Data) -> go.Figure:
    """Topics as a stream: its width is how much was said in a month."""
    found = shapes.counts(data.table, "month", "topic", "segments")
    if not found:
        return shapes.nothing(
            "No topics yet in this range: they come with an import, and “Find topics now” on the Steward page looks for them."
        )
    names = dict(zip(*(map(str, data.table.column(c).to_pylist()) for c in ("topic", "name")), strict=True))
    kept = shapes.largest(found, RIVER)
    months = _months({month for mine in kept.values() for month in mine})
    lower = -sum(np.array([mine.get(month, 0) for month in months]) for mine in kept.values()) / 2
    colours = {topic: topic_colour(topic) if topic.isdigit() else style.NEUTRAL for topic in kept}
    if len(months) < MIN_STREAM_MONTHS:
        return shapes.bars(kept, colours, "memories", "month", "topic", names)
    figure = go.Figure(
        go.Scatter(x=months, y=lower, mode="lines", line={"width": 0}, hoverinfo="skip", showlegend=False)
    )
    for topic, mine in kept.items():
        counted = np.array([mine.get(month, 0) for month in months])
        lower = lower + counted
        label = style.short_label(names.get(topic, topic))
        figure.add_trace(
            go.Scatter(
                x=months,
                y=lower,
                name=label,
                mode="lines",
                fill="tonexty",
                line={"color": colours[topic], "width": 0.5, "shape": "spline", "smoothing": 0.6},
                fillcolor=colours[topic],
                customdata=[
                    [shapes.pick("topic", topic, month, "month") if topic.isdigit() and n else "", int(n)]
                    for month, n in zip(months, counted, strict=True)
                ],
                hovertemplate=f"%{{x|%B %Y}}<br>%{{customdata[1]}} memories<extra>{label}</extra>",
            )
        )
    shapes.apply_style(figure, 420)
    return figure.update_layout(
        xaxis=shapes.month_ticks(months), yaxis={"visible": False}, legend={"traceorder": "normal"}
    )


def _months(held: set[date]) -> list[date]:
    """Every first of a month between the ends: a stream has no gaps."""
    first, last = min(held), max(held)
    count = 12 * (last.year - first.year) + last.month - first.month + 1
    return [date(first.year + (first.month - 1 + i) // 12, (first.month - 1 + i) % 12 + 1, 1) for i in range(count)]


def _at_least(count: int, months: list[date]) -> list[date]:
    """With empty ones before the first: a picture of a single month has no scale."""
    while len(months) < count:
        first = months[0]
        months = [date(first.year - (first.month == 1), (first.month - 2) % 12 + 1, 1), *months]
    return months


def people(data: Data) -> go.Figure:
    """Who speaks, by words."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(EMPTY)
    words: Counter[str] = Counter()
    by_role: dict[
        str, dict[str, tuple[int, int]]
    ] = {}  # for each role and person: words and lines, under every name they have
    for row in rows:
        words[row["person"]] += row["words"]
        said, lines = by_role.setdefault(row["role"], {}).get(row["person"], (0, 0))
        by_role[row["role"]][row["person"]] = (said + row["words"], lines + row["lines"])
    shown = sorted(words, key=lambda one: (-words[one], one))[:14]
    figure = go.Figure()
    for role in (one for one in ROLES if one in by_role):
        mine = {one: by_role[role][one] for one in shown if one in by_role[role]}
        figure.add_trace(
            go.Bar(
                y=[_called(one) for one in mine],
                x=[said for said, _ in mine.values()],
                customdata=[[shapes.pick("speaker", one), lines] for one, (_, lines) in mine.items()],
                orientation="h",
                name=role,
                marker={"color": ROLES[role]},
                hovertemplate="%{y}<br>%{x:,} words in %{customdata[1]:,} lines<extra>" + role + "</extra>",
            )
        )
    shapes.apply_style(figure, max(220, 80 + 26 * len(shown)))
    order = [_called(one) for one in shown]
    return figure.update_layout(
        barmode="stack",
        xaxis={"title": {"text": "words"}},
        yaxis={"categoryorder": "array", "categoryarray": order[::-1], "type": "category"},
    )


def _called(person: str) -> str:
    return style.short_label(person) or "–"


def people_months(data: Data) -> go.Figure:
    """Who spoke when."""
    found = shapes.counts(data.table, "month", "person", "lines")
    if not found:
        return shapes.nothing(EMPTY)
    kept = shapes.largest(found, RIVER)
    return shapes.bars(kept, shapes.coloured(list(kept)), "lines", "month", "speaker")


def quality_spread(data: Data) -> go.Figure:
    """How good what is stored is, as judged when it was written."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(EMPTY)
    figure = go.Figure()
    for state in (one for one in STATES if any(row["state"] == one for row in rows)):
        mine = [row for row in rows if row["state"] == state]
        figure.add_trace(
            go.Bar(
                x=[row["quality"] + 0.025 for row in mine],
                y=[row["segments"] for row in mine],
                width=0.047,
                name=state,
                marker={"color": STATES[state]},
                customdata=[[row["quality"], row["quality"] + 0.05] for row in mine],
                hovertemplate="quality %{customdata[0]:.2f} to %{customdata[1]:.2f}<br>%{y:,} memories<extra>"
                + state
                + "</extra>",
            )
        )
    shapes.apply_style(figure)
    return figure.update_layout(
        barmode="stack",
        xaxis={"title": {"text": "quality"}, "range": [0, 1]},
        yaxis={"title": {"text": "memories"}},
    )


def quality_by_age(data: Data) -> go.Figure:
    """Quality against age: each month's memories by quality, as a share of that month."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(EMPTY)
    months = _at_least(shapes.FEW_BARS, _months({row["month"] for row in rows}))
    column = {month: i for i, month in enumerate(months)}
    counted, hits = np.zeros((10, len(months))), np.zeros((10, len(months)), dtype=np.int64)
    for row in rows:
        place = min(9, round(10 * row["quality"])), column[row["month"]]
        counted[place], hits[place] = row["segments"], row["hits"]
    share = counted / np.maximum(counted.sum(axis=0), 1)
    figure = go.Figure(
        go.Heatmap(
            x=months,
            y=[i / 10 + 0.05 for i in range(10)],
            z=share,
            customdata=np.dstack([counted, hits]),
            colorscale=[list(step) for step in SCALE],
            showscale=False,
            xgap=1,
            ygap=1,
            hovertemplate="said in %{x|%B %Y}, quality about %{y:.2f}<br>%{customdata[0]:,.0f} memories (%{z:.0%} of the month), "
            "recalled %{customdata[1]:,.0f} times<extra></extra>",
        )
    )
    shapes.apply_style(figure, legend=False)
    return figure.update_layout(
        yaxis={"title": {"text": "quality"}}, xaxis={"gridcolor": "rgba(0,0,0,0)", "tickformat": "%b %Y"}
    )
