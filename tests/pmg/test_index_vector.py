from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pmg.base.errors import IndexDamaged, InputError
from pmg.index import matrix, vector
from pmg.index.manifest import Manifest
from pmg.index.vector import VectorIndex

HERE = Manifest(store_id="store", model="model", change=7)


def unit(count: int, dimension: int = 16, seed: int = 0) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def filled(count: int, dimension: int = 16, **options: int) -> VectorIndex:
    index = VectorIndex(dimension, threads=1, **options)
    index.add(np.arange(count) * 3 + 1, unit(count, dimension))
    return index


def brute(known: dict[int, np.ndarray], query: np.ndarray, k: int) -> list[tuple[int, float]]:
    scored = [(float(np.float32(v.astype(float) @ query.astype(float))), id_) for id_, v in known.items()]
    return [(id_, score) for score, id_ in sorted(scored, key=lambda pair: (-pair[0], pair[1]))][:k]


def found(index: VectorIndex, query: np.ndarray, k: int) -> list[tuple[int, float]]:
    hits = index.search(query[None], k)
    return [(int(i), float(s)) for i, s in zip(hits.ids[0], hits.scores[0], strict=True) if i >= 0]


# small whole numbers are exact in every order of summation, and full of ties
grid = hnp.arrays(np.float32, (5, 4), elements=st.integers(-2, 2).map(float))
steps = st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 30), min_size=5, max_size=5), grid), max_size=12)


@settings(max_examples=150, deadline=None)
@given(steps=steps, query=hnp.arrays(np.float32, 4, elements=st.integers(-2, 2).map(float)), k=st.integers(1, 12))
def test_any_history_searches_like_sorting_everything(steps: list, query: np.ndarray, k: int) -> None:
    index, known = VectorIndex(4, threads=1), {}
    for adding, ids, vectors in steps:
        if adding:
            index.add(np.array(ids), vectors)
            known.update(zip(ids, vectors, strict=True))
        else:
            gone = index.remove(np.array(ids))
            assert gone == len({id_ for id_ in ids if known.pop(id_, None) is not None})
    assert len(index) == len(known) and set(index.ids().tolist()) == set(known)
    assert found(index, query, k) == brute(known, query, k)
    if known:
        some = np.array(sorted(known))
        assert np.array_equal(index.vectors_of(some), np.array([known[int(i)] for i in some]))
        assert dict(brute(known, query, 99)) == dict(
            zip(some.tolist(), index.similarities(query, some).tolist(), strict=True)
        )


@settings(max_examples=40, deadline=None)
@given(steps=steps, query=hnp.arrays(np.float32, 4, elements=st.integers(-2, 2).map(float)))
def test_blocks_and_pages_of_any_size_make_no_difference(steps: list, query: np.ndarray) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (matrix, vector):
            patch.setattr(module, "BLOCK_ROWS", 4)
        test_any_history_searches_like_sorting_everything.hypothesis.inner_test(steps, query, 3)


def test_many_equal_vectors_give_the_lowest_ids_alone_and_in_a_batch() -> None:
    index = VectorIndex(8, threads=1)
    same = np.tile(unit(1, 8), (400, 1))
    index.add(np.arange(400)[::-1].copy(), same)
    index.add(np.arange(400, 500), unit(100, 8, seed=5))
    batch = index.search(np.tile(same[:1], (50, 1)), 10)
    assert (batch.ids == np.arange(10)).all()
    assert index.search(same[:1], 10).ids[0].tolist() == list(range(10))
    assert np.unique(batch.scores).size == 1


