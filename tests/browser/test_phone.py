"""On a phone: every tab and every page of it fits the width, and a tap goes through a message to what lies below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.motion import at_rest
from tests.browser.tab_row import open_tab

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABS = ("Chat", "Recall preview", "Timeline", "Graph", "People", "Analytics", "Steward", "Import & settings")


def inner_names(page: Page) -> Iterator[str]:
    """The pages of the tab that is open."""
    inner = page.locator("#pmg-tabs [role=tabpanel]:visible .tabs")
    if inner.count():
        yield from dict.fromkeys(
            name.strip() for name in inner.first.locator("[role=tab]").all_text_contents() if name.strip()
        )


def test_every_tab_and_page_fits_the_width(open_page: Callable[..., Page]) -> None:
    page = open_page("__theme=dark", width=390, height=844, dark=True)
    seen = 0
    for name in TABS:
        open_tab(page.locator("#pmg-tabs").first, name)
        page.locator("#pmg-tabs > .tab-wrapper [role=tab][aria-selected=true]", has_text=name).first.wait_for(
            state="attached"
        )
        for inner in [*inner_names(page)] or [""]:
            if inner:
                open_tab(page.locator("#pmg-tabs [role=tabpanel]:visible .tabs").first, inner)
            page.wait_for_timeout(700)  # figures are drawn
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, (name, inner)
            assert not page.locator(".toast-body.error").count(), (name, inner)
            seen += 1
    assert seen > len(TABS)


def test_the_button_of_the_tabs_that_find_no_room_says_that_there_are_more(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    more = page.locator("#pmg-tabs > .tab-wrapper .overflow-menu > button")
    said = more.evaluate("one => one.innerText + getComputedStyle(one, '::after').content")
    assert "More" in said
    box = more.bounding_box()
    assert box is not None and box["x"] + box["width"] <= 390 and box["width"] > 50
    more.click()
    names = page.locator("#pmg-tabs > .tab-wrapper .overflow-dropdown button")
    names.first.wait_for()
    assert "Import & settings" in [name.strip() for name in names.all_inner_texts()]


@pytest.mark.parametrize("count", ["", "1,234,567 memories"])
def test_nothing_in_the_header_lies_on_another_thing(open_page: Callable[..., Page], count: str) -> None:
    """Also where the memory is large and something is told beside its size: measured at once, for the header is drawn anew now and then."""
    page = open_page(width=390, height=844)
    boxes = page.evaluate(
        """(count) => { const [size, dot] = document.querySelectorAll('.pmg-state span');
        if (count) { size.textContent = count; dot.className = 'pmg-dot loading'; dot.textContent = 'the embedding model is being loaded'; }
        return [...document.querySelectorAll('.pmg-brand strong, .pmg-state, .pmg-theme, .pmg-logout button, #pmg-namespace')]
        .filter((one) => one.offsetParent).map((one) => one.getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom]); }""",
        count,
    )
    assert len(boxes) >= 4
    for i, (left, top, right, bottom) in enumerate(boxes):
        assert right <= 390
        for other in boxes[i + 1 :]:
            assert right <= other[0] + 1 or other[2] <= left + 1 or bottom <= other[1] + 1 or other[3] <= top + 1


def test_a_tap_goes_through_a_message_and_its_cross_closes_it(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    open_tab(page.locator("#pmg-tabs").first, "Recall preview")
    page.get_by_role("button", name="Settings of this recall").click()
    page.get_by_role("button", name="Save as default").click()
    told = page.locator(".toast-body").get_by_text("These are the defaults already")
    told.wait_for()
    box = at_rest(told)
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    below = "([x, y]) => !!document.elementFromPoint(x, y)?.closest('.toast-body')"
    assert not page.evaluate(below, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    page.locator(".toast-close").first.click()
    told.wait_for(state="detached")
