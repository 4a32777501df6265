"""Upkeep on the page: a dry run shows a pair, a run merges it, an undo brings it back; a pair is decided and restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pmg.base.model import State
from tests.browser.conftest import Served
from tests.browser.motion import at_rest
from tests.steward.memories import OTHER, SAME, tell
from tests.ui.hostile import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORY = "empty"


@pytest.fixture(scope="module", autouse=True)
def said(served: Served) -> list[str]:
    tell(served.engine, "bread", *(f"We bake bread number {i}." for i in range(9)))
    tell(served.engine, "hostile", f"{HOSTILE} costs 5 euros.", f"{HOSTILE} costs 6 euros.")
    return tell(served.engine, "move", *SAME, OTHER)


@pytest.fixture
def tab(page: Page) -> Page:
    page.get_by_role("tab", name="Steward").click()
    page.locator("#pmg-dry-run").wait_for(state="visible")
    return page


def only_merge(page: Page) -> None:
    for name in ("Check", "Score", "Archive", "Links and topics", "Back up"):
        page.get_by_label(name, exact=True).uncheck()


def inner(page: Page, name: str) -> None:
    page.locator("#pmg-steward").get_by_role("tab", name=name).click()


@pytest.mark.fast
def test_dry_run_then_merge_then_undo(tab: Page, served: Served, said: list[str]) -> None:
    only_merge(tab)
    tab.locator("#pmg-dry-run").click()
    report = tab.locator("#pmg-report")
    report.get_by_text("nothing was changed").wait_for()
    assert report.locator("mark", has_text="never").first.is_visible()
    assert report.get_by_text("<script>alert(2)</script>").first.is_visible()
    assert served.engine.segment(said[1]).state is State.ACTIVE
    tab.locator("#pmg-run-now").click()
    report.get_by_text("1 near-duplicate merged").wait_for()
    assert served.engine.segment(said[1]).state is State.MERGED
    inner(tab, "History")
    tab.locator("#pmg-history .pmg-run").first.wait_for()
    inner(tab, "Run")
    tab.locator("#pmg-undo-run").click()
    report.get_by_text("Everything is as it was before").wait_for()
    assert served.engine.segment(said[1]).state is State.ACTIVE
    inner(tab, "History")
    tab.locator("#pmg-history .pmg-badge", has_text="undone").first.wait_for()


def test_a_pair_is_decided_and_the_decision_undone(tab: Page, served: Served) -> None:
    only_merge(tab)
    tab.get_by_label("Full sweep").check()
    tab.locator("#pmg-run-now").click()
    tab.locator("#pmg-report .pmg-report").wait_for()
    inner(tab, "Review")
    waiting = served.server.context.steward.to_review("default")  # type: ignore[union-attr]
    assert waiting > 0
    tab.locator("#pmg-review").get_by_role("button", name="Keep both").first.click()
    tab.get_by_text("The history can undo it").wait_for()
    tab.evaluate("scrollTo(0, 0)")  # where the tabs are in view
    told, tabs = at_rest(tab.locator(".toast-body").first), tab.locator("#pmg-tabs [role=tab]").first.bounding_box()
    assert tabs and told["y"] + told["height"] <= tabs["y"]  # no tab is covered
    theme = tab.locator(".pmg-theme").first.bounding_box()
    assert theme and told["x"] + told["width"] <= theme["x"]
    assert served.server.context.steward.to_review("default") == waiting - 1  # type: ignore[union-attr]
    inner(tab, "History")
    tab.locator("#pmg-history").get_by_role("button", name="Undo all of it").first.click()
    tab.get_by_text("Undone: 1 change").wait_for()
    assert served.server.context.steward.to_review("default") == waiting  # type: ignore[union-attr]
