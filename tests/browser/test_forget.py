"""Forget: what will go is shown first; then it is gone from the reader, the timeline, the preview and the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORY = "empty"
SECRET = "The quagga escaped from the zoo in Lisbon."


@pytest.mark.fast
def test_forgotten_is_gone_everywhere_on_the_page(page: Page, served: Served) -> None:
    with served.engine.session("At the zoo", session_id="zoo") as talk:
        talk.add(user="We went to the zoo with the cat.")
        talk.add(user=SECRET)
        talk.add(user="Then we had bread.")
    page.get_by_role("tab", name="Timeline").click()
    words = page.get_by_label("Filter by words")
    words.wait_for()
    # What comes with the tab fills the field too: whoever types before it has come would lose it.
    page.wait_for_function("document.querySelectorAll('#pmg-timeline-list .pmg-row').length > 0")
    words.fill("quagga")
    words.press("Enter")
    page.wait_for_function("document.querySelector('#pmg-timeline-list .pmg-row')?.textContent.includes('1 turn ')")
    page.locator("#pmg-timeline-list summary").click()
    page.locator("#pmg-timeline-list .pmg-row").click()
    reader = page.locator("#pmg-reader-timeline")
    reader.get_by_text(SECRET).wait_for()
    page.get_by_role("button", name="Forget …").click()
    box = page.locator(".pmg-forget:visible")
    box.get_by_text("It cannot be undone.").wait_for()
    assert "quagga" in box.inner_text()
    page.get_by_role("button", name="Forget for good").click()
    reader.get_by_text("no trace of it").wait_for()
    page.wait_for_function("!document.querySelector('#pmg-timeline-list .pmg-row')")
    assert "quagga" not in page.locator("#pmg-timeline").inner_text()
    assert not any("quagga" in file.read_text() for file in served.home.rglob("*.md"))
    page.get_by_role("tab", name="Recall preview").click()
    query = page.get_by_label("Your question")
    query.fill("zoo in Lisbon")
    query.press("Enter")
    page.wait_for_selector("#pmg-preview-result [role=status]")
    assert "quagga" not in page.locator("#pmg-tabs").inner_text()
    page.get_by_role("tab", name="Graph").click()
    page.wait_for_function("document.querySelector('.pmg-g-canvas')?._cyreg?.cy?.nodes().length > 0")
    search = page.get_by_label("Find in the graph")
    search.fill("quagga")
    search.press("Enter")
    page.get_by_text("Nothing here has these words.").wait_for()
    assert "quagga" not in page.locator("#pmg-tabs").inner_text()
