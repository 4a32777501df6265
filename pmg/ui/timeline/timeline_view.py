"""What the timeline shows for what was asked: which unit suits the range, which sorts get a colour, and the figure.

It asks the store (pmg/store/browse.py) and hands rows to pmg/figures/timeline.py; timeline_tab.py shows the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import plotly.graph_objects as go

from pmg.engine import Engine
from pmg.figures import style
from pmg.figures.timeline import Bar, Dot, Series, bars, lanes, nothing
from pmg.model import State
from pmg.store.browse import BrowseFilter, SessionSpan, TimeBucket, TimelinePoint
from pmg.ui.app_context import AppContext
from pmg.ui.reader import reader_view
from pmg.ui.timeline import ranges
from pmg.ui.timeline.ranges import TimeRange

MOST_DOTS = 1_200  # points on the page at once; beyond this even a single day is drawn in hours
LISTED = 60  # sessions listed under the figure
COLOURED = 7  # sorts with a colour of their own; the others share one
BANDS = ("0–20 %", "20–40 %", "40–60 %", "60–80 %", "80–100 %")
UNNAMED = {"topic": "no topic", "source": "unknown source", "person": "nobody"}
OTHERS = "all others"

Palette = Mapping[str, tuple[str, str]]  # sort → (title, colour)


@dataclass(frozen=True, slots=True)
class TimelineSelection:
    """What the person chose; empty fields let everything through."""

    namespace: str
    span: TimeRange | None = None
    text: str = ""
    person: str = ""
    tag: str = ""
    state: str = ""
    colour: str = "topic"

    @property
    def browse_filter(self) -> BrowseFilter:
        since, until = (self.span.since, self.span.until) if self.span else (None, None)
        state = State(self.state) if self.state else None
        return BrowseFilter(self.namespace, self.text, self.person, self.tag, state, since, until)


@dataclass(frozen=True, slots=True)
class TimelineView:
    figure: go.Figure
    span: TimeRange | None  # None: everything
    unit: str  # year, month, day, hour, or "" where each memory is a point
    segments: int
    html: str


def view(context: AppContext, asked: TimelineSelection) -> TimelineView:
    looking = context.engine.reads.browse
    extent = looking.extent(asked.browse_filter)
    if extent.first is None or extent.last is None:
        return TimelineView(nothing(_why_empty(asked)), asked.span, "", 0, "")
    shown = asked.span or TimeRange(extent.first, extent.last + timedelta(minutes=1))
    unit = unit_for(shown, extent.segments)
    palette = colours(context, asked.namespace, asked.colour)
    if unit:
        frame = TimeRange(
            ranges.floor(max(shown.since, extent.first), unit), ranges.after(min(shown.until, extent.last), unit)
        )
        frame = frame if asked.span is None or not asked.span.unit else shown
        found = looking.buckets(asked.browse_filter, unit, asked.colour)
        figure = bars(series(found, unit, palette), unit, frame.since, frame.until)
    else:
        marks = looking.marks(asked.browse_filter, asked.colour, MOST_DOTS)
        frame = framed(shown, marks, exact=asked.span is not None and not asked.span.unit)
        figure = lanes([dot(mark, palette) for mark in marks], frame.since, frame.until)
    counted = f"{_many(extent.segments, 'memory', 'memories')} in {_many(extent.sessions, 'session', 'sessions')}"
    where = ranges.in_words(asked.span) if asked.span else f"Everything, {ranges.in_words(shown)}"
    html = f'<p class="pmg-caption"><b>{where}</b> · {counted}</p>' + listed(
        looking.session_spans(asked.browse_filter, LISTED)
    )
    return TimelineView(figure, asked.span, unit, extent.segments, html)


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def unit_for(span: TimeRange, segments: int) -> str:
    if span.length <= timedelta(days=1, hours=12):
        return "" if segments <= MOST_DOTS else "hour"
    if span.length <= timedelta(days=100):
        return "day"
    return "month" if span.length <= timedelta(days=366 * 12) else "year"


def framed(span: TimeRange, marks: Sequence[TimelinePoint], exact: bool) -> TimeRange:
    """The part of a day in which something was said, with a little air; a range that was chosen is kept."""
    if exact or not marks:
        return span
    first, last = marks[0].at, max(mark.at for mark in marks)
    air = max((last - first) * 0.06, timedelta(minutes=2))
    return TimeRange(first - air, last + air * 2)  # more to the right: titles begin at the first memory


def _why_empty(asked: TimelineSelection) -> str:
    if asked == TimelineSelection(asked.namespace, colour=asked.colour):
        return "Nothing is remembered here yet."
    return "Nothing fits. Take a filter away, or press Everything."


# sorts and their colours


def colours(context: AppContext, namespace: str, sort: str) -> Palette:
    """The same sort has the same colour in every view: the ranking is over the whole namespace."""
    if sort == "quality":
        return {str(i): (BANDS[i], style.QUALITY[i]) for i in range(5)}
    if sort == "topic":
        topics = sorted(context.steward.topics(namespace), key=lambda topic: (-len(topic.members), topic.id))
        ranked = [(str(topic.id), topic.name) for topic in topics]
    else:
        total: dict[str, int] = {}
        for bucket in context.engine.reads.browse.buckets(BrowseFilter(namespace), "year", sort):
            total[bucket.sort] = total.get(bucket.sort, 0) + bucket.segments
        ranked = [(name, name) for name in sorted(total, key=lambda name: (-total[name], name)) if name]
    return {key: (title, style.COLOURS[i]) for i, (key, title) in enumerate(ranked[:COLOURED])} | {
        "": (UNNAMED.get(sort, "none"), style.NEUTRAL)
    }


def _of(palette: Palette, sort: str) -> tuple[str, str]:
    return palette.get(sort, (OTHERS, "#b8a99a"))


def series(buckets: Sequence[TimeBucket], unit: str, palette: Palette) -> list[Series]:
    """One series a title, in the order of the palette; what has no colour of its own is added up."""
    held: dict[tuple[str, str], dict[object, TimeBucket]] = {key: {} for key in [*palette.values(), _of(palette, "\0")]}
    for bucket in buckets:
        mine = held[_of(palette, bucket.sort)]
        known = mine.get(bucket.start)
        mine[bucket.start] = (
            bucket
            if known is None
            else replace(known, segments=known.segments + bucket.segments, sessions=known.sessions + bucket.sessions)
        )
    return [
        Series(
            title,
            colour,
            tuple(Bar(b.start, ranges.after(b.start, unit), b.segments, b.sessions) for b in found.values()),
        )
        for (title, colour), found in held.items()
        if found
    ]


def dot(mark: TimelinePoint, palette: Palette) -> Dot:
    title, colour = _of(palette, mark.sort)
    faded = mark.state is not State.ACTIVE
    return Dot(mark.id, mark.session, mark.title, mark.at, mark.words, title, colour, faded)


# the list beside the figure


def listed(session_spans: Sequence[SessionSpan]) -> str:
    """The sessions in view: whoever does not use a pointer reaches the same memories."""
    rows = "".join(
        reader_view.row(
            one.first,
            f"{one.at:%a %d %b %Y, %H:%M} · {one.segments} {'turn' if one.segments == 1 else 'turns'} · {one.source}",
            one.title or "Untitled session",
        )
        for one in session_spans
    )
    more = (
        f'<p class="pmg-quiet">The newest {LISTED} sessions of this range.</p>' if len(session_spans) == LISTED else ""
    )
    return f'<div class="pmg-sittings">{rows}</div>{more}'


def choices(engine: Engine, namespace: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """People and tags to filter by."""
    looking = engine.reads.browse
    people = [("anybody", ""), *((name, name) for name in looking.people(namespace))]
    return people, [("any", ""), *((tag, tag) for tag in looking.tags(namespace))]
