"""Groups of nodes in a weighted graph, by the Leiden algorithm (Traag, Waltman and van Eck 2019) for modularity, with a fixed seed.

Knows: arrays in, one group number a node out. leiden.py does the steps; here are the repeated runs.
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

import numpy as np
from numpy.typing import NDArray

from pmg.base.errors import StoreError
from pmg.base.low_priority import NICENESS
from steward.leiden import Graph, improve, modularity

Ints = NDArray[np.int64]
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
