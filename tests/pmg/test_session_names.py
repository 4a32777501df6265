"""A session that nobody gave a title goes by its first words wherever it is shown, and nothing of that is written."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pmg.base.model import Line, Role, Turn
from pmg.chat import sessions
from pmg.chat.extractive import Extractive
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from pmg.forget.carry_out import forget
from pmg.forget.plan import Selection, plan
from pmg.store.browse import BrowseFilter
from pmg.store.duckdb import session_names
from pmg.store.graph import SESSION, NodeKey
from pmg.ui.chat import bubbles, chat_view

AT = datetime(2026, 3, 3, 12, tzinfo=UTC)
LONG = "The sourdough starter lives in the blue jar on the second shelf of the pantry, behind the rice."
CUT = "The sourdough starter lives in the blue jar on the second…"


@pytest.fixture
def untitled(engine: Engine) -> Engine:
    with engine.session(session_id="bread") as session:
        session.add(user=LONG, assistant="Noted.", at=AT)
        session.add(user="It is fed with rye flour.", assistant="Noted.", at=AT)
    return engine


def test_every_place_that_shows_a_session_calls_it_by_its_first_words(untitled: Engine) -> None:
    everything = BrowseFilter("default")
    browse, graph = untitled.reads.browse, untitled.reads.graph
    assert [one.name for one in sessions.listed(untitled, "default").sessions] == [CUT]
    assert [one.title for one in browse.session_spans(everything, 5)] == [CUT]
    assert {one.title for one in browse.points(everything, "topic", 5)} == {CUT}
    assert [one.label for one in graph.summaries("default", [NodeKey(SESSION, "bread")], "month")] == [CUT]
    assert {one.session_name for one in untitled.reads.segments_of("bread")} == {CUT}
    found = untitled.recall("rye flour")
    assert {one.session_name for one in found.segments} == {CUT}
    assert "bread" not in found.context
    session = sessions.session_in(untitled, "bread", "default")
    shown = chat_view.title_of(session, False) + chat_view.what_would_go(untitled, "bread", "default")
    shown += bubbles.session_list(sessions.listed(untitled, "default"), "", AT.date())
    assert shown.count(CUT) == 3 and "Untitled" not in shown
    assert session.title == "", "a name is read, not written"


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_few_sessions_and_many_are_named_alike(untitled: Engine, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    for name in ("salt", "oil"):
        with untitled.session(session_id=name) as session:
            session.add(user=f"All about {name}.", assistant="Noted.", at=AT)
    monkeypatch.setattr(session_names, "MAX_IN_STATEMENT", limit)
    named = {one.id: one.name for one in untitled.sessions()}
    assert named == {"bread": CUT, "salt": "All about salt.", "oil": "All about oil."}


def test_a_quote_names_its_session(untitled: Engine) -> None:
    *_, last = converse(untitled, Extractive(untitled), ChatTarget("default", kept=False), "What flour feeds it, rye?")
    assert [quote.title for quote in last.answer.quotes][:1] == [CUT]


def test_it_is_found_by_its_name(untitled: Engine) -> None:
    with untitled.session(session_id="other") as session:
        session.add(user="Pantry keys hang by the door, beside the jar.", assistant="Noted.")
    assert next(one.id for one in sessions.listed(untitled, "default", "sourdough starter").sessions) == "bread"


def test_a_name_is_cut_after_secrets_are_out(engine: Engine) -> None:
    secret = "sk-" + "proj-" + "aB3dE6gH9" * 5
    with engine.session(session_id="key") as session:
        session.add(user=f"My new key for the build machine at work is {secret}", assistant="Noted.")
    name = sessions.session_in(engine, "key", "default").name
    assert name.startswith("My new key for the build machine") and secret[:12] not in name


def test_what_is_forgotten_is_in_no_name(untitled: Engine) -> None:
    forget(untitled, plan(untitled, Selection(segments=("seg_bread_0",), namespace="default")))
    assert sessions.session_in(untitled, "bread", "default").name == "It is fed with rye flour."


def test_what_a_tool_put_in_front_is_no_name_and_without_words_there_is_none(engine: Engine) -> None:
    opened = engine.session(session_id="tool")
    engine.add_turn(
        opened.id, Turn((Line("tool", Role.TOOL, "exit code 0"), Line("User", Role.USER, "The build is green.")))
    )
    engine.add_turn(engine.session(session_id="mute").id, Turn((Line("User", Role.USER, "…"),)))
    assert sessions.session_in(engine, "tool", "default").name == "The build is green."
    assert sessions.session_in(engine, "mute", "default").name == ""


def test_a_title_that_was_given_is_the_name(engine: Engine) -> None:
    with engine.session("Bread", session_id="bread") as session:
        session.add(user=LONG, assistant="Noted.")
    assert sessions.session_in(engine, "bread", "default").name == "Bread"
