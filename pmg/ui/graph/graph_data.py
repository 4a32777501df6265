"""The data of a picture as the script in the page takes it: nodes, links, and what to say of them.

Knows: labels, colours and the one message that the page and the script pass (`GraphPatch`). It sets a picture or adds to the one that is
there; nothing that is shown is ever replaced by opening a node. static/graph.js draws it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pmg.base.model import State
from pmg.base.text import printable
from pmg.engine import Engine
from pmg.figures import style
from pmg.figures.colours import topic_colour
from pmg.store.browse import BrowseFilter, TimeExtent
from pmg.store.graph import MEMORY, PERIOD, PERSON, SESSION, TOPIC, NodeKey, NodeLink, NodeSummary
from pmg.ui import render
from pmg.ui.graph import graph_links, graph_picture

LABEL = 34  # characters of a label; the whole name shows on hover
BY_DAY = 120  # days: up to so many the slider of time moves by days, beyond by months
EVERYWHERE = 0.9  # who speaks in more of all memories than this tells none of them apart
PERSON_COLOUR, PERIOD_COLOUR = "#5f6f86", "#9aa5a2"
AGES = ("#5b7fc7", "#4aa3c9", "#2b8b82", "#7a9a3a", "#c9a227")  # from early to late, where there are no topics yet
NAMES = {TOPIC: "topic", PERSON: "person", SESSION: "session", PERIOD: "month", MEMORY: "memory"}
PLURALS = {TOPIC: "topics", PERSON: "people", SESSION: "sessions", PERIOD: "months", MEMORY: "memories"}
# What the legend says of each kind of link, and how it is drawn.
LINK_STYLES: dict[str, dict[str, object]] = {
    "chain": {"says": "next in its session", "colour": style.KINDS["chain"], "line": "solid", "width": 3},
    "semantic": {"says": "alike in meaning", "colour": style.KINDS["semantic"], "line": "solid", "width": 1.5},
    "related_to": {"says": "related to", "colour": style.KINDS["related_to"], "line": "solid", "width": 2},
    "supports": {"says": "supports", "colour": style.KINDS["supports"], "line": "solid", "width": 2.5},
    "contradicts": {"says": "contradicts", "colour": style.KINDS["contradicts"], "line": "dashed", "width": 2.5},
    "part_of": {"says": "part of", "colour": style.KINDS["part_of"], "line": "solid", "width": 2.5},
    "caused_by": {"says": "caused by", "colour": style.KINDS["caused_by"], "line": "dashed", "width": 2},
    "extends_source": {"says": "extends", "colour": style.KINDS["extends_source"], "line": "dotted", "width": 2},
    "linked": {"says": "linked memories", "colour": style.KINDS["semantic"], "line": "solid", "width": 2},
    "about": {"says": "is about", "colour": "#8b9694", "line": "dotted", "width": 1.5},
    "by": {"says": "speaks in it", "colour": PERSON_COLOUR, "line": "dashed", "width": 1.2},
    "in": {"says": "said in", "colour": "#b2bbb8", "line": "solid", "width": 1.2},
    "when": {"says": "in that time", "colour": PERIOD_COLOUR, "line": "dotted", "width": 1.2},
}
NODE_STYLES: dict[str, dict[str, object]] = {
    TOPIC: {"says": "topic", "shape": "ellipse", "least": 30, "most": 72},
    PERSON: {"says": "person", "shape": "hexagon", "least": 22, "most": 38},
    SESSION: {"says": "session", "shape": "round-rectangle", "least": 16, "most": 34},
    PERIOD: {"says": "month or year", "shape": "round-tag", "least": 18, "most": 40},
    MEMORY: {"says": "memory", "shape": "ellipse", "least": 13, "most": 13},
}


@dataclass(frozen=True, slots=True)
class NodeData:
    id: str
    kind: str
    label: str
    title: str  # shown on hover
    count: int
    colour: str
    read: str  # the memory that a click opens
    when: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinkData:
    id: str
    source: str
    target: str
    kind: str
    weight: float
    title: str


@dataclass(frozen=True, slots=True)
class GraphPatch:
    """`op` is set, add or find. `version` changes whenever the memory does: the same picture need not be drawn again."""

    op: str
    namespace: str
    version: str
    said: str
    nodes: tuple[NodeData, ...] = ()
    links: tuple[LinkData, ...] = ()
    origin: str = ""  # the node that was opened, or that stands in the middle
    hits: tuple[str, ...] = ()
    unit: str = "day"
    tab_opened: bool = False  # the tab was opened: a picture that was built up before may stay

    def to_json(self) -> dict[str, Any]:
        """With a number of its own: gradio passes the same value on only once."""
        return {**asdict(self), "serial": str(time.time_ns())}


def extent_of(engine: Engine, namespace: str) -> TimeExtent:
    return engine.reads.browse.extent(BrowseFilter(namespace, state=State.ACTIVE))


def version_of(extent: TimeExtent) -> str:
    return f"{extent.segments}/{extent.sessions}/{extent.last}"


def unit_of(extent: TimeExtent) -> str:
    if extent.first is None or extent.last is None:
        return "day"
    return "day" if (extent.last - extent.first).days <= BY_DAY else "month"


def overview(engine: Engine, namespace: str) -> GraphPatch:
    """The whole memory from above."""
    extent, memories = extent_of(engine, namespace), engine.reads.memories(namespace)
    if not memories:
        said = "Nothing is remembered here yet. Chat, or import conversations, and this picture grows by itself."
        return GraphPatch("set", namespace, version_of(extent), said)
    keys = graph_picture.overview_keys(engine, namespace, memories, extent.sessions)
    found = engine.reads.graph.summaries(namespace, keys, unit_of(extent))
    found = [one for one in found if not _everywhere(one, extent)]
    links = graph_links.kept(engine.reads.graph.links(namespace, [one.key for one in found]))
    found = _connected(found, links)
    said = f"{_counted(found)}, of {render.counted(memories, 'memory', 'memories')} in all"
    if any(one.key.kind == TOPIC for one in found):
        return patch(engine, "set", namespace, extent, found, links, said)
    return patch(
        engine,
        "set",
        namespace,
        extent,
        found,
        links,
        f"{said}. No topics yet: colours go from early (blue) to late (gold).",
    )


def _everywhere(one: NodeSummary, extent: TimeExtent) -> bool:
    return one.key.kind == PERSON and extent.segments > 3 and one.segments > EVERYWHERE * extent.segments


def _connected(found: Sequence[NodeSummary], links: Collection[NodeLink]) -> list[NodeSummary]:
    """Without people and topics that nothing in the picture is linked to, unless they are all there is."""
    ends = {end for link in links for end in (link.a, link.b)}
    held = [one for one in found if one.key in ends or one.key.kind not in (PERSON,)]
    return held or list(found)


def around(engine: Engine, namespace: str, middle: NodeKey) -> GraphPatch:
    """One node and its neighbourhood; the whole memory where the node is gone."""
    extent = extent_of(engine, namespace)
    keys = graph_picture.neighbourhood(engine, namespace, middle)
    found = engine.reads.graph.summaries(namespace, keys, unit_of(extent))
    if not any(one.key == middle for one in found):
        return overview(engine, namespace)
    links = graph_links.kept(engine.reads.graph.links(namespace, [one.key for one in found]))
    alone = "Nothing is linked to it yet." if len(found) == 1 else f"{_counted(found[1:])} around it"
    return patch(engine, "set", namespace, extent, found, links, alone, origin=middle)


def opened(engine: Engine, namespace: str, node: NodeKey, shown: Sequence[NodeKey]) -> GraphPatch:
    """What opening a node adds to what is shown."""
    fresh = graph_picture.opened(engine, namespace, node, [node, *shown])
    extent = extent_of(engine, namespace)
    found = engine.reads.graph.summaries(namespace, fresh, unit_of(extent))
    said = f"{_counted(found)} added" if found else "All its neighbours are in the picture already."
    return patch(engine, "add", namespace, extent, found, links_to(engine, namespace, found, shown), said, origin=node)


def links_to(engine: Engine, namespace: str, fresh: Sequence[NodeSummary], shown: Sequence[NodeKey]) -> list[NodeLink]:
    new = {one.key for one in fresh}
    keys = list(dict.fromkeys([*shown, *(one.key for one in fresh)]))
    links = graph_links.kept(engine.reads.graph.links(namespace, keys)) if new else []
    return [link for link in links if link.a in new or link.b in new]


def patch(
    engine: Engine,
    op: str,
    namespace: str,
    extent: TimeExtent,
    found: Sequence[NodeSummary],
    links: Sequence[NodeLink],
    said: str,
    origin: NodeKey | None = None,
    hits: Sequence[str] = (),
) -> GraphPatch:
    ages = None if engine.reads.graph.topics(namespace, 1) else extent
    there = sorted(found, key=lambda one: (graph_picture.ORDER[one.key.kind], -one.segments, one.key))
    return GraphPatch(
        op,
        namespace,
        version_of(extent),
        said,
        tuple(_node(one, ages) for one in there),
        tuple(_link(link) for link in links),
        origin.id if origin else "",
        tuple(hits),
        unit_of(extent),
    )


def _node(one: NodeSummary, ages: TimeExtent | None) -> NodeData:
    kind = one.key.kind
    name = _name(one)
    read = one.first if kind in (MEMORY, SESSION) else one.best
    about = _dates(one.since, one.until)
    if kind != MEMORY:
        noun = "Year" if kind == PERIOD and len(one.key.name) == 4 else NAMES[kind].capitalize()
        about = f"{noun} · {render.counted(one.segments, 'memory', 'memories')} · {about}"
    title = f"{render.shortened(name, 220)}\n{about}"
    return NodeData(
        one.key.id, kind, render.shortened(name, LABEL), title, one.segments, _colour(one, ages), read, one.periods
    )


def _colour(one: NodeSummary, ages: TimeExtent | None) -> str:
    """A topic's own, and that of what belongs to it; by time where `ages` says that there are no topics yet."""
    kind = one.key.kind
    if kind == PERSON:
        return PERSON_COLOUR
    if ages is None or ages.first is None or ages.last is None:
        return PERIOD_COLOUR if kind == PERIOD else topic_colour(one.key.name if kind == TOPIC else one.topic)
    middle, length = one.since + (one.until - one.since) / 2, ages.last - ages.first
    return AGES[min(len(AGES) - 1, int(len(AGES) * (middle - ages.first) / length))] if length else AGES[-1]


