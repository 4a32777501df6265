"""What a line is beside its words: read when it is indexed, found like a word, counted by no score."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmg.index import lexical
from pmg.index.lexical import LexicalDoc, LexicalIndex
from pmg.index.manifest import Manifest
from pmg.index.marks import RECOUNTS, recounts
from pmg.index.terms import document_terms, query_terms

TEXTS = (
    "I finally went to Rome.",
    "Rome is lovely in spring.",
    "we bought two ferns",
    "Should we go? I never saw Rome.",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went to Rome.", True),
        ("Last week we finally bought two ferns", True),
        ("i never really liked it", True),
        ("My sister and I just moved", True),
        ("I've been to Rome", False),  # goes on, or nobody says when
        ("I'd go to Rome", False),
        ("I need a car", False),
        ("We can go, she went too", False),
        ("Do you know whether I went?", False),
        ("She said that Rome was lovely", False),
        ("", False),
    ],
)
def test_who_tells_what_they_did_is_known_by_first_person_and_past(text: str, expected: bool) -> None:
    assert recounts(text) is expected


@given(st.text())
def test_no_word_of_a_text_is_a_mark(text: str) -> None:
    assert RECOUNTS not in {*document_terms(text), *query_terms(text)}


def _index(folder: Path | None = None) -> LexicalIndex:
    index = LexicalIndex(folder)
    for number, text in enumerate(TEXTS):  # one by one: blocks are merged on the way
        index.add([LexicalDoc(number, number, text, "Tim")])
    return index


def test_a_mark_is_found_also_after_merging_and_on_disk(tmp_path: Path) -> None:
    index = _index(tmp_path)
    ids = np.arange(len(TEXTS))
    assert index.having((RECOUNTS,), ids).tolist() == [True, False, True, True]
    index.save(Manifest("store"))
    assert LexicalIndex.load(tmp_path, Manifest("store")).having((RECOUNTS,), ids).tolist() == [True, False, True, True]


def test_a_mark_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    marked = _index()
    monkeypatch.setattr(lexical, "marks_of", lambda text: ())
    plain = _index()
    assert not plain.having((RECOUNTS,), np.arange(len(TEXTS))).any()
    for query in ("Rome", "I did", "Tim went to Rome", "ferns"):
        np.testing.assert_array_equal(marked.scores(query).scores, plain.scores(query).scores)
