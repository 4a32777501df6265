"""How a memory grew: segments, words, links, bytes. Pure functions from Data to a figure."""

from __future__ import annotations

import plotly.graph_objects as go

from pmg.analytics.questions import Data
from pmg.figures import shapes, style

ROLES = {
    "user": style.COLOURS[0],
    "assistant": style.COLOURS[1],
    "person": style.COLOURS[2],
    "document": style.COLOURS[3],
    "tool": style.COLOURS[4],
    "thinking": style.COLOURS[5],
    "system": style.COLOURS[9],
}
EMPTY = "Nothing was said in this range."
_BYTES = {
    "text": style.COLOURS[0],
    "vectors": style.COLOURS[1],
    "links": style.COLOURS[2],
    "windows": style.COLOURS[5],
    "recall log": style.COLOURS[3],
}


def growth(data: Data) -> go.Figure:
    """Segments in all, by where they came from."""
    found = shapes.counts(data.table, "day", "source", "total")
    if not found:
        return shapes.nothing(EMPTY)
    ranked = sorted(found, key=lambda name: (-max(found[name].values()), name))
    return shapes.areas({name: found[name] for name in ranked}, shapes.coloured(ranked), "memories")


def volume(data: Data) -> go.Figure:
    """Words said, by role."""
    found = shapes.counts(data.table, "day", "role", "words")
    return shapes.bars(found, ROLES, "words") if found else shapes.nothing(EMPTY)


def edge_growth(data: Data) -> go.Figure:
    """Links in all, by kind."""
    found = shapes.counts(data.table, "month", "kind", "total")
    if not found:
        return shapes.nothing("There are no links in this range.")
    ranked = sorted(found, key=lambda name: (-max(found[name].values()), name))
    return shapes.areas({name: found[name] for name in ranked}, style.KINDS, "links")


def bytes_by_kind(data: Data) -> go.Figure:
    """What takes the room."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There is nothing stored yet.")
    rows = [row for row in rows if row["bytes"]][:14][::-1]
    figure = go.Figure(
        go.Bar(
            x=[row["bytes"] / 1e6 for row in rows],
            y=[f"{style.name(row['kind'])} · {style.name(row['part'])}" for row in rows],
            orientation="h",
            marker={"color": [_BYTES.get(row["kind"], style.NEUTRAL) for row in rows]},
            customdata=[row["items"] for row in rows],
            hovertemplate="%{y}<br>%{x:,.2f} MB, %{customdata:,} of them<extra></extra>",
        )
    )
    shapes.dress(figure, max(200, 60 + 30 * len(rows)), legend=False)
    return figure.update_layout(xaxis={"title": {"text": "MB"}})
