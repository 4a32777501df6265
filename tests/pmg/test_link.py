"""Which older segments a new one is linked to, from cosines alone."""

from __future__ import annotations

import numpy as np

from pmg.base.model import Kind
from pmg.ingest import link

RULE = link.LinkRule(edge=0.6, link=0.75, extend=0.75, edge_cap=2, link_top=1)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def flags(*values: bool) -> np.ndarray:
    return np.array(values, dtype=np.bool_)


def test_a_pair_has_the_best_score_of_its_windows() -> None:
    found = link.neighbours(ints(5, 5, 5), ints(1, 1, 2), floats(0.7, 0.9, 0.8), 0.5, ints(5))
    others, scores = found.of(0)
    assert others.tolist() == [1, 2]
    assert scores.tolist() == floats(0.9, 0.8).tolist()


def test_equal_scores_go_to_the_lower_number() -> None:
    found = link.neighbours(ints(9, 9, 9), ints(4, 2, 3), floats(0.8, 0.8, 0.8), 0.5, ints(9))
    assert found.of(0)[0].tolist() == [2, 3, 4]


def test_what_is_under_the_floor_is_no_neighbour_and_a_segment_may_have_none() -> None:
    found = link.neighbours(ints(5, 7), ints(1, 2), floats(0.4, 0.9), 0.5, ints(5, 6, 7))
    assert [found.of(i)[0].tolist() for i in range(3)] == [[], [], [2]]


def test_inside_a_batch_only_earlier_segments_of_other_sessions_are_found() -> None:
    same = np.tile(floats(1, 0), (4, 1))
    rows, others, scores = link.within_batch(same, ints(1, 2, 3, 4), np.array([0, 0, 1, 2], dtype=np.int32), 10)
    assert sorted(zip(rows.tolist(), others.tolist(), strict=True)) == [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    assert set(scores.tolist()) == {1.0}


def test_edges_point_from_newer_to_older_within_their_caps() -> None:
    made = link.edges_for(
        5, ints(1, 9, 2), floats(0.9, 0.8, 0.7), flags(False, False, False), flags(False, True, False), RULE
    )
    assert [(a, b, kind) for a, b, kind, _ in made] == [
        (5, 1, Kind.SEMANTIC),
        (5, 1, Kind.RELATED_TO),
        (9, 5, Kind.SEMANTIC),
    ]


def test_a_document_is_extended_by_every_turn_that_is_near_enough() -> None:
    documents = flags(True, True, True)
    made = link.edges_for(5, ints(1, 2, 3), floats(0.9, 0.8, 0.7), documents, ~documents, RULE)
    assert [b for _, b, kind, _ in made if kind is Kind.EXTENDS_SOURCE] == [1, 2]


def test_no_edges_are_empty_arrays() -> None:
    assert len(link.as_arrays([]).source) == 0
