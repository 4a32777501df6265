"""The ONNX form: the vectors of torch, the same in any company, without torch, and never from a damaged file."""

from __future__ import annotations

import json
import random
import stat
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pmg.base.errors import ModelUnavailable
from pmg.embed import calibrate, onnx_embedder, onnx_export
from pmg.embed.bundled import MAX_LENGTH, ModelFolder, bundled_model
from pmg.embed.embedder import Embedder, Vectors
from pmg.embed.load import open_embedder
from pmg.embed.onnx_embedder import OnnxEmbedder
from pmg.embed.onnx_export import CHECK_TEXTS, MANIFEST, MODEL, compare, find_export, make_export
from pmg.embed.thresholds import BUNDLED
from pmg.embed.windows import cut

pytestmark = [pytest.mark.slow, pytest.mark.model]

AWKWARD = [
    "",
    " ",
    "\n\t",
    "😀",
    "\0",
    "\ud800",
    "\udfff x \ud800",
    "\u202eright to left",
    "[CLS] [SEP] [PAD]",
    "a" * 5_000,
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def told() -> list[str]:
    return []


@pytest.fixture(scope="module")
def embedder(cache: Path, told: list[str]) -> Embedder:
    """The first opening makes the export and checks it against torch."""
    return open_embedder("bundled", cache, on_progress=told.append)


@pytest.fixture(scope="module")
def model(cache: Path) -> ModelFolder:
    return bundled_model(cache)


def test_the_export_is_made_told_and_agrees_with_torch(
    embedder: Embedder, cache: Path, told: list[str], model: ModelFolder
) -> None:
    assert isinstance(embedder, OnnxEmbedder)
    assert any("once" in line for line in told)
    folder = cache / model.fingerprint
    manifest = json.loads((folder / MANIFEST).read_text())
    assert manifest["least_cosine"] >= 0.99999
    assert manifest["largest_difference"] <= 1e-4
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert sorted(file.name for file in folder.iterdir()) == [MANIFEST, MODEL]


def test_it_says_what_it_is(embedder: Embedder, model: ModelFolder) -> None:
    assert (embedder.name, embedder.dimension, embedder.max_tokens) == ("all-MiniLM-L6-v2", 384, 254)
    assert embedder.fingerprint == model.fingerprint


def test_a_later_start_needs_no_torch_and_calls_nobody(embedder: Embedder, cache: Path) -> None:
    code = """
        import socket, sys
        def refuse(*_): raise AssertionError("a network call")
        socket.socket.connect = socket.getaddrinfo = refuse
        from pathlib import Path
        from pmg.embed.load import open_embedder
        open_embedder("bundled", Path(sys.argv[1])).embed(["Why is the release blocked?"])
        print(*sys.modules)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(cache)], capture_output=True, text=True, check=True
    )
    modules = run.stdout.split()
    assert not {"torch", "transformers", "sentence_transformers", "onnx"} & set(modules)


def test_a_text_has_the_same_vector_alone_and_in_any_batch(embedder: Embedder) -> None:
    chance = random.Random(7)
    words = "cat release knee bread why Lisbon 42 naïve 我们 blocked the and".split()
    texts = [" ".join(chance.choices(words, k=chance.choice([1, 2, 3, 8, 20, 60]))) for _ in range(30)]
    alone = np.vstack([embedder.embed([text]) for text in texts])
    for size in (2, 7, 16, 30):
        order = chance.sample(range(len(texts)), len(texts))
        for first in range(0, len(texts), size):
            some = order[first : first + size]
            assert np.array_equal(embedder.embed([texts[index] for index in some]), alone[some])


def test_the_number_of_threads_and_callers_changes_nothing(embedder: Embedder, cache: Path) -> None:
    texts = CHECK_TEXTS[::2]  # with the longest
    expected = embedder.embed(texts)
    assert np.array_equal(open_embedder("bundled", cache, threads=1).embed(texts), expected)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(found, expected) for found in pool.map(lambda _: embedder.embed(texts), range(4)))


def test_awkward_texts_have_vectors_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed(AWKWARD)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert embedder.embed([]).shape == (0, 384)


def test_ten_megabytes_have_a_vector_at_once(embedder: Embedder) -> None:
    assert np.isfinite(embedder.embed(["long " * 2_000_000])).all()


@given(st.text(st.characters(codec=None), max_size=200))  # halves of characters too
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_raises(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.embed([text])).all()
    spans = embedder.token_spans(text)
    assert ((spans >= 0) & (spans <= len(text))).all()


def test_progress_counts_to_the_end(embedder: Embedder) -> None:
    seen: list[int] = []
    embedder.embed(["cat"] * 300, seen.append)
    assert seen == [64, 128, 192, 256, 300]


@pytest.mark.parametrize(
    ("size", "ends"), [(10, [64, 128, 130]), (1_000, [*range(16, 130, 16), 130]), (40_000, [*range(1, 131)])]
)
def test_progress_is_told_often_where_texts_are_long(size: int, ends: list[int]) -> None:
    assert [part.stop for part in onnx_embedder._chunks(["x" * size] * 130)] == ends


def test_what_does_not_fit_does_not_reach_the_vector(embedder: Embedder) -> None:
    full = " ".join(["cat"] * 254)
    assert np.array_equal(embedder.embed([full]), embedder.embed([full + " dog" * 50]))


@pytest.mark.parametrize(
    "text",
    [
        "Tom: I moved to Lisbon.\n\nAnna: Really? When was that, and why did you never tell me? " * 60,
        "我们昨天去了长城，天气很好。" * 200,
        "supercalifragilistic" * 400,
        " ".join("ab" * (20 + number) for number in range(120)),
        "안녕하세요 반갑습니다 " * 300,
    ],
    ids=["english", "chinese", "one word", "long words", "korean"],
)
def test_every_window_fits_the_real_model(embedder: Embedder, text: str) -> None:
    ranges = cut(text, embedder)
    assert len(ranges) > 1 or len(text) < 10_000
    assert all(len(embedder.token_spans(text[first:last])) <= embedder.max_tokens for first, last in ranges)


def test_spans_are_what_the_model_sees_of_the_text(embedder: Embedder) -> None:
    text = "Zoë's \ud800 naïve 日本"
    assert [text[a:b] for a, b in embedder.token_spans(text)] == ["Zoë", "'", "s", "naïve", "日", "本"]


def test_meaning_counts(embedder: Embedder) -> None:
    cat, kitten, tax = embedder.embed(["The cat sleeps.", "A kitten is napping.", "The tax return is due."])
    assert float(cat @ kitten) > 0.5 > 0.3 > float(cat @ tax)


@pytest.mark.parametrize("damage", ["flipped bit", "cut short", "no manifest", "other weights", "manifest not json"])
def test_a_damaged_export_is_not_used(
    embedder: Embedder, cache: Path, model: ModelFolder, tmp_path: Path, damage: str
) -> None:
    source = cache / model.fingerprint
    data = bytearray((source / MODEL).read_bytes())
    manifest = (source / MANIFEST).read_text()
    if damage == "flipped bit":
        data[len(data) // 2] ^= 1
    elif damage == "cut short":
        del data[-1000:]
    elif damage == "other weights":
        manifest = manifest.replace(model.fingerprint, "0" * 64)
    elif damage == "manifest not json":
        manifest = manifest[:-5]
    (tmp_path / MODEL).write_bytes(data)
    if damage != "no manifest":
        (tmp_path / MANIFEST).write_text(manifest)
    assert find_export(model, tmp_path) is None
    assert find_export(model, source) is not None


def test_an_export_that_disagrees_is_refused_and_removed(model: ModelFolder, tmp_path: Path) -> None:
    def wrong(texts: object) -> Vectors:
        return np.full((len(CHECK_TEXTS), 384), 384**-0.5, dtype=np.float32)

    with pytest.raises(ModelUnavailable, match="does not agree"):
        make_export(model, tmp_path, MAX_LENGTH, wrong, lambda line: None)
    assert list(tmp_path.iterdir()) == []


def test_a_corrupt_export_is_made_anew(
    embedder: Embedder, model: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / model.fingerprint
    folder.mkdir()
    (folder / MODEL).write_bytes(b"half a file")
    # The reference comes from the good export: loading torch again would only cost time.
    monkeypatch.setattr("pmg.embed.load._open_torch", lambda *_: embedder)
    fresh = open_embedder("bundled", tmp_path)
    assert np.array_equal(fresh.embed(["cat"]), embedder.embed(["cat"]))
    assert find_export(model, folder) is not None


def test_a_file_that_is_no_model_is_named(model: ModelFolder, tmp_path: Path) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"garbage" * 100)
    with pytest.raises(ModelUnavailable, match=r"bad\.onnx"):
        OnnxEmbedder.open(tmp_path / "bad.onnx", model.tokenizer, "bad", "f", 256)


def test_comparing_refuses_other_shapes_and_values_that_are_not_numbers() -> None:
    good = np.eye(3, dtype=np.float32)
    assert compare(good, good).holds
    assert not compare(good, good[:2]).holds
    assert not compare(np.full((3, 3), np.nan, dtype=np.float32), good).holds
    assert not compare(good, good + np.float32(onnx_export.MAX_DIFFERENCE * 2)).holds


def test_the_stored_thresholds_of_the_bundled_model_are_what_calibrate_gives(embedder: Embedder) -> None:
    assert calibrate.from_shipped(embedder) == BUNDLED
