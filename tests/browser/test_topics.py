"""Topics on the page: found on asking, renamed, pinned, and taken back in the history; keys, and the list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Served
from tests.steward.test_topics import memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

MEMORY = "empty"


@pytest.fixture(scope="module", autouse=True)
def said(served: Served) -> None:
    memory(served.engine)


def inner(page: Page, name: str) -> None:
    page.locator("#pmg-steward").get_by_role("tab", name=name, exact=True).click()


def test_topics_are_found_renamed_and_the_name_taken_back(shared_page: Page) -> None:
    page = shared_page
    page.get_by_role("tab", name="Steward").click()
    inner(page, "Topics")
    page.locator("#pmg-topics").get_by_text("No topics yet").wait_for()
    page.locator("#pmg-find-topics").click()
    rows = page.locator("#pmg-topics .pmg-topic")
    rows.first.wait_for()
    assert rows.count() == 3
    page.locator("#pmg-topic input").click()
    page.get_by_role("option").first.click()
    page.locator("#pmg-topic-name textarea, #pmg-topic-name input").first.fill("Sunday things")
    page.locator("#pmg-topic-rename").click()
    page.locator("#pmg-topics").get_by_text("Sunday things").wait_for()
    page.locator("#pmg-topics").get_by_role("button", name="Pin", exact=True).nth(1).click()
    page.locator("#pmg-topics .pmg-badge", has_text="pinned").wait_for()
    inner(page, "History")
    page.locator("#pmg-history .pmg-run").nth(1).get_by_role("button", name="Undo all of it").click()
    page.get_by_text("Undone: 1 change").wait_for()
    inner(page, "Topics")
    page.locator("#pmg-topics").get_by_text("Sunday things").wait_for(state="detached")


def test_after_run_now_the_task_says_when_and_what(shared_page: Page) -> None:
    page = shared_page
    page.get_by_role("tab", name="Steward").click()
    inner(page, "Run")
    page.locator("#pmg-run-now").wait_for(state="visible")
    for name in ("Check", "Score", "Merge duplicates", "Archive", "Links and topics"):
        page.get_by_label(name, exact=True).uncheck()
    page.locator("#pmg-run-now").click()
    page.locator("#pmg-report").get_by_text("backed up").wait_for()
    page.locator("tr", has_text="writes the whole memory into one file").get_by_text("backed up").wait_for()


def test_keys_open_their_list_and_lead_to_tabs(shared_page: Page) -> None:
    page = shared_page
    page.keyboard.press("Alt+6")
    page.locator("#pmg-tabs [role=tab][aria-selected=true]", has_text="Analytics").first.wait_for()
    page.locator("body").press("?")
    page.locator("dialog.pmg-keys").get_by_text("show or hide this list").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog.pmg-keys").wait_for(state="hidden")


def test_on_a_phone_the_list_of_chats_closes_by_escape_and_by_a_tap_beside_it(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=800)
    chats = page.locator(".pmg-chats")
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(380, 400)):
        page.get_by_role("button", name="Chats", exact=True).click()
        chats.wait_for(state="visible")
        close()
        chats.wait_for(state="hidden")


def test_the_manifest_and_its_icon_are_served(shared_page: Page) -> None:
    page = shared_page
    told = page.evaluate(
        """async () => {
          const link = document.querySelector('link[rel=manifest]');
          const manifest = await (await fetch(link.href)).json();
          const icon = await fetch(new URL(manifest.icons[0].src, link.href));
          return [manifest.short_name, icon.status, icon.headers.get('content-type')];
        }"""
    )
    assert told[:2] == ["PMG", 200]
    assert told[2].startswith("image/svg+xml")
