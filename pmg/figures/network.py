"""Nodes and links as a plotly figure: the common part of the recall graph and of the memory graph.

Knows: how a node, a link of a kind, a bow and a legend are drawn. Does not know: what the nodes are or where they stand.
Every node carries its id in `customdata`, so that a click gives it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pmg.figures import style

STEPS = 13  # points along a bow: it looks round
DASHES = {"contradicts": "dash", "semantic": "solid", "chain": "solid"}


@dataclass(frozen=True, slots=True)
class GraphNode:
    id: str  # what a click on it gives
    group: str
    x: float
    y: float
    text: str  # shown on hover; anybody's words
    label: str = ""  # shown beside it; anybody's words
    size: float = 16.0
    hollow: bool = False
    beside: str = "bottom center"  # where its label stands
    row: int = 29  # characters of a row of its label


@dataclass(frozen=True, slots=True)
class GraphLink:
    a: str
    b: str
    kind: str
    weight: float


@dataclass(frozen=True, slots=True)
class NodeGroup:
    name: str
    colour: str
    title: str


def draw(
    nodes: Sequence[GraphNode], links: Sequence[GraphLink], groups: Sequence[NodeGroup], bend: float = 0.12
) -> go.Figure:
    figure = go.Figure()
    at = {node.id: np.array([node.x, node.y]) for node in nodes}
    known = [link for link in links if link.a in at and link.b in at]
    for kind in dict.fromkeys(sorted(link.kind for link in known)):
        figure.add_traces(_lines(kind, [link for link in known if link.kind == kind], at, bend))
    for group in groups:
        members = [node for node in nodes if node.group == group.name]
        if members:
            figure.add_trace(_points(group, members))
    style.dress(figure)
    hidden = {"visible": False, "fixedrange": False}
    return figure.update_layout(xaxis=hidden, yaxis=hidden, hovermode="closest", clickmode="event")


def _lines(
    kind: str, links: Sequence[GraphLink], at: Mapping[str, NDArray[np.float64]], bend: float
) -> list[go.Scatter]:
    """One trace for all links of a kind, and one of unseen points in their middles that tell what they are."""
    curve = 0.0 if kind == "chain" else bend
    bows = [bow(at[link.a], at[link.b], curve) for link in links]
    gap = np.array([[np.nan, np.nan]])
    path = np.concatenate([part for points in bows for part in (points, gap)])
    middles = np.array([points[len(points) // 2] for points in bows])
    title, colour = kind.replace("_", " "), style.KINDS.get(kind, style.NEUTRAL)
    line = go.Scatter(
        x=path[:, 0],
        y=path[:, 1],
        mode="lines",
        name=title,
        hoverinfo="skip",
        line={"color": colour, "width": 3 if kind == "chain" else 1.6, "dash": DASHES.get(kind, "solid")},
        opacity=0.7,
    )
    tell = go.Scatter(
        x=middles[:, 0],
        y=middles[:, 1],
        mode="markers",
        marker={"size": 12, "color": colour, "opacity": 0},
        hovertext=[f"{title} {link.weight:.2f}" for link in links],
        hoverinfo="text",
        showlegend=False,
    )
    return [line, tell]


def bow(start: NDArray[np.float64], end: NDArray[np.float64], bend: float) -> NDArray[np.float64]:
    """A quadratic curve that leaves the straight line by `bend` of its length."""
    if bend == 0:
        return np.array([start, (start + end) / 2, end])
    way = end - start
    control = (start + end) / 2 + 2 * bend * np.array([-way[1], way[0]])
    t = np.linspace(0, 1, STEPS)[:, None]
    return np.asarray((1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end)


def _points(group: NodeGroup, nodes: Sequence[GraphNode]) -> go.Scatter:
    return go.Scatter(
        x=[node.x for node in nodes],
        y=[node.y for node in nodes],
        mode="markers+text",
        name=group.title,
        customdata=[node.id for node in nodes],
        text=[style.said(node.label, 28, node.row) if node.label else "" for node in nodes],
        textposition=[node.beside for node in nodes],
        textfont={"size": 11},
        hovertext=[style.said(node.text) for node in nodes],
        hoverinfo="text",
        marker={
            "size": [node.size for node in nodes],
            "color": group.colour,
            "opacity": 1,
            "symbol": ["circle-open" if node.hollow else "circle" for node in nodes],
            "line": {"width": [2.5 if node.hollow else 1 for node in nodes], "color": group.colour},
        },
    )
