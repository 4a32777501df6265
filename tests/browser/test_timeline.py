"""Timeline: zoom by wheel, brush and buttons; a click reads beside it; filters stand in the address; hostile text stays text; it fits a phone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from pmg.ui.app_context import AppContext
from pmg.ui.timeline import timeline_tab
from tests.browser.conftest import Served
from tests.browser.unanswered import answered
from tests.ui.hostile import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page

ITEM = "#pmg-timeline .pmg-t-item"
SAID = "(document.querySelector('#pmg-timeline .pmg-t-said')?.textContent ?? '')"


@pytest.fixture
def timeline(shared_page: Page) -> Page:
    """The file's page, at the timeline of everything: that is where an address without a filter leads."""
    shared_page.evaluate("location.hash = 'tab=timeline'")
    shared_page.wait_for_function(f"{SAID}.startsWith('Everything') && document.querySelector('{ITEM}')")
    shared_page.locator("#pmg-reader-timeline .pmg-now").wait_for(state="detached")
    answered(shared_page)
    assert shared_page.get_by_label("Filter by words").input_value() == ""
    return shared_page


def until_said_changes(page: Page, before: str) -> str:
    page.wait_for_function(f"before => {SAID} && {SAID} !== before", arg=before)
    return str(page.evaluate(SAID))


def test_wheel_brush_and_buttons_lead_from_years_to_one_memory(timeline: Page) -> None:
    everything = str(timeline.evaluate(SAID))
    assert everything.startswith("Everything")
    box = timeline.locator("#pmg-timeline .pmg-t-main").bounding_box()
    assert box is not None
    timeline.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 60)
    timeline.mouse.wheel(0, -400)
    nearer = until_said_changes(timeline, everything)
    assert "timeline-from=" in timeline.url
    timeline.mouse.move(box["x"] + 200, box["y"] + 8)
    timeline.mouse.down()
    timeline.mouse.move(box["x"] + 420, box["y"] + 40, steps=4)
    timeline.mouse.up()
    marked = until_said_changes(timeline, nearer)
    timeline.go_back()
    assert until_said_changes(timeline, marked) == nearer
    timeline.get_by_role("button", name="Everything", exact=True).click()
    until_said_changes(timeline, nearer)
    assert "timeline-from=" not in timeline.url


def test_an_answer_that_comes_late_leaves_the_range_somebody_moved_to(
    timeline: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, plain = threading.Event(), timeline_tab.view

    def slow(context: AppContext, asked: timeline_tab.TimelineSelection) -> timeline_tab.TimelineView:
        if asked.span is None:
            gate.wait(60)
        return plain(context, asked)

    timeline.get_by_role("tab", name="Chat").click()
    timeline.locator("#pmg-box").wait_for()
    everything = str(timeline.evaluate(SAID))
    monkeypatch.setattr(timeline_tab, "view", slow)
    timeline.get_by_role("tab", name="Timeline").click()
    timeline.locator("#pmg-timeline .pmg-t-main").wait_for()
    box = timeline.locator("#pmg-timeline .pmg-t-main").bounding_box()
    assert box is not None
    timeline.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 60)
    timeline.mouse.wheel(0, -400)
    nearer = until_said_changes(timeline, everything)
    gate.set()
    timeline.wait_for_timeout(1_500)  # time for what must not happen
    assert timeline.evaluate(SAID) == nearer


@pytest.mark.fast
def test_a_click_reads_beside_it_and_a_reload_keeps_it(timeline: Page) -> None:
    timeline.locator(f"{ITEM} rect").first.click()
    timeline.wait_for_selector("#pmg-reader-timeline .pmg-now")
    timeline.reload()
    timeline.wait_for_selector("#pmg-reader-timeline .pmg-now")
    timeline.wait_for_selector(ITEM)
    timeline.keyboard.press("Escape")
    timeline.locator("#pmg-reader-timeline .pmg-now").wait_for(state="detached")


