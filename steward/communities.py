"""Groups of nodes in a weighted graph, by the Leiden algorithm with a fixed seed. The only module that imports igraph.

Knows: arrays in, one group number a node out. Does not know: what the nodes are.
Run as a module it does the same over standard input and output: a large graph takes seconds in which igraph lets no other thread
of the process run, so it gets a process of its own and nobody waits for it.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys

import igraph
import numpy as np
from numpy.typing import NDArray

from pmg.errors import StoreError
from pmg.low_priority import NICENESS

Ints = NDArray[np.int64]
INLINE = 20_000  # edges: a few milliseconds
SEED = 7


def groups(nodes: int, source: Ints, target: Ints, weight: NDArray[np.float64], initial: Ints) -> Ints:
    """A group for each node, beginning from `initial`, so that little changes when little has changed."""
    if len(source) <= INLINE:
        return leiden(nodes, source, target, weight, initial)
    sent = io.BytesIO()
    np.savez(sent, nodes=np.array(nodes), source=source, target=target, weight=weight, initial=initial)
    done = subprocess.run(
        [sys.executable, "-m", "steward.communities"], input=sent.getvalue(), capture_output=True, check=False
    )
    if done.returncode:
        raise StoreError(f"Topics could not be found: {done.stderr.decode(errors='replace')[-300:]}")
    return np.asarray(np.load(io.BytesIO(done.stdout), allow_pickle=False), dtype=np.int64)


def leiden(nodes: int, source: Ints, target: Ints, weight: NDArray[np.float64], initial: Ints) -> Ints:
    igraph.set_random_number_generator(random.Random(SEED))
    graph = igraph.Graph(n=nodes, edges=np.stack([source, target], axis=1))
    found = graph.community_leiden(
        "modularity", weights=weight.tolist(), n_iterations=10, initial_membership=initial.tolist()
    )
    return np.array(found.membership, dtype=np.int64)


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False) as sent:
        found = leiden(int(sent["nodes"]), sent["source"], sent["target"], sent["weight"], sent["initial"])
    np.save(sys.stdout.buffer, found, allow_pickle=False)


if __name__ == "__main__":
    main()
