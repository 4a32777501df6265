"""Preview: a query shows its way and its block; only knobs that act are there; two settings stand side by side; a memory opens in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

CONFIG = {"recall": {"budget_tokens": 900}}
BLOCK = "#pmg-preview-block .pmg-block"


def asked(page: Page, query: str) -> None:
    page.get_by_role("tab", name="Recall preview").click()
    field = page.get_by_label("Query")
    field.fill(query)
    field.press("Enter")
    page.wait_for_selector(BLOCK)


def test_turning_a_knob_changes_the_block_and_only_knobs_that_act_are_there(page: Page, served: Served) -> None:
    asked(page, "What did Haruka say about the decoder?")
    block = page.locator(BLOCK)
    before = block.inner_text()
    assert before.startswith("<memory")
    page.get_by_label("Budget (tokens)", exact=True).fill("200")
    page.wait_for_function(f"b => document.querySelector('{BLOCK}').innerText !== b", arg=before)
    assert len(block.inner_text()) < len(before)
    assert served.engine.counts().recalls == 0
    assert page.get_by_label("Top-k entries", exact=True).count() == 0
    page.get_by_label("Mode", exact=True).click()
    page.get_by_role("option", name="fixed").click()
    page.get_by_label("Top-k entries", exact=True).wait_for()


def test_a_card_on_the_way_opens_its_memory_in_view_and_back_brings_the_question(shared_page: Page) -> None:
    page = shared_page
    asked(page, "What did Haruka say about the decoder?")
    assert page.locator(".pmg-path .pmg-asked").inner_text() == "What did Haruka say about the decoder?"
    page.locator("#pmg-preview-stages .pmg-card").first.click()
    now = page.locator("#pmg-reader-preview .pmg-now")
    now.wait_for()
    box = now.bounding_box()
    assert (
        box is not None and 0 <= box["y"] < 790
    )  # beside the card, without scrolling, and not cut away by anything around it
    hit = "([x, y]) => !!document.elementFromPoint(x, y)?.closest('#pmg-reader-preview')"
    assert page.evaluate(hit, [box["x"] + box["width"] / 2, box["y"] + 8])
    field = page.get_by_label("Query")
    field.fill("What about the soup?")
    field.press("Enter")
    page.wait_for_function("document.querySelector('.pmg-asked')?.innerText === 'What about the soup?'")
    page.go_back()
    page.wait_for_function("document.querySelector('.pmg-asked')?.innerText.includes('Haruka')")
    page.reload()
    page.wait_for_function("document.querySelector('.pmg-asked')?.innerText.includes('Haruka')")


def test_two_settings_are_compared_and_the_difference_is_marked(shared_page: Page) -> None:
    page = shared_page
    asked(page, "What did Haruka say about the decoder?")
    page.get_by_label("Compare with a second setting (B)").check()
    page.get_by_label("B: Budget (tokens)").fill("150")
    page.get_by_text("Block of B").wait_for()
    page.wait_for_function(
        "document.querySelector('#pmg-preview-result [role=status].pmg-caption')?.innerText.includes('out of it')"
    )
    assert page.locator("#pmg-preview-result .pmg-block").count() == 2
    assert page.locator("#pmg-preview-result mark.pmg-went-line").count() > 0
    assert page.locator("#pmg-preview-stages .pmg-badge").count() > 0


def test_for_nonsense_the_page_says_that_nothing_speaks_and_shows_no_card_unasked(
    shared_page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The stand-in for a model gives all words that it does not know one vector, so nonsense would lie close to nonsense.
    monkeypatch.setattr("pmg.ui.preview.speaks.nearest", lambda *_: 0.2)
    page = shared_page
    page.get_by_role("tab", name="Recall preview").click()
    if page.get_by_label("Compare with a second setting (B)").is_checked():
        page.get_by_label("Compare with a second setting (B)").uncheck()
    field = page.get_by_label("Query")
    field.fill("zxqv blorf wug")
    field.press("Enter")
    page.locator("#pmg-preview-result").get_by_text("Nothing in this memory speaks for this").wait_for()
    assert page.locator("#pmg-preview-stages .pmg-card:visible").count() == 0
