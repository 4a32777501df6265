"""Timeline: bars lead to days, days to memories, a memory is read beside them; hostile text stays text; it fits a phone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.browser.conftest import Served
from tests.ui.hostile import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page

FIGURE = "#pmg-timeline-figure"


def point_at(page: Page, selector: str) -> None:
    """A real click: the pointer comes, then presses."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    time.sleep(0.3)  # plotly looks at where the pointer is a few times a second
    page.mouse.click(x, y)


def caption(page: Page) -> str:
    return page.locator("#pmg-timeline-list .pmg-caption").inner_text()


def until_caption_changes(page: Page, before: str) -> None:
    page.wait_for_function(
        "before => (document.querySelector('#pmg-timeline-list .pmg-caption')?.innerText ?? before) !== before",
        arg=before,
    )


def test_from_years_to_one_memory_by_clicking(page: Page) -> None:
    page.get_by_role("tab", name="Timeline").click()
    page.wait_for_selector(f"{FIGURE} .bars .point")
    for _ in range(2):  # a month, then a day
        before = caption(page)
        point_at(page, f"{FIGURE} .bars .point")
        until_caption_changes(page, before)
    page.wait_for_selector(f"{FIGURE} .scatterlayer .point")
    point_at(page, f"{FIGURE} .scatterlayer .point")
    page.wait_for_selector("#pmg-reader-timeline .pmg-now")
    day = caption(page)
    page.get_by_role("button", name="Zoom out").click()
    until_caption_changes(page, day)


def test_the_list_of_sessions_leads_to_the_same_memories_without_a_pointer(page: Page) -> None:
    page.get_by_role("tab", name="Timeline").click()
    first = page.locator("#pmg-timeline-list .pmg-row").first
    first.wait_for()
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#pmg-reader-timeline .pmg-now")


def test_hostile_text_is_shown_and_does_nothing(page: Page, served: Served) -> None:
    with served.engine.session(HOSTILE, session_id="hostile") as talk:
        talk.add(user=HOSTILE + " zebrafish")
    page.on("dialog", lambda dialog: (_ for _ in ()).throw(AssertionError(dialog.message)))
    page.get_by_role("tab", name="Timeline").click()
    words = page.get_by_label("Filter by words")
    words.wait_for()
    words.fill("zebrafish")
    words.press("Enter")
    row = page.locator("#pmg-timeline-list .pmg-row")
    page.wait_for_function("document.querySelectorAll('#pmg-timeline-list .pmg-row').length === 1")
    row.click()
    page.wait_for_selector("#pmg-reader-timeline .pmg-now")
    shown = page.locator("#pmg-reader-timeline .pmg-now").inner_text()
    assert "<img src=x onerror=alert(1)>" in shown
    assert "${1+1}" in shown and "{{2}}" in shown
    assert page.locator("#pmg-tabs img[src='x'], #pmg-tabs script").count() == 0


def test_the_timeline_fits_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page("/?__theme=dark", width=390, height=800, dark=True)
    page.locator("button[aria-label='More tabs']").click()
    page.get_by_text("Timeline", exact=True).last.click()
    page.wait_for_selector(f"{FIGURE} .bars .point")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
