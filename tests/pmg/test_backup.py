"""A backup is one moment of the memory, and nobody waits for it."""

from __future__ import annotations

import threading
from pathlib import Path

import duckdb

from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from tests.stores import store_of


def turn(number: int) -> Turn:
    return Turn((Line("Ana", Role.USER, f"The cat number {number} purrs."), Line("Bo", Role.PERSON, "It does.")))


def test_a_backup_is_written_while_somebody_holds_the_writers_lock(engine: Engine, tmp_path: Path) -> None:
    session = engine.session("cats")
    engine.add_turn(session.id, turn(0))
    with store_of(engine).writing():
        copying = threading.Thread(target=store_of(engine).backup, args=(tmp_path / "copy.duckdb",))
        copying.start()
        copying.join(60)
        assert not copying.is_alive()
    assert (tmp_path / "copy.duckdb").is_file()


def test_every_backup_holds_whole_turns_and_all_that_was_acknowledged_before_it(engine: Engine, tmp_path: Path) -> None:
    session = engine.session("cats")
    said, done = [0], threading.Event()

    def talk() -> None:
        while not done.is_set():
            engine.add_turn(session.id, turn(said[0]))
            said[0] += 1

    talking = threading.Thread(target=talk)
    talking.start()
    try:
        for i in range(5):
            before = said[0]
            engine.backup(tmp_path / f"{i}.duckdb")
            with duckdb.connect(str(tmp_path / f"{i}.duckdb"), read_only=True) as copy:
                (segments,) = copy.execute("SELECT count(*) FROM segments").fetchone() or (0,)
                (lines,) = copy.execute("SELECT count(*) FROM lines").fetchone() or (0,)
            assert before <= segments <= said[0] + 1
            assert lines == 2 * segments
    finally:
        done.set()
        talking.join()


def test_a_forgetting_waits_for_the_backup_that_was_begun_before_it(engine: Engine, tmp_path: Path) -> None:
    order: list[str] = []
    write = store_of(engine).backup
    begun, go_on = threading.Event(), threading.Event()

    def slow(file: Path) -> None:
        begun.set()
        assert go_on.wait(60)
        write(file)
        order.append("copied")

    store_of(engine).backup = slow  # type: ignore[method-assign]
    copying = threading.Thread(target=engine.backup, args=(tmp_path / "copy.duckdb",))
    copying.start()
    assert begun.wait(60)

    def forget() -> None:
        with engine.exclusive():
            order.append("still")

    forgetting = threading.Thread(target=forget)
    forgetting.start()
    go_on.set()
    copying.join()
    forgetting.join()
    assert order == ["copied", "still"]
