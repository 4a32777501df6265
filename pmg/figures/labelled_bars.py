"""Lying bars, each with its number beside it: what is drawn where an axis would have a single step, and where 0 has to be read as 0.

Knows: plotly and plain values. The numbers stand outside the bars, on the page's own ground, so that they can be read on light and dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from pmg.figures import style

ROW = 34  # pixels a bar
ALONE = 3  # times its length is the room of a single bar: there is nothing to compare it with
ROOM = 0.085  # of the longest bar that a character beside it takes, on a phone


@dataclass(frozen=True, slots=True)
class LabelledBar:
    """`picked` is what a click on it gives (`shapes.pick`); `more` is told beside the number, such as a share."""

    name: str
    value: float
    colour: str
    picked: str = ""
    more: str = ""

    @property
    def told(self) -> str:
        return f"{self.value:,.0f}{' · ' if self.more else ''}{self.more}"


def labelled_bars(bars: Sequence[LabelledBar], axis: str) -> go.Figure:
    """From top to bottom in the order given; `axis` says what is counted, and when."""
    told = [bar.told for bar in bars]
    most = max((bar.value for bar in bars), default=0) or 1
    figure = go.Figure(
        go.Bar(
            x=[bar.value for bar in bars],
            y=[style.short_label(bar.name) or "–" for bar in bars],
            orientation="h",
            text=told,
            textposition="outside",
            cliponaxis=False,
            marker={"color": [bar.colour for bar in bars], "line": {"width": 0}},
            customdata=[bar.picked for bar in bars],
            hovertemplate="%{y}: %{text}<extra></extra>",
        )
    )
    style.apply_layout(figure, 64 + ROW * len(bars), legend=False)
    room = [0, most * (ALONE if len(bars) == 1 else 1 + ROOM * max(map(len, told), default=0))]
    # Under the whole figure: under the bars alone a phone would cut it.
    foot = {
        "text": axis,
        "x": 0.5,
        "xref": "container",
        "xanchor": "center",
        "y": 0.02,
        "yref": "container",
        "yanchor": "bottom",
    }
    return figure.update_layout(
        title={**foot, "font": {"size": 13}},
        margin={"t": 12, "b": 32},
        xaxis={"range": room, "showticklabels": False, "showgrid": False},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
    )
