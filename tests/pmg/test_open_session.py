"""An open session: every turn is on disk and found at once, and linked when the session closes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pmg.base.errors import InputError
from pmg.base.model import Line, Role, Turn
from pmg.engine import Engine
from pmg.ingest.turns import SessionInput
from tests.stores import store_of


def test_turns_are_numbered_and_come_back(engine: Engine) -> None:
    with engine.session("A title", conversation="c", source="test", session_id="s1") as session:
        assert session.add(user="one", assistant="two") == "seg_s1_0"
        assert session.add(lines=[Line("Ann", Role.PERSON, "three")], origin_id="m3", meta={"k": "v"}) == "seg_s1_1"
    first, second = engine.reads.segments_of("s1")
    assert [(line.speaker, line.role, line.text) for line in first.lines] == [
        ("User", Role.USER, "one"),
        ("Assistant", Role.ASSISTANT, "two"),
    ]
    assert second.meta == {"k": "v"}
    stored = engine.reads.session("s1")
    assert stored is not None
    assert (stored.title, stored.conversation, stored.source, stored.is_open) == ("A title", "c", "test", False)


def test_a_session_told_today_of_then_is_one_of_then(engine: Engine) -> None:
    then, later = datetime(2026, 8, 2, 10, tzinfo=UTC), datetime(2026, 9, 1, 10, tzinfo=UTC)
    with engine.session(session_id="s1") as session:
        session.add(user="I read Piranesi.", at=then)
        session.add(user="And The Overstory.", at=later)
    with engine.session(session_id="s2", started_at=then) as session:
        session.add(user="Later than it began.", at=later)
    (first, second) = engine.sessions()
    assert (first.id, first.started_at, first.ended_at) == ("s1", then, later)
    assert (second.id, second.started_at) == ("s2", then)


def test_a_session_ends_on_the_clock_of_its_last_turn(engine: Engine) -> None:
    sydney = timezone(timedelta(hours=11))
    began, ended = datetime(2026, 11, 19, 1, 15, tzinfo=sydney), datetime(2026, 11, 19, 1, 20, tzinfo=sydney)
    for name in ("s1", "s2"):
        session = engine.session(session_id=name, started_at=began)
        session.add(user="I am at home.", at=began)
        session.add(user="The piano tuner came.", at=ended)
    engine.session(session_id="s3", started_at=began)
    store_of(engine).close_sessions(["s1"])
    store_of(engine).close_sessions(["s2", "s3"])
    ends = {one.id: one.ended_at.isoformat() for one in engine.sessions() if one.ended_at}
    assert ends == {"s1": ended.isoformat(), "s2": ended.isoformat(), "s3": began.isoformat()}


def test_a_time_without_a_zone_is_on_the_clock_of_this_machine(
    engine: Engine, set_clock: Callable[[str], None]
) -> None:
    set_clock("Pacific/Auckland")
    one = datetime(2026, 11, 19, 1)
    with engine.session(session_id="s1", started_at=one) as session:
        session.add(lines=[Line("Ann", Role.PERSON, "one", one)], at=one)
    engine.ingest([SessionInput([Turn((Line("Ann", Role.PERSON, "two", one),), one)], started_at=one, id="s2")])
    for stored in engine.sessions():
        (segment,) = engine.reads.segments_of(stored.id)
        times = (stored.started_at, segment.at, segment.lines[0].at)
        assert [at.isoformat() for at in times if at] == ["2026-11-19T01:00:00+13:00"] * 3


def test_a_turn_is_on_disk_before_the_session_closes(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    engine.session(session_id="s1").add(user="the cat")
    store_of(engine).close()  # nothing else is done: as if the process had ended
    engine._memory.closed = True
    engine = open_engine()
    (session,) = engine.sessions()
    assert not session.is_open
    assert [s.id for s in engine.recall("cat").segments] == ["seg_s1_0"]


def test_what_closing_linked_is_told_once(engine: Engine) -> None:
    session = engine.session()
    session.add(user="the cat")
    built = session.close()
    assert built.segments == 1
    assert session.close() is built


def test_nothing_is_added_to_a_closed_session(engine: Engine) -> None:
    with engine.session(session_id="s1") as session:
        session.add(user="the cat")
    with pytest.raises(InputError, match=r"s1 is closed: begin a new one"):
        session.add(user="again")


def test_a_refused_turn_leaves_the_session_as_it_was(engine: Engine) -> None:
    with engine.session(session_id="s1") as session:
        session.add(user="the cat")
        for nothing in ({}, {"user": " "}, {"user": "", "assistant": "\n"}):
            with pytest.raises(InputError, match="no words"):
                session.add(**nothing)
        assert session.add(user="the vet") == "seg_s1_1"
    assert len(engine.reads.segments_of("s1")) == 2


def test_an_error_inside_the_block_still_closes_and_links(engine: Engine) -> None:
    with pytest.raises(RuntimeError), engine.session(session_id="s1") as session:
        session.add(user="the cat")
        raise RuntimeError
    assert engine.recall("cat").segments
    assert not engine.sessions()[0].is_open


def test_a_session_without_turns_is_harmless(engine: Engine) -> None:
    with engine.session(session_id="empty"):
        pass
    assert engine.reads.segments_of("empty") == []
    engine.rebuild()


def test_a_title_loses_its_secrets(engine: Engine) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    with engine.session(f"about {secret}", session_id="s1") as session:
        session.add(user="the cat")
    assert secret not in engine.sessions()[0].title


def test_a_session_that_is_there_stays_in_its_conversation(engine: Engine) -> None:
    with engine.session(session_id="s1", conversation="home") as session:
        session.add(user="the cat")
    with pytest.raises(InputError, match="'s1' belongs to the conversation 'home', not to 'work'"):
        engine.session(session_id="s1", conversation="work")
    assert not engine.sessions()[0].is_open
    for same in ("home", ""):
        engine.session(session_id="s1", conversation=same).close()
