"""The list of chats: searched, renamed, and never of another namespace."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from pmg.answer.summary import summary
from pmg.base.errors import InputError, NotFound
from pmg.base.model import CHAT_SOURCE, Session
from pmg.chat import sessions
from pmg.chat.responder import ChatRequest
from pmg.engine import Engine
from pmg.ingest.plaintext import file_of


@pytest.fixture
def memory(engine: Engine) -> Engine:
    for i, (title, text) in enumerate(
        [("Cats", "The kitten went to the vet."), ("Bread", "Sourdough needs flour."), ("Trip", "The train is late.")]
    ):
        with engine.session(title, session_id=title.lower()) as session:
            session.add(user=text, assistant="Yes.", at=datetime(2026, 1 + i, 1, tzinfo=UTC))
    return engine


def names(found: sessions.SessionList) -> list[str]:
    return [session.id for session in found.sessions]


def test_the_newest_comes_first_and_empty_ones_are_left_out(memory: Engine) -> None:
    memory.session("nothing said", session_id="empty")
    assert names(sessions.listed(memory, "default")) == ["trip", "bread", "cats"]


def test_only_sessions_with_the_words_are_found_and_others_are_told_apart(memory: Engine) -> None:
    for words, holding in (
        ("bread", ["bread"]), ("vet kitten", ["cats"]), ("cats VET", ["cats"]), ("sourd", ["bread"]), ("the", ["trip", "cats"]),
        ("yes", ["trip", "bread", "cats"]), ("kitten flour", []), ("zeppelin", []),
    ):  # fmt: skip
        found = sessions.listed(memory, "default", words)
        assert names(found) == holding, words
        assert not set(holding) & {one.id for one in found.similar}
    assert [one.id for one in sessions.listed(memory, "default", "cat").similar] == [], "a part of a title holds it"
    assert "cats" in [one.id for one in sessions.listed(memory, "default", "kitten flour").similar]


def test_a_search_that_fills_the_list_looks_for_nothing_alike(memory: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []
    recall = Engine.recall

    def noted(self: Engine, *asked: Any, limit: int, **options: Any) -> Any:
        limits.append(limit)
        return recall(self, *asked, limit=limit, **options)

    monkeypatch.setattr(Engine, "recall", noted)
    monkeypatch.setattr(sessions, "PAGE", 3)
    full = sessions.listed(memory, "default", "yes")
    assert (len(full.sessions), full.more, full.similar, limits) == (3, 0, (), [])
    assert names(sessions.listed(memory, "default", "the")) == ["trip", "cats"]
    assert limits == [2 + sessions.MAX_SIMILAR]


def test_a_search_is_not_counted_as_a_recall(memory: Engine) -> None:
    sessions.listed(memory, "default", "vet")
    assert memory.counts().recalls == 0


def test_another_namespace_is_not_listed_read_or_renamed(memory: Engine) -> None:
    with memory.session("Hidden cat", namespace="work", session_id="hidden") as session:
        session.add(user="The cat at work.", assistant="Yes.")
    assert "hidden" not in names(sessions.listed(memory, "default")) + names(sessions.listed(memory, "default", "cat"))
    for act in (
        lambda: sessions.session_in(memory, "hidden", "default"),
        lambda: sessions.rename(memory, "hidden", "default", "mine"),
        lambda: sessions.pin(memory, "hidden", "default"),
    ):
        with pytest.raises(NotFound):
            act()


def test_a_new_title_is_everywhere_the_old_one_was(memory: Engine) -> None:
    sessions.rename(memory, "cats", "default", "  Biscuit's   zeppelin ")
    session = memory.reads.session("cats")
    assert (
        session is not None and session.title == "Biscuit's zeppelin" and not session.is_open and session.segments == 1
    )
    assert memory.recall("zeppelin").segments[0].session_id == "cats"
    assert file_of(memory.config.home, session).read_text().startswith("# Biscuit's zeppelin")


def test_renaming_an_open_session_leaves_it_open(memory: Engine) -> None:
    memory.session("now", session_id="now").add(user="I am here", assistant="So am I")
    assert sessions.rename(memory, "now", "default", "later").title == "later"
    session = memory.reads.session("now")
    assert session is not None and session.is_open and session.title == "later"


def test_a_secret_in_a_title_is_taken_out(memory: Engine) -> None:
    secret = "sk-" + "proj-" + "aB3dE6gH9" * 5
    assert secret not in sessions.rename(memory, "cats", "default", f"key {secret}").title


@pytest.mark.parametrize("title", ["", "   ", "x" * 121])
def test_a_title_that_is_none_is_refused(memory: Engine, title: str) -> None:
    with pytest.raises(InputError, match="1 to 120"):
        sessions.rename(memory, "cats", "default", title)


def test_sessions_are_grouped_by_how_long_ago_they_were() -> None:
    at = datetime(2026, 11, 15, 12, tzinfo=UTC)
    session = Session("a", "default", "a", "", "", at, None, True)
    told = [
        sessions.group_of(replace(session, started_at=at - timedelta(days=d)), date(2026, 11, 15))
        for d in (0, 1, 3, 7, 13, 14, 60)
    ]  # a Sunday
    assert told == ["Today", "Yesterday", "This week", "Last week", "Last week", "November 2026", "September 2026"]


def test_a_session_of_this_morning_is_of_today_where_utc_is_still_at_yesterday(engine: Engine) -> None:
    at = datetime(2026, 11, 19, 1, 15, tzinfo=timezone(timedelta(hours=11)))
    with engine.session(source=CHAT_SOURCE, started_at=at) as session:
        session.add(user="The piano tuner came.", at=at)
    (stored,) = engine.sessions()
    assert sessions.group_of(stored, at.date()) == "Today"
    asked = ChatRequest("What did I tell you today?", None, (), "default", at=at + timedelta(minutes=5))
    assert [quote.text for quote in summary(engine, asked)] == ["The piano tuner came."]


def test_a_week_is_that_of_the_calendar_and_begins_on_monday() -> None:
    monday = datetime(2026, 11, 16, 9, tzinfo=UTC)
    session = Session("a", "default", "a", "", "", monday, None, True)
    told = [sessions.group_of(replace(session, started_at=monday - timedelta(days=d)), monday.date()) for d in range(9)]
    assert told == ["Today", "Yesterday", *["Last week"] * 6, "November 2026"]