def _name(one: NodeSummary) -> str:
    kind, label = one.key.kind, printable(one.label)
    if kind == PERIOD:
        return label if len(label) == 4 else f"{datetime.strptime(label, '%Y-%m'):%B %Y}"
    return label or ("Untitled session" if kind == SESSION else "…")


def _dates(since: datetime, until: datetime) -> str:
    same = since.date() == until.date()
    return render.day(since) if same else f"{render.day(since)} – {render.day(until)}"


def _link(link: NodeLink) -> LinkData:
    says = str(LINK_STYLES[link.kind]["says"])
    more = f" · {render.counted(link.count, 'memory', 'memories')}" if link.kind in ("about", "by") else ""
    more = f" · {link.count:,} links" if link.kind == "linked" and link.count > 1 else more
    more = f" · {link.weight:.2f}" if link.kind == "semantic" else more
    return LinkData(f"{link.a.id}|{link.b.id}|{link.kind}", link.a.id, link.b.id, link.kind, link.weight, says + more)


def _counted(found: Sequence[NodeSummary]) -> str:
    kinds = Counter(one.key.kind for one in found)
    years = any(one.key.kind == PERIOD and len(one.key.name) == 4 for one in found)
    names = {kind: (NAMES[kind], PLURALS[kind]) for kind in NAMES} | ({PERIOD: ("year", "years")} if years else {})
    said = [render.counted(kinds[kind], *names[kind]) for kind in graph_picture.ORDER if kinds[kind]]
    return ", ".join(said[:-1]) + (" and " if len(said) > 1 else "") + said[-1] if said else "nothing"
