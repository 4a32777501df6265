"""Figures on a phone: names stay inside, and nothing lies on anything else."""

from __future__ import annotations

from itertools import combinations

import plotly.graph_objects as go
import pytest

from pmg.figures import shapes
from pmg.figures.neighbourhood import Bubble, Neighbour, neighbourhood, topic_map

WIDE, HIGH = 334, 524  # pixels that the page leaves a figure on a phone of 390
LETTER, ROW = 6, 13  # pixels of a letter and of a row at the size that the page gives them there
NAMES = ("dry · day · november", "release · leaning · size", "thing · ostkai · nobody", "one · table · rows",
         "start · meter · photos", "read · course · book", "cake · train · cat", "rent · budget · soup")  # fmt: skip
Box = tuple[float, float, float, float]  # left, top, right, bottom


def boxes(figure: go.Figure) -> tuple[list[Box], list[Box]]:
    """Bubbles and names in pixels, from the upper left."""
    trace = figure.data[-1]
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    bubbles, names = [], []
    for x, y, size, text in zip(trace.x, trace.y, trace.marker.size, trace.text, strict=True):
        across, down = (x - left) / (right - left) * WIDE, (high - y) / (high - low) * HIGH
        rows = text.split("<br>")
        half = max(map(len, rows)) * LETTER / 2
        bubbles.append((across - size / 2, down - size / 2, across + size / 2, down + size / 2))
        under = down + size / 2
        names.append((across - half, under, across + half, under + ROW * len(rows)))
    return bubbles, names


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("count", [1, 3, 8])
def test_topics_and_their_names_have_room(count: int) -> None:
    topics = [Bubble(i, name, tuple(name.split(" · ")), 140 - 12 * i) for i, name in enumerate(NAMES[:count])]
    links = [(a.id, b.id, 1.0 / (1 + a.id + b.id)) for a, b in combinations(topics, 2)]
    bubbles, names = boxes(topic_map(topics, links))
    for box in (*bubbles, *names):
        assert box[0] >= 0 and box[2] <= WIDE and box[1] >= 0 and box[3] <= HIGH
    for i, j in combinations(range(count), 2):
        assert not overlap(names[i], names[j])
        assert not overlap(names[i], bubbles[j]) and not overlap(bubbles[i], names[j])


def test_a_label_of_a_neighbour_stays_inside() -> None:
    here = Neighbour("a", "", 0, "text", "the middle", 1.0)
    around = [Neighbour(f"b{i}", "a", 1, "text", "Fünf Sätze: Gestern habe …", 0.9) for i in range(12)]
    far = [Neighbour(f"c{i}", f"b{i % 12}", 2, "text", "far", 0.8) for i in range(24)]
    figure = neighbourhood([here, *around, *far], [])
    (left, right) = figure.layout.xaxis.range
    (trace,) = [one for one in figure.data if one.name == "one step"]
    for x, text, beside in zip(trace.x, trace.text, trace.textposition, strict=True):
        across = (x - left) / (right - left) * WIDE
        reach = max(map(len, text.split("<br>"))) * LETTER + 17 / 2
        assert "center" in beside or (across + reach <= WIDE if "right" in beside else across - reach >= 0)


def test_every_threshold_has_a_row_of_its_own() -> None:
    marks = {name: 0.6 + 0.04 * place for place, name in enumerate(("a", "b", "c", "d", "e", "f", "g"))}
    places = [one.y for one in shapes.marked(go.Figure(), marks).layout.annotations]
    assert len(set(places)) == len(marks) and min(places) > 0.4
