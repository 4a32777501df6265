"""What the timeline shows for what was asked, as the script in the page takes it: lanes of bars, and a strip of the whole below.

From far the store counts and some hundred bars are drawn; nearer, each session is a bar; within a day, each memory. So a large memory costs no
more than a small one. People are lanes; topics (or another grouping) are colours. static/timeline.js draws it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from pmg.base.model import YOU, State
from pmg.base.text import printable
from pmg.store.browse import BrowseFilter, LaneBucket, SessionSpan, TimeBucket, TimeExtent, TimelinePoint
from pmg.ui import render
from pmg.ui.app_context import AppContext
from pmg.ui.timeline import ranges
from pmg.ui.timeline.ranges import TimeRange
from pmg.ui.timeline.timeline_changes import TimelineChange, changes
from pmg.ui.timeline.timeline_colours import GroupColour, GroupColours, colours

EACH_MEMORY = 1_200  # up to so many memories of a day each is drawn
EACH_SESSION = 300  # up to so many sessions each is a bar
DETAIL_RANGE = timedelta(hours=36)  # a range in which memories are told apart
MAX_LANES = 7
EVERYWHERE = (
    0.5  # who speaks in more of all memories than this shares one lane: theirs would each hold nearly everything
)
LEGEND = 9
NO_TOPICS = " · no topics yet: coloured by source"


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
        return replace(self.without_range, since=since, until=until)

    @property
    def without_range(self) -> BrowseFilter:
        state = State(self.state) if self.state else None
        return BrowseFilter(self.namespace, self.text, self.person, self.tag, state)

    @property
    def filtered(self) -> bool:
        return bool(self.text or self.person or self.tag or self.state)


@dataclass(frozen=True, slots=True)
class TimelineBar:
    """`id` is the memory that a click reads; without one a click goes into its range."""

    start: str
    end: str
    title: str
    count: int
    id: str = ""
    label: str = ""
    colour: str = ""
    parts: tuple[tuple[str, int], ...] = ()  # colour and count, from below
    faded: bool = False


@dataclass(frozen=True, slots=True)
class TimelineLane:
    label: str
    items: tuple[TimelineBar, ...]


@dataclass(frozen=True, slots=True)
class TimelineData:
    mode: str  # bars, sessions or memories
    extent: TimeExtent  # of all that the filters let through, whatever the range
    span: TimeRange | None  # None: everything
    said: str
    lanes: tuple[TimelineLane, ...] = ()
    strip: tuple[TimelineBar, ...] = ()
    legend: tuple[GroupColour, ...] = ()
    changes: tuple[TimelineChange, ...] = ()
    empty: str = ""
    sessions: tuple[SessionSpan, ...] = field(default=(), repr=False)

    def to_json(self, address: dict[str, str], cause: str) -> dict[str, Any]:
        """`address` is what the page keeps in its own; `cause` is what made it look again: open, namespace, filter or range."""
        first, last = self.extent.first, self.extent.last
        shown = self.span or (TimeRange(first, last) if first and last else None)
        return {
            "mode": self.mode,
            "said": self.said,
            "empty": self.empty,
            "first": _iso(first),
            "last": _iso(last and last + timedelta(minutes=1)),
            "from": _iso(shown.since if shown else None),
            "to": _iso(shown.until if shown else None),
            "lanes": [{"label": lane.label, "items": [_as_json(bar) for bar in lane.items]} for lane in self.lanes],
            "strip": [_as_json(bar) for bar in self.strip],
            "legend": [asdict(one) for one in self.legend],
            "changes": [asdict(one) for one in self.changes],
            "address": address,
            "cause": cause,
            "tab_opened": cause in ("open", "namespace"),
            "whole": self.span is None,
            "serial": str(time.time_ns()),
        }


def _as_json(bar: TimelineBar) -> dict[str, Any]:
    made = asdict(bar)
    return {"from": made.pop("start"), "to": made.pop("end"), **made}


def _iso(at: datetime | None) -> str:
    return at.replace(tzinfo=None).isoformat(timespec="seconds") if at else ""


def view(context: AppContext, asked: TimelineSelection) -> TimelineData:
    looking = context.engine.reads.browse
    if asked.person and asked.person in looking.owner_names(asked.namespace):
        asked = replace(asked, person=YOU)  # an address or somebody who types may have any of the owner's names
    is_topicless = asked.colour == "topic" and not context.engine.reads.graph.topics(asked.namespace, 1)
    if is_topicless:
        asked = replace(asked, colour="source")  # before topics are found: all in one grey would tell nothing
    extent = looking.extent(asked.without_range)
    if extent.first is None or extent.last is None:
        return TimelineData("bars", extent, None, "", empty=_why_empty(asked))
    here = looking.extent(asked.browse_filter) if asked.span else extent
    shown = asked.span or TimeRange(extent.first, extent.last + timedelta(minutes=1))
    palette = colours(context, asked.namespace, asked.colour)
    lanes, rest = people_of(context, asked, extent)
    mode, unit = mode_for(shown, here)
    strip = looking.buckets(asked.without_range, unit_for(TimeRange(extent.first, extent.last)), asked.colour)
    if mode == "bars":
        rows = _bar_lanes(
            looking.lane_buckets(asked.browse_filter, unit, asked.colour, lanes), unit, palette, lanes, rest
        )
    elif mode == "sessions":
        rows = _lanes(
            [
                (one.people, _session(one, palette))
                for one in looking.session_spans(asked.browse_filter, EACH_SESSION, asked.colour)
            ],
            lanes,
            rest,
        )
    else:
        rows = _lanes(
            [
                (one.people, _memory(one, palette))
                for one in looking.points(asked.browse_filter, asked.colour, EACH_MEMORY)
            ],
            lanes,
            rest,
        )
    return TimelineData(
        mode,
        extent,
        asked.span,
        _caption(asked, shown, here) + (NO_TOPICS if is_topicless else ""),
        rows,
        _strip(strip, unit_for(TimeRange(extent.first, extent.last)), palette),
        _legend(strip, palette),
        changes(context.engine, asked.browse_filter),
        "" if rows else "Nothing was said in this range. Scroll out, or press Everything.",
    )


def mode_for(span: TimeRange, here: TimeExtent) -> tuple[str, str]:
    """How a range is drawn, and in which unit it is counted where it is counted."""
    if span.length <= DETAIL_RANGE:
        return ("memories", "") if here.segments <= EACH_MEMORY else ("bars", "hour")
    return ("sessions", "") if here.sessions <= EACH_SESSION else ("bars", unit_for(span))


def unit_for(span: TimeRange) -> str:
    if span.length <= timedelta(days=3):
        return "hour"
    if span.length <= timedelta(days=100):
        return "day"
    return "month" if span.length <= timedelta(days=366 * 12) else "year"


def _caption(asked: TimelineSelection, shown: TimeRange, here: TimeExtent) -> str:
    where = ranges.in_words(shown) if asked.span else f"Everything, {ranges.in_words(shown)}"
    held = render.counted(here.segments, "turn", "turns")  # questions and what was archived too: not all are memories
    return f"{where} · {held} in {render.counted(here.sessions, 'session', 'sessions')}"


def _why_empty(asked: TimelineSelection) -> str:
    if asked.filtered:
        return "Nothing fits these filters. Take one away, or press Everything."
    return "Nothing is remembered here yet. Chat, or import conversations: each becomes a bar on this line."


# lanes


def people_of(context: AppContext, asked: TimelineSelection, extent: TimeExtent) -> tuple[list[str], str]:
    """Who gets a lane: those who speak most, without those who speak in most of it; and the name of the lane for all else."""
    found = context.engine.reads.browse.speakers(asked.without_range, MAX_LANES + 3)
    apart = [one.name for one in found if one.segments <= EVERYWHERE * extent.segments]
    common = [printable(one.name) for one in found if one.name not in apart]
    others = [*common[:2], "others"] if len(apart) > MAX_LANES or len(common) > 2 else common
    return apart[:MAX_LANES], " and ".join(others) or "Everybody else"


def _lanes(
    bars: Iterable[tuple[Sequence[str], TimelineBar]], lanes: Sequence[str], rest: str
) -> tuple[TimelineLane, ...]:
    """Every bar in the lane of each person who speaks in it; what none of them speaks in comes first."""
    held: dict[str, list[TimelineBar]] = {lane: [] for lane in ("", *lanes)}
    for people, bar in bars:
        for lane in [one for one in people if one in lanes] or [""]:
            held[lane].append(bar)
    return tuple(
        TimelineLane(printable(lane) or rest, tuple(sorted(mine, key=lambda bar: (bar.start, bar.id))))
        for lane, mine in held.items()
        if mine
    )


def _bar_lanes(
    buckets: Sequence[LaneBucket], unit: str, palette: GroupColours, lanes: Sequence[str], rest: str
) -> tuple[TimelineLane, ...]:
    held: dict[str, list[TimeBucket]] = {lane: [] for lane in ("", *lanes)}
    for one in buckets:
        held[one.lane].append(TimeBucket(one.start, one.group, one.segments, one.sessions))
    return tuple(
        TimelineLane(printable(lane) or rest, _strip(mine, unit, palette)) for lane, mine in held.items() if mine
    )


# bars


def _strip(buckets: Sequence[TimeBucket], unit: str, palette: GroupColours) -> tuple[TimelineBar, ...]:
    """One bar a unit of time, its parts by colour."""
    held: dict[datetime, list[TimeBucket]] = {}
    for bucket in buckets:
        held.setdefault(bucket.start, []).append(bucket)
    return tuple(_bar(start, mine, unit, palette) for start, mine in sorted(held.items()))


def _bar(start: datetime, mine: Sequence[TimeBucket], unit: str, palette: GroupColours) -> TimelineBar:
    total = sum(one.segments for one in mine)
    ordered = sorted(mine, key=lambda one: (palette.order(one.group), one.group))
    largest = sorted(mine, key=lambda one: (-one.segments, one.group))[:4]
    named = [f"{one.segments:,} {printable(palette.of(one.group).title)}" for one in largest]
    title = "\n".join(
        [f"{ranges.in_words(ranges.around(start, unit))}: {render.counted(total, 'turn', 'turns')}", *named]
    )
    parts = tuple((palette.of(one.group).colour, one.segments) for one in ordered)
    return TimelineBar(_iso(start), _iso(ranges.after(start, unit)), title, total, parts=parts)


def _session(one: SessionSpan, palette: GroupColours) -> TimelineBar:
    name = printable(one.title) or "Untitled session"
    group = palette.of(one.group)
    title = (
        f"{name}\n{render.moment(one.at)} · {render.counted(one.segments, 'turn', 'turns')} · {printable(group.title)}"
    )
    return TimelineBar(
        _iso(one.at), _iso(one.until), title, one.segments, one.first, render.shortened(name, 60), group.colour
    )


def _memory(one: TimelinePoint, palette: GroupColours) -> TimelineBar:
    words = printable(one.words)
    if one.people[:1] == (YOU,):
        words = f"{YOU}{words.removeprefix(printable(one.speaker))}"
    title = f"{render.moment(one.at)} · {printable(one.title) or 'Untitled session'}\n{render.shortened(words, 160)}"
    at, faded = _iso(one.at), one.state is not State.ACTIVE
    return TimelineBar(at, at, title, 1, one.id, render.shortened(words, 46), palette.of(one.group).colour, faded=faded)


def _legend(buckets: Sequence[TimeBucket], palette: GroupColours) -> tuple[GroupColour, ...]:
    """The largest sorts of what the filters let through, what is of none last; how many more there are."""
    total: dict[GroupColour, int] = {}
    for one in buckets:
        total[palette.of(one.group)] = total.get(palette.of(one.group), 0) + one.segments
    none = palette.known.get("")
    ranked = sorted(total, key=lambda one: (one == none, -total[one], one.title))
    more = [GroupColour(f"and {len(ranked) - LEGEND} more", "transparent")] if len(ranked) > LEGEND else []
    return tuple([replace(one, title=printable(one.title)) for one in ranked[:LEGEND]] + more)
