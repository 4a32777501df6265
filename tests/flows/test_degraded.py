"""Without a model memory still works: turns are stored, words find them, and what is missing is made up later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pmg import config as configuration
from pmg import doctor
from pmg.base.errors import ModelUnavailable
from pmg.base.model import Kind, Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from tests.embedding import WordEmbedder

Opener = Callable[..., Engine]


@pytest.fixture
def open_with(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """Opens the memory with a model that is loaded by the given function."""
    opened: list[Engine] = []

    def open_one(opened_by: Callable[..., WordEmbedder], **options: bool) -> Engine:
        monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: opened_by())
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
            session.add(user=f"it rained after {name}")


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


class CountingEmbedder(WordEmbedder):
    """Counts the texts it was given; before each call `before` is done, and every text is told of."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.before: Callable[[], object] = lambda: None

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        self.before()
        self.texts += texts
        return super().embed(texts, progress)


@pytest.fixture
def without_vectors(open_with: Opener, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """A history that was stored, and of which an interrupted import embedded nothing: far more than is embedded while somebody waits."""
    monkeypatch.setattr("pmg.ingest.build.LITTLE_WORDS", 50)
    monkeypatch.setattr("pmg.ingest.build.BUILD_BATCH", 4)
    engine = open_with(missing)
    turns = [Turn((Line("User", Role.USER, f"loaf {i} of bread was baked"),)) for i in range(40)]
    engine.ingest([SessionInput(turns, id="history")])
    engine.close()
    return open_with


def test_a_question_does_not_wait_for_the_vectors_of_a_whole_history(without_vectors: Opener) -> None:
    model = CountingEmbedder()
    engine = without_vectors(lambda: model)
    assert not model.texts, "opened for a question, which words can answer"
    found = engine.recall("loaf 17", mode="fixed")
    assert found.segments[0].id == "seg_history_17"
    assert "40 segments have no vectors yet" in found.receipt.note
    assert engine.counts().pending == 40
    warning = next(f for f in doctor.examine(engine) if "found by words alone" in f.what)
    assert "pmg serve" in warning.mend and "pmg rebuild" in warning.mend
    assert engine.settle().segments == 40
    assert engine.recall("dough").receipt.note == ""


def test_what_is_told_while_a_history_waits_is_found_by_its_meaning_and_linked_with_it(without_vectors: Opener) -> None:
    model = CountingEmbedder()
    engine = without_vectors(lambda: model)
    with engine.session(session_id="told") as session:
        session.add(user="the cat has to see the vet")
    assert session.closed is not None and session.closed.waiting == 40
    assert "loaf" not in " ".join(model.texts)
    assert [s.id for s in engine.recall("purr kitten", mode="fixed").segments] == ["seg_told_0"]
    with engine.session(session_id="more") as session:
        session.add(user="the kitten saw the vet")
    engine.rebuild()
    assert engine.counts().pending == 0
    assert engine.counts().links[Kind.SEMANTIC] >= 1
    assert not [f for f in doctor.examine(engine) if f.level == doctor.BAD]


def test_closing_ends_a_build_at_its_next_step_and_the_next_one_goes_on_there(without_vectors: Opener) -> None:
    model, second = CountingEmbedder(), threading.Event()
    engine = without_vectors(lambda: model)
    go = threading.Event()

    def hold_the_third_batch() -> None:
        if len(model.texts) >= 2 * 4:
            second.set()
            assert go.wait(60)

    model.before = hold_the_third_batch
    built: list[int] = []
    thread = threading.Thread(target=lambda: built.append(engine.settle().waiting))
    thread.start()
    assert second.wait(60)
    engine.stop_building()
    go.set()
    engine.close()
    thread.join(60)
    assert len(model.texts) <= 4 * 4 and built[0] >= 28, "the batch in hand, and no other"
    rest = CountingEmbedder()
    engine = without_vectors(lambda: rest)
    assert 28 <= engine.counts().pending <= 32
    engine.settle()
    assert engine.counts().pending == 0
    assert not set(rest.texts) & set(model.texts[:8]), "what was embedded is not embedded again"


def test_closing_alone_ends_a_build_of_another_thread(without_vectors: Opener) -> None:
    model, begun = CountingEmbedder(), threading.Event()
    engine = without_vectors(lambda: model)

    def slow() -> None:
        begun.set()
        time.sleep(0.2)

    model.before = slow
    thread = threading.Thread(target=engine.settle)
    thread.start()
    assert begun.wait(60)
    engine.close()
    thread.join(60)
    assert len(model.texts) < 40


def test_who_said_what_is_answered_while_a_history_is_embedded(
    without_vectors: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.engine.engine.BUILD_TIMEOUT", 0.1)
    model, begun, go = CountingEmbedder(), threading.Event(), threading.Event()
    engine = without_vectors(lambda: model)

    def hold() -> None:
        begun.set()
        assert go.wait(60)

    model.before = hold
    thread = threading.Thread(target=engine.settle)
    thread.start()
    assert begun.wait(60)
    engine.extract()  # it does not wait for the end
    assert engine.counts().pending == 40
    go.set()
    thread.join(60)
    assert engine.counts().pending == 0
