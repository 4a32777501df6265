"""What upkeep did: merges and archiving, how memories fade. Pure functions from Data to a figure."""

from __future__ import annotations

import plotly.graph_objects as go

from pmg.analytics.questions import Data
from pmg.base.text import counted
from pmg.figures import shapes, style
from pmg.figures.content import STATES
from pmg.figures.memory_words import DID, STATE_WORDS

LEVELS = {  # of quality, as the table has them: the colour, and the word
    "low": (style.COLOURS[1], "little"),
    "middling": (style.COLOURS[2], "something"),
    "high": (style.COLOURS[0], "much"),
}


def upkeep(data: Data) -> go.Figure:
    """Changes to memories, by what was done."""
    found = shapes.counts(data.table, "day", "action", "changes")
    if not found:
        return shapes.nothing("Upkeep changed nothing in this range.")
    titles = {action: DID.get(action, (action, action))[1] for action in found}
    return shapes.bars(found, shapes.coloured(sorted(found)), "changes", titles=titles)


def states(data: Data) -> go.Figure:
    """How much of each month is still in recall."""
    found = shapes.counts(data.table, "month", "state", "segments")
    if not found:
        return shapes.nothing("Nothing was said in this range.")
    ordered = sorted(found, key=lambda state: ([*STATES, state].index(state), state))
    shown = {state: found[state] for state in ordered}
    return shapes.bars(shown, STATES, "memories", "month", "state", STATE_WORDS)


def half_lives(data: Data) -> go.Figure:
    """How memories fade: the score they have, beside what the half-life alone would leave of 1."""
    rows = data.table.to_pylist()
    if not rows:
        return shapes.nothing("No memory has a score yet: the steward's task “Score” makes them.")
    if len({row["idle_weeks"] for row in rows}) == 1:
        memories = counted(sum(row["segments"] for row in rows), "memory", "memories")
        return shapes.nothing(f"{memories}, all said or recalled within one week: how they fade shows as weeks go by.")
    figure = go.Figure()
    most = max(row["segments"] for row in rows)
    for level, (colour, word) in LEVELS.items():
        mine = [row for row in rows if row["quality"] == level]
        if not mine:
            continue
        weeks = [row["idle_weeks"] for row in mine]
        figure.add_trace(
            go.Scatter(
                x=weeks,
                y=[row["expected"] for row in mine],
                name=f"by age alone, tells {word}",
                mode="lines",
                line={"color": colour, "dash": "dot", "shape": "spline"},
                hoverinfo="skip",
            )
        )
        figure.add_trace(
            go.Scatter(
                x=weeks,
                y=[row["score"] for row in mine],
                name=f"tells {word}",
                mode="markers",
                marker={
                    "color": colour,
                    "opacity": 0.8,
                    "size": [5 + 15 * (row["segments"] / most) ** 0.5 for row in mine],
                },
                customdata=[row["segments"] for row in mine],
                hovertemplate="idle for %{x} weeks<br>mean score %{y:.2f} of %{customdata:,} memories<extra>"
                + f"tells {word}</extra>",
            )
        )
    shapes.apply_style(figure, 380)
    weeks_axis = {"title": {"text": "weeks since said or last recalled"}, "rangemode": "tozero"}
    return figure.update_layout(
        xaxis={**weeks_axis, **shapes.whole_steps(max(row["idle_weeks"] for row in rows))},
        yaxis={"title": {"text": "score"}, "range": [0, 1.05]},
    )
