"""How every figure looks: colours, type, a ground that lets the page through, and stored text that stays text.

Knows: plotly's layout and which characters of a label plotly would take for markup.
"""

from __future__ import annotations

import html
import textwrap

import plotly.graph_objects as go

from pmg.base.text import printable

# Ten hues that can be told apart on white and on black, by most people who do not see all colours too (after Okabe and Ito).
COLOURS = (
    "#2b8b82",
    "#d98c2b",
    "#5b7fc7",
    "#c05a7a",
    "#7a9a3a",
    "#8a6bbf",
    "#c9a227",
    "#4aa3c9",
    "#b0603a",
    "#6f8a91",
)
NEUTRAL = "#8b9694"  # for what belongs to no group, and for lines: readable on both grounds
TEXT = "#7d8886"
GRID = "rgba(128, 140, 138, 0.18)"
FONT = "ui-sans-serif, system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, sans-serif"
KINDS = {
    "chain": "#98a3a0",
    "semantic": "#5b7fc7",
    "related_to": "#2b8b82",
    "supports": "#4f9d4f",
    "contradicts": "#c9484f",
    "part_of": "#8a6bbf",
    "caused_by": "#d98c2b",
    "extends_source": "#b0603a",
}
LINKS = {"chain": "next in its session", "semantic": "alike in meaning"}  # other kinds are words as they are
QUALITY = ("#b9c4c1", "#8fbab3", "#5ea69c", "#2b8b82", "#175b55")  # from poor to good

# The page's own colour of text, whichever the theme: the figure is drawn once and the person may switch.
CSS = """
.pmg-figure .js-plotly-plot text { fill: var(--body-text-color) !important; }
.pmg-figure .js-plotly-plot .hoverlayer text { fill: #f3f6f5 !important; }
.pmg-figure .js-plotly-plot .gtitle, .pmg-figure .js-plotly-plot .xtick text, .pmg-figure .js-plotly-plot .ytick text {
  fill: var(--body-text-color-subdued) !important; }
"""


def link_words(kind: str) -> str:
    """What joins two memories, as a person calls it."""
    return LINKS.get(kind, kind.replace("_", " "))


def wrapped_text(text: str, most: int = 240, width: int = 56) -> str:
    """Stored text for a hover or a label: wrapped, and with nothing left that plotly would read as markup."""
    flat = " ".join(printable(text).split())
    short = flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
    return "<br>".join(html.escape(row, quote=False) for row in textwrap.wrap(short, width) or [""])


def short_label(text: str, most: int = 28) -> str:
    """A stored name on one line: a legend, a tick."""
    return wrapped_text(text, most, most + 1)


def apply_layout(figure: go.Figure, height: int = 420, legend: bool = True) -> go.Figure:
    """The common look; the caller's own layout comes after."""
    return figure.update_layout(
        height=height,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "size": 13, "color": TEXT},
        margin={"l": 8, "r": 8, "t": 28, "b": 8},
        hoverlabel={
            "bgcolor": "#242b2a",
            "bordercolor": "#3d4645",
            "font": {"color": "#f3f6f5", "size": 13},
            "align": "left",
        },
        showlegend=legend,
        legend={
            "orientation": "h",
            "yanchor": "bottom",
            "y": 1.01,
            "x": 0,
            "font": {"size": 12},
            "traceorder": "normal",
        },
        colorway=list(COLOURS),
        xaxis=_axis(),
        yaxis=_axis(),
        dragmode="pan",
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": NEUTRAL, "activecolor": COLOURS[0]},
    )


def _axis() -> dict[str, object]:
    """Ticks that nobody sees keep the labels off the bars, and those of the two axes off each other where they meet."""
    ticks = {"ticks": "outside", "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
    return {"gridcolor": GRID, "zerolinecolor": GRID, "automargin": True, "title": {"font": {"size": 13}}, **ticks}
