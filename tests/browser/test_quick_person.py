"""Somebody is quicker than the server: what was asked for last is what is shown, and what is typed meanwhile stays."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pmg.ui import shell
from pmg.ui.chat import chat_choosing

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
