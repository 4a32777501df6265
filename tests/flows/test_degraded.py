"""Without a model memory still works: turns are stored, words find them, and what is missing is made up later."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg import doctor
from pmg.engine import Engine
from pmg.errors import ModelUnavailable
from pmg.model import Kind
from tests.embedding import WordEmbedder

Opener = Callable[..., Engine]


@pytest.fixture
def open_with(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """Opens the memory with a model that is loaded by the given function."""
    opened: list[Engine] = []

    def open_one(opened_by: Callable[..., WordEmbedder], **options: bool) -> Engine:
        monkeypatch.setattr("pmg.embed.model_in_force.open_embedder", lambda *_: opened_by())
        config = configuration.with_values(configuration.load(home, {}), {"embed": {"model": "stand-in"}}, "test")
        opened.append(Engine.open(config, **options))
        return opened[-1]

    yield open_one
    for engine in opened:
        engine.close()


def missing() -> WordEmbedder:
    raise ModelUnavailable("The model file does not have the right hash.")


def talk(engine: Engine) -> None:
    for name, text in (("s1", "the cat has to see the vet"), ("s2", "the kitten saw the vet"), ("s3", "bread")):
        with engine.session(session_id=name) as session:
            session.add(user=text)
            session.add(user=f"and what came after {name}")


def test_a_model_that_cannot_be_loaded_leaves_words_and_the_chain(open_with: Opener) -> None:
    engine = open_with(missing)
    talk(engine)
    found = engine.recall("vet", mode="fixed")
    assert {"seg_s1_0", "seg_s1_1", "seg_s2_0"} <= {s.id for s in found.segments}
    assert "found by words and the chain alone" in found.receipt.note
    assert engine.counts().pending == 6
    assert any("right hash" in f.what for f in doctor.examine(engine))
    assert not [f for f in doctor.examine(engine) if f.level == doctor.BAD]
    engine.close()
    engine = open_with(WordEmbedder)  # the next start has the model: everything is embedded and linked
    assert engine.counts().pending == 0
    assert engine.counts().links[Kind.SEMANTIC] >= 1
    found = engine.recall("pet", mode="fixed")  # by meaning: nobody said this word
    assert "seg_s1_0" in {s.id for s in found.segments}
    assert found.receipt.note == ""


def test_any_other_failure_of_the_model_is_survived_too(open_with: Opener) -> None:
    def broken() -> WordEmbedder:
        raise RuntimeError("out of memory")

    engine = open_with(broken)
    talk(engine)
    assert engine.recall("vet").segments
    assert "out of memory" in engine.model.problem


def test_a_model_that_is_still_loading_is_not_waited_for(open_with: Opener) -> None:
    ready = threading.Event()

    def slow() -> WordEmbedder:
        ready.wait(60)
        return WordEmbedder()

    engine = open_with(slow, wait=False)
    talk(engine)
    found = engine.recall("vet")
    assert found.segments
    assert "No embedding model is ready" in found.receipt.note
    ready.set()
    engine.model.wait(120)
    built = engine.settle()
    assert built.segments == 6
    assert built.edges[Kind.SEMANTIC] >= 1
    assert engine.recall("pet").receipt.note == ""
    assert not [f for f in doctor.examine(engine) if f.level == doctor.BAD]


def test_turns_that_wait_for_vectors_are_told(open_with: Opener) -> None:
    engine = open_with(WordEmbedder)
    talk(engine)
    model, engine._memory.model = engine.model, type(engine.model)(missing)
    with engine.session(session_id="later") as session:
        session.add(user="another cat")
    assert session.closed is not None
    assert session.closed.waiting == 1
    engine._memory.model = model
    assert "1 segments have no vectors yet" in engine.recall("cat").receipt.note


def test_looking_only_loads_no_model(open_with: Opener) -> None:
    def never() -> WordEmbedder:
        raise AssertionError("nobody asked for the model")

    engine = open_with(never, wait=False, load=False)
    assert engine.model.state == "absent"
    assert engine.sessions() == []
