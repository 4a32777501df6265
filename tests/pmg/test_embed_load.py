"""A model that is loading, missing or broken is a state, not a surprise."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pmg.base.errors import ModelUnavailable
from pmg.embed import load, onnx_export
from pmg.embed.bundled import ModelFolder
from pmg.embed.embedder import Embedder
from pmg.embed.load import ModelHolder, may_be_downloaded, open_embedder
from tests.embedding import WordEmbedder


def test_a_holder_loads_at_the_first_wait_and_only_once() -> None:
    opened: list[int] = []

    def opener() -> Embedder:
        opened.append(1)
        return WordEmbedder()

    holder = ModelHolder(opener)
    assert (holder.state, holder.ready()) == ("absent", None)
    first = holder.wait(120)
    assert holder.wait(120) is first is holder.ready()
    assert (holder.state, holder.problem, len(opened)) == ("ready", "", 1)


def test_ready_never_waits_while_a_model_loads() -> None:
    allowed = threading.Event()

    def opener() -> Embedder:
        assert allowed.wait(120)
        return WordEmbedder()

    holder = ModelHolder(opener)
    holder.start()
    holder.start()
    assert (holder.state, holder.ready()) == ("loading", None)
    assert "loading" in holder.problem
    with pytest.raises(ModelUnavailable, match=r"0\.01 s"):
        holder.wait(0.01)
    allowed.set()
    assert holder.wait(120).name == "words"


def test_many_threads_wait_for_one_model() -> None:
    opened: list[int] = []

    def opener() -> Embedder:
        opened.append(1)
        return WordEmbedder()

    holder = ModelHolder(opener)
    found: list[Embedder] = []
    threads = [threading.Thread(target=lambda: found.append(holder.wait(120))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    assert len({id(embedder) for embedder in found}) == len(opened) == 1


@pytest.mark.parametrize("error", [ModelUnavailable("not there; install it"), RuntimeError("not there; a bug")])
def test_a_failure_is_told_and_can_be_tried_again(error: Exception) -> None:
    outcomes: list[Exception | None] = [error, None]

    def opener() -> Embedder:
        outcome = outcomes.pop(0)
        if outcome is not None:
            raise outcome
        return WordEmbedder()

    holder = ModelHolder(opener)
    with pytest.raises(ModelUnavailable, match="not there"):
        holder.wait(120)
    assert (holder.state, holder.ready()) == ("failed", None)
    assert "not there" in holder.problem
    holder.start()
    assert holder.wait(120).name == "words"
    assert holder.problem == ""


LEAVES_WHILE_IT_LOADS = """
import time
from pmg.embed.load import ModelHolder
from tests.embedding import WordEmbedder

def opener():
    time.sleep(0.5)
    print("loaded", flush=True)
    return WordEmbedder()

holder = ModelHolder(opener)
holder.when_ready(lambda: print("new work", flush=True))
holder.start()
"""


def test_a_program_ends_after_the_load_under_way_and_not_in_the_middle_of_it() -> None:
    """Python that ends while a library of the model is at work aborts."""
    done = subprocess.run([sys.executable, "-c", LEAVES_WHILE_IT_LOADS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "loaded\n", "")


def test_a_holder_of_an_open_model_is_ready() -> None:
    embedder = WordEmbedder()
    assert ModelHolder.holding(embedder).ready() is embedder


@pytest.mark.parametrize("model", ["", " ", "./nowhere", "/no/such/folder", "~/no-such-model", "a/b/c", "C:\\\\models"])
def test_a_folder_that_is_not_there_is_not_looked_up_elsewhere(model: str, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="There is no folder"):
        open_embedder(model, tmp_path)


@pytest.mark.parametrize("model", ["bundled", "multilingual", "all-MiniLM-L6-v2", "nosuchmodel"])
def test_a_name_without_an_owner_is_never_downloaded(model: str) -> None:
    assert not may_be_downloaded(model)
    assert may_be_downloaded(f"owner/{model}")


def test_torch_goes_on_when_the_fast_form_cannot_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = WordEmbedder("slow")
    told: list[str] = []

    def refuse(*_: object) -> Path:
        raise ModelUnavailable("does not agree with torch")

    monkeypatch.setattr(load, "bundled_model", lambda cache: ModelFolder("m", "f", tmp_path))
    monkeypatch.setattr(load, "_open_torch", lambda *_: slow)
    monkeypatch.setattr(onnx_export, "make_export", refuse)
    assert open_embedder("bundled", tmp_path, on_progress=told.append) is slow
    assert "does not agree with torch" in told[-1]


def test_torch_goes_on_when_the_cache_folder_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = WordEmbedder("slow")
    told: list[str] = []

    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(load, "bundled_model", lambda cache: ModelFolder("m", "f", tmp_path))
    monkeypatch.setattr(load, "_open_torch", lambda *_: slow)
    monkeypatch.setattr(onnx_export, "make_export", full)
    assert open_embedder("bundled", tmp_path, on_progress=told.append) is slow
    assert "No space left" in told[-1]
