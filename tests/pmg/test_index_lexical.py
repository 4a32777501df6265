from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pmg.base.errors import IndexDamaged, InputError
from pmg.index import lexical, postings
from pmg.index.kindred import kindred_words
from pmg.index.lexical import LexicalDoc, LexicalIndex
from pmg.index.manifest import Manifest
from pmg.index.terms import document_terms, query_terms

HERE = Manifest(store_id="store", change=3)


def indexed(*texts: str, folder: Path | None = None) -> LexicalIndex:
    index = LexicalIndex(folder)
    index.add(LexicalDoc(number, number // 2, text) for number, text in enumerate(texts))
    return index


def found(index: LexicalIndex, query: str, k: int = 10) -> list[int]:
    return index.search(query, k).ids.tolist()


def brute(known: dict[int, LexicalDoc], query: str, weight: float) -> dict[int, float]:
    """BM25 as the module's docstring has it, one document at a time."""
    scores = dict.fromkeys(known, 0.0)
    for factor, read in ((1.0, lambda doc: doc.text), (weight, lambda doc: doc.context)):
        bags = {id_: Counter(document_terms(read(doc))) for id_, doc in known.items()}
        mean = sum(bag.total() for bag in bags.values()) / max(1, len(bags))
        for term, times in Counter(query_terms(query)).items():
            asked = times * (lexical.K3 + 1) / (times + lexical.K3)
            df = sum(term in bag for bag in bags.values())
            idf = math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
            for id_, bag in bags.items():
                if bag[term]:
                    norm = lexical.K1 * (1 - lexical.B + lexical.B * bag.total() / mean)
                    scores[id_] += asked * factor * idf * bag[term] * (lexical.K1 + 1) / (bag[term] + norm)
    return {id_: score for id_, score in scores.items() if score}


word = st.sampled_from(["apple", "pear", "plum", "fig", "the", "林檎", "3.5"])
text = st.lists(word, max_size=6).map(" ".join)
doc = st.builds(LexicalDoc, st.integers(0, 25), st.integers(0, 9), text, text)
step = st.one_of(
    st.lists(doc, max_size=8).map(lambda docs: ("add", docs)),
    st.lists(st.integers(0, 25), max_size=4).map(lambda ids: ("remove", ids)),
    st.lists(st.integers(0, 9), max_size=2).map(lambda segments: ("segments", segments)),
)


def replay(steps: list) -> tuple[LexicalIndex, dict[int, LexicalDoc]]:
    index, known = LexicalIndex(), {}
    for what, given_ in steps:
        if what == "add":
            index.add(given_)
            known.update({one.id: one for one in given_})
        elif what == "remove":
            assert index.remove(np.array(given_, np.int64)) == len(set(given_) & set(known))
            known = {id_: one for id_, one in known.items() if id_ not in given_}
        else:
            index.remove_segments(np.array(given_, np.int64))
            known = {id_: one for id_, one in known.items() if one.segment not in given_}
    return index, known


@settings(max_examples=200, deadline=None)
@given(steps=st.lists(step, max_size=10), query=text, weight=st.sampled_from([0.0, 0.5, 2.0]))
def test_any_history_scores_like_the_formula_on_what_is_left(steps: list, query: str, weight: float) -> None:
    index, known = replay(steps)
    wanted = brute(known, query, weight)
    hits = index.search(query, 30, weight)
    assert index.ids().tolist() == sorted(known)
    assert dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)) == pytest.approx(wanted, rel=1e-5)
    assert hits.segments.tolist() == [known[id_].segment for id_ in hits.ids.tolist()]
    order = list(zip(-hits.scores, hits.ids, strict=True))
    assert order == sorted(order)


@settings(max_examples=100, deadline=None)
@given(steps=st.lists(step, max_size=10), query=text, k=st.integers(1, 5))
def test_a_history_leaves_no_trace_in_a_single_bit(steps: list, query: str, k: int) -> None:
    index, known = replay(steps)
    fresh = LexicalIndex()
    fresh.add(known.values())
    mine, theirs = index.search(query, k), fresh.search(query, k)
    assert mine.ids.tolist() == theirs.ids.tolist()
    assert mine.scores.tobytes() == theirs.scores.tobytes()
    some = np.arange(26)
    assert index.weigh(query, 1).of(some).tobytes() == fresh.weigh(query, 1).of(some).tobytes()
    every = index.scores(query)
    assert every.ids.tolist() == sorted(known)
    assert every.scores.tobytes() == index.weigh(query, 1).of(every.ids).tobytes()


def test_ties_go_to_the_lower_id_even_when_they_are_cut() -> None:
    index = LexicalIndex()
    index.add(LexicalDoc(number, 0, "the same words") for number in reversed(range(5000)))
    assert found(index, "words", 7) == list(range(7))


