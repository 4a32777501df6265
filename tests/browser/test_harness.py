"""The page opens in a real browser, asks no other machine, and a browser without the token sees none of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Served
from tests.chromium import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_the_page_opens_and_the_token_leaves_the_address(shared_page: Page, served: Served) -> None:
    page = shared_page
    assert page.url.startswith(f"{served.address}/browser/")
    assert served.token not in page.url
    assert page.title() == "Private Memory Graph"


def test_the_cookie_is_kept_from_scripts_and_a_reload_stays_in(shared_page: Page) -> None:
    page = shared_page
    assert page.evaluate("document.cookie") == ""
    page.reload()
    page.wait_for_selector("#pmg-tabs", state="visible")


@pytest.mark.fast
def test_a_browser_without_the_token_is_asked_who_it_is(served: Served, browser: Browser, watch: Watch) -> None:
    context = browser.new_context()
    watch.over(context)
    stranger = context.new_page()
    answer = stranger.goto(served.address)
    assert answer is not None and answer.status == 401
    assert stranger.get_by_label("Token").is_visible()
    stranger.get_by_label("Token").fill("not the token")
    stranger.get_by_role("button", name="Open").click()
    assert stranger.get_by_role("alert").is_visible()
    stranger.get_by_label("Token").fill(served.token)
    stranger.get_by_role("button", name="Open").click()
    stranger.wait_for_selector("#pmg-tabs", state="visible")
    context.close()


# Counts what scripts ask to be drawn, from before the page's own are loaded.
FRAMES = """
window.pmgFrames = 0;
const plain = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (draw) => { window.pmgFrames += 1; return plain(draw); };
"""
COMES_TO_REST = """async () => {
  for (let tried = 0; tried < 200; tried += 1) {
    const before = window.pmgFrames;
    await new Promise((done) => setTimeout(done, 500));
    if (window.pmgFrames === before) return true;
  }
  return false;
}"""


def test_a_page_comes_to_rest(open_page: Callable[..., Page]) -> None:
    """A script that draws on and on takes a tenth of a core for as long as the page is open."""
    page = open_page(script=FRAMES)
    assert page.evaluate("window.pmgFrames") > 0  # it is counted
    assert page.evaluate(COMES_TO_REST)


@pytest.mark.parametrize("dark", [pytest.param(False, marks=pytest.mark.fast), True], ids=["light", "dark"])
def test_every_tab_opens_and_stays_inside_the_content_policy(
    shared_page: Page, open_page: Callable[..., Page], dark: bool
) -> None:
    """The harness fails it when a tab asks another machine or breaks the policy."""
    page = open_page("__theme=dark", dark=True) if dark else shared_page
    tabs = page.locator("#pmg-tabs [role=tab]:visible")
    names = [name.strip() for name in tabs.all_inner_texts()]
    assert {"Chat", "Timeline", "Steward"} <= set(names)
    for name in names:
        tabs.filter(has_text=name).first.click()
        page.wait_for_timeout(400)
        assert not page.locator(".toast-body.error").count(), name
