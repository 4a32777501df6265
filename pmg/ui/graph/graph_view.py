"""What the graph tab shows: the map of topics, or a few steps around one memory. Never all of it.

Knows: how a neighbourhood is chosen so that it can be read. Where nodes are put is decided by pmg/figures/layout.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from pmg.engine import Engine
from pmg.errors import NotFound
from pmg.figures import neighbourhood as drawing
from pmg.figures.neighbourhood import Bubble, Neighbour
from pmg.figures.network import GraphLink
from pmg.figures.timeline import nothing
from pmg.model import Kind, Origin, Segment
from pmg.store.maintenance import EdgeRow, Topic
from pmg.ui import render
from pmg.ui.app_context import AppContext
from pmg.ui.reader import reader_view

MOST_NODES = 60
MOST_TOPICS = 36
BRANCHES = (12, 3, 1)  # new neighbours of a node, by its distance from the middle: a look takes in about so many
EXTRA_LINKS = 10  # links between shown nodes beside those they were reached by
FOUND = 10
HEARTS = 40  # members of a topic that may be where a walk begins

CHAIN = 0.75  # the chain is how it was said: about as much as a strong likeness


@dataclass(frozen=True, slots=True)
class Surroundings:
    near: tuple[Neighbour, ...]  # the middle first
    links: tuple[GraphLink, ...]
    left_out: int  # neighbours of the middle that are not shown


def around(
    engine: Engine, segment_id: str, namespace: str, hops: int = 2, kinds: Collection[str] = tuple(Kind)
) -> Surroundings:
    """The best links of a memory, then the best of those it leads to, and so on, up to a readable number."""
    middle = reader_view.inside(engine, segment_id, namespace)
    parent, hop, weight = {middle.number: 0}, {middle.number: 0}, {middle.number: 1.0}
    frontier, rows, skipped = [middle.number], set[EdgeRow](), 0
    for distance in range(hops):
        edges = [row for row in engine.reads.browse.edges_at(frontier) if row.kind.value in kinds]
        rows.update(edges)
        following: list[int] = []
        for number in frontier:
            fresh = [(other, edge) for other, edge in _best(number, edges) if other not in parent]
            room = min(BRANCHES[min(distance, 2)], MOST_NODES - len(parent))
            skipped += max(0, len(fresh) - room) if distance == 0 else 0
            for other, edge in fresh[:room]:
                parent[other], hop[other], weight[other] = number, distance + 1, edge.weight
                following.append(other)
        frontier = following
        if not frontier:
            break
    texts = {segment.number: segment for segment in engine.reads.segments(list(parent))}
    near = [number for number in parent if number in texts and texts[number].namespace == namespace]
    return Surroundings(
        tuple(_neighbour(texts, number, parent[number], hop[number], weight[number]) for number in near),
        _links(rows, {number: texts[number].id for number in near}, parent),
        skipped,
    )


def _best(number: int, edges: Sequence[EdgeRow]) -> list[tuple[int, EdgeRow]]:
    """The other ends of a node's links, each once by its best link, best first."""
    best: dict[int, EdgeRow] = {}
    for row in edges:
        if number in (row.source, row.target):
            other = row.target if row.source == number else row.source
            if other not in best or _worth(row) > _worth(best[other]):
                best[other] = row
    return sorted(best.items(), key=lambda item: (-_worth(item[1]), item[0]))


def _worth(row: EdgeRow) -> float:
    """What somebody linked, and what contradicts or continues, comes before what is merely alike."""
    if row.kind is Kind.CHAIN:
        return CHAIN * row.weight
    alike = row.origin is Origin.AUTO and row.kind in (Kind.SEMANTIC, Kind.RELATED_TO)
    return row.weight if alike else row.weight + 1.0


def _neighbour(texts: dict[int, Segment], number: int, parent: int, hop: int, weight: float) -> Neighbour:
    segment = texts[number]
    label_text = f"{segment.at:%Y-%m-%d} · {segment.title or 'Untitled'} · {segment.text}"
    words = render.shortened(segment.lines[0].text if segment.lines else "", 22)
    return Neighbour(segment.id, texts[parent].id if parent else "", hop, label_text, words, weight)


def _links(rows: Collection[EdgeRow], names: dict[int, str], parent: dict[int, int]) -> tuple[GraphLink, ...]:
    """Of every pair its best link; those of the tree, and the strongest of the others."""
    best: dict[tuple[int, int], EdgeRow] = {}
    for row in sorted(rows):
        pair = (min(row.source, row.target), max(row.source, row.target))
        if pair[0] in names and pair[1] in names and (pair not in best or _worth(row) > _worth(best[pair])):
            best[pair] = row
    tree = [row for (a, b), row in best.items() if parent[a] == b or parent[b] == a]
    others = sorted((row for row in best.values() if row not in set(tree)), key=lambda row: (-_worth(row), row))
    kept = [*tree, *others[:EXTRA_LINKS]]
    return tuple(GraphLink(names[row.source], names[row.target], row.kind.value, row.weight) for row in sorted(kept))