def test_the_best_of_many_are_those_of_a_full_sort() -> None:
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["red", "green", "blue", "grey"], size=rng.integers(1, 30))) for _ in range(9000)]
    index = indexed(*texts)
    every = index.scores("red green")
    best = np.lexsort((every.ids, -every.scores))[:40]
    hits = index.search("red green", 40)
    assert hits.ids.tolist() == every.ids[best].tolist() and hits.scores.tolist() == every.scores[best].tolist()


def test_adding_an_id_again_replaces_its_text() -> None:
    index = indexed("apples", "pears")
    index.add([LexicalDoc(0, 0, "plums"), LexicalDoc(0, 0, "figs")])
    assert (len(index), found(index, "apple"), found(index, "plum"), found(index, "fig")) == (2, [], [], [0])


def test_the_context_counts_with_its_weight() -> None:
    index = LexicalIndex()
    index.add([LexicalDoc(1, 1, "we went swimming", "Anna, 8 May 2023"), LexicalDoc(2, 2, "Anna went home", "Ben")])
    assert set(found(index, "Anna")) == {1, 2}
    assert index.search("Anna", 5, context_weight=0).ids.tolist() == [2]
    assert index.search("what happened in May", 5).ids.tolist() == [1]


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("我昨天在北京买了一只黑猫", "北京"),
        ("我昨天在北京买了一只黑猫", "猫"),
        ("昨日、東京タワーへ行きました。", "東京タワー"),
        ("犬が好きです", "好き"),
        ("오늘 날씨가 정말 좋다", "날씨"),
        ("เมื่อวานฉันไปตลาด", "ตลาด"),
        ("ｶﾀｶﾅ is half width", "カタカナ"),
        ("Die Straße in München war gesperrt", "strasse munchen"),
        ("El niño comió jamón en Córdoba", "jamon cordoba"),
        ("Wir haben über Größe gesprochen", "GRÖSSE"),
        ("the organisers were running late", "run"),
        ("Anna’s car broke down", "Anna"),
        ("call get_user_name() please", "user name"),
        ("rename parseHttpHeader", "header"),
        ("see settings/config.toml", "config.toml"),
        ("write to anna.smith@example.org", "anna.smith@example.org"),
        ("write to anna.smith@example.org", "example"),
        ("upgraded to v2.1 today", "2.1"),
        ("it costs 3,000 euros", "3000"),
        ("we use GPT-4 and python3", "gpt4 python"),
        ("great 👍🏽 thanks", "👍"),
        ("Привет, как дела? Ёлка", "елка"),
        ("مُحَمَّد كتب رسالة", "محمد"),
    ],
)
def test_what_was_said_is_found_in_any_script_and_form(stored: str, asked: str) -> None:
    assert found(indexed("nothing of the kind", stored, "другое 别的 別の 다른 อื่น"), asked)[:1] == [1]


@pytest.mark.parametrize("query", ["", "   ", "?!…—", "*", "\x00", "\ud800", "()", "'\"'", "unseenword"])
def test_a_query_without_a_known_term_finds_nothing(query: str) -> None:
    hits = indexed("some words", "more words").search(query, 5)
    assert (len(hits.ids), len(hits.segments), len(hits.scores)) == (0, 0, 0)


def test_only_stop_words_are_searched_for_but_else_they_are_ignored() -> None:
    index = indexed("to be or not to be", "the cat sat", "cats")
    assert found(index, "to be or not to be") == [0]
    assert set(found(index, "the cat")) == {1, 2}
    assert found(index, "who is the") == [1]


@pytest.mark.parametrize(
    "query",
    [
        "text:apple",
        'apple AND NOT "apple"',
        "apple^1000",
        "+apple -pear",
        "[a TO z] apple",
        "apple~2 *:*",
        "/.*/ apple",
    ],
)
def test_the_characters_of_a_query_language_mean_nothing(query: str) -> None:
    assert found(indexed("apple", "pear", "plum"), query)[0] == 0


def test_of_a_huge_query_the_rarest_terms_are_searched_for() -> None:
    index = indexed(*(f"common{number % 3} words" for number in range(300)), "needle")
    query = " ".join(f"unknown{number}" for number in range(500)) + " common0 common1 needle "
    query += "words " * 170_000
    assert len(query) > 1_000_000
    assert found(index, query)[0] == 300


def test_a_text_of_ten_megabytes_is_indexed() -> None:
    index = indexed("short", "word " * 300_000, "x" * 10_000_000)
    assert found(index, "word") == [1]
    assert found(index, "x" * 10_000_000) == [2]


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        indexed("a").search("a", 0)
    with pytest.raises(InputError, match="-4"):
        LexicalIndex().add([LexicalDoc(-4, 0, "a")])
    with pytest.raises(InputError, match="no folder"):
        indexed("a").save(HERE)


