"""The page by keyboard alone: where the focus is can be seen, one key goes to where one writes, and nothing on the way holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

RING = """() => { const at = document.activeElement, frame = at.getAttribute('role') === 'combobox' ? at.closest('.wrap') : at;
  const style = getComputedStyle(frame); return [style.outlineStyle, parseFloat(style.outlineWidth)]; }"""


def test_where_the_focus_is_can_be_seen_on_a_list_and_on_a_box_to_tick(shared_page: Page) -> None:
    page = shared_page
    page.keyboard.press("Alt+2")
    page.get_by_role("button", name="Settings of this recall").wait_for()
    page.get_by_role("button", name="Settings of this recall").focus()
    page.keyboard.press("Enter")
    page.get_by_label("How to look", exact=True).wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "How to look"
    assert page.evaluate(RING) == ["solid", 2]
    page.get_by_label("Compare with a second setting").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(RING) == ["solid", 2]


def test_a_list_to_choose_from_closes_when_it_is_left(shared_page: Page) -> None:
    page = shared_page
    page.locator("#pmg-namespace input").focus()
    page.get_by_role("listbox").first.wait_for()
    page.keyboard.press("Tab")
    page.wait_for_timeout(300)  # longer than gradio takes to hear a key
    assert page.get_by_role("listbox").count() == 0


def test_a_slash_goes_to_the_message_and_to_the_first_field_of_another_tab(shared_page: Page) -> None:
    page = shared_page
    for tab, field in (("1", "Message"), ("2", "Your question"), ("4", "Find in the graph")):
        page.keyboard.press(f"Alt+{tab}")
        page.get_by_label(field).first.wait_for()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("/")
        assert page.get_by_label(field).first.evaluate("one => one === document.activeElement"), field


def test_the_keys_are_listed_and_put_away(shared_page: Page) -> None:
    page = shared_page
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keyboard shortcuts")
    listed.wait_for()
    page.keyboard.press("Escape")
    listed.wait_for(state="hidden")


def test_the_list_of_chats_on_a_phone_is_entered_and_left_by_keys(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    page.get_by_role("button", name="Chats", exact=True).wait_for()
    page.get_by_role("button", name="Chats", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.closest('.pmg-chats.pmg-shown')")
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('.pmg-shown') && document.activeElement.innerText === 'Chats'")


def test_a_source_is_opened_and_put_away_by_keys(page: Page) -> None:
    page.get_by_label("Message").fill("What did the MRI of my knee show?")
    page.keyboard.press("Enter")
    page.locator("#pmg-log .pmg-cite").first.focus()
    page.keyboard.press("Enter")
    page.locator("#pmg-reader-chat .pmg-reading").wait_for()
    page.keyboard.press("Escape")
    page.locator("#pmg-reader-chat .pmg-reading").wait_for(state="hidden")


def test_one_key_searches_everything_and_enter_goes_there(shared_page: Page) -> None:
    page = shared_page
    page.keyboard.press("ControlOrMeta+k")
    page.locator(".pmg-q-row").first.wait_for()
    page.keyboard.type("passphrase")
    page.locator(".pmg-q-row", has_text="Backup & encryption").wait_for()
    page.keyboard.press("Enter")
    page.locator("#pmg-encryption").get_by_text("A lost passphrase is final").wait_for()
    assert "tab=exchange" in page.url and not page.locator("#pmg-quick").is_visible()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("Haruka")
    page.locator(".pmg-q-row", has_text="mentions").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.locator(".pmg-q-row[aria-selected=true]").wait_for()
    page.keyboard.press("Escape")
    assert not page.locator("#pmg-quick").is_visible()
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("New chat")
    page.keyboard.press(
        "Enter"
    )  # before anything was found: what is found by these words counts, not the rows of the last search
    page.wait_for_function("document.activeElement.closest('#pmg-box')")
    assert "tab=chat" in page.url and not page.locator("#pmg-quick").is_visible()
