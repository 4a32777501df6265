"""A row with a value that nobody can read takes no list with it: the others are shown, and it says that it is damaged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pmg.base.model import Role
from pmg.engine import Engine
from pmg.store.browse import BrowseFilter
from pmg.store.duckdb.database import Database
from steward.steward import Steward

DAMAGE = {
    "sessions": ["meta = '{{{{'", "meta = '[1]'", "started_at = 'infinity'", "started_offset = NULL", "ended_at = '-infinity'", "title = NULL"],
    "segments": ["meta = '7'", "state = 'gone'", "last_hit = 'infinity'", "tags = NULL", "said_at = 'infinity'", "said_at = NULL", "said_offset = 999999"],
}  # fmt: skip


@pytest.fixture
def damaged(open_engine: Callable[..., Engine], home: Path) -> Callable[[str], Engine]:
    """A memory of two sessions in which a statement changed what it would."""

    def opened(statement: str) -> Engine:
        engine = open_engine()
        for name, text in (("whole", "the cat sleeps"), ("broken", "the dog barks")):
            with engine.session("Pets", session_id=name, source=name) as session:
                session.add(user=text)
        engine.close()
        database = Database.open(home / "memory.duckdb")
        database.run(statement)
        database.close()
        return open_engine()

    return opened


@pytest.mark.parametrize("change", DAMAGE["sessions"])
def test_a_damaged_session_is_named_and_the_others_are_listed(damaged: Callable[[str], Engine], change: str) -> None:
    engine = damaged(f"UPDATE sessions SET {change} WHERE id = 'broken'")
    names = {session.id: session.name for session in engine.sessions()}
    column = change.split()[0]
    silent = column in ("title", "started_offset", "ended_at")  # one can live without
    assert names["whole"] == "Pets" and names["broken"].startswith(f"(damaged: {column})") != silent
    assert {one.session_id for one in engine.recall("cat dog").segments} == {"whole", "broken"}
    assert engine.reads.segments_of("broken")
    assert len(engine.reads.browse.points(BrowseFilter("default"), "topic", 10)) == 2
    assert len(engine.reads.browse.session_spans(BrowseFilter("default"), 10)) == 2


@pytest.mark.parametrize("change", DAMAGE["segments"])
def test_a_damaged_turn_is_named_and_its_words_stay(damaged: Callable[[str], Engine], change: str) -> None:
    engine = damaged(f"UPDATE segments SET {change} WHERE session_id = 'broken'")
    (turn,) = engine.reads.segments_of("broken")
    column = change.split()[0].replace("said_offset", "said_at")  # a moment and its zone are one
    assert turn.lines[0].text == "the dog barks"
    assert turn.session_name.startswith(f"(damaged: {column})") == (column not in ("tags", "last_hit"))
    assert engine.reads.segments_of("whole")[0].session_name == "Pets"
    assert len(engine.reads.browse.points(BrowseFilter("default"), "topic", 10)) == 2
    assert len(engine.reads.maintenance.segment_rows([1, 2])) == 2
    assert {one.session_id for one in engine.recall("cat dog").segments} >= {"whole"}
    with engine.session("Pets", session_id="broken") as session:  # it goes on
        session.add(user="the dog barks again")
    engine.rebuild()
    assert {one.session_id for one in engine.recall("cat sleeps dog barks").segments} >= {"whole", "broken"}


@pytest.mark.parametrize("moment", ["infinity", "20000-01-01"])
def test_a_moment_nobody_can_read_is_long_ago_where_a_session_waits_to_be_closed(
    damaged: Callable[[str], Engine], moment: str
) -> None:
    engine = damaged(f"UPDATE segments SET said_at = '{moment}' WHERE session_id = 'broken'")
    assert engine.reads.last_said("broken") == datetime.fromtimestamp(0, UTC)


def test_upkeep_says_which_value_nobody_can_read_and_no_word_of_it(damaged: Callable[[str], Engine]) -> None:
    engine = damaged("UPDATE segments SET said_at = 'infinity', meta = '{secret' WHERE session_id = 'broken'")
    said = Steward(engine).run(["verify"]).text
    assert "segments.said_at in row 2" in said and "segments.meta in row 2" in said and "`pmg restore`" in said
    assert "secret" not in said and "secret" not in engine.reads.journal()[0].reason


def test_words_of_nobody_knows_whom_are_not_the_persons(damaged: Callable[[str], Engine]) -> None:
    engine = damaged("UPDATE lines SET role = 'king' WHERE text = 'the dog barks'")
    assert engine.reads.segments_of("broken")[0].lines[0].role is Role.SYSTEM
    assert engine.reads.segments_of("whole")[0].lines[0].role is Role.USER
