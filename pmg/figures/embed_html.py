"""Figures inside a page of their own that asks nobody for anything: plotly's script once, then one element a figure.

Knows: plotly's way into HTML.
"""

from __future__ import annotations

import json

import plotly.graph_objects as go
import plotly.offline

CONFIG = {"displaylogo": False, "responsive": True, "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d"]}


def script() -> str:
    """Plotly itself, some megabytes: once a page."""
    return f"<script>{plotly.offline.get_plotlyjs()}</script>"


def element(figure: go.Figure, name: str) -> str:
    """`name` is ours: letters and dashes. What is stored is inside JSON in which no `<` is left that could end the script."""
    parts = json.loads(figure.to_json())
    data, layout = (_harmless(parts.get(key, {})) for key in ("data", "layout"))
    return (
        f'<div id="{name}" class="figure"></div>'
        f'<script>Plotly.newPlot("{name}", {data}, {layout}, {_harmless(CONFIG)});</script>'
    )


def _harmless(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
