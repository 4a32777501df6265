"""Pairs are found whole, in blocks of any size, in a sweep or as they come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.speed import RowEmbedder, make_sessions
from benchmarks.steward import vectors_with_twins
from pmg.config import Config
from pmg.engine import Engine
from steward import near_pairs
from steward.near_pairs import near
from steward.task import Pace

COUNT, LATER = 400, 60
THRESHOLD = 0.7  # low enough that twins, topics and chance all give pairs


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    vectors = vectors_with_twins(COUNT + LATER)
    home: Path = tmp_path_factory.mktemp("pairs") / "memory"
    with Engine.open(Config(home=home), embedder=RowEmbedder(vectors)) as engine:
        engine.ingest([*make_sessions(COUNT), *make_sessions(LATER, COUNT)])
        yield engine, vectors


def by_hand(vectors: np.ndarray, after: int) -> set[tuple[int, int]]:
    cosine = vectors.astype(np.float64) @ vectors.astype(np.float64).T
    a, b = np.nonzero(np.triu(cosine >= THRESHOLD, 1))
    return {(int(x) + 1, int(y) + 1) for x, y in zip(a, b, strict=True) if y + 1 > after}


@pytest.mark.parametrize("after", [0, COUNT])
@pytest.mark.parametrize("blocks", [(1024, 4096), (37, 101)])
def test_it_finds_what_all_against_all_finds(
    memory: tuple[Engine, np.ndarray], after: int, blocks: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, vectors = memory
    monkeypatch.setattr(near_pairs, "PROBES", blocks[0])
    monkeypatch.setattr(near_pairs, "AGAINST", blocks[1])
    found = near(engine.components, "default", THRESHOLD, after, Pace())
    expected = by_hand(vectors, after)
    assert set(zip(found.a.tolist(), found.b.tolist(), strict=True)) == expected
    assert len(expected) > 3


def test_a_set_phrase_said_often_does_not_fill_the_memory(
    memory: tuple[Engine, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, _ = memory
    monkeypatch.setattr(near_pairs, "MAX_PARTNERS", 2)
    found = near(engine.components, "default", -1.0, 0, Pace())
    assert len(found) <= 2 * (COUNT + LATER)


def test_a_stopped_search_ends() -> None:
    pace = Pace()
    pace.stop()
    assert not pace.go()
    assert list(pace.chunks([1, 2, 3], 1)) == []


def test_upkeep_waits_while_somebody_searches_but_not_for_ever() -> None:
    asked = []

    def busy() -> bool:
        asked.append(1)
        return len(asked) < 5

    assert Pace(0.01, busy).go()
    assert len(asked) == 5
    assert Pace(0.01, lambda: True).go()
