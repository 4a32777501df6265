"""Connections as plain functions: what is listed, what a name can do to the page, and taking a token back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pmg.base.errors import NotFound
from pmg.connections.client_activity import MAX_PROGRAMS, UNNAMED, ClientActivity
from pmg.connections.client_tokens import ClientTokens
from pmg.connections.known_tools import KNOWN, ConfigPlaces
from pmg.engine import Engine
from pmg.ui.app_context import AppContext
from pmg.ui.settings import connections
from steward.steward import Steward
from tests.ui.hostile import HOSTILE, alive


@pytest.fixture
def context(engine: Engine) -> AppContext:
    home = engine.config.home
    return AppContext(engine, Steward(engine), clients=ClientTokens(home), activity=ClientActivity(engine))


def test_each_tool_is_told_by_its_state(tmp_path: Path) -> None:
    places = ConfigPlaces(tmp_path, "linux", {})
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".claude.json").write_text('{"mcpServers": {"pmg": {"command": "/opt/pmg", "args": ["mcp"]}}}')
    (tmp_path / ".lmstudio").mkdir()
    (tmp_path / ".lmstudio" / "mcp.json").write_text('{"mcpServers": {"pmg": {"command": "node"}}}')
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini" / "settings.json").write_text("{")
    found = {one.name: one.state for one in connections.tools(places)}
    assert found.keys() == {one.name for one in KNOWN}
    assert (found["claude-code"], found["cursor"]) == (connections.CONNECTED, connections.FOUND)
    assert (found["gemini-cli"], found["zed"]) == (connections.BROKEN, connections.ABSENT)
    assert found["lm-studio"] == connections.TAKEN
    page = connections.tools_html(connections.tools(places))
    assert "pmg connect cursor" in page and "Zed" in page.split("Not on this machine")[1]
    empty = connections.tools_html(connections.tools(ConfigPlaces(tmp_path / "nobody", "linux", {})))
    assert "None of the tools" in empty and "pmg connect NAME" in empty


def test_programs_are_listed_with_what_they_did_and_may(context: AppContext) -> None:
    assert "No program has asked" in connections.programs_html(connections.programs(context))
    assert context.clients is not None and context.activity is not None
    context.clients.make("laptop", namespace="work", read_only=True)
    context.clients.make("phone")
    context.activity.asked("laptop", 120)
    context.activity.asked("laptop", 30)
    context.activity.told("claude-code")
    context.activity.asked("", 5)
    found = {one.name: one for one in connections.programs(context)}
    assert list(found)[-1] == "phone" and UNNAMED in found
    assert (found["laptop"].use.asked, found["laptop"].use.tokens, found["laptop"].use.last_told) == (2, 150, None)
    page = connections.programs_html(list(found.values()))
    assert "150 tokens" in page and "only the namespace work, reads only" in page and page.count("data-pick") == 2


def test_a_programs_name_is_only_ever_text(context: AppContext) -> None:
    assert context.activity is not None
    for text in (HOSTILE, HOSTILE[40:]):
        context.activity.asked(text, 1)
    assert not alive(connections.programs_html(connections.programs(context)))


def test_a_token_is_taken_back_once(context: AppContext) -> None:
    assert context.clients is not None
    made = context.clients.make("laptop")
    assert "<b>laptop</b>" in connections.question_html(context, "laptop")
    assert context.clients.find(made) is not None
    assert connections.revoke(context, "laptop") == "The token of laptop is revoked."
    assert context.clients.find(made) is None
    for again in (connections.question_html, connections.revoke):
        with pytest.raises(NotFound, match="no token 'laptop'"):
            again(context, "laptop")


def test_in_a_notebook_nobody_asks(engine: Engine) -> None:
    alone = AppContext(engine, Steward(engine))
    assert connections.programs(alone) == []
    with pytest.raises(NotFound):
        connections.revoke(alone, "laptop")


def test_what_programs_did_is_bounded_and_read_back(engine: Engine) -> None:
    activity = ClientActivity(engine)
    for number in range(MAX_PROGRAMS + 5):
        activity.asked(f"program {number}", number)
    activity.told("x" * 500 + "\n\0")
    activity.save()
    again = ClientActivity(engine).all()
    assert again == activity.all() and len(again) == MAX_PROGRAMS
    assert max(len(one.name) for one in again) <= 60
