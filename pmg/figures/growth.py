"""How a memory grew: segments, words, links, bytes. Pure functions from Data to a figure."""

from __future__ import annotations

import plotly.graph_objects as go

from pmg.analytics.forecast import LOOKBACK_DAYS, MIN_HISTORY_DAYS
from pmg.analytics.questions import Data
from pmg.base.times import days_back
from pmg.figures import shapes, style
from pmg.figures.memory_words import ROLE_WORDS

ROLES = {
    "user": style.COLOURS[0],
    "assistant": style.COLOURS[1],
    "person": style.COLOURS[2],
    "document": style.COLOURS[3],
    "tool": style.COLOURS[4],
    "thinking": style.COLOURS[5],
    "system": style.COLOURS[9],
}
EMPTY = "Nothing was said in this range."
_BYTES = {
    "text": style.COLOURS[0],
    "vectors": style.COLOURS[1],
    "links": style.COLOURS[2],
    "windows": style.COLOURS[5],
    "recall log": style.COLOURS[3],
}


def growth(data: Data) -> go.Figure:
    """Segments in all, by where they came from."""
    found = shapes.counts(data.table, "day", "source", "total")
    if not found:
        return shapes.nothing(EMPTY)
    ranked = sorted(found, key=lambda name: (-max(found[name].values()), name))
    figure = shapes.areas({name: found[name] for name in ranked}, shapes.coloured(ranked), "memories")
    return _carried_on(figure, found)


def _carried_on(figure: go.Figure, found: shapes.Counts) -> go.Figure:
    """The pace of the last months as a dotted line, a quarter of the time shown ahead."""
    days = sorted({day for mine in found.values() for day in mine})
    total = sum(max(mine.values()) for mine in found.values())
    begin = max(days[0], days_back(days[-1], LOOKBACK_DAYS))
    before = sum(max((n for day, n in mine.items() if day <= begin), default=0) for mine in found.values())
    if (days[-1] - begin).days < MIN_HISTORY_DAYS:
        return figure
    ahead = days_back(days[-1], -((days[-1] - days[0]).days // 4))
    more = (total - before) / (days[-1] - begin).days * (ahead - days[-1]).days
    dotted = {"color": style.NEUTRAL, "width": 1.5, "dash": "dot"}
    return figure.add_trace(
        go.Scatter(
            x=[days[-1], ahead],
            y=[total, total + more],
            name="at this pace",
            mode="lines",
            line=dotted,
            hovertemplate="%{x|%d %b %Y}<br>about %{y:,.0f} memories<extra>at this pace</extra>",
        )
    )


def volume(data: Data) -> go.Figure:
    """Words said, by role."""
    found = shapes.counts(data.table, "day", "role", "words")
    ordered = {role: found[role] for role in sorted(found, key=lambda one: ([*ROLES, one].index(one), one))}
    return shapes.bars(ordered, ROLES, "words", kind="role", titles=ROLE_WORDS) if found else shapes.nothing(EMPTY)


def edge_growth(data: Data) -> go.Figure:
    """Links in all, by kind."""
    found = shapes.counts(data.table, "month", "kind", "total")
    if not found:
        return shapes.nothing("There are no links in this range.")
    ranked = sorted(found, key=lambda name: (-max(found[name].values()), name))
    titles = {name: style.link_words(name) for name in ranked}
    figure = shapes.areas({name: found[name] for name in ranked}, style.KINDS, "links", titles, "month")
    months = {month for mine in found.values() for month in mine}
    return figure.update_layout(xaxis=shapes.month_ticks(sorted(months))) if len(months) > 1 else figure


def bytes_by_kind(data: Data) -> go.Figure:
    """What takes the room."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("There is nothing stored yet.")
    rows = [row for row in rows if row["bytes"]][:14][::-1]
    scale, unit = (1e6, "MB") if max((row["bytes"] for row in rows), default=0) >= 1e6 else (1e3, "KB")
    models = len({row["part"] for row in rows if row["kind"] == "vectors"})
    figure = go.Figure(
        go.Bar(
            x=[row["bytes"] / scale for row in rows],
            y=[style.short_label(_bytes_label(row["kind"], row["part"], models)) for row in rows],
            orientation="h",
            marker={"color": [_BYTES.get(row["kind"], style.NEUTRAL) for row in rows]},
            customdata=[row["items"] for row in rows],
            hovertemplate="%{y}<br>%{x:,.2f} " + unit + ", %{customdata:,} of them<extra></extra>",
        )
    )
    shapes.apply_style(figure, max(200, 60 + 30 * len(rows)), legend=False)
    return figure.update_layout(xaxis={"title": {"text": unit}})


def _bytes_label(kind: str, part: str, models: int) -> str:
    """The part in words: that of vectors and windows is the number of a model, which tells something only beside another's."""
    if kind in ("vectors", "windows"):
        return f"{kind} of model {part}" if models > 1 else kind
    return f"{kind}: {ROLE_WORDS.get(part) or style.link_words(part)}"
