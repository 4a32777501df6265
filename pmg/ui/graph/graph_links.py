"""Which links of a picture are drawn, and under which name.

Everything is linked to everything a little: of each pair of kinds only the strongest links of a node are kept, and what another link says
already is left out. Pure: links in, links out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pmg.store.graph import MEMORY, PERIOD, PERSON, SESSION, TOPIC, NodeKey, NodeLink

# Of the links between two kinds: how many each node of the first kind keeps. Pairs that are not here are not drawn.
MAX_LINKS = {
    (MEMORY, SESSION): 1,
    (MEMORY, TOPIC): 1,
    (MEMORY, PERSON): 3,
    (MEMORY, PERIOD): 1,
    (SESSION, TOPIC): 1,
    (SESSION, PERSON): 2,
    (SESSION, PERIOD): 1,
    (PERIOD, TOPIC): 3,
    (PERSON, TOPIC): 3,
    (TOPIC, TOPIC): 2,
    (SESSION, SESSION): 1,
    (MEMORY, MEMORY): 3,
}
NAMES = {TOPIC: "about", PERSON: "by", SESSION: "in", PERIOD: "when"}  # of shared segments, by the larger node


def kept(links: Sequence[NodeLink]) -> list[NodeLink]:
    """The links worth drawing, each under the name that the legend explains."""
    strongest = [link for pair, mine in _by_pair(links).items() for link in _strongest(mine, pair[0], MAX_LINKS[pair])]
    return [_named(link) for link in _not_said_twice(strongest)]


def _ends(link: NodeLink) -> tuple[NodeKey, NodeKey]:
    """The smaller thing first, as the pairs of KEPT have it."""
    return (link.a, link.b) if (link.a.kind, link.b.kind) in MAX_LINKS else (link.b, link.a)


def _by_pair(links: Iterable[NodeLink]) -> dict[tuple[str, str], list[NodeLink]]:
    held: dict[tuple[str, str], list[NodeLink]] = {}
    for link in links:
        small, large = _ends(link)
        if (small.kind, large.kind) in MAX_LINKS:
            held.setdefault((small.kind, large.kind), []).append(link)
    return held


def _strongest(links: Iterable[NodeLink], kind: str, most: int) -> list[NodeLink]:
    """Each node of `kind` keeps its strongest; between two of one kind a link stays if either end keeps it. Of a pair the best link is enough."""
    taken: dict[NodeKey, int] = {}
    chosen: list[NodeLink] = []
    pairs: set[frozenset[NodeKey]] = set()
    for link in sorted(links, key=lambda link: (-_strength(link), link.a, link.b, link.kind)):
        ends = [end for end in (link.a, link.b) if end.kind == kind]
        pair = frozenset((link.a, link.b))
        if pair not in pairs and any(taken.get(end, 0) < most for end in ends):
            chosen.append(link)
            pairs.add(pair)
            for end in ends:
                taken[end] = taken.get(end, 0) + 1
    return chosen


def _strength(link: NodeLink) -> float:
    """What belongs to something, links between memories that somebody made, and the chain come before likeness."""
    made = link.kind not in ("shared", "linked", "semantic", "related_to")
    return link.weight + (100.0 if made else 0.0) if link.kind != "shared" else 100.0 + link.count


def _not_said_twice(links: Sequence[NodeLink]) -> list[NodeLink]:
    """A memory whose session is drawn is about what its session is about, by who speaks there, and when that was."""
    placed = {_ends(link)[0] for link in links if (_ends(link)[0].kind, _ends(link)[1].kind) == (MEMORY, SESSION)}
    return [link for link in links if _ends(link)[0] not in placed or _ends(link)[1].kind in (SESSION, MEMORY)]


def _named(link: NodeLink) -> NodeLink:
    if link.kind != "shared":
        return link
    return NodeLink(link.a, link.b, NAMES[_ends(link)[1].kind], link.count, link.weight)
