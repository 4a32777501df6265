"""First start → the sample memory → a question → the source of its answer, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pmg.base.model import State
from tests.browser.conftest import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORY = "empty"
QUESTION = "Why is the Heron 1.0 release blocked right now?"


@pytest.mark.timeout(300)
def test_a_newcomer_loads_the_sample_asks_and_opens_a_source(page: Page, served: Served) -> None:
    page.get_by_text("Your memory is empty, and it is yours alone.").wait_for()
    for door in ("Look around", "Bring your history", "Just start"):
        assert page.get_by_role("heading", name=door).is_visible()
    covers = """() => { const at = (one) => document.querySelector('#pmg-drop ' + one).getBoundingClientRect(), label = at('label'), sign = at('.icon-wrap svg');
      return label.width > 1 && label.right > sign.left && label.bottom > sign.top; }"""
    assert not page.evaluate(covers), "the label lies over the sign"
    page.get_by_role("button", name="Start talking").click()
    page.wait_for_function("document.activeElement.tagName === 'TEXTAREA'")

    page.get_by_role("button", name="Load the sample memory").click()
    page.get_by_text("What would you like to remember?").wait_for()
    assert not page.get_by_text("Your memory is empty").is_visible()
    held = served.engine.counts("default").segments[State.ACTIVE]
    page.get_by_text(f"{held} memories").wait_for()
    assert page.locator(".pmg-session").count() > 50
    page.get_by_text("This memory holds the sample").wait_for()
    assert served.server.context is not None and served.server.context.steward.topics()  # and not at night

    page.get_by_label("Message").fill(QUESTION)
    page.keyboard.press("Enter")
    page.locator(".pmg-quote").first.wait_for()
    page.locator(".pmg-source").first.wait_for()
    chip = page.locator(".pmg-source").first
    picked = chip.get_attribute("data-pick")
    assert picked is not None
    chip.click()
    page.locator("#pmg-reader-chat .pmg-reading").wait_for()
    source = served.engine.segment(picked)
    assert page.locator("#pmg-reader-chat").get_by_text(source.title).first.is_visible()
    assert page.get_by_label("Message").input_value() == ""

    page.reload()
    page.locator(".pmg-turn.mine", has_text=QUESTION).wait_for()
    assert page.locator(".pmg-source").count() >= 1

    page.get_by_role("button", name="Remove the sample").click()
    page.get_by_text("Remove the sample?").wait_for()
    assert served.engine.counts("default").segments[State.ACTIVE] > held
    page.get_by_role("button", name="Remove it").click()
    page.get_by_text("This memory holds the sample").wait_for(state="hidden")
    page.wait_for_function("document.querySelectorAll('.pmg-session').length === 1")
    page.locator(".pmg-turn.mine", has_text=QUESTION).wait_for()
    assert served.engine.counts("default").segments[State.ACTIVE] == 1