# topics


def topics(context: AppContext, namespace: str) -> list[Topic]:
    """The largest first."""
    return sorted(context.steward.topics(namespace), key=lambda topic: (-len(topic.members), topic.id))


def heart(engine: Engine, topic: Topic) -> str:
    """The member with the most weight of links inside its topic that says something: where to begin."""
    inside = set(topic.members)
    total = dict.fromkeys(topic.members, 0.0)
    for row in engine.reads.browse.edges_at(topic.members):
        if row.kind is not Kind.CHAIN and row.source in inside and row.target in inside:
            total[row.source] += row.weight
            total[row.target] += row.weight
    ranked = sorted(total, key=lambda number: (-total[number], number))[:HEARTS]
    # A short "tell me" is like everything; what says something by itself is a better place to begin.
    found = engine.reads.segments(ranked)
    if not found:
        raise NotFound(f"The topic {topic.name!r} has no memories any more: run the steward's links task.")
    return max(found, key=lambda one: (total[one.number] * one.quality, -one.number)).id


@dataclass(frozen=True, slots=True)
class GraphScene:
    """What the tab shows: a figure, a list under it, and the memory in the middle ("" for the map of topics)."""

    figure: go.Figure
    html: str
    middle: str


def overview(context: AppContext, namespace: str) -> GraphScene:
    found = topics(context, namespace)[:MOST_TOPICS]
    if not found:
        said = "No topics yet. The steward finds them once memories are linked: run its links task, or search above."
        return GraphScene(nothing(said), "", "")
    links = [(link.a, link.b, link.weight) for link in context.engine.reads.browse.topic_links(namespace)]
    bubbles = [Bubble(topic.id, topic.name, topic.terms, len(topic.members)) for topic in found]
    rows = "".join(
        reader_view.row(f"{drawing.TOPIC}{topic.id}", f"{len(topic.members)} memories", ", ".join(topic.terms))
        for topic in found
    )
    caption = f'<p class="pmg-caption"><b>{len(found)} topics</b> · choose one to walk into it</p>'
    return GraphScene(drawing.topic_map(bubbles, links), f'{caption}<div class="pmg-sittings">{rows}</div>', "")


def scene(engine: Engine, segment_id: str, namespace: str, hops: int, kinds: Collection[str]) -> GraphScene:
    found = around(engine, segment_id, namespace, hops, kinds)
    more = f", {found.left_out} weaker links not shown" if found.left_out else ""
    caption = f'<p class="pmg-caption"><b>{len(found.near) - 1} memories around this one</b>{more}</p>'
    rows = "".join(
        reader_view.row(one.id, f"{'one step' if one.hop == 1 else f'{one.hop} steps'} · {one.weight:.2f}", one.text)
        for one in found.near[1:]
    )
    alone = '<p class="pmg-quiet">It has no links of these kinds.</p>' if len(found.near) == 1 else ""
    html = f'{caption}{alone}<div class="pmg-sittings">{rows}</div>'
    return GraphScene(drawing.neighbourhood(found.near, found.links), html, segment_id)


def walked_into(context: AppContext, picked: str, namespace: str, hops: int, kinds: Collection[str]) -> GraphScene:
    """What a click leads to: into a topic, or to a memory in the middle."""
    if not picked.startswith(drawing.TOPIC):
        return scene(context.engine, picked, namespace, hops, kinds)
    wanted = picked.removeprefix(drawing.TOPIC)
    topic = next((topic for topic in context.steward.topics(namespace) if str(topic.id) == wanted), None)
    if topic is None:
        raise NotFound("This topic is gone: the steward has sorted the memories anew. Look at the topics again.")
    return scene(context.engine, heart(context.engine, topic), namespace, hops, kinds)


def searched(context: AppContext, query: str, namespace: str, hops: int, kinds: Collection[str]) -> GraphScene:
    """The best memory for a query in the middle; the next ones listed."""
    found = context.engine.recall(query, namespace=namespace, count=False, limit=FOUND).segments
    if not found:
        return GraphScene(nothing("Nothing was found for these words."), "", "")
    drawn = scene(context.engine, found[0].id, namespace, hops, kinds)
    rows = "".join(reader_view.row(one.id, render.day(one.at), one.text) for one in found)
    return GraphScene(drawn.figure, f'<h4 class="pmg-head">Found</h4>{rows}{drawn.html}', drawn.middle)
