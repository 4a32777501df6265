"""Stories of going from one namespace into another: menu, address, header and table name the same one, and that is where is written."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from pmg.ui import shell
from tests.browser.conftest import Served
from tests.browser.tab_row import open_tab
from tests.browser.unanswered import answered
from tests.steward.memories import tell

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORY = "empty"
# Menu, address, the row of the table that is this page's, and the header.
NAMED = """([name, held]) => document.querySelector('#pmg-namespace input')?.value === name
  && (window.pmg.read().in || 'default') === name
  && [...document.querySelectorAll('#pmg-namespaces tr')].find((row) => row.querySelector('.pmg-good'))?.querySelector('th').innerText === name
  && document.querySelector('.pmg-state').innerText.includes(held)"""


def namespaces_of(page: Page) -> Page:
    open_tab(page.locator("#pmg-tabs").first, "Import & settings")
    open_tab(page.locator("#pmg-exchange").first, "Namespaces")
    page.locator("#pmg-namespaces table").wait_for()
    answered(page)
    return page


def make(page: Page, name: str) -> None:
    page.get_by_label("New namespace").fill(name)
    page.get_by_role("button", name="Make it and go there").click()


def is_in(page: Page, name: str, held: str = "0 memories") -> None:
    page.wait_for_function(NAMED, arg=[name, held], timeout=30_000)


def say(page: Page, text: str) -> None:
    open_tab(page.locator("#pmg-tabs").first, "Chat")
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")
    page.locator("#pmg-log .pmg-turn.mine", has_text=text).wait_for()


def where(served: Served, text: str) -> list[str]:
    """The namespaces in which it was said."""
    engine = served.engine
    return [
        session.namespace
        for session in engine.sessions()
        for one in engine.reads.segments_of(session.id)
        if one.lines[0].text == text
    ]


@pytest.mark.fast
def test_a_new_namespace_is_named_everywhere_before_anything_is_said_in_it(page: Page, served: Served) -> None:
    make(namespaces_of(page), "club")
    is_in(page, "club")
    assert page.get_by_label("New namespace").input_value() == ""
    say(page, "My kayak is yellow.")
    assert where(served, "My kayak is yellow.") == ["club"]


def test_back_forward_and_a_reload_lead_to_the_namespace_of_their_address(page: Page, served: Served) -> None:
    make(namespaces_of(page), "choir")
    is_in(page, "choir")
    page.go_back()
    is_in(page, "default")
    page.go_forward()
    is_in(page, "choir")  # though it holds nothing yet
    page.go_back()
    is_in(page, "default")
    say(page, "My boots are brown.")
    assert where(served, "My boots are brown.") == ["default"]
    make(namespaces_of(page), "choir")
    is_in(page, "choir")
    page.reload()
    page.wait_for_selector("#pmg-tabs", state="visible")
    is_in(namespaces_of(page), "choir")
    say(page, "I sing bass.")
    assert where(served, "I sing bass.") == ["choir"]


def test_a_namespace_chosen_in_the_table_or_the_menu_is_named_everywhere(page: Page, served: Served) -> None:
    tell(served.engine, "shifts", "The night shift is on Friday.", namespace="work")
    namespaces_of(page).locator("#pmg-namespaces tr", has_text="work").get_by_role("button", name="Look here").click()
    is_in(page, "work", "1 memory")
    make(page, "band")
    is_in(page, "band")
    page.locator("#pmg-namespace input").click()
    page.get_by_role("option", name="work").click()
    is_in(page, "work", "1 memory")
    say(page, "The day shift is on Monday.")
    assert where(served, "The day shift is on Monday.") == ["work"]


def test_a_name_that_cannot_be_leads_nowhere(page: Page) -> None:
    make(namespaces_of(page), "no/such name")
    page.locator(".toast-body", has_text="no/such name").wait_for()
    assert page.get_by_label("New namespace").input_value() == "no/such name"
    assert "in=" not in page.url


def come_to(page: Page, served: Served, name: str) -> None:
    """By a bookmark that names a namespace."""
    here = page.url.partition("#")[0]
    page.goto(f"{served.address}/healthz")
    page.goto(f"{here}#in={quote(name)}")
    page.wait_for_selector("#pmg-tabs", state="visible")


@pytest.mark.parametrize("wrong", ["my work", "___", "Büro"])
def test_an_address_with_a_name_that_cannot_be_is_told_and_put_right(page: Page, served: Served, wrong: str) -> None:
    come_to(page, served, wrong)
    page.locator(".toast-body", has_text=f"There is no namespace '{wrong}'").wait_for()
    is_in(namespaces_of(page), "default", "memor")
    assert "in=" not in page.url
    said = f"My bicycle is called {wrong}."
    say(page, said)
    assert where(served, said) == ["default"]


@pytest.mark.parametrize("right", ["not-yet", "Work_2"])
def test_an_address_with_a_name_that_may_be_is_left_as_it_is(page: Page, served: Served, right: str) -> None:
    come_to(page, served, right)
    is_in(namespaces_of(page), right)
    assert f"in={right}" in page.url and page.locator(".toast-body").count() == 0


def choose(page: Page, name: str) -> None:
    page.locator("#pmg-namespace input").click()
    page.get_by_role("option", name=name).click()


def test_the_menu_leads_back_to_the_chat_and_the_draft_that_were_left(page: Page, served: Served) -> None:
    tell(served.engine, "rota", "The early shift is on Sunday.", namespace="work")
    page.reload()
    say(page, "My scarf is green.")
    page.get_by_label("Message").fill("And my hat")
    choose(page, "work")
    page.locator("#pmg-log .pmg-turn.mine", has_text="My scarf is green.").wait_for(state="detached")
    choose(page, "default")
    page.locator("#pmg-log .pmg-turn.mine", has_text="My scarf is green.").wait_for()
    assert page.get_by_label("Message").input_value() == "And my hat"


@pytest.fixture
def held_back(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], tuple[threading.Event, threading.Event]]:
    """From the first time on that the page goes into that namespace, its answers wait until the second event is set."""
    plain = shell.namespaces

    def hold(name: str) -> tuple[threading.Event, threading.Event]:
        come, way = threading.Event(), threading.Event()

        def late(context: Any, current: str) -> list[str]:
            if current == name:
                come.set()
                way.wait(60)
            return plain(context, current)

        monkeypatch.setattr(shell, "namespaces", late)
        return come, way

    return hold


def test_what_is_said_before_the_page_is_there_is_written_where_it_goes(
    page: Page, served: Served, held_back: Callable[[str], tuple[threading.Event, threading.Event]]
) -> None:
    come, way = held_back("garden")
    make(namespaces_of(page), "garden")
    assert come.wait(60)
    page.wait_for_function("document.querySelector('#pmg-namespace input')?.value === 'garden'")
    say(page, "The beans are in.")
    way.set()
    assert where(served, "The beans are in.") == ["garden"]
    answered(page)
    is_in(namespaces_of(page), "garden", "1 memory")


def test_what_is_said_after_back_is_written_in_the_configured_namespace_before_the_page_is_there(
    page: Page, served: Served, held_back: Callable[[str], tuple[threading.Event, threading.Event]]
) -> None:
    tell(served.engine, "desks", "The desk by the window is free.", namespace="work")
    page.reload()
    page.wait_for_selector("#pmg-tabs", state="visible")
    choose(page, "work")
    page.locator(".pmg-session", has_text="desks").wait_for()
    answered(page)
    come, way = held_back("default")
    page.go_back()
    assert come.wait(60)
    assert "in=" not in page.url
    say(page, "My diary is in the attic.")
    way.set()
    assert where(served, "My diary is in the attic.") == ["default"]
