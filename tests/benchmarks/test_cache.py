"""Vectors by content on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.cache import CachedEmbedder
from tests.embedding import DIMENSION, WordEmbedder

TEXTS = ["a cat", "bread in the oven", "a cat", ""]


def test_a_text_is_embedded_once_in_its_life(tmp_path: Path) -> None:
    first, second = WordEmbedder(), WordEmbedder()
    vectors = CachedEmbedder(first, tmp_path).embed(TEXTS)
    assert first.embedded == 3
    again = CachedEmbedder(second, tmp_path).embed(TEXTS)
    assert second.embedded == 0
    np.testing.assert_array_equal(vectors, again)
    np.testing.assert_array_equal(vectors, WordEmbedder().embed(TEXTS))


def test_many_small_additions_keep_every_vector(tmp_path: Path) -> None:
    cached = CachedEmbedder(WordEmbedder(), tmp_path)
    texts = [f"word{i} cat bread{i % 7}" for i in range(300)]
    for text in texts:
        cached.embed([text])
    np.testing.assert_array_equal(cached.embed(texts), WordEmbedder().embed(texts))
    np.testing.assert_array_equal(CachedEmbedder(WordEmbedder(), tmp_path).embed(texts), WordEmbedder().embed(texts))


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    CachedEmbedder(WordEmbedder("one"), tmp_path).embed(TEXTS)
    other = WordEmbedder("two")
    CachedEmbedder(other, tmp_path).embed(TEXTS)
    assert other.embedded == 3


def test_a_record_cut_off_by_a_kill_is_computed_again(tmp_path: Path) -> None:
    CachedEmbedder(WordEmbedder(), tmp_path).embed(TEXTS)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-5])
    inner = WordEmbedder()
    np.testing.assert_array_equal(CachedEmbedder(inner, tmp_path).embed(TEXTS), WordEmbedder().embed(TEXTS))
    assert inner.embedded == 1
    last = WordEmbedder()
    CachedEmbedder(last, tmp_path).embed(TEXTS)
    assert last.embedded == 0


def test_two_writers_do_not_spoil_each_other_s_records(tmp_path: Path) -> None:
    one, two = (CachedEmbedder(WordEmbedder(), tmp_path) for _ in range(2))
    one.embed(["a cat", "a dog"])
    two.embed(["a dog", "the rain"])
    inner = WordEmbedder()
    texts = ["the rain", "a cat", "a dog"]
    np.testing.assert_array_equal(CachedEmbedder(inner, tmp_path).embed(texts), WordEmbedder().embed(texts))
    assert inner.embedded == 0


def test_no_texts_give_no_rows(tmp_path: Path) -> None:
    assert CachedEmbedder(WordEmbedder(), tmp_path).embed([]).shape == (0, DIMENSION)


def test_what_is_computed_is_reported(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    CachedEmbedder(WordEmbedder(), tmp_path, lambda *step: seen.append(step)).embed([f"t{i}" for i in range(70)])
    assert seen == [(64, 70), (70, 70)]
