"""The Leiden algorithm: the groups one can see are found, they hang together, and nothing depends on chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steward.communities import Graph, best, groups, improve, modularity

# Zachary's karate club (1977): 34 people, 78 friendships; its best known modularity is 0.4198 (four groups).
KARATE = [
    (1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4), (1, 5), (1, 6), (1, 7), (5, 7), (6, 7), (1, 8), (2, 8), (3, 8), (4, 8), (1, 9), (3, 9), (3, 10),
    (1, 11), (5, 11), (6, 11), (1, 12), (1, 13), (4, 13), (1, 14), (2, 14), (3, 14), (4, 14), (6, 17), (7, 17), (1, 18), (2, 18), (1, 20), (2, 20),
    (1, 22), (2, 22), (24, 26), (25, 26), (3, 28), (24, 28), (25, 28), (3, 29), (24, 30), (27, 30), (2, 31), (9, 31), (1, 32), (25, 32), (26, 32),
    (29, 32), (3, 33), (9, 33), (15, 33), (16, 33), (19, 33), (21, 33), (23, 33), (24, 33), (30, 33), (31, 33), (32, 33), (9, 34), (10, 34), (14, 34),
    (15, 34), (16, 34), (19, 34), (20, 34), (21, 34), (23, 34), (24, 34), (27, 34), (28, 34), (29, 34), (30, 34), (31, 34), (32, 34), (33, 34),
]  # fmt: skip


def edges(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    source, target = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    return source, target, np.ones(len(pairs))


def test_the_best_known_groups_of_the_karate_club_are_found() -> None:
    source, target, weight = edges([(a - 1, b - 1) for a, b in KARATE])
    found = best(34, source, target, weight, np.arange(34), 1.0, 7)
    graph = Graph.of(34, source, target, weight)
    assert modularity(graph, found) == pytest.approx(0.4198, abs=0.0005)
    assert len(set(found.tolist())) == 4


def test_two_cliques_joined_by_one_edge_are_two_groups_whatever_the_start() -> None:
    cliques = [(i, j) for side in (0, 6) for i in range(side, side + 6) for j in range(i + 1, side + 6)]
    source, target, weight = edges([*cliques, (5, 6)])
    graph = Graph.of(12, source, target, weight)
    for begin in (np.arange(12), np.zeros(12, dtype=np.int64), np.arange(12) % 2):
        assert improve(graph, begin, 1.0, 3).tolist() == [0] * 6 + [1] * 6


def test_a_higher_resolution_gives_more_groups() -> None:
    source, target, weight = edges([(a - 1, b - 1) for a, b in KARATE])
    few, many = (best(34, source, target, weight, np.arange(34), gamma, 7) for gamma in (0.5, 3.0))
    assert len(set(few.tolist())) < len(set(many.tolist()))


def test_what_was_found_before_stays_unless_something_is_clearly_better() -> None:
    source, target, weight = edges([(a - 1, b - 1) for a, b in KARATE])
    found = best(34, source, target, weight, np.arange(34), 1.0, 7)
    assert best(34, source, target, weight, found, 1.0, 99).tolist() == found.tolist()


def test_nodes_without_edges_stay_alone() -> None:
    none = np.empty(0, dtype=np.int64)
    assert groups(3, none, none, np.empty(0), np.arange(3)).tolist() == [0, 1, 2]


def connected(group: set[int], pairs: list[tuple[int, int]]) -> bool:
    reached, todo = set[int](), [next(iter(group))]
    while todo:
        node = todo.pop()
        if node not in reached:
            reached.add(node)
            todo += [b for a, b in (*pairs, *((b, a) for a, b in pairs)) if a == node and b in group]
    return reached == group


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 14).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] < p[1]), min_size=1, unique=True),
        )
    )
)  # fmt: skip
def test_every_group_hangs_together_and_no_node_gains_by_moving(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, pairs = drawn
    source, target, weight = edges(pairs)
    graph = Graph.of(nodes, source, target, weight)
    found = improve(graph, np.arange(nodes), 1.0, 5)
    assert found.tolist() == improve(graph, np.arange(nodes), 1.0, 5).tolist()
    for number in set(found.tolist()):
        assert connected(set(np.flatnonzero(found == number).tolist()), pairs)
    quality = modularity(graph, found)
    for node in range(nodes):
        for other in range(int(found.max()) + 2):
            moved = found.copy()
            moved[node] = other
            assert modularity(graph, moved) <= quality + 1e-9
