"""A tab is opened by its name, wherever the row of tabs has put it: on a phone the last ones are behind a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.motion import LOOK_MILLISECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Locator

_ROOM = "one => [...one.querySelectorAll('[role=tab], .overflow-menu > button')].map((at) => at.getBoundingClientRect().width)"


def open_tab(tabs: Locator, name: str) -> None:
    """Which tabs find room is known once the row has been measured: two looks find it the same."""
    before = None
    while (now := tabs.evaluate(_ROOM)) != before or not any(now):
        before = now
        tabs.page.wait_for_timeout(LOOK_MILLISECONDS)
    tab = tabs.get_by_role("tab", name=name, exact=True).first
    if tab.is_visible():
        tab.click()
        return
    tabs.locator(".overflow-menu > button").first.click()
    tabs.locator(".overflow-dropdown").first.get_by_text(name, exact=True).click()
