"""Analytics: charts of the open group, a range that changes them, the data as a file, the SQL one click away; it fits a phone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pmg.ui.analytics import analytics_tab
from pmg.ui.analytics.analytics_tab import AnalyticsSelection
from tests.browser.motion import LOOK_MILLISECONDS
from tests.ui.hostile import HOSTILE

if TYPE_CHECKING:
    import pytest
    from playwright.sync_api import Page

    from pmg.engine import Engine
    from tests.browser.conftest import Served


def opened(page: Page) -> Page:
    page.locator("#pmg-tabs").get_by_role("tab", name="Analytics").first.click()
    page.locator(".pmg-chart .js-plotly-plot .main-svg").first.wait_for()
    return page


@pytest.mark.fast
def test_hostile_names_stay_text(served: Served, shared_page: Page) -> None:
    with served.engine.session(title="x", source=HOSTILE) as session:
        session.add(user="hello", assistant="hi")
    opened(shared_page)  # before other stories of this file open it: what is drawn is asked for then
    assert shared_page.evaluate("window.hacked") is None
    assert shared_page.locator(".pmg-chart img, .pmg-chart script").count() == 0


def test_charts_a_range_the_data_and_the_sql(shared_page: Page, tmp_path: Path) -> None:
    page = shared_page
    opened(page)
    page.locator(".pmg-tile", has_text="memories").first.wait_for()
    whole = page.locator(".pmg-tile b").first.inner_text()
    card = page.locator(".pmg-chart", has_text="All memories so far")
    card.get_by_text("SQL").click()
    assert "FROM growth('default')" in card.locator("pre").inner_text()
    with page.expect_download() as waiting:
        card.get_by_role("link", name="Data (CSV").click()
    file = tmp_path / "growth.csv"
    waiting.value.save_as(file)
    assert file.read_text(encoding="utf-8").startswith("day,source,sessions,segments,total")
    before = page.viewport_size
    for width in (900, 1300):  # the charts follow the window
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(
            """width => { const card = [...document.querySelectorAll('.pmg-chart')].find((one) => one.offsetParent);
            const drawn = card.querySelector('.main-svg').getBoundingClientRect().width, room = card.getBoundingClientRect().width;
            return room > width - 80 && room <= width && drawn <= room && drawn > room - 60; }""",
            arg=width,
        )
    if before:
        page.set_viewport_size(before)
    page.get_by_label("Range").click()
    page.get_by_role("option", name="last 30 days").click()
    page.wait_for_function(
        "before => document.querySelector('.pmg-tile b')?.innerText !== before && document.querySelector('.pmg-tile b')",
        arg=whole,
    )
    page.get_by_role("tab", name="Content").click()
    page.locator(".pmg-chart", has_text="When things are said").locator(".main-svg").first.wait_for()


def test_a_phone_needs_no_sideways_scrolling(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    page.locator("button[aria-label='More tabs']").first.click()
    page.get_by_text("Analytics", exact=True).last.click()
    page.locator(".pmg-chart .js-plotly-plot .main-svg").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_question_in_sql_is_answered_as_table_and_chart_and_kept(shared_page: Page) -> None:
    page = shared_page
    page.get_by_role("tab", name="Analytics").click()
    page.get_by_role("tab", name="Ask in SQL").click()
    box = page.locator("#pmg-sql textarea")
    box.fill("SELECT speaker, sum(words)::BIGINT AS words FROM v_lines GROUP BY speaker ORDER BY words DESC LIMIT 5")
    page.locator("#pmg-sql-run").click()
    page.locator("#pmg-sql-answer th", has_text="speaker").wait_for()
    assert page.locator("#pmg-sql-answer tbody tr").count() == 5
    page.locator("#pmg-sql-name textarea, #pmg-sql-name input").first.fill("Talkers")
    page.locator("#pmg-sql-keep").click()
    page.get_by_text("Kept. It is in the list").wait_for()
    box.fill("DROP TABLE segments")
    page.locator("#pmg-sql-run").click()
    page.locator(".toast-body").last.wait_for()
    assert page.locator("#pmg-sql-answer th", has_text="speaker").is_visible()


def choose_range(page: Page, name: str) -> None:
    page.get_by_label("Range").click()
    page.get_by_role("option", name=name).click()


# Where the first bar is, once it stands still: a figure is drawn, and then fitted into its card.
FIRST_BAR = """place => {
  const box = document.querySelector(place + ' .js-plotly-plot .barlayer .point path')?.getBoundingClientRect();
  const now = box && box.height > 3 ? [box.x + box.width / 2, box.y + box.height / 2] : null, before = window.pmgFirstBar;
  window.pmgFirstBar = now;
  return now && before && now[0] === before[0] && now[1] === before[1] ? now : null;
}"""
SHOWN_SQL = "([card, part]) => document.querySelector(card)?.closest('.pmg-chart').querySelector('pre')?.textContent.includes(part)"


def test_the_charts_are_those_of_the_last_range_though_an_answer_was_late(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, free = threading.Event(), threading.Event()
    reckoned = analytics_tab.group_values

    def late(engine: Engine, open_group: str, chosen: AnalyticsSelection) -> list[Any]:
        values = reckoned(engine, open_group, chosen)
        if chosen.range_name == "last 7 days":
            asked.set()
            assert free.wait(120)
        return values

    monkeypatch.setattr(analytics_tab, "group_values", late)
    opened(page)
    choose_range(page, "last 7 days")
    assert asked.wait(120)
    page.get_by_role("tab", name="Content").click()  # both while the answer is out
    choose_range(page, "last year")
    free.set()
    since = AnalyticsSelection("default", "last year").span.arguments
    page.wait_for_function(SHOWN_SQL, arg=["#pmg-chart-people", since])
    page.get_by_role("tab", name="Growth").click()
    page.wait_for_function(SHOWN_SQL, arg=["#pmg-chart-growth", since])


def test_a_click_on_a_bar_lists_the_memories_behind_it_and_one_unfolds(page: Page) -> None:
    opened(page)
    page.get_by_role("tab", name="Content").click()
    page.locator("#pmg-chart-people .main-svg").first.wait_for()
    page.locator("#pmg-chart-people").scroll_into_view_if_needed()
    x, y = page.wait_for_function(FIRST_BAR, arg="#pmg-chart-people", polling=LOOK_MILLISECONDS).json_value()
    listed = page.locator("#pmg-chart-people-behind")
    assert "Click a bar" in listed.inner_text()
    page.mouse.move(x - 3, y)  # the figure is listened to from the first touch on
    page.mouse.click(x, y)
    row = listed.locator("details").first
    row.locator("summary").click()
    assert len(row.locator(".pmg-said").inner_text()) > 10
    assert "behind this point" in listed.inner_text()
    choose_range(page, "last year")
    listed.get_by_text("Click a bar").wait_for()
    assert not listed.locator("details").count()


def test_a_chart_without_data_asks_for_no_click(page: Page) -> None:
    opened(page)
    hint = page.locator("#pmg-chart-volume-behind").get_by_text("Click a bar")
    hint.wait_for()
    page.get_by_label("Range").click()
    page.get_by_role("option", name="from … to …").click()
    page.get_by_label("From", exact=True).fill("2001-01-01")
    page.get_by_label("To, included").fill("2001-01-02")
    page.get_by_label("To, included").press("Enter")
    page.locator("#pmg-chart-volume").get_by_text("Nothing was said").wait_for()
    hint.wait_for(state="hidden")
