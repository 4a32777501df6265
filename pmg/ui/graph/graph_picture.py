"""Which nodes make a picture that can be read: the whole memory from above, one node's neighbourhood, what a node opens into.

Knows: how many of each kind are shown, and when a memory is so large that only its largest sessions are. What a node holds and what links it
is asked of the store (pmg/store/graph.py); graph_data.py makes the picture's data of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pmg.base.model import Kind, Origin
from pmg.engine import Engine
from pmg.store.graph import MEMORY, PERIOD, PERSON, SESSION, TOPIC, NodeKey
from pmg.store.maintenance import EdgeRow

MAX_TOPICS, MAX_PEOPLE = 24, 8
EACH_MEMORY = 60  # up to so many memories the whole of them is drawn
EACH_SESSION = 48  # up to so many sessions each is a node
LANDMARKS = 20  # beyond, the largest are
OPENED = 12  # neighbours that one step adds
TALK = 24  # memories of a session that one step adds
BRANCHES = 2  # neighbours of a neighbour, in a neighbourhood
CHAIN = 0.75  # the chain is how it was said: about as much as a strong likeness


def overview_keys(engine: Engine, namespace: str, segments: int, sessions: int) -> list[NodeKey]:
    """The memory from above: the larger it is, the larger the things that stand for it."""
    ask = engine.reads.graph
    topics = ask.topics(namespace, MAX_TOPICS)
    keys = [*topics, *ask.people(namespace, None, MAX_PEOPLE)]
    if sessions > EACH_SESSION:
        return keys + ask.sessions(namespace, None, LANDMARKS)
    keys += ask.sessions(namespace, None, EACH_SESSION)
    return keys + (ask.memories(namespace, None, EACH_MEMORY) if segments <= EACH_MEMORY else [])


def neighbourhood(engine: Engine, namespace: str, middle: NodeKey) -> list[NodeKey]:
    """A node and what is next to it; around a memory also the best of what comes after."""
    near = opened(engine, namespace, middle, [middle])
    if middle.kind != MEMORY:
        return [middle, *near]
    return [middle, *near, *_linked(engine, [one for one in near if one.kind == MEMORY], {middle, *near}, BRANCHES)]


def opened(engine: Engine, namespace: str, node: NodeKey, shown: Collection[NodeKey]) -> list[NodeKey]:
    """What a node opens into that is not shown yet: a memory into its links, a session into its turns, all others into sessions."""
    ask, known = engine.reads.graph, set(shown)
    if node.kind == MEMORY:
        return [*_linked(engine, [node], {node, *known}, OPENED), *_new(ask.sessions(namespace, node, 1), known, 1)]
    if node.kind == SESSION:
        inside = _new(ask.memories(namespace, node, len(known) + TALK), known, TALK)
        around = [*ask.people(namespace, node, MAX_PEOPLE), *ask.topics_of(namespace, node, 3)]
        return [*inside, *_new(around, known, len(around))]
    sessions = _new(ask.sessions(namespace, node, len(known) + OPENED), known, OPENED)
    return sessions if node.kind != TOPIC else [*sessions, *_new(ask.people(namespace, node, 3), known, 3)]


def _new(keys: Sequence[NodeKey], known: Collection[NodeKey], most: int) -> list[NodeKey]:
    return [key for key in keys if key not in known][:most]


def _linked(engine: Engine, nodes: Sequence[NodeKey], known: Collection[NodeKey], most: int) -> list[NodeKey]:
    """The best links of each of these memories that are not known yet; one read of the edges for all."""
    numbers = engine.reads.numbers_of([node.name for node in nodes])
    edges = engine.reads.browse.edges_at(numbers.values())
    others = {node: best_links(numbers[node.name], edges) for node in nodes if node.name in numbers}
    ids = engine.reads.ids_of(sorted({other for mine in others.values() for other in mine}))
    found: list[NodeKey] = []
    for mine in others.values():
        keys = [NodeKey(MEMORY, ids[other]) for other in mine if other in ids]
        found += _new(keys, {*known, *found}, most)
    return found


def best_links(number: int, edges: Sequence[EdgeRow]) -> list[int]:
    """The other ends of a memory's links, each once by its best link, best first."""
    best: dict[int, float] = {}
    for row in edges:
        if number in (row.source, row.target):
            other = row.target if row.source == number else row.source
            best[other] = max(_worth(row), best.get(other, 0.0))
    return sorted(best, key=lambda other: (-best[other], other))


def _worth(row: EdgeRow) -> float:
    """What somebody linked, and what contradicts or continues, comes before what is merely alike."""
    if row.kind is Kind.CHAIN:
        return CHAIN * row.weight
    alike = row.origin is Origin.AUTO and row.kind in (Kind.SEMANTIC, Kind.RELATED_TO)
    return row.weight if alike else row.weight + 1.0


ORDER = {TOPIC: 0, PERSON: 1, PERIOD: 2, SESSION: 3, MEMORY: 4}
