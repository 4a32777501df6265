"""The memory graph around one memory, and the map of topics.

Knows: rings around a centre, bubbles with links between them. Does not know: how the neighbourhood was chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from pmg.figures import style
from pmg.figures.layout import apart, forces, rings
from pmg.figures.network import GraphLink, GraphNode, NodeGroup, draw

HOPS = (
    NodeGroup("0", "#c05a7a", "here"),
    NodeGroup("1", "#2b8b82", "one step"),
    NodeGroup("2", "#7f8fa9", "two steps"),
    NodeGroup("3", "#a9b3b1", "three steps"),
)
BOX = (
    0.50,
    0.25,
)  # room for a name under its bubble, word under word, where the figure is some two units wide and high
PIXEL = (0.0080, 0.0056)  # of the same, on a phone: what fits there fits everywhere
ROW = 13  # characters: on a phone a longer row of a label would leave the figure
TOPIC = "topic:"  # what a click on a bubble gives begins with this


@dataclass(frozen=True, slots=True)
class Neighbour:
    id: str
    parent: str  # the neighbour it was reached from; "" for the centre
    hop: int
    text: str
    label: str
    weight: float  # of the link it was reached by


@dataclass(frozen=True, slots=True)
class Bubble:
    id: int
    name: str
    terms: tuple[str, ...]
    size: int


def neighbourhood(near: Sequence[Neighbour], links: Sequence[GraphLink]) -> go.Figure:
    """`near` begins with the centre; every other one comes after its parent."""
    number = {one.id: i for i, one in enumerate(near)}
    placed = rings({i: number[one.parent] for i, one in enumerate(near) if i}, range(len(near)))
    nodes = [
        GraphNode(
            one.id,
            str(min(one.hop, 3)),
            *placed[i],
            one.text,
            one.label if one.hop < 2 else "",
            size=(26, 17, 12, 9)[min(one.hop, 3)],
            beside=_beside(*placed[i]),
            row=ROW,
        )
        for i, one in enumerate(near)
    ]
    furthest = max((one.hop for one in near), default=0) + 0.45
    edge = [-furthest, furthest] if furthest > 1 else [-1, 1]
    figure = draw(nodes, links, HOPS)
    return figure.update_layout(
        height=560, xaxis={"visible": False, "range": edge}, yaxis={"visible": False, "range": edge}
    )


def _beside(x: float, y: float) -> str:
    """A label stands on the far side of its node, so that it does not lie on the links to the middle."""
    if abs(x) < 0.25:
        return "top center" if y > 0 else "bottom center"
    return "middle right" if x > 0 else "middle left"


def topic_map(topics: Sequence[Bubble], links: Sequence[tuple[int, int, float]]) -> go.Figure:
    """One bubble a topic, as large as it has memories; the thicker the link, the more they have to do with each other."""
    number = {topic.id: i for i, topic in enumerate(topics)}
    most = max((topic.size for topic in topics), default=1)
    radius = [0.10 + 0.20 * math.sqrt(topic.size / most) for topic in topics]
    known = [(number[a], number[b], weight) for a, b, weight in links if a in number and b in number]
    bubble = [18 + 46 * math.sqrt(topic.size / most) for topic in topics]
    boxes = np.array([[max(BOX[0], size * PIXEL[0]), BOX[1] + size * PIXEL[1]] for size in bubble]).reshape(-1, 2)
    placed = apart(forces(radius, known), boxes)
    figure = go.Figure([_strand(placed[a], placed[b], weight, known) for a, b, weight in known])
    figure.add_trace(
        go.Scatter(
            x=placed[:, 0],
            y=placed[:, 1],
            mode="markers+text",
            customdata=[f"{TOPIC}{topic.id}" for topic in topics],
            text=["<br>".join(style.name(word, 14) for word in topic.name.split(" · ")) for topic in topics],
            textposition="bottom center",
            textfont={"size": 11},
            hovertext=[f"{topic.size} memories<br>{style.said(', '.join(topic.terms))}" for topic in topics],
            hoverinfo="text",
            marker={
                "size": bubble,
                "color": [style.COLOURS[i % len(style.COLOURS)] for i in range(len(topics))],
                "opacity": 0.9,
                "line": {"width": 0},
            },
        )
    )
    style.dress(figure, 560, legend=False)
    width, height = (max(1.0, float(abs(placed[:, axis]).max())) for axis in (0, 1))
    return figure.update_layout(
        xaxis={"visible": False, "range": [-width - 0.36, width + 0.36]},
        yaxis={"visible": False, "range": [-height - 0.4, height + 0.2]},
        hovermode="closest",
    )


def _strand(
    a: Sequence[float], b: Sequence[float], weight: float, links: Sequence[tuple[int, int, float]]
) -> go.Scatter:
    strongest = max(other for _, _, other in links)
    return go.Scatter(
        x=[a[0], b[0]],
        y=[a[1], b[1]],
        mode="lines",
        hoverinfo="skip",
        line={"color": style.NEUTRAL, "width": 1 + 7 * weight / strongest},
        opacity=0.15 + 0.35 * weight / strongest,
    )
