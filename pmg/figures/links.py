"""The graph and the vectors in numbers: degree, similarity, calibration, a map. Pure functions from Data to a figure.

A threshold is a line drawn into a chart, with its name where it can be read. Which are in force is in pmg/analytics/vectors.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from pmg.analytics.questions import Data
from pmg.figures import shapes, style
from pmg.figures.colours import topic_colour

SORTS = {
    "chain": (style.LINKS["chain"], style.KINDS["chain"]),
    "semantic": (style.LINKS["semantic"], style.KINDS["semantic"]),
    "typed": ("related, supports and other named ones", style.KINDS["related_to"]),
}
PAIRS = {"random pairs": style.NEUTRAL, "linked pairs": style.KINDS["semantic"]}
MEASURED = {
    "paraphrase": ("the same thing said again", style.COLOURS[0]),
    "question": ("a question and what answers it", style.COLOURS[2]),
    "unrelated": ("texts that have nothing to do with each other", style.COLOURS[1]),
    "random": ("random pairs of this memory", style.NEUTRAL),
}
TOPICS = 9  # with a colour of their own


def degrees(data: Data) -> go.Figure:
    """How many links memories have; many links in steps that double, so that a few well linked memories do not squeeze the rest."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There is nothing in recall yet.")
    sorts = [sort for sort in SORTS if any(row["sort"] == sort and row["degree"] for row in rows)]
    if not sorts:
        return shapes.nothing("No memory is linked to another yet.")
    steps = sorted({_step(row["degree"]) for row in rows if row["sort"] in sorts})
    figure = go.Figure()
    for sort in sorts:
        words, colour = SORTS[sort]
        counted = dict.fromkeys(steps, 0)
        for row in rows:
            if row["sort"] == sort:
                counted[_step(row["degree"])] += row["segments"]
        figure.add_trace(
            go.Bar(
                x=[f"{low}" if low == high else f"{low}–{high}" for low, high in steps],
                y=list(counted.values()),
                name=words,
                marker={"color": colour},
                hovertemplate="%{y:,} memories have %{x} links<extra>" + words + "</extra>",
            )
        )
    shapes.apply_style(figure)
    most = max(max(trace.y) for trace in figure.data)
    return figure.update_layout(
        barmode="group",
        xaxis={"title": {"text": "links of a memory"}, "type": "category"},
        yaxis={"title": {"text": "memories"}, **shapes.whole_steps(most)},
    )


def _step(degree: int) -> tuple[int, int]:
    """0, 1, 2, 3–4, 5–8, 9–16 …"""
    if degree <= 2:
        return degree, degree
    high = 1 << (degree - 1).bit_length()
    return high // 2 + 1, high


def similarity(data: Data) -> go.Figure:
    """How alike random and linked pairs are, with the thresholds in force drawn in."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There are no vectors yet: they come as soon as the embedding model is there.")
    figure = go.Figure()
    for pairs, colour in PAIRS.items():
        mine = [row for row in rows if row["pairs"] == pairs]
        figure.add_trace(
            go.Bar(
                x=[row["cosine"] + 0.01 for row in mine] or [None],  # without a place it would not be named at all
                y=[row["share"] for row in mine] or [None],
                width=0.02,
                name=pairs if mine else f"{pairs}: none yet",
                opacity=0.75,
                marker={"color": colour},
                hovertemplate="cosine about %{x:.2f}<br>%{y:.1%} of " + pairs + "<extra></extra>",
            )
        )
    shapes.apply_style(figure, 440)
    figure.update_layout(
        barmode="overlay",
        xaxis={"title": {"text": "cosine"}, "range": [-0.2, 1.02]},
        yaxis={"title": {"text": "share of pairs"}, "tickformat": ".0%"},
    )
    return marked(figure, data.marks)


def calibration(data: Data) -> go.Figure:
    """Which share of each kind of pair reaches a cosine: a threshold is good where the curves lie far apart."""
    found = shapes.columns(data.table)
    figure = go.Figure()
    for key, (label, colour) in MEASURED.items():
        if key in found:
            figure.add_trace(
                go.Scatter(
                    x=found["cosine"],
                    y=found[key],
                    name=label,
                    mode="lines",
                    line={"color": colour, "width": 2},
                    hovertemplate="at %{x:.2f} or more: %{y:.1%}<extra>" + label + "</extra>",
                )
            )
    shapes.apply_style(figure, 460)
    figure.update_layout(
        xaxis={"title": {"text": "cosine"}, "range": [-0.2, 1.02]},
        yaxis={"title": {"text": "share at or above"}, "tickformat": ".0%", "range": [0, 1.02]},
    )
    return marked(figure, data.marks)


def embedding_map(data: Data) -> go.Figure:
    """Texts as points; what is near means something alike, as far as two directions can tell."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There are no vectors yet: they come as soon as the embedding model is there.")
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row["topic"]] = sizes.get(row["topic"], 0) + 1
    named = sorted((one for one in sizes if one), key=lambda one: (-sizes[one], one))[:TOPICS]
    colours = {row["topic"]: topic_colour(row["topic_number"]) for row in rows}
    figure = go.Figure()
    rest = (style.NEUTRAL, 0.45) if named else (style.COLOURS[0], 0.85)  # before topics are found all dots are the rest
    for group, colour in [("", rest[0]), *((one, colours[one]) for one in named)]:
        mine = [row for row in rows if row["topic"] == group or (not group and row["topic"] not in named)]
        if mine:
            figure.add_trace(
                _dots(
                    mine,
                    style.short_label(group) if group else shapes.OTHERS if named else "memories",
                    colour,
                    0.85 if group else rest[1],
                )
            )
    shapes.apply_style(figure, 520)
    return figure.update_layout(
        xaxis={"visible": False}, yaxis={"visible": False, "scaleanchor": "x"}, legend={"traceorder": "normal"}
    )


def _dots(rows: list[dict[str, object]], name: str, colour: str, opacity: float) -> go.Scatter:
    return go.Scatter(
        x=[row["x"] for row in rows],
        y=[row["y"] for row in rows],
        name=name,
        mode="markers",
        marker={"color": colour, "size": 7, "opacity": opacity},
        customdata=[shapes.pick("memory", str(row["segment"])) for row in rows],
        hovertext=[f"{row['said_at']:%d %b %Y}<br>{style.wrapped_text(str(row['text']))}" for row in rows],
        hovertemplate="%{hovertext}<extra></extra>",
    )


CHART = 0.56  # of the height is the chart's; above it are the names
ROW = 0.062


def marked(figure: go.Figure, marks: Mapping[str, float]) -> go.Figure:
    """Upright lines at the thresholds, each up to its name. The names stand above the chart and left of their lines, the greater the
    higher: so no name lies on a bar, on another name, or on a line, whose ends to the left are all lower."""
    for place, (name, value) in enumerate(sorted(marks.items(), key=lambda mark: (mark[1], mark[0]))):
        height = CHART + ROW * (place + 0.5)
        line = {"color": style.NEUTRAL, "width": 1, "dash": "dot"}
        figure.add_shape(type="line", x0=value, x1=value, y0=0, y1=height, yref="paper", line=line)
        figure.add_annotation(
            x=value,
            y=height,
            yref="paper",
            yanchor="middle",
            text=f"{name.replace('_', ' ')} {value:.2f}",
            showarrow=False,
            xanchor="right",
            xshift=-3,
            font={"size": 11},
        )
    return figure.update_layout(yaxis={"domain": [0, CHART]}) if marks else figure
