"""The pace of upkeep: it steps aside for whoever waits, and is not stopped by them."""

from __future__ import annotations

import threading
import time

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from steward.steward import Steward
from steward.task import MAX_WAIT, Pace
from tests.steward.memories import tell


def test_a_step_waits_while_somebody_is_there_and_begins_when_they_leave() -> None:
    there = threading.Event()
    there.set()
    pace = Pace(0.1, there.is_set)
    leaving = threading.Timer(MAX_WAIT / 3, there.clear)
    begun = time.perf_counter()
    leaving.start()
    assert pace.go()
    assert time.perf_counter() - begun >= MAX_WAIT / 3
    assert not there.is_set()


def test_somebody_who_never_leaves_slows_upkeep_down_and_does_not_stop_it() -> None:
    assert Pace(0.1, lambda: True).go()


def test_a_stop_ends_the_waiting() -> None:
    pace = Pace(0.1, lambda: True)
    pace.stop()
    assert not pace.go()


def test_upkeep_knows_of_a_recall_and_of_a_turn_that_is_written(engine: Engine) -> None:
    tell(engine, "s", "The cat purrs.")
    seen: list[bool] = []
    busy = Steward(engine)._pace._busy
    embedder, store = engine.model.ready(), engine.reads
    assert embedder is not None
    embed, append = embedder.embed, store.append_turn

    def embedding(texts: list[str], progress: object = None) -> object:
        seen.append(busy())
        return embed(texts)

    def appending(segment: object) -> object:
        seen.append(busy())
        return append(segment)  # type: ignore[arg-type]

    embedder.embed = embedding  # type: ignore[method-assign, assignment]
    store.append_turn = appending  # type: ignore[method-assign]
    engine.recall("cat")
    engine.add_turn(engine.session("more").id, Turn((Line("Ana", Role.USER, "The dog barks."),)))
    assert len(seen) >= 2
    assert all(seen)
    assert not busy()
