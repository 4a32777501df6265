"""Somebody is quicker than the server: what was asked for last is what is shown, and what is typed meanwhile stays."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pmg.ui import shell
from pmg.ui.chat import chat_choosing, chat_sending
from tests.browser.conftest import Served
from tests.browser.unanswered import answered

if TYPE_CHECKING:
    from playwright.sync_api import Page

YEAR, KNEE = "A year in one page", "Six kilometres"


class Gate:
    """Holds the answers of a chat back: each from `shut` on, until `open`."""

    def __init__(self) -> None:
        self.held: str | None = None
        self.come, self.way = threading.Event(), threading.Event()

    def shut(self, chat: str) -> None:
        self.held = chat

    def pass_through(self, chat: str) -> None:
        if chat == self.held:
            self.come.set()
            self.way.wait(60)

    def open(self) -> None:
        self.held = None
        self.way.set()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made, chat_updates = Gate(), chat_choosing.chat_updates

    def late(engine: Any, chat: str, *more: Any) -> list[Any]:
        made.pass_through(chat)
        return chat_updates(engine, chat, *more)

    monkeypatch.setattr(chat_choosing, "chat_updates", late)
    yield made
    made.open()


@pytest.fixture
def late_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """Messages reach the server, and nothing comes back until the gate opens."""
    made, chat_or_fresh = Gate(), chat_sending.chat_or_fresh

    def late(engine: Any, chat: str, namespace: str) -> str:
        made.pass_through(chat)
        return chat_or_fresh(engine, chat, namespace)

    monkeypatch.setattr(chat_sending, "chat_or_fresh", late)
    yield made
    made.open()


def chat_of(page: Page, title: str) -> str:
    return str(page.locator(".pmg-session", has_text=title).get_attribute("data-pick"))


def go_to(page: Page, title: str) -> None:
    page.locator(".pmg-session", has_text=title).click()
    page.get_by_role("heading", name=title).wait_for()


def test_of_two_chats_that_are_clicked_the_second_is_shown(page: Page, gate: Gate) -> None:
    gate.shut(chat_of(page, YEAR))
    page.locator(".pmg-session", has_text=YEAR).click()
    assert gate.come.wait(60)
    page.locator(".pmg-session", has_text=KNEE).click()
    gate.open()
    page.get_by_role("heading", name=KNEE).wait_for()
    assert f"chat={chat_of(page, KNEE)}" in page.url
    page.wait_for_timeout(1_000)  # time for what must not happen
    assert page.get_by_role("heading", name=KNEE).is_visible()


def test_back_twice_leads_two_steps_back_though_the_first_is_still_answered(page: Page, gate: Gate) -> None:
    go_to(page, YEAR)
    go_to(page, KNEE)
    page.get_by_role("tab", name="Timeline").click()
    page.locator("#pmg-tab-timeline").wait_for()
    year = chat_of(page, YEAR)
    gate.shut(chat_of(page, KNEE))
    page.reload()
    page.locator("#pmg-timeline .pmg-t-item").first.wait_for()
    assert gate.come.wait(60)  # the page itself is still answered too
    page.go_back()
    page.locator("#pmg-box").wait_for()
    page.go_back()
    gate.open()
    page.get_by_role("heading", name=YEAR).wait_for()
    page.wait_for_timeout(1_000)  # time for what must not happen
    assert f"chat={year}" in page.url and page.get_by_role("heading", name=YEAR).is_visible()


def test_a_word_typed_right_after_back_stays_though_the_chat_is_still_answered(page: Page, gate: Gate) -> None:
    go_to(page, KNEE)
    page.get_by_role("tab", name="Timeline").click()
    page.locator("#pmg-timeline .pmg-t-item").first.wait_for()
    page.get_by_role("tab", name="Graph").click()
    page.locator("#pmg-tab-graph").wait_for()
    gate.shut(chat_of(page, KNEE))
    page.go_back()
    assert gate.come.wait(60)
    page.locator("#pmg-tab-timeline").wait_for()
    words = page.get_by_label("Filter by words")
    words.fill("decoder")
    gate.open()
    page.wait_for_timeout(1_000)  # time for what must not happen
    assert words.input_value() == "decoder"
    words.press("Enter")
    page.wait_for_function("location.hash.includes('timeline-words=decoder')")


def test_a_tab_that_is_clicked_right_after_back_stays_though_back_is_still_answered(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.get_by_role("tab", name="Timeline").click()
    page.locator("#pmg-timeline .pmg-t-item").first.wait_for()
    page.get_by_role("tab", name="Graph").click()
    page.locator("#pmg-tab-graph").wait_for()
    come, way, plain = threading.Event(), threading.Event(), shell.namespaces

    def late(*asked: Any) -> list[str]:
        come.set()
        way.wait(60)
        return plain(*asked)

    monkeypatch.setattr(shell, "namespaces", late)
    page.go_back()
    assert come.wait(60)
    page.locator("#pmg-tab-timeline").wait_for()  # at once: where Back leads needs no answer
    page.get_by_role("tab", name="Chat").click()
    page.locator("#pmg-box").wait_for()
    way.set()
    page.wait_for_timeout(1_500)  # time for what must not happen
    assert page.locator("#pmg-box").is_visible() and "tab=chat" in page.url


def test_a_message_sent_right_after_another_waits_in_its_field(page: Page, served: Served, late_answers: Gate) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    chat = str(page.evaluate("window.pmg.read().chat"))
    late_answers.shut(chat)
    field = page.get_by_label("Message")
    field.fill("My canoe is red.")
    field.press("Enter")
    assert late_answers.come.wait(60)
    field.fill("My kayak is green.")
    field.press("Enter")
    page.locator("#pmg-box .submit-button").click()
    late_answers.open()
    page.locator("#pmg-log .pmg-turn.mine", has_text="canoe").wait_for()
    page.wait_for_function("!window.pmg.busy()")
    assert field.input_value() == "My kayak is green."
    field.press("Enter")
    page.locator("#pmg-log .pmg-turn.mine", has_text="kayak").wait_for()
    assert [one.lines[0].text for one in served.engine.reads.segments_of(chat)] == [
        "My canoe is red.",
        "My kayak is green.",
    ]


def test_what_is_typed_in_the_moment_after_enter_is_no_part_of_the_message(page: Page, served: Served) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    page.get_by_label("Message").fill("My helmet is white.")
    # In one go: no answer, no timer and no drawing comes between the key and the words after it.
    page.evaluate("""() => {
      const field = document.querySelector('#pmg-box textarea');
      for (const name of ['keydown', 'keypress'])
        if (!field.dispatchEvent(new KeyboardEvent(name, {key: 'Enter', bubbles: true, cancelable: true}))) break;
      field.value += 'My bell is golden.';
      field.dispatchEvent(new Event('input', {bubbles: true}));
    }""")
    page.locator("#pmg-log .pmg-turn.mine").wait_for()
    chat = str(page.evaluate("window.pmg.read().chat"))
    assert [one.lines[0].text for one in served.engine.reads.segments_of(chat)] == ["My helmet is white."]
    assert page.get_by_label("Message").input_value() == "My bell is golden."


def test_two_chats_are_sent_a_message_each_and_neither_waits_for_the_other(
    page: Page, served: Served, late_answers: Gate
) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    first = str(page.evaluate("window.pmg.read().chat"))
    late_answers.shut(first)
    field = page.get_by_label("Message")
    field.fill("My sail is blue.")
    field.press("Enter")
    assert late_answers.come.wait(60)
    go_to(page, YEAR)
    field.fill("My oar is short.")
    field.press("Enter")
    page.locator("#pmg-log .pmg-turn.mine", has_text="oar").wait_for()
    late_answers.open()
    row = page.locator(f'.pmg-session[data-pick="{first}"]')
    row.wait_for()
    row.click()
    page.locator("#pmg-log .pmg-turn.mine", has_text="sail").wait_for()
    assert [one.lines[0].text for one in served.engine.reads.segments_of(first)] == ["My sail is blue."]


def test_a_message_that_nobody_takes_comes_back_and_the_header_says_that_nobody_is_there(page: Page) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    answered(page)
    page.route("**/queue/join**", lambda route: route.abort())
    field = page.get_by_label("Message")
    field.fill("Is anybody there?")
    page.evaluate("""() => { window.pmgTaken = []; document.querySelector('#pmg-send').addEventListener('click',
      () => window.pmgTaken.push(document.querySelector('#pmg-box textarea').value)); }""")
    field.press("Enter")
    page.wait_for_function(
        "document.querySelector('#pmg-box textarea').value === 'Is anybody there?' && !window.pmg.busy()"
    )
    assert page.evaluate("window.pmgTaken") == [""], "it had left the field"
    said = "getComputedStyle(document.querySelector('.pmg-dot'), '::after').content"
    page.wait_for_function(f"{said} === '\"not connected\"'")
