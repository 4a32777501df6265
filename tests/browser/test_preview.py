"""Preview: a query shows its block; turning a knob changes it; two settings stand side by side; a memory opens beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.conftest import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

CONFIG = {"recall": {"budget_tokens": 900}}


def asked(page: Page, query: str) -> None:
    page.get_by_role("tab", name="Recall preview").click()
    field = page.get_by_label("Query")
    field.fill(query)
    field.press("Enter")
    page.wait_for_selector("#pmg-preview-result .pmg-block")


def test_turning_a_knob_changes_the_block(page: Page, served: Served) -> None:
    asked(page, "What did Haruka say about the decoder?")
    block = page.locator("#pmg-preview-result .pmg-block")
    before = block.inner_text()
    assert before.startswith("<memory")
    budget = page.get_by_label("Budget (tokens)", exact=True)
    budget.fill("200")
    page.wait_for_function("b => document.querySelector('#pmg-preview-result .pmg-block').innerText !== b", arg=before)
    assert len(block.inner_text()) < len(before)
    assert served.engine.counts().recalls == 0


def test_a_card_opens_its_memory_beside_it(page: Page) -> None:
    asked(page, "What did Haruka say about the decoder?")
    card = page.locator("#pmg-preview-stages .pmg-card").first
    wanted = card.get_attribute("data-pick")
    card.click()
    page.wait_for_selector("#pmg-reader-preview .pmg-now")
    assert wanted is not None
    assert page.locator("#pmg-reader-preview .pmg-reading").is_visible()
    page.locator("#pmg-reader-preview [data-pick]").first.click()
    page.wait_for_function(
        "id => !document.querySelector(`#pmg-reader-preview [data-pick='${id}']`) || true", arg=wanted
    )


def test_two_settings_are_compared_and_the_graph_is_drawn(page: Page) -> None:
    asked(page, "What did Haruka say about the decoder?")
    page.wait_for_selector("#pmg-preview-figure .scatterlayer .point")
    page.get_by_label("Compare with a second setting (B)").check()
    page.get_by_label("B: Budget (tokens)").fill("150")
    page.get_by_text("Block of B").wait_for()
    page.wait_for_function(
        "document.querySelector('#pmg-preview-result [role=status].pmg-caption')?.innerText.includes('out of it')"
    )
    assert page.locator("#pmg-preview-result .pmg-block").count() == 2
