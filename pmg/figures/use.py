"""How a memory is used: recalls, how fast they are, what comes of them. Pure functions from Data to a figure."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import plotly.graph_objects as go

from pmg.analytics.questions import Data
from pmg.figures import shapes, style

NO_RECALLS = "Nothing was recalled in this range."
FUNNEL = "rgba(43, 139, 130, 0.55)"  # the page's green; words stand on it, dark on light and light on dark
MIN_STEPS = 6  # that the axis of times has room for: a single bar would be as wide as the page
MONTH = 0.9 * 28 * 86_400_000  # milliseconds: the width of a month's bar


def recalls(data: Data) -> go.Figure:
    """Recalls by day: those that showed something, and those that found nothing."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(NO_RECALLS)
    found: shapes.Counts = {"with memories": {}, "nothing found": {}}
    for row in rows:
        for name, value in (("with memories", row["recalls"] - row["empty"]), ("nothing found", row["empty"])):
            found[name][row["day"]] = found[name].get(row["day"], 0) + value
    colours = {"with memories": style.COLOURS[0], "nothing found": style.COLOURS[1]}
    return shapes.bars({name: mine for name, mine in found.items() if any(mine.values())}, colours, "recalls")


def pace(data: Data) -> go.Figure:
    """How fast recall was, day by day."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(NO_RECALLS)
    figure = go.Figure()
    for mode in sorted({row["mode"] for row in rows}):
        mine = [row for row in rows if row["mode"] == mode]
        for key, name, dash in (("p50_ms", "half", "solid"), ("p95_ms", "19 of 20", "dot")):
            figure.add_trace(
                go.Scatter(
                    x=[row["day"] for row in mine],
                    y=[row[key] for row in mine],
                    name=f"{name} ({style.short_label(mode)})",
                    mode="lines+markers",
                    line={"dash": dash, "color": style.COLOURS[0 if mode == "diffuse" else 2]},
                    hovertemplate="%{x|%d %b %Y}<br>within %{y:.0f} ms<extra></extra>",
                )
            )
    shapes.apply_style(figure)
    days = shapes.axis_range([row["day"] for row in rows], timedelta(days=1))
    return figure.update_layout(
        xaxis={"type": "date", "range": days}, yaxis={"title": {"text": "milliseconds"}, "rangemode": "tozero"}
    )


def latency(data: Data) -> go.Figure:
    """How recall times are spread."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(NO_RECALLS)
    figure = go.Figure()
    steps = sorted({row["milliseconds"] for row in rows})
    for i, mode in enumerate(sorted({row["mode"] for row in rows})):
        at = {row["milliseconds"]: row["recalls"] for row in rows if row["mode"] == mode}
        figure.add_trace(
            go.Bar(
                x=[f"{step:.3g}" for step in steps],
                y=[at.get(step, 0) for step in steps],
                name=style.short_label(mode),
                marker={"color": style.COLOURS[i % len(style.COLOURS)]},
                hovertemplate="from %{x} ms<br>%{y:,} recalls<extra></extra>",
            )
        )
    shapes.apply_style(figure)
    return figure.update_layout(
        barmode="stack",
        bargap=0.06,
        xaxis={
            "title": {"text": "milliseconds, at least"},
            "type": "category",
            "range": [-0.6, max(len(steps), MIN_STEPS) - 0.4],
        },
        yaxis={"title": {"text": "recalls"}, **shapes.whole_steps(_largest(rows, "milliseconds", "recalls"))},
    )


def _largest(rows: list[dict[str, Any]], by: str, counted: str) -> float:
    """The tallest bar, of those that stand on each other."""
    sums: dict[Any, float] = {}
    for row in rows:
        sums[row[by]] = sums.get(row[by], 0) + row[counted]
    return max(sums.values(), default=0)


def recall_funnel(data: Data) -> go.Figure:
    """From what is stored to what is used again and again; or the stages of one recall."""
    rows = [row for row in data.table.to_pylist() if row["segments"] is not None]
    if not rows or not rows[0]["segments"]:
        return shapes.nothing("There is nothing stored in this range.")
    figure = go.Figure(
        go.Funnel(
            y=[style.short_label(row["stage"]) for row in rows],
            x=[row["segments"] for row in rows],
            textinfo="value+percent initial",
            insidetextfont={"color": "#1a201f"},  # where no page gives it its own, as in a notebook
            marker={"color": [FUNNEL] * len(rows)},
            connector={"line": {"color": style.GRID}, "fillcolor": style.GRID},
            hovertemplate="%{y}<br>%{x:,}<extra></extra>",
        )
    )
    return shapes.apply_style(figure, legend=False)


def hit_counts(data: Data) -> go.Figure:
    """How many memories were recalled how often."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There is nothing in recall in this range.")
    labels = [f"{r['hits']}" if r["hits"] == r["up_to"] else f"{r['hits']}–{r['up_to']}" for r in rows]
    figure = go.Figure(
        go.Bar(
            x=labels,
            y=[row["segments"] for row in rows],
            customdata=[shapes.pick("recalled", f"{row['hits']}-{row['up_to']}") for row in rows],
            marker={"color": [style.NEUTRAL if row["hits"] == 0 else style.COLOURS[0] for row in rows]},
            hovertemplate="recalled %{x} times<br>%{y:,} memories<extra></extra>",
        )
    )
    shapes.apply_style(figure, legend=False)
    return figure.update_layout(
        xaxis={"title": {"text": "times recalled"}, "type": "category"},
        yaxis={"title": {"text": "memories"}, **shapes.whole_steps(max(row["segments"] for row in rows))},
    )


def usefulness(data: Data) -> go.Figure:
    """Of what was said in each month: how much was ever recalled."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There is nothing in recall in this range.")
    months = [row["month"] for row in rows]
    share = [row["used"] / row["segments"] for row in rows]
    figure = go.Figure()
    for name, kind, values, colour in (
        ("recalled at least once", "used", [row["used"] for row in rows], style.COLOURS[0]),
        ("never recalled", "unused", [row["segments"] - row["used"] for row in rows], style.NEUTRAL),
    ):
        figure.add_trace(
            go.Bar(
                x=months,
                y=values,
                name=name,
                marker={"color": colour},
                width=MONTH,
                customdata=[
                    [shapes.pick(kind, day=month, unit="month"), part]
                    for month, part in zip(months, share, strict=True)
                ],
                hovertemplate="said in %{x|%B %Y}<br>%{y:,} "
                + name
                + " (%{customdata[1]:.0%} recalled)<extra></extra>",
            )
        )
    shapes.apply_style(figure)
    axis = {"title": {"text": "memories said in the month"}, **shapes.whole_steps(max(row["segments"] for row in rows))}
    return figure.update_layout(barmode="stack", xaxis=shapes.months_axis(months), yaxis=axis)


def roles(data: Data) -> go.Figure:
    """How recalled memories were reached."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(NO_RECALLS)
    figure = go.Figure(
        go.Bar(
            x=[row["shown"] for row in rows],
            y=[style.short_label(row["role"]) for row in rows],
            orientation="h",
            marker={"color": [style.COLOURS[i % len(style.COLOURS)] for i in range(len(rows))]},
            customdata=[row["segments"] for row in rows],
            hovertemplate="%{y}<br>shown %{x:,} times<br>%{customdata:,} different memories<extra></extra>",
        )
    )
    shapes.apply_style(figure, 220, legend=False)
    return figure.update_layout(xaxis={"title": {"text": "times shown"}}, yaxis={"autorange": "reversed"})
