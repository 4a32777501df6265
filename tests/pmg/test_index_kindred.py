"""Words close in meaning: the table of the package, and what it finds in an index."""

from __future__ import annotations

import numpy as np
import pytest

from pmg.index import kindred
from pmg.index.kindred import KindredWords, kindred_words
from pmg.index.kindred_table import distilled, stems_of
from pmg.index.lexical import LexicalDoc, LexicalIndex

TEXTS = ("The cat sleeps", "My kitten sleeps", "A red bicycle", "The bicycle and the cat", "Nothing at all")


def small_table() -> KindredWords:
    """kitten is half as close to cat as cat itself."""
    kin = np.array([1, 0], np.uint16)
    return KindredWords(["cat", "kitten"], np.array([0, 1, 2], np.uint32), kin, np.array([128, 128], np.uint8))


def index() -> LexicalIndex:
    found = LexicalIndex()
    found.add(LexicalDoc(number, number, text) for number, text in enumerate(TEXTS))
    return found


def test_a_document_with_a_close_word_stands_between_one_with_the_word_and_one_without() -> None:
    scores = index().kindred("cat", small_table()).of(np.arange(5))
    assert scores[0] > scores[1] > scores[2]
    assert scores[0] == scores[3]
    assert scores[1] - scores[2] == pytest.approx((scores[0] - scores[2]) * 128 / 255)


@pytest.mark.parametrize("query", ["cat", "cat bicycle sleeps", "kitten nothing red"])
def test_terms_of_few_and_of_many_documents_are_added_up_alike(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for many in (0, 1_000_000):
        monkeypatch.setattr(kindred, "COMMON_SHARE", many)
        found.append(index().kindred(query, small_table()).of(np.arange(5)).tolist())
    assert found[0] == found[1]


def test_scores_are_shares_over_the_ordinary_document() -> None:
    scores = index().kindred("cat bicycle", small_table()).of(np.arange(5))
    assert scores.mean() == pytest.approx(0.0, abs=1e-6)
    assert scores[3] - scores[4] == pytest.approx(1.0)


def test_a_removed_document_is_neither_scored_nor_counted() -> None:
    whole = index()
    whole.remove(np.array([0]))
    fresh = LexicalIndex()
    fresh.add(LexicalDoc(number, number, text) for number, text in enumerate(TEXTS) if number)
    ids = np.arange(1, 5)
    expected = fresh.kindred("cat", small_table()).of(ids)
    assert whole.kindred("cat", small_table()).of(ids).tolist() == pytest.approx(expected.tolist())


def test_words_that_neither_the_table_nor_the_index_knows_change_nothing() -> None:
    table = small_table()
    assert index().kindred("zzgrmbl", table).of(np.arange(5)).tolist() == [0.0] * 5
    with_it, without = (index().kindred(text, table).of(np.arange(5)) for text in ("cat zzgrmbl", "cat"))
    assert with_it.tolist() == without.tolist()


def test_the_package_s_table_knows_its_words() -> None:
    table = kindred_words()
    for stem, close in (("kitten", "cat"), ("marri", "wife"), ("camp", "tent"), ("job", "career")):
        kin = table.of(stem)
        assert close in [name for name, _ in kin]
        assert [value for _, value in kin] == sorted(value for _, value in kin)
        assert all(0 < value <= 1 for _, value in kin)
    assert "zzgrmbl" not in table and table.of("zzgrmbl") == []


def test_the_table_is_made_of_the_nearest_stems() -> None:
    chance = np.random.default_rng(1)
    words = ["cats", "cat", "kitten", *(f"w{chr(97 + i // 5)}{chr(97 + i % 5)}x" for i in range(20))]
    vectors = chance.normal(size=(len(words), 16)).astype(np.float32)
    vectors[2] = vectors[:2].mean(axis=0)
    table = distilled(words, vectors)
    assert "kitten" in [name for name, _ in table.of("cat")]
    names, rows = stems_of(words, vectors.astype(np.float64))
    assert names == sorted(names) and "cats" not in names
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(names)))
