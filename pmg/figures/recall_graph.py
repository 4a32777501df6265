"""One recall drawn: a column for each session in order of time, its turns one under the other, links across.

So the vertical of recall is vertical here and the lateral lateral. What was recalled is laid open by pmg/ui/preview/stages.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import plotly.graph_objects as go

from pmg.figures import style
from pmg.figures.network import GraphLink, GraphNode, NodeGroup, draw

ROLES = (
    NodeGroup("entry", "#2b8b82", "entry"),
    NodeGroup("lateral", "#d98c2b", "lateral"),
    NodeGroup("vertical", "#7f8fa9", "vertical"),
)


@dataclass(frozen=True, slots=True)
class RecallGraphNode:
    """A memory in the result."""

    id: str
    role: str
    session: str
    title: str
    index: int
    at: datetime
    text: str
    in_block: bool
    strength: float  # its score as a share of the best one


def recall_graph(found: Sequence[RecallGraphNode], links: Sequence[GraphLink]) -> go.Figure:
    sessions = _columns(found)
    nodes = [_node(one, column, row) for column, members in enumerate(sessions) for row, one in enumerate(members)]
    figure = draw(nodes, links, ROLES)
    deepest = max((len(members) for members in sessions), default=1)
    heads = [_heading(column, members[0]) for column, members in enumerate(sessions)]
    return figure.update_layout(
        height=max(300, min(640, 130 + 62 * deepest)),
        xaxis={"visible": False, "range": [-0.7, max(len(sessions) - 0.3, 1.7)]},
        yaxis={"visible": False, "range": [-(deepest - 1) - 0.7, 1.15]},
        annotations=heads,
    )


def _columns(found: Sequence[RecallGraphNode]) -> list[list[RecallGraphNode]]:
    held: dict[str, list[RecallGraphNode]] = {}
    for one in sorted(found, key=lambda one: (one.index, one.id)):
        held.setdefault(one.session, []).append(one)
    return sorted(held.values(), key=lambda members: (min(one.at for one in members), members[0].session))


def _node(one: RecallGraphNode, column: int, row: int) -> GraphNode:
    told = f"{one.at:%Y-%m-%d %H:%M} · {one.role}{'' if one.in_block else ' · not in the block'} · {one.text}"
    return GraphNode(
        one.id, one.role, float(column), -float(row), told, size=13 + 13 * one.strength, hollow=not one.in_block
    )


def _heading(column: int, first: RecallGraphNode) -> dict[str, object]:
    return {
        "x": column,
        "y": 0.62,
        "text": f"{first.at.day} {first.at:%b}<br>{first.at.year}",
        "hovertext": style.said(first.title),
        "showarrow": False,
        "font": {"size": 11},
        "textangle": 0,
    }
