"""A tab is opened by its name, wherever the row of tabs has put it: on a phone the last ones are behind a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.motion import LOOK_MILLISECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Locator

# Which tabs find room is known once the row has been measured: two looks find it the same, and something in it.
_MEASURED = """row => {
  const now = [...row.querySelectorAll('[role=tab], .overflow-menu > button')].map((at) => at.getBoundingClientRect().width);
  const before = row.pmgWidths;
  row.pmgWidths = String(now);
  return before === row.pmgWidths && now.some((width) => width > 0);
}"""


def open_tab(tabs: Locator, name: str) -> None:
    tabs.page.wait_for_function(_MEASURED, arg=tabs.element_handle(), polling=LOOK_MILLISECONDS)
    tab = tabs.get_by_role("tab", name=name, exact=True).first
    if tab.is_visible():
        tab.click()
        return
    tabs.locator(".overflow-menu > button").first.click()
    tabs.locator(".overflow-dropdown").first.get_by_text(name, exact=True).click()