def test_a_saved_index_loads_with_the_same_answers_and_goes_on(tmp_path: Path) -> None:
    index = indexed(*(f"word{number % 50} thing" for number in range(500)), folder=tmp_path / "l")
    index.remove(np.arange(0, 100, 3))
    saved = index.save(HERE)
    assert (saved.rows, saved.change) == (len(index), 3)
    again = LexicalIndex.load(tmp_path / "l", HERE)
    assert again.manifest == saved
    for query in ("word7", "thing word3"):
        assert again.search(query, 20).scores.tobytes() == index.search(query, 20).scores.tobytes()
        assert found(again, query, 20) == found(index, query, 20)
    again.add([LexicalDoc(900, 4, "fresh word7")])
    again.save(replace(HERE, change=4))
    third = LexicalIndex.load(tmp_path / "l", HERE)
    assert found(third, "fresh") == [900] and third.manifest is not None and third.manifest.change == 4


def test_an_index_with_nothing_in_it_saves_and_loads(tmp_path: Path) -> None:
    index = LexicalIndex(tmp_path)
    index.save(HERE)
    assert len(LexicalIndex.load(tmp_path, HERE)) == 0
    index.add([LexicalDoc(1, 1, "?!", "")])
    index.save(HERE)
    again = LexicalIndex.load(tmp_path, HERE)
    assert len(again) == 1 and found(again, "anything") == []
    assert index.remove(np.array([1])) == 1
    index.save(HERE)
    assert len(LexicalIndex.load(tmp_path, HERE)) == 0


def test_what_was_not_saved_is_not_there_after_a_crash(tmp_path: Path) -> None:
    index = indexed("kept", folder=tmp_path)
    index.save(HERE)
    index.add([LexicalDoc(7, 7, "lost")])
    index.remove(np.array([0]))
    again = LexicalIndex.load(tmp_path, HERE)
    assert found(again, "kept") == [0] and found(again, "lost") == []


def test_a_foreign_store_is_damage(tmp_path: Path) -> None:
    indexed("a", folder=tmp_path).save(HERE)
    with pytest.raises(IndexDamaged, match="store_id"):
        LexicalIndex.load(tmp_path, Manifest(store_id="another"))


def test_frequencies_count_living_documents() -> None:
    index = indexed("apple apple", "apple pear", "plum")
    index.remove(np.array([1]))
    assert index.frequencies(["appl", "pear", "fig"]) == [1, 0, 0]


def test_adding_little_by_little_keeps_few_blocks() -> None:
    index = LexicalIndex()
    for number in range(600):
        index.add([LexicalDoc(number, number, f"line {number}")])
    assert len(index._parts) <= 10
    assert found(index, "412") == [412]


def test_whether_documents_have_any_of_some_terms() -> None:
    index = indexed("I baked bread", "You baked cake", "My oven broke")
    ids = index.ids()
    assert index.having(("i", "my"), ids).tolist() == [True, False, True]
    assert index.having(("nowhere",), ids).tolist() == [False] * 3
    assert index.having(("i",), np.array([999])).tolist() == [False]
    index.remove(ids[:1])
    assert index.having(("i", "my"), ids).tolist() == [False, False, True]


def test_documents_added_later_with_lower_ids_have_their_terms_too() -> None:
    index = LexicalIndex()
    index.add([LexicalDoc(number, number, "apple pie") for number in range(10, 20)])
    index.add([LexicalDoc(number, number, "apple tart") for number in range(10)])
    assert index.having(["appl"], np.arange(20)).all()


@pytest.mark.parametrize("seed", range(8))
def test_frequent_terms_score_the_same_in_every_bit_either_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(seed)
    words = ["cat", "kitten", "dog", "walk", "tea", "rain"]
    chance = [0.9, 0.3, 0.25, 0.6, 0.1, 0.02]
    texts = [" ".join(w for w, p in zip(words, chance, strict=True) if dice.random() < p) or "none" for _ in range(200)]
    query, ids = "a cat and a dog on a walk in the rain with tea, kitten", np.arange(200)

    def answers(fewest: int) -> list[bytes]:
        monkeypatch.setattr(postings, "MIN_DOCUMENTS", fewest)
        index = indexed(*texts)
        index.remove(ids[: seed * 3])
        weighed, kindred = index.weigh(query, 20), index.kindred(query, kindred_words())
        found = [weighed.hits.ids, weighed.hits.scores, weighed.of(ids), kindred.of(ids), index.scores(query).scores]
        return [one.tobytes() for one in found]

    assert answers(1) == answers(10**9)


def test_marked_segments_are_passed_over_and_those_after_the_marks_are_not() -> None:
    index = LexicalIndex()
    index.add([LexicalDoc(0, 0, "figs and plums"), LexicalDoc(1, 1, "figs"), LexicalDoc(2, 9, "figs")])
    asked = np.array([False, True])  # read before the segment 9 came
    assert index.frequencies(["fig", "plum"], asked) == [2, 1]
    assert sorted(index.search("figs", 5, without=asked).segments.tolist()) == [0, 9]
    assert index.frequencies(["fig"], np.array([], dtype=np.bool_)) == [3]  # of a memory that was empty then
