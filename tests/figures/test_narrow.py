"""Figures on a phone: nothing lies on anything else."""

from __future__ import annotations

import plotly.graph_objects as go

from pmg.figures import shapes


def test_every_threshold_has_a_row_of_its_own() -> None:
    marks = {name: 0.6 + 0.04 * place for place, name in enumerate(("a", "b", "c", "d", "e", "f", "g"))}
    places = [one.y for one in shapes.marked(go.Figure(), marks).layout.annotations]
    assert len(set(places)) == len(marks) and min(places) > 0.4
