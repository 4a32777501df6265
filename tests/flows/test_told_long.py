"""One very long turn: it is embedded by itself, nobody waits for it but whoever closes its session, and closing the memory ends it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan, plan_rescan, rescan
from pmg.ingest.build import BATCH_CHARACTERS
from pmg.ingest.redact import ExtraRule, Redactor
from pmg.ingest.turns import SessionInput
from tests.embedding import WordEmbedder

Open = Callable[..., Engine]
LONG = "the garden has soil for tomato seeds. " * (BATCH_CHARACTERS // 30)
SHORT = SessionInput([Turn((Line("User", Role.USER, "the cat sees the vet"),))], id="short")


class LongHeldEmbedder(WordEmbedder):
    """Waits for `go` between the windows of a long turn; `begun` says that it has one in hand."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = threading.Event(), threading.Event()
        self.ended_early = False

    def embed(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        if len(texts) > 20:
            self.begun.set()
            self._wait(progress)
        return super().embed(texts, progress)

    def _wait(self, progress: Callable[[int], None] | None) -> None:
        try:
            for _ in range(600):
                if progress:
                    progress(1)
                if self.go.wait(0.05):
                    return
        except BaseException:
            self.ended_early = True
            raise


@pytest.fixture
def model() -> LongHeldEmbedder:
    return LongHeldEmbedder()


@pytest.fixture
def telling(open_engine: Open, model: LongHeldEmbedder) -> Engine:
    engine = open_engine(embedder=model)
    engine.session(session_id="long").add(user=LONG)
    assert model.begun.wait(60)
    return engine


def test_whole_sessions_come_in_while_a_long_turn_is_embedded(telling: Engine, model: LongHeldEmbedder) -> None:
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(telling.ingest([SHORT]).built.segments))
    thread.start()
    thread.join(20)
    model.go.set()
    assert done == [1], "the short turn has its vectors, and did not wait for the long one"
    thread.join(60)


def test_another_session_is_closed_and_linked_meanwhile(telling: Engine, model: LongHeldEmbedder) -> None:
    other = telling.session(session_id="other")
    other.add(user="the cat sees the vet")
    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(other.close().waiting))
    thread.start()
    thread.join(20)
    model.go.set()
    assert done == [0]
    thread.join(60)


def test_closing_its_own_session_waits_for_its_vectors_and_links(telling: Engine, model: LongHeldEmbedder) -> None:
    model.go.set()
    telling.close_session("long")
    assert telling.counts().pending == 0 and not telling._memory.long_told
    assert telling.recall("tomato").segments[0].id == "seg_long_0"


def test_closing_the_memory_ends_it_and_the_next_start_goes_on(
    telling: Engine, model: LongHeldEmbedder, open_engine: Open
) -> None:
    telling.close()
    assert model.ended_early
    again = open_engine(embedder=WordEmbedder())
    assert again.sessions()[0].id == "long"
    again.settle()
    assert again.counts().pending == 0


def test_what_is_forgotten_meanwhile_gets_no_vectors(telling: Engine, model: LongHeldEmbedder) -> None:
    forget(telling, plan(telling, Selection(sessions=("long",))))
    model.go.set()
    with telling._memory.embedding_long:
        pass
    assert not sum(telling.counts().segments.values()) and telling.indexes.sizes().get("default", (0, 0))[1] == 0


def test_a_turn_whose_words_change_meanwhile_is_embedded_again(telling: Engine, model: LongHeldEmbedder) -> None:
    telling._memory.redactor = Redactor(extra=[ExtraRule("plant", "tomato")])
    rescan(telling, plan_rescan(telling))
    assert "[redacted: plant]" in telling.segment("seg_long_0").lines[0].text
    model.go.set()
    _wait_for(lambda: not telling._memory.long_told)
    assert telling.counts().pending == 0


def test_a_long_turn_that_is_done_is_not_counted_as_waiting(telling: Engine, model: LongHeldEmbedder) -> None:
    telling.ingest([SHORT])
    assert telling.indexes.waiting == 1
    model.go.set()
    _wait_for(lambda: not telling._memory.long_told)
    assert telling.indexes.waiting == 0


def _wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not is_so() and time.monotonic() < until:
        time.sleep(0.02)
    assert is_so()
