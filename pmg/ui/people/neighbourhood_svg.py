"""A person in the middle and whoever is near around them, as a small picture. Pure: neighbours in, SVG out.

Knows: where each stands. Every node can be pressed; whoever uses no pointer finds the same as buttons below it (person_html.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pmg.figures.colours import topic_colour
from pmg.store.people import EntityKind
from pmg.ui import render
from pmg.ui.people.person_data import Neighbour

WIDTH, HEIGHT = 560, 340
RADIUS_X, RADIUS_Y = 200, 120
MIDDLE, OUTER = 24, 13  # radii of the nodes
UNDER = 17  # from a node's edge to the foot of its name
LABEL = 14  # characters of a name that fit under a node, on a phone too
_KINDS = list(EntityKind)


def kind_colour(kind: EntityKind) -> str:
    return topic_colour(_KINDS.index(kind) + 1)


def neighbourhood(name: str, kind: EntityKind, neighbours: Sequence[Neighbour]) -> str:
    places = [_place(number, len(neighbours)) for number in range(len(neighbours))]
    pairs = list(zip(neighbours, places, strict=True))
    lines = "".join(_line(one, x, y) for one, (x, y) in pairs)
    nodes = "".join(_node(one, x, y) for one, (x, y) in pairs)
    middle = (
        f'<circle cx="{WIDTH / 2}" cy="{HEIGHT / 2}" r="{MIDDLE}" fill="{kind_colour(kind)}"/>'
        f'<text class="pmg-p-middle" x="{WIDTH / 2}" y="{HEIGHT / 2 + MIDDLE + UNDER}">{_short(name)}</text>'
    )
    return f'<svg class="pmg-p-around" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{lines}{middle}{nodes}</svg>'


def _place(number: int, total: int) -> tuple[float, float]:
    """Around the middle, a little above it: names stand under their nodes."""
    angle = 2 * math.pi * number / total
    return WIDTH / 2 + RADIUS_X * math.cos(angle), HEIGHT / 2 - UNDER / 2 + RADIUS_Y * math.sin(angle)


def _line(one: Neighbour, x: float, y: float) -> str:
    return (
        f'<line x1="{WIDTH / 2}" y1="{HEIGHT / 2}" x2="{x:.0f}" y2="{y:.0f}" stroke-width="{min(4.0, 1 + one.count / 4):.1f}">'
        f"<title>{render.safe(one.says)}</title></line>"
    )


def _node(one: Neighbour, x: float, y: float) -> str:
    return (
        f'<g class="pmg-p-node" data-pick="who:{one.id}"><title>{render.safe(one.name)}: {render.safe(one.says)}</title>'
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{OUTER}" fill="{kind_colour(one.kind)}"/>'
        f'<text x="{x:.0f}" y="{y + OUTER + UNDER:.0f}">{_short(one.name)}</text></g>'
    )


def _short(name: str) -> str:
    return render.safe(render.shortened(name, LABEL))
