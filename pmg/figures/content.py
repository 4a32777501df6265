"""What a memory holds: when, about what, by whom, how good. Pure functions from Data to a figure."""

from __future__ import annotations

from collections import Counter

import numpy as np
import plotly.graph_objects as go

from pmg.analytics.questions import Data
from pmg.figures import shapes, style
from pmg.figures.colours import speaker_colours, topic_colour
from pmg.figures.growth import EMPTY
from pmg.figures.labelled_bars import LabelledBar, labelled_bars
from pmg.figures.memory_words import HOW_MUCH, state_name

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
STATES = {
    "active": style.COLOURS[0],
    "duplicate": style.COLOURS[2],
    "merged": style.COLOURS[1],
    "archived": style.NEUTRAL,
}
# From nothing to much, readable on light and dark: nothing is the ground itself.
SCALE = ((0.0, "rgba(43,139,130,0.05)"), (0.25, "rgba(43,139,130,0.35)"), (1.0, "rgba(43,139,130,1)"))
SPEAKERS = 14  # that are named
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
            zmin=0,
            colorbar=_scale("memories", **shapes.whole_steps(int(counted.max()))),
            customdata=[
                [shapes.pick("hour", f"{day}-{hour}") if n else "" for hour, n in enumerate(row)]
                for day, row in enumerate(counted.tolist(), 1)
            ],
            hovertemplate="%{y} from %{x}:00<br>%{z:,} memories<extra></extra>",
        )
    )
    shapes.apply_style(figure, 330, legend=False)
    return figure.update_layout(
        xaxis={"title": {"text": "hour of the day"}, "dtick": 3, "showgrid": False, "zeroline": False},
        yaxis={"autorange": "reversed", "showgrid": False},
    )


def _scale(counted: str, **ticks: object) -> dict[str, object]:
    """What a colour stands for, above the field on the left: beside it a phone has no room."""
    return {
        "title": {"text": counted, "side": "top", "font": {"size": 12}},
        "orientation": "h",
        "thickness": 8,
        "len": 0.5,
        "x": 0,
        "xanchor": "left",
        "y": 1.02,
        "yanchor": "bottom",
        "outlinewidth": 0,
        "nticks": 5,
        **ticks,
    }


def topic_river(data: Data) -> go.Figure:
    """Topics as a stream: its width is how much was said in a month."""
    found = shapes.counts(data.table, "month", "topic", "segments")
    if not found:
        return shapes.nothing(
            "No topics yet in this range: they come with an import, and “Find topics now” on the Steward page looks for them."
        )
    names = dict(zip(*(map(str, data.table.column(c).to_pylist()) for c in ("topic", "name")), strict=True))
    kept = shapes.largest(found, RIVER)
    months = shapes.months_between([month for mine in kept.values() for month in mine])
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


def people(data: Data) -> go.Figure:
    """Who speaks, by words."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(EMPTY)
    words: Counter[str] = Counter()
    for row in rows:
        words[row["person"]] += row["words"]
    shown = sorted(words, key=lambda one: (-words[one], one))[:SPEAKERS]
    colours = speaker_colours(rows)
    bars = [LabelledBar(one or "–", words[one], colours[one], shapes.pick("speaker", one)) for one in shown]
    return labelled_bars(bars, "words")


def people_months(data: Data) -> go.Figure:
    """Who spoke when."""
    found = shapes.counts(data.table, "month", "person", "lines")
    if not found:
        return shapes.nothing(EMPTY)
    kept = shapes.largest(found, RIVER)
    colours = {**speaker_colours(data.table.to_pylist()), shapes.OTHERS: style.NEUTRAL}
    return shapes.bars(kept, colours, "lines", "month", "speaker")


def quality_spread(data: Data) -> go.Figure:
    """How much memories tell, as judged when they were written."""
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
                name=state_name(state),
                marker={"color": STATES[state]},
                customdata=[[row["quality"], row["quality"] + 0.05] for row in mine],
                hovertemplate="tells %{customdata[0]:.2f} to %{customdata[1]:.2f}<br>%{y:,} memories<extra>"
                + state_name(state)
                + "</extra>",
            )
        )
    shapes.apply_style(figure)
    return figure.update_layout(
        barmode="stack",
        xaxis={"title": {"text": HOW_MUCH}, "range": [0, 1]},
        yaxis={"title": {"text": "memories"}},
    )


def quality_by_age(data: Data) -> go.Figure:
    """How much memories tell against their age: as a share of each month."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing(EMPTY)
    months = shapes.months_between([row["month"] for row in rows])
    if len(months) == 1:
        return shapes.nothing(
            f"Everything was said in {months[0]:%B %Y}: there is no other month to compare it with yet."
        )
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
            zmin=0,
            colorbar=_scale("share of the month", tickformat=".0%"),
            xgap=1,
            ygap=1,
            hovertemplate="said in %{x|%B %Y}, telling about %{y:.2f}<br>%{customdata[0]:,.0f} memories (%{z:.0%} of the month), "
            "recalled %{customdata[1]:,.0f} times<extra></extra>",
        )
    )
    shapes.apply_style(figure, 380, legend=False)
    return figure.update_layout(
        yaxis={"title": {"text": HOW_MUCH}}, xaxis={"gridcolor": "rgba(0,0,0,0)", **shapes.month_ticks(months)}
    )
