"""Thresholds drawn into a chart: a line each, with its name where it can be read.

Knows: plotly and numbers by name. Which thresholds are in force is in pmg/analytics/vectors.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from pmg.figures import style

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
