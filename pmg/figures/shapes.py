"""The few shapes that the charts are made of: stacked bars and areas over time, and a sentence where there is nothing to show.

Knows: plotly and rows as plain lists. Names that were stored by anybody go through `style.short_label`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from textwrap import wrap
from typing import Any
from urllib.parse import quote

import plotly.graph_objects as go
import pyarrow as pa

from pmg.base.times import days_back
from pmg.figures import style
from pmg.figures.labelled_bars import LabelledBar, labelled_bars

HEIGHT = 340
MANY_DAYS = 150  # bars beyond this are too thin: weeks, then months
FEW_BARS = 12  # up to so many an axis names each
MIN_BARS = 6  # that the axis has room for: two would be as wide as the page
DAYS_APART = 6  # up to so many days an axis names each; hours of a day tell nothing here
OTHERS = "others"
LINE = 40  # characters of a sentence that a phone has room for
MAX_NAMED_TICKS = 5  # up to so many things an axis names each number: half a thing is none
PICK = "|"  # between the parts of what a click on a point gives: kind, day, unit, name
Counts = dict[str, dict[date, float]]  # for each name what is counted on each day


def apply_style(figure: go.Figure, height: int = HEIGHT, legend: bool = True) -> go.Figure:
    """The common look; bars without an edge, which would be white on a dark page."""
    return style.apply_layout(figure, height, legend).update_traces(marker_line_width=0, selector={"type": "bar"})


def nothing(sentence: str) -> go.Figure:
    """A figure that says why it is empty."""
    figure = style.apply_layout(go.Figure(), 130, legend=False)
    lines = "<br>".join(
        wrap(sentence, LINE)
    )  # a figure does not break lines by itself: on a phone both ends would be cut
    figure.add_annotation(text=lines, showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper", font={"size": 14})
    return figure.update_layout(xaxis={"visible": False}, yaxis={"visible": False})


def counts(table: pa.Table, day: str, name: str, value: str) -> Counts:
    found: Counts = {}
    columns = (table.column(one).to_pylist() for one in (day, name, value))
    for when, who, count in zip(*columns, strict=True):
        mine = found.setdefault(str(who), {})
        mine[when] = mine.get(when, 0) + count
    return found


def largest(found: Counts, most: int) -> Counts:
    """The largest by their sum, and the rest together as one."""
    ranked = sorted(found, key=lambda one: (-sum(found[one].values()), one))
    kept = {one: found[one] for one in ranked[:most]}
    rest: dict[date, float] = {}
    for one in ranked[most:]:
        for day, value in found[one].items():
            rest[day] = rest.get(day, 0) + value
    return {**kept, OTHERS: rest} if rest else kept


def coarser(found: Counts) -> tuple[Counts, str]:
    """Days as they are while they are few; else the Mondays of their weeks, or the firsts of their months."""
    days = {day for mine in found.values() for day in mine}
    span = (max(days) - min(days)).days if days else 0
    unit = "day" if span <= MANY_DAYS else "week" if span <= 7 * MANY_DAYS else "month"
    if unit == "day":
        return found, unit
    made: Counts = {}
    for name, mine in found.items():
        sums = made.setdefault(name, {})
        for day, value in mine.items():
            start = day - timedelta(days=day.weekday()) if unit == "week" else day.replace(day=1)
            sums[start] = sums.get(start, 0) + value
    return made, unit


def pick(kind: str, name: str = "", day: date | None = None, unit: str = "") -> str:
    """What a point stands for, for whoever hears the click."""
    return PICK.join(
        (kind, day.isoformat() if day else "", unit, quote(name, safe=""))
    )  # a name is stored text: no markup of it in a figure


def bars(
    found: Counts,
    colours: Mapping[str, str],
    label: str,
    unit: str = "",
    kind: str = "",
    titles: Mapping[str, str] | None = None,
) -> go.Figure:
    """One stack a day, week or month: the unit of what is counted, or else what fits. With a `kind` a click says what was meant;
    `titles` are what the names are called, where they are numbers. A single day or month has no axis of time: its bars lie."""
    shown, unit = (found, unit) if unit else coarser(found)
    if len({day for mine in shown.values() for day in mine}) == 1:
        when = f"{'on' if unit == 'day' else 'in'} {_named_time(shown, unit)}"
        return at_once(shown, colours, f"{label} {when}", unit, kind, titles)
    width = {"day": 1, "week": 7, "month": 28}[unit]
    figure = go.Figure()
    for name, mine in shown.items():
        days, title = sorted(mine), style.short_label((titles or {}).get(name, name))
        figure.add_trace(
            go.Bar(
                x=days,
                y=[mine[day] for day in days],
                name=title,
                marker={"color": colours.get(name, style.NEUTRAL)},
                width=0.9 * width * 86_400_000,  # milliseconds
                customdata=[pick(kind, name, day, unit) for day in days] if kind and name != OTHERS else None,
                hovertemplate=f"%{{x|%d %b %Y}}<br>%{{y:,}} {label}<extra>{title}</extra>",
            )
        )
    apply_style(figure)
    most = max(
        (sum(mine.get(day, 0) for mine in shown.values()) for day in {d for m in shown.values() for d in m}), default=0
    )
    axis = {"title": {"text": f"{label} a {unit}"}, "rangemode": "tozero", **whole_steps(most)}
    figure.update_layout(barmode="stack", yaxis=axis)
    days = [day for mine in shown.values() for day in mine]
    return figure.update_layout(xaxis=months_axis(days) if unit == "month" else days_axis(days, width))


def at_once(
    found: Counts,
    colours: Mapping[str, str],
    axis: str,
    unit: str = "",
    kind: str = "",
    titles: Mapping[str, str] | None = None,
) -> go.Figure:
    """What was counted at one time, or up to it: a bar a name, with its number."""
    rows = [
        LabelledBar(
            (titles or {}).get(name, name),
            value,
            colours.get(name, style.NEUTRAL),
            pick(kind, name, day, unit) if kind and name != OTHERS else "",
        )
        for name, mine in found.items()
        for day, value in mine.items()
    ]
    return labelled_bars(rows, axis)


def _named_time(found: Counts, unit: str) -> str:
    (day,) = {day for mine in found.values() for day in mine}
    if unit == "month":
        return f"{day:%B %Y}"
    return f"{'the week of ' if unit == 'week' else ''}{day.day} {day:%B %Y}"


def whole_steps(most: float) -> dict[str, Any]:
    """For the axis of what is counted."""
    return {"dtick": 1} if most <= MAX_NAMED_TICKS else {}


def months_axis(months: Sequence[date]) -> dict[str, Any]:
    """An axis of months, told in months: never in days, hours and seconds."""
    return {"type": "date", "range": axis_range(months, timedelta(days=28)), **month_ticks(months)}


def days_axis(days: Sequence[date], width: int = 1) -> dict[str, Any]:
    """An axis of days, or of steps of so many; a few days are named each, and none beside them."""
    first, last = min(days), max(days)
    few = (
        [first + timedelta(days=i) for i in range((last - first).days + 1)] if (last - first).days < DAYS_APART else []
    )
    ticks = {"tickvals": few, "tickformat": "%-d %b"} if few and width == 1 else {}
    return {"type": "date", "range": axis_range(days, timedelta(days=width)), **ticks}


def axis_range(days: Sequence[date], width: timedelta) -> list[datetime]:
    """From half a bar before the first to half a bar after the last; a few bars stand in the middle of the width."""
    first, last = (datetime.combine(day, time()) for day in (min(days), max(days)))  # half of a day is no date
    spare = max(MIN_BARS * width - (last - first + width), timedelta()) / 2
    aside = width / 2 + spare
    return [  # at the ends of the calendar no further than it goes
        first - min(aside, first - datetime.min),
        last + min(aside, datetime.max - last),
    ]


def months_between(held: Sequence[date]) -> list[date]:
    """Every first of a month between the ends: what runs through time has no gaps."""
    first, last = min(held), max(held)
    count = 12 * (last.year - first.year) + last.month - first.month + 1
    return [date(first.year + (first.month - 1 + i) // 12, (first.month - 1 + i) % 12 + 1, 1) for i in range(count)]


def month_ticks(months: Sequence[date]) -> dict[str, Any]:
    """For an axis of months: one tick each while they are few, and never a day or a week."""
    named = months_between(months)
    return {"tickformat": "%b %Y", **({"tickvals": named} if len(named) <= FEW_BARS else {})}


def areas(
    found: Counts, colours: Mapping[str, str], label: str, titles: Mapping[str, str] | None = None, unit: str = "day"
) -> go.Figure:
    """Totals on top of each other; a total stands until it changes. Those of a single day or month are bars: nothing grew yet."""
    days = sorted({day for mine in found.values() for day in mine})
    if len(days) == 1:
        return at_once(found, colours, f"{label} in all, as of {_named_time(found, unit)}", titles=titles)
    least = 28 if unit == "month" else 1
    days.append(days_back(days[-1], -max(least, (days[-1] - days[0]).days // 60)))  # so that the last total can be seen
    figure = go.Figure()
    for name, mine in found.items():
        held, carried, title = 0.0, [], style.short_label((titles or {}).get(name, name))
        for day in days:
            held = mine.get(day, held)
            carried.append(held)
        figure.add_trace(
            go.Scatter(
                x=days,
                y=carried,
                name=title,
                mode="lines",
                stackgroup="one",
                line={"color": colours.get(name, style.NEUTRAL), "width": 1.5, "shape": "hv"},
                hovertemplate=f"%{{x|%d %b %Y}}<br>%{{y:,}} {label}<extra>{title}</extra>",
            )
        )
    apply_style(figure)
    by_day = {"dtick": 86_400_000, "tickformat": "%-d %b"} if (days[-1] - days[0]).days <= DAYS_APART else {}
    return figure.update_layout(
        xaxis=by_day, yaxis={"title": {"text": label}, "rangemode": "tozero"}, hovermode="x unified"
    )


def coloured(names: Sequence[str]) -> dict[str, str]:
    """A colour for each, in order; what is left over is neutral."""
    colours = {name: style.COLOURS[i % len(style.COLOURS)] for i, name in enumerate(names)}
    return {**colours, OTHERS: style.NEUTRAL}


def columns(table: pa.Table) -> dict[str, list[Any]]:
    return {name: table.column(name).to_pylist() for name in table.column_names}
