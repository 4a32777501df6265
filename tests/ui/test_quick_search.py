"""The search over everything: it finds by words and by meaning, stays in its namespace, and leads where the page can go."""

from __future__ import annotations

import pytest

from pmg.engine import Engine
from pmg.ui import quick_search, shell
from pmg.ui.app_context import AppContext
from steward.steward import Steward
from tests.ui.hostile import HOSTILE, alive


@pytest.fixture
def context(engine: Engine) -> AppContext:
    for name, text, space in (
        ("Cats", "My sister Eva has a kitten that went to the vet.", "default"),
        (HOSTILE, f"Sourdough needs flour. {HOSTILE}", "default"),
        ("Hidden", "The kitten at work is secret.", "work"),
    ):
        with engine.session(name, namespace=space) as session:
            session.add(user=text, assistant="Yes.")
    engine.extract()
    return AppContext(engine, Steward(engine))


def test_everything_is_found_and_leads_somewhere(context: AppContext) -> None:
    found = quick_search.found(context, "default", "kitten")
    assert [one.leads["chat"] for one in found["Chats"][:1]] and found["Memories"][0].leads["memory"].startswith("seg_")
    assert "secret" not in quick_search.results_html(found, "kitten")
    assert [one.label for one in quick_search.found(context, "default", "eva")["People"]] == ["Eva"]
    assert quick_search.found(context, "default", "back")["Go to"][0].label == "Backup & encryption"
    assert quick_search.found(context, "default", "passphrase")["Go to"][0].label == "Backup & encryption"


def test_without_words_the_last_chats_and_every_place_are_listed(context: AppContext) -> None:
    found = quick_search.found(context, "default", "  ")
    assert found["Go to"] == list(quick_search.PLACES) and len(found["Chats"]) == 2
    html = quick_search.results_html(quick_search.found(context, "default", "flour"), '"flour"<')
    assert not alive(html) and "data-leads" in html
    assert 'data-words="&quot;flour&quot;&lt;"' in html  # Enter follows no result of other words


def test_every_place_is_a_tab_of_the_page() -> None:
    tabs = {name for name, _, _ in shell.TABS}
    assert all(one.leads["tab"] in tabs for one in quick_search.PLACES if "tab" in one.leads)
