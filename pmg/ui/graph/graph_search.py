"""Words looked for in the graph: which nodes of the picture have them, and the best memories that are not in it yet.

A memory counts only where it has one of the words: what is merely alike in meaning is for recall, and nonsense finds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pmg.base.model import Passage
from pmg.engine import Engine
from pmg.store.graph import MEMORY, SESSION, NodeKey
from pmg.ui import render
from pmg.ui.graph import graph_data
from pmg.ui.graph.graph_data import GraphPatch

SEARCHED = 40  # memories that are marked
ADDED = 6  # of them that come into the picture with their sessions


def found(engine: Engine, namespace: str, words: str, shown: Sequence[NodeKey]) -> GraphPatch:
    """The nodes to mark, and the best hits with their sessions as new nodes."""
    hits = with_words(engine, namespace, words)
    extent = graph_data.extent_of(engine, namespace)
    keys = [NodeKey(MEMORY, one.id) for one in hits]
    known = set(shown)
    fresh = [key for key in keys[:ADDED] if key not in known]
    homes = [NodeKey(SESSION, one.session_id) for one in hits[:ADDED] if NodeKey(MEMORY, one.id) in fresh]
    new = list(dict.fromkeys([*fresh, *(home for home in homes if home not in known)]))
    summaries = engine.reads.graph.summaries(namespace, new, graph_data.unit_of(extent))
    marked = _holding(engine, namespace, keys, [*shown, *new])
    said = f"{render.counted(len(hits), 'memory has', 'memories have')} these words" if hits else ""
    links = graph_data.links_to(engine, namespace, summaries, shown)
    return graph_data.patch(engine, "find", namespace, extent, summaries, links, said, hits=marked)


def with_words(engine: Engine, namespace: str, words: str) -> list[Passage]:
    """The best memories that have a word of the query, best first. Looking is not counted as a recall."""
    recalled = engine.recall(words, namespace=namespace, count=False, limit=SEARCHED)
    pairs = zip(recalled.segments, recalled.receipt.found, strict=True)
    return [one for one, why in pairs if any(signal.name == "words" and signal.score > 0 for signal in why.signals)]


def _holding(engine: Engine, namespace: str, hits: Sequence[NodeKey], shown: Sequence[NodeKey]) -> list[str]:
    """The hits that are in the picture, and the nodes of it that hold one."""
    there, wanted = set(shown), set(hits)
    links = engine.reads.graph.links(namespace, list(dict.fromkeys([*hits, *shown])))
    holders = {
        larger
        for link in links
        if link.kind == "shared"
        for smaller, larger in ((link.a, link.b), (link.b, link.a))
        if smaller in wanted and larger in there
    }
    return sorted(key.id for key in holders | (wanted & there))
