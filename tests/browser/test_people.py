"""People: somebody is found, their claims lead to the line that says so, a wrong one is corrected, a contradiction settled, and it can be undone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pmg.engine import Engine
from pmg.ui.people import landing
from tests.browser.conftest import Served
from tests.pmg.people.talk import session

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEMORY = "empty"
MAY = datetime(2023, 5, 8, 12, tzinfo=UTC)


@pytest.mark.fast
def test_a_person_is_read_corrected_settled_renamed_and_forgotten(page: Page, served: Served) -> None:
    page.get_by_role("tab", name="People").click()
    page.get_by_text("Nobody yet.").wait_for()
    said = (
        ("John", "I live in Oslo. I work at TechCorp."),
        ("Lena", "John is a baker."),
        ("John", "I live in Bergen."),
        ("Lena", "I like jazz."),
    )
    served.engine.ingest([session("talk", MAY, *said)])
    served.engine.extract()
    page.reload()
    page.locator("#pmg-people-list").get_by_text("Lena").wait_for()
    page.get_by_label("Find somebody").press_sequentially("john")
    row = page.locator("#pmg-people-list .pmg-p-row")
    page.wait_for_function("document.querySelectorAll('#pmg-people-list .pmg-p-row').length === 1")
    row.click()
    person = page.locator("#pmg-person")
    person.get_by_role("heading", name="John").wait_for()
    person.get_by_text("John works at TechCorp.").first.wait_for()
    assert "people-at=" in page.url and "people-words=john" in page.url
    person.locator(".pmg-p-card").get_by_role("button", name="Source").first.click()
    page.locator("#pmg-reader-people .pmg-now").get_by_text("I live in Oslo.").wait_for()
    page.reload()  # the address holds who is shown and what is read
    page.locator("#pmg-reader-people .pmg-now").wait_for()
    person.get_by_text("Cannot both hold").wait_for()
    person.get_by_role("button", name="Only this holds").last.click()
    person.get_by_text("Cannot both hold").wait_for(state="detached")
    person.locator("li", has_text="John works at TechCorp.").first.get_by_role("button", name="Correct").click()
    words = page.get_by_label("Only this part is corrected")
    page.wait_for_function(
        "document.querySelector('#pmg-people-correct textarea, #pmg-people-correct input')?.value === 'TechCorp'"
    )
    words.fill("Harbour Bakery")
    page.get_by_role("button", name="Save correction").click()
    person.get_by_text("John works at Harbour Bakery.").first.wait_for()
    page.get_by_role("button", name="Undo last change").click()
    person.get_by_text("John works at TechCorp.").first.wait_for()
    page.get_by_role("button", name="Undo last change").click()
    person.get_by_text("Cannot both hold").wait_for()
    page.get_by_text("Rename, merge or split").click()
    page.get_by_label("Name to show").fill("John Smith")
    page.get_by_role("button", name="Rename", exact=True).click()
    person.get_by_role("heading", name="John Smith").wait_for()
    page.get_by_text("Forget this person").click()
    page.get_by_label("also what others said of them").check()
    page.get_by_role("button", name="Show what would go").click()
    page.get_by_text("It cannot be undone.").wait_for()
    page.locator(".pmg-state").get_by_text("4 memories").wait_for()
    page.locator("#pmg-people-forms").get_by_role("button", name="Forget for good").click()
    page.locator("#pmg-person .pmg-p-empty").wait_for()
    page.locator(".pmg-state").get_by_text("1 memory").wait_for()  # without another click
    page.locator("#pmg-reader-people .pmg-now").wait_for(state="detached")
    assert "TechCorp" not in page.locator("#pmg-tabs").inner_text()
    page.get_by_label("Find somebody").press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    page.locator("#pmg-people-list").get_by_text("Lena").wait_for()


def test_what_is_typed_while_the_tab_loads_stays_and_the_list_goes_by_it(
    page: Page, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = (("Ada", "I live in Oslo."), ("Berta", "I live in Rome."))
    served.engine.ingest([session("slow", MAY, *said)])
    served.engine.extract()
    go_on, whole = threading.Event(), landing.landing

    def slow(engine: Engine, namespace: str) -> landing.Landing:
        assert go_on.wait(60)
        return whole(engine, namespace)

    monkeypatch.setattr(landing, "landing", slow)
    page.get_by_role("tab", name="People").click()
    page.get_by_label("Find somebody").press_sequentially("ada")
    go_on.set()
    page.wait_for_function("document.querySelectorAll('#pmg-people-list .pmg-p-row').length === 1")
    page.wait_for_timeout(500)  # whatever else comes late
    assert page.get_by_label("Find somebody").input_value() == "ada"
    assert page.locator("#pmg-people-list .pmg-p-row").count() == 1
    page.reload()  # the address has it
    page.wait_for_function("document.querySelectorAll('#pmg-people-list .pmg-p-row').length === 1")
    assert page.get_by_label("Find somebody").input_value() == "ada"


def test_the_people_tab_fits_a_phone(open_page: Callable[..., Page], served: Served) -> None:
    served.engine.ingest([session("more", MAY, ("Maximiliane", "I live in Oslo. I like jazz."), ("Ben", "Oh."))])
    served.engine.extract()
    page = open_page("__theme=dark", width=390, height=800, dark=True)
    page.locator("button[aria-label='More tabs']").click()
    page.get_by_text("People", exact=True).last.click()
    page.locator("#pmg-people-list .pmg-p-row", has_text="Maximiliane").click()
    page.get_by_role("button", name="‹ Everybody").wait_for()
    page.locator("#pmg-people-list").wait_for(state="hidden")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="‹ Everybody").click()
    page.locator("#pmg-people-list").wait_for()
