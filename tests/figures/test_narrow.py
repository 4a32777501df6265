"""Figures on a phone: nothing lies on anything else."""

from __future__ import annotations

import plotly.graph_objects as go

from pmg.figures.labelled_bars import LabelledBar, labelled_bars
from pmg.figures.links import marked

MARKS = {name: 0.6 + 0.04 * place for place, name in enumerate(("a", "b", "c", "d", "e", "f", "g"))}


def test_every_threshold_has_a_row_of_its_own_above_the_bars() -> None:
    figure = marked(go.Figure(), MARKS)
    places = [one.y for one in figure.layout.annotations]
    assert len(set(places)) == len(MARKS) and max(places) <= 1
    assert min(places) > figure.layout.yaxis.domain[1]


def test_no_line_of_a_threshold_crosses_the_name_of_another() -> None:
    figure = marked(go.Figure(), {**MARKS, "same": 0.6})
    for name in figure.layout.annotations:
        assert name.xanchor == "right"
        assert all(line.y1 <= name.y for line in figure.layout.shapes if line.x0 < name.x)


def test_a_number_beside_the_longest_bar_has_room_on_a_phone() -> None:
    few, many = (
        labelled_bars([LabelledBar("a", value, "#000000", more=more), LabelledBar("b", 1, "#000000")], "memories")
        for value, more in ((7, ""), (2_263, "100%"))
    )
    assert 1 < few.layout.xaxis.range[1] / 7 < many.layout.xaxis.range[1] / 2_263


def test_a_bar_with_nothing_to_compare_it_with_does_not_fill_the_page() -> None:
    figure = labelled_bars([LabelledBar("with memories", 1, "#000000")], "recalls")
    assert figure.layout.xaxis.range[1] >= 2
