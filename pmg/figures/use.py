"""How a memory is used: recalls, how fast they are, what comes of them. Pure functions from Data to a figure."""

from __future__ import annotations

from datetime import date
from typing import Any

import plotly.graph_objects as go

from pmg.analytics.questions import Data
from pmg.figures import shapes, style
from pmg.figures.labelled_bars import LabelledBar, labelled_bars

NO_RECALLS = "Nothing was recalled in this range."
STEP = 2**0.25  # from one step of recall times to the next, as in the macro recall_latency
REACHED = {"entry": "found by the search", "lateral": "over a link", "vertical": "beside one found"}
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
    if len({row["day"] for row in rows}) == 1:
        return shapes.nothing(_one_day(rows))
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
    return figure.update_layout(
        xaxis=shapes.days_axis([row["day"] for row in rows]),
        yaxis={"title": {"text": "milliseconds"}, "rangemode": "tozero"},
    )


def _one_day(rows: list[dict[str, Any]]) -> str:
    """A single day is no line: what it says is told."""
    day, recalls = rows[0]["day"], sum(row["recalls"] for row in rows)
    half, most = (max(row[key] for row in rows) for key in ("p50_ms", "p95_ms"))
    when = f"{day.day} {day:%B %Y}"
    if recalls == 1:
        return f"One recall so far, on {when}: it took {most:,.0f} milliseconds. From a second day on there is a line."
    return (
        f"All {recalls:,} recalls are of {when}: half took at most {half:,.0f} milliseconds, nineteen of twenty at most {most:,.0f}. "
        "From a second day on there is a line."
    )


def latency(data: Data) -> go.Figure:
    """How recall times are spread."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(NO_RECALLS)
    steps = sorted({row["milliseconds"] for row in rows})
    if len(steps) == 1:
        recalls = sum(row["recalls"] for row in rows)
        all_of_them = "One recall so far: it" if recalls == 1 else f"All {recalls:,} recalls"
        return shapes.nothing(f"{all_of_them} took {_step(steps[0])} milliseconds.")
    figure = go.Figure()
    for i, mode in enumerate(sorted({row["mode"] for row in rows})):
        at = {row["milliseconds"]: row["recalls"] for row in rows if row["mode"] == mode}
        figure.add_trace(
            go.Bar(
                x=[_step(step) for step in steps],
                y=[at.get(step, 0) for step in steps],
                name=style.short_label(mode),
                marker={"color": style.COLOURS[i % len(style.COLOURS)]},
                hovertemplate="%{x} ms<br>%{y:,} recalls<extra></extra>",
            )
        )
    shapes.apply_style(figure)
    return figure.update_layout(
        barmode="stack",
        bargap=0.06,
        xaxis={
            "title": {"text": "milliseconds"},
            "type": "category",
            "range": [-0.6, max(len(steps), MIN_STEPS) - 0.4],
        },
        yaxis={"title": {"text": "recalls"}, **shapes.whole_steps(_largest(rows, "milliseconds", "recalls"))},
    )


def _step(low: float) -> str:
    return "–".join(f"{end:.0f}" if low >= 10 else f"{end:.2g}" for end in (low, low * STEP))


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
    whole = rows[0]["segments"]
    steps = [
        LabelledBar(row["stage"], row["segments"], style.COLOURS[0], more=f"{row['segments'] / whole:.0%}")
        for row in rows
    ]
    return labelled_bars(steps, "memories")


def hit_counts(data: Data) -> go.Figure:
    """How many memories were recalled how often."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There is nothing in recall in this range.")
    bars = [
        LabelledBar(
            _times(row["hits"], row["up_to"]),
            row["segments"],
            style.COLOURS[0] if row["hits"] else style.NEUTRAL,
            shapes.pick("recalled", f"{row['hits']}-{row['up_to']}"),
        )
        for row in rows
    ]
    return labelled_bars(bars, "memories")


def _times(least: int, most: int) -> str:
    if most < 2:
        return "once" if most else "never"
    return f"{least} times" if least == most else f"{least}–{most} times"


def usefulness(data: Data) -> go.Figure:
    """Of what was said in each month: how much was ever recalled."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There is nothing in recall in this range.")
    months = [row["month"] for row in rows]
    if len(months) == 1:
        return _one_month(rows[0])
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


def _one_month(row: dict[str, Any]) -> go.Figure:
    month: date = row["month"]
    bars = [
        LabelledBar(name, count, colour, shapes.pick(kind, day=month, unit="month"), f"{count / row['segments']:.0%}")
        for name, kind, count, colour in (
            ("recalled at least once", "used", row["used"], style.COLOURS[0]),
            ("never recalled", "unused", row["segments"] - row["used"], style.NEUTRAL),
        )
    ]
    return labelled_bars(bars, f"memories said in {month:%B %Y}")


def roles(data: Data) -> go.Figure:
    """How recalled memories were reached."""
    shown = {row["role"]: row for row in data.table.to_pylist()}
    if not shown:
        return shapes.nothing(NO_RECALLS)
    bars = [
        LabelledBar(words, shown[role]["shown"] if role in shown else 0, style.COLOURS[i])
        for i, (role, words) in enumerate(REACHED.items())
    ]
    return labelled_bars(bars, "times shown")