def test_the_same_query_scores_the_same_alone_in_a_batch_and_after_another_order_of_adding() -> None:
    first = filled(3000)
    second = VectorIndex(16, threads=1)
    order = np.random.default_rng(1).permutation(3000)
    second.add((np.arange(3000) * 3 + 1)[order], unit(3000)[order])
    queries = unit(60, seed=2)
    batch, other = first.search(queries, 20), second.search(queries, 20)
    assert np.array_equal(batch.ids, other.ids) and np.array_equal(batch.scores, other.scores)
    alone = [first.search(query[None], 20) for query in queries]
    assert np.array_equal(batch.ids, np.concatenate([hit.ids for hit in alone]))
    assert np.array_equal(batch.scores, np.concatenate([hit.scores for hit in alone]))


def test_an_empty_index_finds_nothing_and_too_few_are_padded() -> None:
    index = VectorIndex(4)
    assert index.search(unit(2, 4), 3).ids.tolist() == [[-1] * 3] * 2
    assert np.isnan(index.similarities(unit(1, 4)[0], np.array([5]))).all()
    index.add(np.array([9]), unit(1, 4))
    hits = index.search(unit(1, 4), 3)
    assert hits.ids.tolist() == [[9, -1, -1]] and hits.scores[0, 1] == -np.inf
    assert index.search(np.empty((0, 4), np.float32), 3).ids.shape == (0, 3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_vector_that_is_not_finite_is_refused_and_leaves_the_index_untouched(bad: float) -> None:
    index, vectors = filled(10), unit(3)
    vectors[1, 4] = bad
    with pytest.raises(InputError, match="id 101"):
        index.add(np.array([100, 101, 102]), vectors)
    assert len(index) == 10
    with pytest.raises(InputError):
        index.search(vectors, 3)


def test_wrong_shapes_negative_ids_and_unknown_ids_are_refused() -> None:
    index = filled(3)
    for ids, vectors in [
        (np.array([1]), unit(1, 8)),
        (np.array([1, 2]), unit(1)),
        (np.array([-1]), unit(1)),
    ]:
        with pytest.raises(InputError):
            index.add(ids, vectors)
    with pytest.raises(InputError, match="id 77"):
        index.vectors_of(np.array([1, 77]))
    with pytest.raises(InputError, match="at least 1"):
        index.search(unit(1), 0)


def test_a_saved_index_loads_with_the_same_answers(tmp_path: Path) -> None:
    index = filled(2500)
    index.remove(np.arange(1, 900, 3))
    saved = index.save(tmp_path / "v", HERE)
    assert (saved.rows, saved.change) == (2200, 7)
    again = VectorIndex.load(tmp_path / "v", HERE, 16, threads=1)
    assert again.manifest == saved
    for mine, theirs in ((index.search(unit(5, seed=3), 9), again.search(unit(5, seed=3), 9)),):
        assert np.array_equal(mine.ids, theirs.ids) and np.array_equal(mine.scores, theirs.scores)


def test_saving_again_writes_only_what_changed_and_drops_what_is_old(tmp_path: Path) -> None:
    index = filled(5000)
    index.save(tmp_path, HERE)
    before = {path.name: path.stat().st_ino for path in tmp_path.glob("*.piece")}
    index.add(np.array([90_000]), unit(1))
    index.remove(np.array([1]))
    index.save(tmp_path, replace(HERE, change=8))
    after = {path.name: path.stat().st_ino for path in tmp_path.glob("*.piece")}
    assert len(before) == len(after) == 5
    assert sum(after[name] == before[name] for name in before.keys() & after.keys()) == 3
    assert len(list(tmp_path.glob("*.catalog"))) == 1
    again = VectorIndex.load(tmp_path, HERE, 16)
    assert again.manifest is not None and again.manifest.change == 8
    assert set(again.ids().tolist()) == set(index.ids().tolist())


def test_an_index_shrunk_to_nothing_and_grown_again_saves_and_loads(tmp_path: Path) -> None:
    index = filled(1500)
    index.save(tmp_path, HERE)
    index.remove(index.ids())
    index.save(tmp_path, HERE)
    assert len(VectorIndex.load(tmp_path, HERE, 16)) == 0
    index.add(np.array([4]), unit(1))
    index.save(tmp_path, HERE)
    assert VectorIndex.load(tmp_path, HERE, 16).ids().tolist() == [4]


def test_saving_into_another_folder_writes_everything_there(tmp_path: Path) -> None:
    index = filled(1500)
    index.save(tmp_path / "a", HERE)
    index.save(tmp_path / "b", HERE)
    assert len(VectorIndex.load(tmp_path / "b", HERE, 16)) == 1500


def test_another_dimension_is_damage(tmp_path: Path) -> None:
    filled(10).save(tmp_path, HERE)
    with pytest.raises(IndexDamaged, match="16 dimensions"):
        VectorIndex.load(tmp_path, HERE, 8)


def test_a_page_that_is_missing_is_damage(tmp_path: Path) -> None:
    filled(10).save(tmp_path, HERE)
    next(tmp_path.glob("*.piece")).unlink()
    with pytest.raises(IndexDamaged, match="cannot be read"):
        VectorIndex.load(tmp_path, HERE, 16)


def clustered(count: int, seed: int) -> np.ndarray:
    source = np.random.default_rng(3)
    centres, spread = source.standard_normal((40, 64)), np.random.default_rng(seed)
    made = centres[spread.integers(0, 40, count)] + spread.standard_normal((count, 64))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def recall(index: VectorIndex, exact: VectorIndex, queries: np.ndarray) -> float:
    pairs = zip(index.search(queries, 20).ids, exact.search(queries, 20).ids, strict=True)
    return float(np.mean([len(set(a) & set(b)) / 20 for a, b in pairs]))


def test_the_compressed_index_finds_the_same_and_scores_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector, "CANDIDATES", 400)  # fewer than in use, so that the codes decide
    vectors, queries = clustered(6000, 1), clustered(40, 2)
    small, exact = VectorIndex(64, 1, compress_from=5000), VectorIndex(64, 1)
    for index in (small, exact):
        index.add(np.arange(6000), vectors)
    assert small.compressed and not exact.compressed
    assert recall(small, exact, queries) >= 0.95
    hits = small.search(queries[:1], 5)
    assert np.array_equal(hits.scores[0], small.similarities(queries[0], hits.ids[0]))
    for index in (small, exact):
        index.remove(np.arange(0, 900))
        index.add(np.arange(5900, 6100), clustered(200, 4))
    assert recall(small, exact, queries) >= 0.95
    small.save(tmp_path, HERE)
    again = VectorIndex.load(tmp_path, HERE, 64, threads=1, compress_from=5000)
    assert again.compressed and recall(again, exact, queries) >= 0.95
    for index in (again, exact):
        index.remove(np.arange(900, 1100))
    assert recall(again, exact, queries) >= 0.95
    assert not set(again.search(queries, 50).ids.ravel().tolist()) & set(range(1100))


def test_the_compressed_index_goes_back_to_exact_when_it_shrinks() -> None:
    index = VectorIndex(64, 1, compress_from=500)
    index.add(np.arange(600), clustered(600, 1))
    assert index.compressed
    index.remove(np.arange(200))
    assert not index.compressed
    assert found(index, clustered(1, 9)[0], 3)[0][0] >= 200


def test_what_vectors_are_like_is_measured_anew_after_every_change() -> None:
    vectors = unit(8, 4)
    index = VectorIndex(4)
    assert index.background() is None
    index.add(np.arange(8), vectors)
    first = index.background()
    assert first is not None and first.count == 8 and index.background() is first
    index.remove(np.array([99]))
    assert index.background() is first  # nothing was there to go
    index.remove(np.array([0, 1]))
    fewer = index.background()
    assert fewer is not None and fewer.count == 6 and np.allclose(fewer.mean, vectors[2:].mean(axis=0))
    index.add(np.array([7]), -vectors[7:])
    turned = index.background()
    assert turned is not None and not np.allclose(turned.mean, fewer.mean)
