"""A memory that holds the sample says so, and is rid of it in one step without losing what the person said."""

from __future__ import annotations

from pmg import sample
from pmg.base.model import State
from pmg.base.progress import silent
from pmg.engine import Engine
from pmg.ui.app_context import AppContext
from pmg.ui.chat import sample_notice
from pmg.ui.settings import import_progress
from steward.steward import Steward


def test_the_sample_goes_and_what_the_person_said_in_it_stays(engine: Engine) -> None:
    assert not sample_notice.holds_sample(engine, "default")
    some = sample.sessions()[:3]
    engine.ingest(some)
    with engine.session("mine", session_id="mine") as mine:
        mine.add(user="My bike is a red Cube.", assistant="Noted.")
    with engine.session(session_id=some[0].id) as again:
        own = again.add(user="And my own question about it.", assistant="Noted.")
    assert sample_notice.holds_sample(engine, "default") and not sample_notice.holds_sample(engine, "work")
    turns = sum(len(session.turns) for session in some)
    assert f"{turns} turns and all" in sample_notice.what_would_go(engine, "default")
    assert f"{turns} turns" in sample_notice.remove_sample(engine, "default", silent)
    assert engine.counts("default").segments[State.ACTIVE] == 2
    assert engine.segment(own).text and engine.reads.session("mine") is not None
    assert "not in this memory" in sample_notice.remove_sample(engine, "default", silent)
    back = engine.ingest(some)
    assert (back.turns, back.forgotten) == (turns, 0)  # it may come back
    assert f"{turns} turns" in sample_notice.remove_sample(
        engine, "default", silent
    )  # though its turns stand elsewhere
    assert not sample_notice.holds_sample(engine, "default") and engine.segment(own).text


def test_topics_are_there_when_something_came_in(engine: Engine) -> None:
    context = AppContext(engine, Steward(engine))
    engine.ingest(sample.sessions()[:40])
    assert context.steward.topics() == []
    said = import_progress.find_topics(context)
    assert context.steward.topics() and "topic" in said
