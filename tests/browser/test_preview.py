"""Preview: a query shows its way and its block; only knobs that act are there; two settings stand side by side; a memory opens in view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Served
from tests.browser.motion import at_rest
from tests.browser.unanswered import answered

if TYPE_CHECKING:
    from playwright.sync_api import Page

CONFIG = {"recall": {"budget_tokens": 900}}
BLOCK = "#pmg-preview-block .pmg-block"
CARDS = "#pmg-preview-stages .pmg-card"
NOW = "#pmg-reader-preview .pmg-now"
ROOM = "Room before a model (tokens)"
# What is drawn in the middle of the box is in the reader, and nothing lies over it.
IN_READER = "([x, y]) => !!document.elementFromPoint(x, y)?.closest('#pmg-reader-preview')"


def asked(page: Page, query: str) -> None:
    page.get_by_role("tab", name="Recall preview").click()
    field = page.get_by_label("Your question")
    field.fill(query)
    field.press("Enter")
    page.wait_for_selector(BLOCK)
    answered(page)  # the block of an earlier question is a block too


def settings(page: Page) -> None:
    """Unfolded, whether they were or not."""
    knob = page.get_by_label("How to look", exact=True)
    if not knob.is_visible():
        page.get_by_role("button", name="Settings of this recall").click()
    knob.wait_for()


def read_in_view(page: Page, high: int) -> None:
    """What is read lies in the window, and nothing over it."""
    page.wait_for_function(
        "([now, high]) => { const box = document.querySelector(now).getBoundingClientRect(); return box.top >= 0 && box.top < high - 60; }",
        arg=[NOW, high],
    )
    box = at_rest(page.locator(NOW))
    assert page.evaluate(IN_READER, [box["x"] + box["width"] / 2, box["y"] + 8])


def test_turning_a_knob_changes_the_block_and_only_knobs_that_act_are_there(page: Page, served: Served) -> None:
    asked(page, "What did Haruka say about the decoder?")
    block = page.locator(BLOCK)
    before = block.inner_text()
    assert before.startswith("<memory")
    settings(page)
    page.get_by_label(ROOM, exact=True).fill("200")
    page.wait_for_function(f"b => document.querySelector('{BLOCK}').innerText !== b", arg=before)
    assert len(block.inner_text()) < len(before)
    assert served.engine.counts().recalls == 0
    assert page.get_by_label("Hits to begin with", exact=True).count() == 0
    page.get_by_label("How to look", exact=True).click()
    page.get_by_role("option", name="the best hits and their neighbours").click()
    page.get_by_label("Hits to begin with", exact=True).wait_for()


@pytest.mark.fast
def test_a_card_on_the_way_opens_its_memory_in_view_and_back_brings_the_question(shared_page: Page) -> None:
    page = shared_page
    asked(page, "What did Haruka say about the decoder?")
    assert page.locator(".pmg-path .pmg-asked").inner_text() == "What did Haruka say about the decoder?"
    page.locator(CARDS).first.click()
    page.locator(NOW).wait_for()
    read_in_view(page, 800)
    field = page.get_by_label("Your question")
    field.fill("What about the soup?")
    field.press("Enter")
    page.wait_for_function("document.querySelector('.pmg-asked')?.innerText === 'What about the soup?'")
    page.go_back()
    page.wait_for_function("document.querySelector('.pmg-asked')?.innerText.includes('Haruka')")
    page.reload()
    page.wait_for_function("document.querySelector('.pmg-asked')?.innerText.includes('Haruka')")


def test_the_whole_list_lies_open_and_what_is_read_stays_beside_it(shared_page: Page) -> None:
    page = shared_page
    asked(page, "What did Haruka say about the decoder?")
    cards = page.locator(f"{CARDS}:visible")
    assert cards.count() > 6
    cut = """last => { for (let at = last.parentElement; at; at = at.parentElement) {
      const how = getComputedStyle(at).overflowY; if (at !== document.documentElement && at !== document.body
        && how !== 'visible' && at.scrollHeight > at.clientHeight + 2) return at.className; } return ''; }"""
    assert cards.last.evaluate(cut) == "", "no box with a scrollbar of its own holds the list"
    cards.last.scroll_into_view_if_needed()
    before = page.locator(NOW).inner_text() if page.locator(NOW).count() else ""
    cards.last.click()
    page.wait_for_function("([now, old]) => (document.querySelector(now)?.innerText ?? old) !== old", arg=[NOW, before])
    read_in_view(page, 800)


def test_on_a_phone_a_memory_opens_over_the_list_and_back_leads_to_where_one_was(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(width=390, height=844)
    asked(page, "What did Haruka say about the decoder?")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for leave in ("a tap", "Escape", "the browser's Back"):
        card = page.locator(CARDS).nth(4)
        card.click()
        page.locator(NOW).wait_for()
        place = page.evaluate("scrollY")
        read_in_view(page, 844)
        assert "memory=" in page.url
        if leave == "Escape":
            page.keyboard.press("Escape")
        elif leave == "the browser's Back":
            page.go_back()
        else:
            page.get_by_role("button", name="‹ Back").click()
        page.locator(NOW).wait_for(state="detached")
        assert "memory=" not in page.url and "preview-query=" in page.url
        page.wait_for_function("document.activeElement.matches('.pmg-card')")
        assert page.evaluate("scrollY") == place
        box = card.bounding_box()
        assert box is not None and 0 <= box["y"] < 844
    page.go_forward()
    page.locator(NOW).wait_for()
    page.reload()
    page.locator(NOW).wait_for()


def test_two_settings_are_compared_and_the_difference_is_marked(shared_page: Page) -> None:
    page = shared_page
    asked(page, "What did Haruka say about the decoder?")
    settings(page)
    page.get_by_label("Compare with a second setting (B)").check()
    page.get_by_label(f"B: {ROOM}").fill("150")
    page.get_by_role(
        "heading", name="Given with B"
    ).wait_for()  # each memory that B leaves out is marked with these words, too
    page.wait_for_function(
        "/[1-9]\\d* go(es)? out/.test(document.querySelector('#pmg-preview-result [role=status].pmg-caption')?.innerText)"
    )
    assert page.locator("#pmg-preview-result .pmg-block").count() == 2
    assert page.locator("#pmg-preview-result mark.pmg-went-line").count() > 0
    assert page.locator("#pmg-preview-stages .pmg-badge").count() > 0


def test_for_nonsense_the_page_says_that_nothing_speaks_and_shows_no_card_unasked(
    shared_page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The stand-in for a model gives all words that it does not know one vector, so nonsense would lie close to nonsense.
    monkeypatch.setattr("pmg.answer.speaks.nearest", lambda *_: 0.2)
    page = shared_page
    page.get_by_role("tab", name="Recall preview").click()
    settings(page)
    if page.get_by_label("Compare with a second setting (B)").is_checked():
        page.get_by_label("Compare with a second setting (B)").uncheck()
    field = page.get_by_label("Your question")
    field.fill("zxqv blorf wug")
    field.press("Enter")
    page.locator("#pmg-preview-result").get_by_text("Nothing in this memory speaks for this").wait_for()
    assert page.locator("#pmg-preview-stages .pmg-card:visible").count() == 0
