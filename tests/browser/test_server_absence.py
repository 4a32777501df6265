"""Stories of a page whose server is started anew: one sentence says so, the header too, and the page comes back by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.unanswered import answered

if TYPE_CHECKING:
    from playwright.sync_api import Page

SAID = "getComputedStyle(document.querySelector('.pmg-dot'), '::after').content"
IS_STARTING = f"{SAID} === '\"PMG is starting\"'"
READY = f"window.pmgBefore === undefined && document.querySelector('.pmg-dot.ready') && {SAID} === 'none'"


@pytest.fixture
def starts() -> Iterator[Callable[[Page], Callable[[], None]]]:
    """From then on the server answers the page as one that is opening its memory, until the given function is called."""

    def begin(page: Page) -> Callable[[], None]:
        page.evaluate("window.pmgBefore = true")
        page.route("**/healthz", lambda route: route.fulfill(json={"status": "ok", "ready": False}))
        for asked in ("**/queue/join**", "**/app_id"):
            page.route(asked, lambda route: route.fulfill(status=503, json={"error": "opening"}))
        return page.unroute_all

    yield begin


def test_while_the_server_starts_one_sentence_and_the_header_say_so(
    page: Page, starts: Callable[[Page], Callable[[], None]]
) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    answered(page)
    done = starts(page)
    page.get_by_label("Message").fill("Are you up already?")
    page.keyboard.press("Enter")
    for name in ("Timeline", "Graph", "Chat"):
        page.get_by_role("tab", name=name).click()
    page.get_by_text("PMG is starting. This page comes back by itself").wait_for()
    page.wait_for_function(IS_STARTING)
    page.wait_for_timeout(1_500)  # time for what must not be said
    assert page.locator("#pmg-starting").count() == 1
    assert page.locator(".toast-body").count() == 0 and page.get_by_text("currently busy").count() == 0
    assert page.evaluate(IS_STARTING)
    done()
    page.wait_for_function(READY)
    page.wait_for_function("document.querySelector('#pmg-box textarea')?.value === 'Are you up already?'")
    assert page.locator("#pmg-starting").count() == 0


def test_a_page_that_nobody_uses_hears_that_its_server_is_started_anew(
    page: Page, starts: Callable[[Page], Callable[[], None]]
) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    answered(page)
    done = starts(page)
    page.wait_for_function(IS_STARTING, timeout=30_000)
    done()
    page.wait_for_function(READY)
