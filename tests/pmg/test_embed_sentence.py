"""Any sentence-transformers folder meets the same contract; the bundled folder stands for all of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from pmg.base.errors import ModelUnavailable
from pmg.embed import bundled
from pmg.embed.bundled import find_folder
from pmg.embed.embedder import Embedder
from pmg.embed.load import open_embedder
from pmg.embed.windows import cut

pytestmark = [pytest.mark.slow, pytest.mark.model]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder(str(find_folder()), Path("unused"))


def test_a_folder_with_the_bundled_weights_is_the_bundled_model(embedder: Embedder) -> None:
    assert (embedder.name, embedder.fingerprint) == (bundled.NAME, bundled.SHA256)
    assert (embedder.dimension, embedder.max_tokens) == (384, 254)


def test_a_text_has_the_same_vector_alone_and_in_any_batch(embedder: Embedder) -> None:
    texts = ["cat", "why is the release blocked?", "a " * 100, "", "我们", "cat"]
    together = embedder.embed(texts)
    assert np.array_equal(together, np.vstack([embedder.embed([text]) for text in texts]))
    assert np.array_equal(together[::-1], embedder.embed(texts[::-1]))


def test_awkward_texts_have_vectors_and_spans(embedder: Embedder) -> None:
    texts = ["", " ", "😀", "\0", "\ud800", "x" * 5_000_000]
    seen: list[int] = []
    vectors = embedder.embed(texts, seen.append)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert embedder.token_spans("the cat").tolist() == [[0, 3], [4, 7]]


def test_spans_go_on_beyond_what_one_vector_takes(embedder: Embedder) -> None:
    embedder.embed(["cat"])  # sentence-transformers sets truncation on its own tokenizer
    text = "the cat sleeps. " * 300
    assert len(embedder.token_spans(text)) == 1200
    assert cut(text, embedder)[-1][1] == len(text) - 1


def test_other_weights_have_another_fingerprint(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(find_folder(), folder)
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[-4] ^= 1
    (folder / "model.safetensors").write_bytes(weights)
    found = open_embedder(str(folder), tmp_path)
    assert found.name == "other"
    assert found.fingerprint != bundled.SHA256
    assert open_embedder(str(folder), tmp_path).fingerprint == found.fingerprint


def test_a_folder_that_is_no_model_is_refused_with_the_mend(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match="bundled"):
        open_embedder(str(tmp_path), tmp_path)


@pytest.mark.parametrize(("name", "offline"), [("someone/no-such-model", "1"), ("no-such-model", "0")])
def test_a_name_is_refused_without_a_network_call(name: str, offline: str, tmp_path: Path) -> None:
    code = """
        import socket, sys
        def refuse(*_): raise AssertionError("a network call")
        socket.socket.connect = socket.getaddrinfo = refuse
        from pathlib import Path
        from pmg.embed.load import open_embedder
        from pmg.base.errors import ModelUnavailable
        try:
            open_embedder(sys.argv[2], Path(sys.argv[1]))
        except ModelUnavailable as problem:
            print(problem)
        import huggingface_hub.constants as hub
        print("telemetry off" if hub.HF_HUB_DISABLE_TELEMETRY else "telemetry on")
    """
    environment = os.environ | {"HF_HUB_OFFLINE": offline, "HF_HOME": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path), name],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert name in run.stdout and not run.stderr
    assert "bundled" in run.stdout
    assert "telemetry off" in run.stdout
