"""The one owner of the database library: Ctrl-C stays Ctrl-C, and a closed memory says so."""

from __future__ import annotations

import _thread
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pmg.answer.ask import ask
from pmg.base.errors import InputError, StoreError
from pmg.base.model import Kind, Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.store.duckdb import time_limit
from pmg.store.duckdb.database import Database
from tests.interrupts import ctrl_c_arrives
from tests.stores import store_of

ENDLESS = "SELECT count(*) FROM range(100_000_000_000) t(i) WHERE i % 7 = 3"
TURN = Turn((Line("User", Role.USER, "the cat has to see the vet"),))
VERBS: dict[str, Callable[[Engine], object]] = {
    "recall": lambda engine: engine.recall("cat"),
    "ask": lambda engine: ask(engine, "who is Anna?"),
    "session": lambda engine: engine.session(),
    "add_turn": lambda engine: engine.add_turn("s1", TURN),
    "close_session": lambda engine: engine.close_session("s1"),
    "close_idle": lambda engine: engine.close_idle(),
    "ingest": lambda engine: engine.ingest([SessionInput([TURN])]),
    "learn": lambda engine: engine.learn(__file__),
    "settle": lambda engine: engine.settle(),
    "extract": lambda engine: engine.extract(),
    "link": lambda engine: engine.link("a", "b", Kind.SUPPORTS),
    "unlink": lambda engine: engine.unlink("a", "b", Kind.SUPPORTS),
    "sessions": lambda engine: engine.sessions(),
    "segment": lambda engine: engine.segment("a"),
    "edges": lambda engine: engine.edges("a"),
    "counts": lambda engine: engine.counts(),
    "sql": lambda engine: engine.sql("SELECT 1"),
    "backup": lambda engine: engine.backup(engine.config.home / "b.duckdb"),
    "rebuild": lambda engine: engine.rebuild(),
    "relink": lambda engine: engine.relink(),
    "flush_recalls": lambda engine: engine.flush_recalls(),
    "reconfigure": lambda engine: engine.reconfigure(engine.config),
    "with_config": lambda engine: engine.with_config(engine.config),
    "put_note": lambda engine: engine.put_note("a", "b"),
    "with": lambda engine: engine.__enter__(),
}


@pytest.fixture(autouse=True)
def hears_ctrl_c() -> Iterator[None]:
    with ctrl_c_arrives():
        yield


@pytest.mark.parametrize("verb", VERBS)
def test_a_closed_memory_says_so(engine: Engine, verb: str) -> None:
    engine.close()
    with pytest.raises(StoreError, match=r"is closed: open it again with pmg\.open\(\)"):
        VERBS[verb](engine)
    engine.close()  # again: harmless


def test_a_memory_that_is_closed_under_a_question_says_so(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "a.duckdb")
    rows = database.batches("SELECT * FROM range(10000000)", 1000)
    next(rows)
    closing = threading.Thread(target=database.close)
    closing.start()
    closing.join()
    with pytest.raises(StoreError, match="is closed"):
        database.rows("SELECT 1")
    with pytest.raises(StoreError, match="is closed"):
        database.ask("SELECT 1", (), None, 5.0)


@pytest.mark.parametrize(
    "ask",
    [
        lambda database: database.rows(ENDLESS),
        lambda database: database.arrow(ENDLESS),
        lambda database: list(database.batches(ENDLESS, 10)),
        lambda database: database.ask(ENDLESS, (), None, 600.0),
    ],
)
def test_ctrl_c_in_a_question_arrives_as_such_and_ends_it(tmp_path: Path, ask: Callable[[Database], object]) -> None:
    database = Database.open(tmp_path / "a.duckdb")
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        ask(database)
    assert database.rows("SELECT 1") == [(1,)]  # it need not wait for what was interrupted
    database.close()


def test_an_answer_comes_in_time_from_a_question_that_cannot_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """One value of gigabytes is made in one piece: it is left behind, and there is never a second one."""
    monkeypatch.setattr(time_limit, "GRACE", 0.0)
    limit, is_made, stopped = time_limit.TimeLimit(), threading.Event(), threading.Event()
    with pytest.raises(InputError, match=r"longer than 0\.1 s"):
        limit.run(is_made.wait, 0.1, stopped.set)
    assert stopped.is_set()
    with pytest.raises(InputError, match="An earlier question"):
        limit.run(lambda: 1, 0.1, stopped.set)
    is_made.set()
    assert limit.run(lambda: 1, 60.0, stopped.set) == 1
    with pytest.raises(ZeroDivisionError):
        limit.run(lambda: 1 // 0, 60.0, stopped.set)


def test_of_questions_at_once_one_runs_and_the_others_wait() -> None:
    limit, running, most = time_limit.TimeLimit(), [0], [0]

    def work() -> None:
        running[0] += 1
        most[0] = max(most[0], running[0])
        time.sleep(0.02)
        running[0] -= 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: limit.run(work, 60.0, lambda: None), range(4)))
    assert most == [1]


def test_ctrl_c_in_a_transaction_undoes_it_and_loses_nothing_else(engine: Engine) -> None:
    with engine.session(session_id="before") as session:
        session.add(user="the cat has to see the vet")
    store = store_of(engine)
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt), engine.changing():
        engine.put_note("half", "done")
        store._database.rows(ENDLESS)
    assert engine.reads.note("half") is None
    assert [one.id for one in engine.sessions()] == ["before"]
    with engine.session(session_id="after") as session:
        session.add(user="bread needs a hot oven")
    assert {one.session_id for one in engine.recall("cat bread").segments} == {"before", "after"}


def test_the_library_draws_no_bar_of_its_own_where_python_is_interactive(tmp_path: Path) -> None:
    asked = (
        "from pmg.store.duckdb import database\n"
        "told = \"SELECT current_setting('enable_progress_bar')\"\n"
        "print(database.duckdb.connect().execute(told).fetchone(), database._connected().execute(told).fetchone())"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "(True,) (False,)"
