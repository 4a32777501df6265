"""Groups of nodes in a weighted graph, by the Leiden algorithm (Traag, Waltman and van Eck 2019) for modularity, with a fixed seed.

Arrays in, one group number a node out. One run moves nodes, refines groups, folds them into nodes, and again until nothing moves. The gain of putting a
node into a group C is

    gain = w(v, C) - γ · k(v) · k(C) / 2m        (k: sum of weights at a node or group, m: of the whole graph)

The refinement is what sets Leiden apart from Louvain: a group is taken apart into its well-connected pieces before it becomes one node,
so no group can fall into two that hang on nothing but a node that has moved away. Where the paper draws a piece at random
in proportion to its gain, the best is taken: the same graph and seed give the same groups.

The well-known packages (igraph, leidenalg) are under the GPL and this project under Apache 2.0, and the graphs here are small: a node a
session, a dozen edges a node. So the algorithm stands here in plain Python instead of a dependency that decides under which licence
the whole may be passed on.
Run as a module it does the same over standard input and output: a large graph takes seconds in which the other threads of the
process would wait for the interpreter, so it gets a process of its own and nobody waits for it.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections import deque
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import StoreError
from pmg.base.low_priority import NICENESS

Ints = NDArray[np.int64]
MAX_LEVELS = 30
MAX_ROUNDS = 10  # of folding and unfolding; two or three are usual
MIN_GAIN = 1e-12  # a gain below this is rounding


@dataclass(frozen=True, slots=True)
class Graph:
    """Neighbours and weights node by node; `strength` counts an inner edge of a folded node twice."""

    neighbours: list[list[int]]
    weights: list[list[float]]
    strength: list[float]
    total: float  # 2m

    @classmethod
    def of(cls, nodes: int, source: Ints, target: Ints, weight: NDArray[np.float64]) -> Graph:
        """From edges in any order; an edge given twice counts twice, and one from a node to itself is inner weight."""
        strength = np.bincount(source, weight, nodes) + np.bincount(target, weight, nodes)
        apart = source != target
        ends = np.concatenate([source[apart], target[apart]])
        others = np.concatenate([target[apart], source[apart]])
        both, where = np.unique(ends * max(nodes, 1) + others, return_inverse=True)
        summed = np.bincount(where, np.concatenate([weight[apart], weight[apart]]), len(both))
        starts = np.searchsorted(both // max(nodes, 1), np.arange(nodes + 1)).tolist()
        beside, by = (both % max(nodes, 1)).tolist(), summed.tolist()
        rows = list(pairwise(starts))
        return cls([beside[a:b] for a, b in rows], [by[a:b] for a, b in rows], strength.tolist(), float(strength.sum()))

    def __len__(self) -> int:
        return len(self.strength)


def improve(graph: Graph, initial: Ints, resolution: float, seed: int) -> Ints:
    """Groups that no move of one node or one piece makes better, beginning from `initial`."""
    if graph.total <= 0:
        return _dense(initial)
    found = _dense(initial)
    for number in range(MAX_ROUNDS):
        better = _one_round(graph, found, resolution, np.random.default_rng((seed, number)))
        if np.array_equal(better, found):
            break
        found = better
    return found


def _one_round(graph: Graph, initial: Ints, resolution: float, random: np.random.Generator) -> Ints:
    """Move, refine and fold, level by level; then the groups of the last level, node by node of the first."""
    place, group = np.arange(len(graph), dtype=np.int64), initial.tolist()
    for _ in range(MAX_LEVELS):
        group = _moved(graph, group, resolution, random)
        pieces = _refined(graph, group, resolution, random)
        if len(pieces) == 0 or int(pieces.max()) + 1 == len(graph):
            break
        above = np.zeros(int(pieces.max()) + 1, dtype=np.int64)
        above[pieces] = group
        graph, place, group = _folded(graph, pieces), pieces[place], _dense(above).tolist()
    return _dense(np.asarray(group, dtype=np.int64)[place])


def _moved(graph: Graph, group: list[int], resolution: float, random: np.random.Generator) -> list[int]:
    """Each node into the group it gains most by; whoever may have changed their mind about it is asked again."""
    group = list(group)
    held = [0.0] * (max(group) + 1 + len(graph))
    empty = list(range(len(held) - 1, max(group), -1))  # numbers for a node that is better off alone
    for node, mine in enumerate(group):
        held[mine] += graph.strength[node]
    queue = deque(random.permutation(len(graph)).tolist())
    waiting = [True] * len(graph)
    while queue:
        node = queue.popleft()
        waiting[node] = False
        was, strength = group[node], graph.strength[node]
        share = resolution * strength / graph.total
        held[was] -= strength
        towards = _towards(graph, node, group)
        best, gain = was, towards.get(was, 0.0) - share * held[was]
        for other, weight in towards.items():
            if weight - share * held[other] > gain + MIN_GAIN:
                best, gain = other, weight - share * held[other]
        if gain < -MIN_GAIN:
            best = empty.pop() if held[was] > 0 else was
        held[best] += strength
        group[node] = best
        if best != was:
            for other in graph.neighbours[node]:
                if group[other] != best and not waiting[other]:
                    waiting[other] = True
                    queue.append(other)
            if held[was] <= 0:
                empty.append(was)
    return group


def _towards(graph: Graph, node: int, group: list[int]) -> dict[int, float]:
    """The weight from a node to each group beside it."""
    found: dict[int, float] = {}
    for other, weight in zip(graph.neighbours[node], graph.weights[node], strict=True):
        found[group[other]] = found.get(group[other], 0.0) + weight
    return found


def _refined(graph: Graph, group: list[int], resolution: float, random: np.random.Generator) -> Ints:
    """Each group as pieces that hang together well: a node that is still alone joins the piece of its group it gains most by."""
    count = len(graph)
    size = [0.0] * (max(group) + 1)
    for node, mine in enumerate(group):
        size[mine] += graph.strength[node]
    piece, held = list(range(count)), list(graph.strength)
    inner = [_towards(graph, node, group).get(group[node], 0.0) for node in range(count)]  # to the rest of its group
    alone = [True] * count
    for node in random.permutation(count).tolist():
        share = resolution * graph.strength[node] / graph.total
        if not alone[node] or inner[node] < share * (size[group[node]] - graph.strength[node]) - MIN_GAIN:
            continue
        best, gain, joined = node, 0.0, 0.0
        towards: dict[int, float] = {}
        for other, weight in zip(graph.neighbours[node], graph.weights[node], strict=True):
            if group[other] == group[node]:
                towards[piece[other]] = towards.get(piece[other], 0.0) + weight
        for other, weight in towards.items():
            hangs = (
                inner[other] >= resolution * held[other] * (size[group[node]] - held[other]) / graph.total - MIN_GAIN
            )
            if hangs and weight - share * held[other] > gain + MIN_GAIN:
                best, gain, joined = other, weight - share * held[other], weight
        if best != node:
            inner[best] += inner[node] - 2 * joined
            held[best] += held[node]
            piece[node] = best
            alone[best] = alone[node] = False
    return _dense(np.asarray(piece, dtype=np.int64))


def _folded(graph: Graph, pieces: Ints) -> Graph:
    """Each piece as one node; what lay inside it stays in its strength alone, which is all that a gain asks for."""
    count = int(pieces.max()) + 1
    lengths = [len(row) for row in graph.neighbours]
    source = pieces[np.repeat(np.arange(len(graph)), lengths)]
    target = pieces[np.fromiter((n for row in graph.neighbours for n in row), dtype=np.int64, count=sum(lengths))]
    weight = np.fromiter((w for row in graph.weights for w in row), dtype=np.float64, count=sum(lengths))
    once = source < target
    made = Graph.of(count, source[once], target[once], weight[once])
    strength = np.bincount(pieces, graph.strength, count)
    return Graph(made.neighbours, made.weights, strength.tolist(), graph.total)


def modularity(graph: Graph, group: Ints, resolution: float = 1.0) -> float:
    """How much more weight lies inside the groups than chance would put there, as a share of all; inner weight of a node counts inside."""
    strength = np.asarray(graph.strength)
    if graph.total <= 0:
        return 0.0
    sides = np.array([sum(row) for row in graph.weights]) if len(graph) else np.zeros(0)
    inside = float((strength - sides).sum())
    for node in range(len(graph)):
        mine = int(group[node])
        row = zip(graph.neighbours[node], graph.weights[node], strict=True)
        inside += sum(weight for other, weight in row if int(group[other]) == mine)
    held = np.bincount(group, strength)
    return inside / graph.total - resolution * float((held**2).sum()) / graph.total**2


def _dense(group: Ints) -> Ints:
    """The same groups numbered from 0 in the order of their first node."""
    _, first, where = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[where]


Floats = NDArray[np.float64]
INLINE = 20_000  # edges: some tenths of a second
RUNS = 4  # runs with different orders of visiting, of which the best is kept
MIN_IMPROVEMENT = 0.01  # of modularity: less is a matter of taste, and people remember where things were
SEED = 7


def groups(
    nodes: int, source: Ints, target: Ints, weight: Floats, initial: Ints, *, resolution: float = 1.0, seed: int = SEED
) -> Ints:
    """A group for each node. One of the runs begins from `initial`: little changes when little has changed."""
    if len(source) <= INLINE:
        return best(nodes, source, target, weight, initial, resolution, seed)
    sent = io.BytesIO()
    numbers = np.array([nodes, seed], dtype=np.int64)
    np.savez(sent, numbers=numbers, source=source, target=target, weight=weight, initial=initial, resolution=resolution)
    done = subprocess.run(
        [sys.executable, "-m", "steward.communities"], input=sent.getvalue(), capture_output=True, check=False
    )
    if done.returncode:
        raise StoreError(f"Topics could not be found: {done.stderr.decode(errors='replace')[-300:]}")
    return np.asarray(np.load(io.BytesIO(done.stdout), allow_pickle=False), dtype=np.int64)


def best(nodes: int, source: Ints, target: Ints, weight: Floats, initial: Ints, resolution: float, seed: int) -> Ints:
    """The partition of highest modularity among a few runs. What was found last time wins unless another is clearly better."""
    graph = Graph.of(nodes, source, target, weight)
    alone = np.arange(nodes, dtype=np.int64)
    runs = [improve(graph, initial, resolution, seed)]
    runs += [improve(graph, alone, resolution, seed + number) for number in range(1, RUNS)]
    quality = [modularity(graph, run, resolution) for run in runs]
    known = len(np.unique(initial)) < nodes  # something was found before
    chosen = int(np.argmax(quality))
    return runs[0] if known and quality[0] >= quality[chosen] - MIN_IMPROVEMENT else runs[chosen]


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False) as sent:
        nodes, seed = sent["numbers"].tolist()
        found = best(
            nodes, sent["source"], sent["target"], sent["weight"], sent["initial"], float(sent["resolution"]), seed
        )
    np.save(sys.stdout.buffer, found, allow_pickle=False)


if __name__ == "__main__":
    main()
