"""Taking the same in again, wholly or partly, changes nothing: a dump of every table is equal byte for byte."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from pmg import sample
from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from pmg.store.duckdb.checkpoint import CLOSED, WRITTEN
from tests.stores import store_of

TABLES = ("meta", "models", "sessions", "segments", "lines", "windows", "embedded", "edges", "vectors_1", "removed")


def dump(engine: Engine) -> bytes:
    """Every row of every table, in order; only how often the store was closed and written out may differ."""
    database = store_of(engine).database
    rows = [(table, sorted(map(repr, database.rows(f"FROM {table}")))) for table in TABLES]
    return repr(
        [
            (table, [row for row in found if not row.startswith((f"('{CLOSED}'", f"('{WRITTEN}'"))])
            for table, found in rows
        ]
    ).encode()


def test_the_sample_memory_taken_in_again_changes_nothing(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    sessions = sample.sessions()[:40]
    first = engine.ingest(sessions)
    before = dump(engine)
    again = engine.ingest(sessions)
    assert (again.turns, again.sessions, again.known) == (0, 0, first.turns)
    shuffled = random.Random(1).sample(sessions, len(sessions))
    engine.ingest([replace(s, turns=s.turns[: len(s.turns) // 2]) for s in shuffled])
    engine.ingest([replace(s, turns=s.turns[len(s.turns) // 2 :]) for s in shuffled if len(s.turns) > 1])
    assert dump(engine) == before
    engine.close()
    engine = open_engine()
    assert dump(engine) == before
    engine.rebuild()
    assert dump(engine) == before


def turns(*texts: str) -> list[Turn]:
    return [Turn((Line("User", Role.USER, text),)) for text in texts]


def test_only_what_is_new_in_a_grown_session_is_added(engine: Engine) -> None:
    engine.ingest([SessionInput(turns("one", "two"), id="s1")])
    done = engine.ingest([SessionInput(turns("one", "two", "two", "three"), id="s1")])
    assert (done.turns, done.known) == (2, 2)
    assert [s.lines[0].text for s in engine.reads.segments_of("s1")] == ["one", "two", "two", "three"]
    assert [s.index for s in engine.reads.segments_of("s1")] == [0, 1, 2, 3]


def test_a_session_given_twice_in_one_ingest_is_stored_once(engine: Engine) -> None:
    session = SessionInput(turns("one", "two"), id="s1")
    assert engine.ingest([session, session]).turns == 2
    assert len(engine.reads.segments_of("s1")) == 2


def test_a_session_without_turns_leaves_no_trace(engine: Engine) -> None:
    assert engine.ingest([SessionInput((), "Nothing")]).sessions == 0
    assert engine.sessions() == []
