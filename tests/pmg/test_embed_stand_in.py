"""The stand-in is what the other tests stand on, so its vectors are checked by eye here."""

from __future__ import annotations

import numpy as np
import pytest

from pmg.embed.embedder import Embedder
from tests.embedding import DIMENSION, WordEmbedder


def cosine(one: str, other: str) -> float:
    vectors = WordEmbedder().embed([one, other])
    return float(vectors[0] @ vectors[1])


def test_texts_about_one_topic_are_near_and_about_two_are_far() -> None:
    assert cosine("my cat", "the kitten and the vet") == pytest.approx(1.0)
    assert cosine("my cat", "the oven") == 0.0
    assert cosine("my cat", "the cat and the bread") == pytest.approx(0.5**0.5, abs=1e-6)


def test_the_stand_in_meets_the_contract() -> None:
    embedder: Embedder = WordEmbedder()
    vectors = embedder.embed(["", " ", "😀", "\0", "\ud800 cat", "x" * 1_000_000])
    assert vectors.shape == (6, DIMENSION)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_spans_name_the_words() -> None:
    text = "the cat: 日本"
    assert [text[a:b] for a, b in WordEmbedder().token_spans(text)] == ["the", "cat", ":", "日", "本"]


def test_two_names_are_two_models() -> None:
    assert WordEmbedder("one").fingerprint != WordEmbedder("two").fingerprint