def test_a_diamond_tells_what_changed_and_leads_to_where_it_was_told(timeline: Page) -> None:
    marks = timeline.locator("#pmg-timeline .pmg-t-change")
    timeline.locator("#pmg-timeline .pmg-t-lane", has_text="What changed").wait_for()
    marks.first.hover()
    tip = timeline.locator("#pmg-timeline .pmg-t-tip")
    tip.wait_for()
    assert "before:" in tip.inner_text()
    for _ in range(
        10
    ):  # some that lie on each other open by going nearer; an answer of the story before may come in between
        before = str(timeline.evaluate(SAID))
        marks.first.click()
        timeline.wait_for_function(f"before => {SAID} !== before || location.hash.includes('memory=')", arg=before)
        if "memory=" in timeline.url:  # it is being read: the answer may still be on its way
            break
    timeline.locator("#pmg-reader-timeline .pmg-now").wait_for()
    timeline.keyboard.press("Escape")
    timeline.locator("#pmg-reader-timeline .pmg-now").wait_for(state="detached")


def test_a_filter_stands_in_the_address_and_comes_back(timeline: Page) -> None:
    before = str(timeline.evaluate(SAID))
    words = timeline.get_by_label("Filter by words")
    words.fill("decoder")
    words.press("Enter")
    timeline.wait_for_function(
        f"before => {SAID} !== before && location.hash.includes('timeline-words=decoder')", arg=before
    )
    filtered = str(timeline.evaluate(SAID))
    timeline.reload()
    timeline.wait_for_function(f"said => {SAID} === said", arg=filtered)
    assert timeline.get_by_label("Filter by words").input_value() == "decoder"
    words.fill("xyzzyqwrt")
    words.press("Enter")
    timeline.get_by_text("Nothing fits these filters.").wait_for()


def test_the_list_of_sessions_leads_to_the_same_memories_without_a_pointer(timeline: Page) -> None:
    timeline.locator("#pmg-timeline-list summary").click()
    timeline.locator("#pmg-timeline-list .pmg-row").first.focus()
    timeline.keyboard.press("Enter")
    timeline.wait_for_selector("#pmg-reader-timeline .pmg-now")


@pytest.mark.fast
def test_hostile_text_is_shown_and_does_nothing(timeline: Page, served: Served) -> None:
    page = timeline
    with served.engine.session(HOSTILE, session_id="hostile") as talk:
        talk.add(user=HOSTILE + " zebrafish")
    page.on("dialog", lambda dialog: (_ for _ in ()).throw(AssertionError(dialog.message)))
    words = page.get_by_label("Filter by words")
    words.fill("zebrafish")
    words.press("Enter")
    page.wait_for_function(f"document.querySelectorAll('{ITEM}').length === 1")
    page.locator(f"{ITEM} rect").first.hover()
    page.locator(f"{ITEM} rect").first.click()
    page.wait_for_selector("#pmg-reader-timeline .pmg-now")
    shown = page.locator("#pmg-reader-timeline .pmg-now").inner_text()
    assert "<img src=x onerror=alert(1)>" in shown
    assert "${1+1}" in shown and "{{2}}" in shown
    assert page.locator("#pmg-tabs img[src='x'], #pmg-tabs script").count() == 0


def test_the_timeline_fits_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page("__theme=dark", width=390, height=800, dark=True)
    page.locator("button[aria-label='More tabs']").click()
    page.get_by_text("Timeline", exact=True).last.click()
    page.wait_for_selector(ITEM)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_from_far_a_lane_is_as_high_as_its_bars_and_no_higher(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pmg.ui.timeline.timeline_data.EACH_SESSION", 5)  # so that the sample is drawn as bars
    page.get_by_role("tab", name="Timeline").click()
    page.wait_for_function(f"document.querySelectorAll('{ITEM}').length > 20")
    tops = page.evaluate(
        "[...document.querySelectorAll('.pmg-t-main .pmg-t-lane')].map((one) => +one.getAttribute('y'))"
    )
    steps = [low - high for high, low in pairwise(tops)]
    assert max(steps) > 60, "who is in most of it has high bars"
    assert min(steps[1:]) < 50, "who said little has a low lane"
    inside = """() => { const lanes = [...document.querySelectorAll('.pmg-t-main .pmg-t-lane')].map((one) => +one.getAttribute('y'));
      return [...document.querySelectorAll('.pmg-t-main .pmg-t-item rect')].every((bar) => {
        const top = +bar.getAttribute('y'), end = top + +bar.getAttribute('height'), lane = lanes.filter((y) => y - 12 <= top).length;
        return top >= lanes[lane - 1] && (lane === lanes.length || end <= lanes[lane] - 11); }); }"""
    assert page.evaluate(inside), "a bar stays under its name and above the next lane"
