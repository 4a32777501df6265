"""Same store, same query, same answer: byte for byte, after reopening, after a rebuild, and in another memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pmg import config as configuration
from pmg import sample
from pmg.engine import Engine
from steward.steward import Steward
from tests.embedding import WordEmbedder
from tests.tiers import one_fast

QUERIES = ("why is the release blocked?", "what does the doctor say about the knee", "bread", "the flat and the rent")


def answers(engine: Engine, mode: str) -> bytes:
    found = [engine.recall(query, mode=mode, count=False) for query in QUERIES]
    return json.dumps([[f.context, f.receipt.to_dict(), [s.id for s in f.segments]] for f in found]).encode()


@pytest.mark.parametrize("mode", one_fast(["fixed", "diffuse"]))
def test_the_same_question_has_the_same_answer(open_engine: Callable[..., Engine], mode: str) -> None:
    engine = open_engine()
    sessions = sample.sessions()[:40]
    engine.ingest(sessions[:20])
    engine.ingest(sessions[20:])
    before = answers(engine, mode)
    assert answers(engine, mode) == before
    engine.close()
    engine = open_engine()
    assert answers(engine, mode) == before
    engine.rebuild()
    assert answers(engine, mode) == before


@pytest.mark.slow
@pytest.mark.parametrize("mode", one_fast(["fixed", "diffuse"]))
def test_after_archiving_a_memory_answers_as_it_will_when_opened_anew(
    open_engine: Callable[..., Engine], mode: str
) -> None:
    engine = open_engine()
    engine.ingest(sample.sessions()[:40])
    answers(engine, mode)
    archived = [segment.id for session in engine.sessions()[:25] for segment in engine.reads.segments_of(session.id)]
    assert Steward(engine).archive(archived)
    before = answers(engine, mode)
    engine.close()
    assert answers(open_engine(), mode) == before


class LeaningEmbedder(WordEmbedder):
    """Another model of the same dimension, whose vectors all lean to one side."""

    def __init__(self) -> None:
        super().__init__("leaning")

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        leaning = super().embed(texts, progress) + np.float32(0.3)
        return np.asarray(leaning / np.linalg.norm(leaning, axis=1, keepdims=True), dtype=np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("mode", one_fast(["fixed", "diffuse"]))
def test_after_a_change_of_model_a_memory_answers_as_it_will_when_opened_anew(
    open_engine: Callable[..., Engine], mode: str
) -> None:
    engine = open_engine()
    engine.ingest(sample.sessions()[:20])
    answers(engine, mode)
    engine.reembed(LeaningEmbedder())
    before = answers(engine, mode)
    engine.close()
    assert answers(open_engine(embedder=LeaningEmbedder()), mode) == before


@pytest.mark.slow
def test_counting_a_recall_does_not_change_the_next_one(engine: Engine) -> None:
    engine.ingest(sample.sessions()[:10])
    before = answers(engine, "fixed")
    for query in QUERIES:
        engine.recall(query)
    engine.counts()
    assert answers(engine, "fixed") == before


def test_two_memories_of_the_same_conversations_recall_the_same(tmp_path: Path) -> None:
    """The fences differ, for they are salted by the store; what was found and why does not."""
    found = []
    for name in ("one", "two"):
        with Engine.open(configuration.load(tmp_path / name, {}), embedder=WordEmbedder()) as engine:
            engine.ingest(sample.sessions()[:15])
            found.append([engine.recall(query, mode="fixed", count=False).receipt for query in QUERIES])
    assert found[0] == found[1]
