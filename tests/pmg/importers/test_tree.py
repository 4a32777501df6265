"""Whatever the parent links say, every node is placed exactly once."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pmg.importers.tree import arrange, last_leaf
from tests.pmg.importers.places import unhurried

NAMES = st.sampled_from("abcdefghij")


@unhurried
@given(st.dictionaries(NAMES, NAMES | st.just("") | st.just("gone")), NAMES)
def test_every_node_stands_exactly_once_on_the_branch_or_a_chain(parents: dict[str, str], leaf: str) -> None:
    shape = arrange(parents, leaf)
    placed = [*shape.current, *(node for chain in shape.chains for node in chain.nodes)]
    assert sorted(placed) == sorted(parents)


@unhurried
@given(st.dictionaries(NAMES, NAMES | st.just("")), NAMES)
def test_a_chain_runs_from_parent_to_child_and_hangs_on_a_parent(parents: dict[str, str], leaf: str) -> None:
    shape = arrange(parents, leaf)
    for run in (shape.current, *(chain.nodes for chain in shape.chains)):
        assert all(parents[child] == parent for parent, child in itertools.pairwise(run))
    for chain in shape.chains:
        assert chain.at in ("", parents[chain.nodes[0]])


def test_a_path_of_a_hundred_thousand_needs_no_stack() -> None:
    parents = {str(n): str(n - 1) if n else "" for n in range(100_000)}
    assert arrange(parents, "99999").current == tuple(parents)
    assert len(arrange(parents, "0").chains) == 1


def test_the_newest_leaf_is_chosen_and_of_equals_the_last() -> None:
    parents = {"r": "", "a": "r", "b": "r", "c": "r"}
    assert last_leaf(parents, {"a": 3.0, "b": 5.0, "c": 1.0}) == "b"
    assert last_leaf(parents, {}) == "c"
    assert last_leaf({}, {}) == ""
