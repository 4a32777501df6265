"""The shape of the memory in arrays: chains, namespaces, states and links follow the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pmg.base.model import Kind, Line, Origin, Role, Session, State
from pmg.index.adjacency import Adjacency
from pmg.index.catalogue import KINDS, Catalogue, adjacency
from pmg.store.duckdb.store import DuckStore
from pmg.store.rows import NewEdges, NewSegment, StateChange

Feed = Callable[..., Catalogue]


@pytest.fixture
def feed(home: Path) -> Iterator[Feed]:
    """Gives a catalogue what a store would: segments as (session, place), one line each, numbered in that order."""
    store = DuckStore.open(home)
    seen = {"change": 0}

    def take(catalogue: Catalogue, *told: tuple[str, int], namespace: str = "default") -> Catalogue:
        at = datetime(2026, 3, 3, tzinfo=UTC)
        for name, index in told:
            if store.session(name) is None:
                store.put_session(Session(name, namespace, "", "", "api", at, at, False))
            store.append([NewSegment(name, index, at, (Line("User", Role.USER, "two words"),))])
        return follow(catalogue)

    def follow(catalogue: Catalogue, *changes: StateChange) -> Catalogue:
        store.change_states(changes)
        catalogue.take_segments(*store.catalogue_rows(seen["change"]))
        seen["change"] = store.last_change()
        return catalogue

    take.follow = follow  # type: ignore[attr-defined]
    yield take
    store.close()


def chain(catalogue: Catalogue, start: int) -> list[int]:
    found, at = [], start
    while at:
        found.append(at)
        at = int(catalogue.chain(np.array([at]), 1)[0])
    return found


def test_a_session_that_grows_between_others_stays_one_chain(feed: Feed) -> None:
    catalogue = feed(Catalogue(), ("a", 0), ("b", 0), ("a", 1))
    feed(catalogue, ("b", 1), ("a", 2))
    assert chain(catalogue, 1) == [1, 3, 5]
    assert chain(catalogue, 2) == [2, 4]
    assert catalogue.chain(np.array([5, 5, 1]), -2).tolist() == [1, 1, 0]


def test_a_changed_segment_keeps_its_place_in_the_chain(feed: Feed) -> None:
    catalogue = feed(Catalogue(), ("a", 0), ("a", 1), ("a", 2))
    feed.follow(catalogue, StateChange(2, State.ARCHIVED))  # type: ignore[attr-defined]
    assert chain(catalogue, 1) == [1, 2, 3]
    code = catalogue.namespaces.find("default")
    assert catalogue.recallable(np.array([1, 2, 3]), code).tolist() == [True, False, True]


@pytest.mark.parametrize(("gone", "rest"), [(1, [2, 3]), (2, [1, 3]), (3, [1, 2])])
def test_a_removed_segment_leaves_the_chain_closed(feed: Feed, gone: int, rest: list[int]) -> None:
    catalogue = feed(Catalogue(), ("a", 0), ("a", 1), ("a", 2))
    catalogue.forget_segments(np.array([gone]))
    assert chain(catalogue, rest[0]) == rest
    feed(catalogue, ("a", 3))
    assert chain(catalogue, rest[0]) == [*rest, 4]


def test_namespaces_and_states_decide_what_may_be_recalled_and_shown(feed: Feed) -> None:
    catalogue = feed(Catalogue(), ("a", 0), namespace="mine")
    feed(catalogue, ("b", 0), namespace="yours")
    feed(catalogue, ("c", 0), namespace="mine")
    feed.follow(catalogue, StateChange(3, State.DUPLICATE, 1))  # type: ignore[attr-defined]
    mine = catalogue.namespaces.find("mine")
    assert catalogue.recallable(np.array([1, 2, 3]), mine).tolist() == [True, False, False]
    assert catalogue.showable(np.array([1, 2, 3]), mine).tolist() == [True, False, True]
    assert catalogue.recallable(np.array([1, 2, 3]), catalogue.namespaces.find("nobody")).tolist() == [False] * 3


def test_windows_lead_to_their_lines_and_back(feed: Feed) -> None:
    catalogue = feed(Catalogue(), ("a", 0), ("a", 1))
    catalogue.take_windows(np.array([1, 2, 3]), np.array([1, 1, 2]))
    assert catalogue.lines_of_windows(np.array([2, 3])).tolist() == [1, 2]
    assert catalogue.windows_of_lines(np.array([2, 1])).tolist() == [3, 1, 2]
    catalogue.drop_windows()
    assert catalogue.windows_of_lines(np.array([1, 2])).tolist() == []


pairs = st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda p: p[0] != p[1]), max_size=20)


@settings(deadline=None)
@given(pairs, pairs)
def test_links_are_the_same_however_they_came_in(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    """Loaded at once or added bit by bit: a segment has the same links."""

    def kind(pair: tuple[int, int]) -> Kind:
        return Kind.SEMANTIC if pair[0] > pair[1] else Kind.RELATED_TO

    def neighbours(some: list[tuple[int, int]]) -> Adjacency:
        ends = np.array(some, dtype=np.int64).reshape(-1, 2)
        kinds = pa.array([kind(pair).value for pair in some], pa.string())
        return adjacency(
            pa.table(
                {"source": ends[:, 0], "target": ends[:, 1], "kind": kinds, "weight": np.ones(len(some), np.float32)}
            )
        )

    def links(catalogue: Catalogue) -> list[tuple[int, int, Kind]]:
        found = catalogue.links(np.arange(1, 9))
        kinds = [KINDS[k] for k in found.kind]
        return list(zip(found.source.tolist(), found.target.tolist(), kinds, strict=True))

    whole, grown = Catalogue(), Catalogue()
    whole.set_edges(neighbours([*first, *second]))
    grown.set_edges(neighbours(first))
    for a, b in second:
        grown.add_edges(NewEdges.one(a, b, kind((a, b)), 1.0, Origin.AUTO))
    assert links(whole) == links(grown)
    assert len(links(whole)) == 2 * (len(first) + len(second))  # each from both its ends
