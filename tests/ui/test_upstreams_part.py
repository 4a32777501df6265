"""The models that go through this memory, as plain functions: what is listed, and the switch."""

from __future__ import annotations

import pytest

from pmg.base.errors import NotFound
from pmg.base.times import now
from pmg.engine import Engine
from pmg.proxy import upstreams
from pmg.proxy.capture import Captured
from pmg.proxy.forward import Proxy
from pmg.proxy.upstreams import Upstream
from pmg.ui.app_context import AppContext
from pmg.ui.settings import upstreams as part
from steward.steward import Steward
from tests.ui.hostile import HOSTILE, alive


@pytest.fixture
def context(engine: Engine) -> AppContext:
    return AppContext(engine, Steward(engine), proxy=Proxy(engine.config.home))


def test_without_an_upstream_it_says_how_to_add_one(context: AppContext) -> None:
    assert "pmg upstream add" in part.shown(context)


def test_the_switch_pauses_and_resumes(context: AppContext) -> None:
    upstreams.add(context.engine.config.home, upstreams.checked("ollama", "ollama", "http://127.0.0.1:11434"))
    assert "remembers" in part.shown(context) and "/u/ollama" in part.shown(context)
    part.switch(context, "ollama")
    assert "paused" in part.shown(context) and "Resume" in part.shown(context)
    part.switch(context, "ollama")
    assert "Pause<" in part.shown(context)


def test_the_last_requests_are_told_with_what_failed_and_what_was_brought() -> None:
    last = [
        Captured(now(), "ollama", "Open WebUI", "1 new turn", brought="brought: 120 tokens in 40 ms"),
        Captured(now(), "ollama", "script", "the upstream answered with 529", failed=True),
    ]
    page = part.upstreams_html((Upstream("ollama", "ollama", "http://127.0.0.1:1"),), last)
    assert "brought: 120 tokens" in page and "pmg-look'>the upstream answered with 529" in page


def test_what_programs_call_themselves_does_nothing_to_the_page() -> None:
    page = part.upstreams_html(
        (Upstream("a", "openai", HOSTILE),), [Captured(now(), HOSTILE, HOSTILE, HOSTILE, brought=HOSTILE)]
    )
    assert not alive(page)


def test_a_page_without_a_server_has_no_switch(engine: Engine) -> None:
    alone = AppContext(engine, Steward(engine))
    assert part.shown(alone) == ""
    with pytest.raises(NotFound):
        part.switch(alone, "ollama")
