"""The chat in a real browser: hostile text is text, a reload keeps the chat, two pages keep apart, an answer can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from pmg import settings
from tests.browser.conftest import Served
from tests.chat_server import ChatServer, serving, stream

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.timeout(300)
HOSTILE = (
    "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> ![p](http://evil.example/p.png) "
    "[go](javascript:window.hacked=3) ``` </code></pre> <svg onload='window.hacked=4'> \x1b[31mred"
)


@pytest.fixture
def prompt_model(served: Served) -> Iterator[ChatServer]:
    """A model that answers at once."""
    with serving(stream("It stands by the lake.")) as server:
        settings.change(served.engine, {"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        yield server
    settings.change(served.engine, {"chat": {"responder": "extractive"}})


@pytest.fixture
def slow(served: Served) -> Iterator[tuple[ChatServer, threading.Event]]:
    gate = threading.Event()
    answer = (
        "The first words ",
        "**and** ![x](http://evil.example/q.png) <img src='http://evil.example/r.png'> the rest.",
    )
    with serving(stream(*answer, wait=gate)) as server:
        settings.change(served.engine, {"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        yield server, gate
        gate.set()
    settings.change(served.engine, {"chat": {"responder": "extractive"}})


@pytest.fixture
def chat(shared_page: Page) -> Page:
    """The file's page, at a new chat that is remembered: also after a story that failed half-way."""
    shared_page.get_by_label("Search chats").fill("")
    shared_page.get_by_role("button", name="New chat").click()
    shared_page.get_by_text("What would you like to remember?").wait_for()
    ticked(shared_page, False)
    shared_page.get_by_label("Message").fill("")
    return shared_page


def ticked(page: Page, on: bool) -> None:
    """Waits until the page says of its chat that it is not remembered, or that it is."""
    page.wait_for_function("on => document.querySelector('#pmg-private input').checked === on", arg=on)


def ask(page: Page, text: str) -> None:
    page.wait_for_function("!window.pmg.busy()")  # while an answer comes, Enter keeps what is typed
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")
    page.locator(".pmg-turn.mine", has_text=text).first.wait_for()


@pytest.mark.fast
def test_stored_text_is_text_in_titles_bubbles_quotes_and_the_source(
    open_page: Callable[..., Page], served: Served
) -> None:
    with served.engine.session(f"Hostile zeppelin {HOSTILE}", session_id="hostile") as session:
        session.add(user=f"The zeppelin is moored in Friedrichshafen. {HOSTILE}", assistant=HOSTILE)
    page = open_page()
    page.locator('.pmg-session[data-pick="hostile"]').click()
    page.locator(".pmg-turn.mine", has_text="zeppelin").wait_for()
    page.get_by_role("button", name="New chat").click()
    page.get_by_text("What would you like to remember?").wait_for()
    ask(page, "Where is the zeppelin moored?")
    page.locator(".pmg-quote", has_text="Friedrichshafen").wait_for()
    page.locator('.pmg-source[data-pick="seg_hostile_0"]').click()
    page.locator("#pmg-reader-chat .pmg-reading", has_text="Friedrichshafen").wait_for()
    assert page.evaluate("window.hacked") is None
    assert page.locator("#pmg-log img, #pmg-live img, #pmg-reader-chat img, #pmg-list img").count() == 0
    assert page.locator("#pmg-log a[href], #pmg-reader-chat a[href]").count() == 0


def test_two_pages_keep_apart_and_a_reload_keeps_each(open_page: Callable[..., Page]) -> None:
    one, other = open_page(), open_page()
    ask(one, "I am the first page and I like tomatoes.")
    one.locator(".pmg-turn.theirs").first.wait_for()
    assert other.locator(".pmg-turn").count() == 0
    ask(other, "I am the second page and I like snow.")
    other.locator(".pmg-turn.theirs").first.wait_for()
    one.get_by_role("button", name="Rename").wait_for()
    one.reload()
    one.locator(".pmg-turn.mine", has_text="tomatoes").wait_for()
    assert one.locator(".pmg-turn.mine", has_text="snow").count() == 0
    other.reload()
    other.locator(".pmg-turn.mine", has_text="snow").wait_for()


def test_a_chat_is_renamed_found_and_taken_up_again(chat: Page, served: Served) -> None:
    ask(chat, "The boiler in the flat hums at night.")
    chat.locator(".pmg-session", has_text="boiler").wait_for()  # answered, and so a chat that can be renamed
    chat.get_by_role("button", name="Rename").click()
    chat.get_by_label("New title").fill("Humming boiler")
    chat.get_by_role("button", name="Save", exact=True).click()
    chat.get_by_role("heading", name="Humming boiler").wait_for()
    assert chat.get_by_role("button", name="Close", exact=True).count() == 0
    chat.get_by_label("Search chats").fill("humming")
    chat.locator(".pmg-session", has_text="Humming boiler").wait_for()
    ask(chat, "It hums in the morning too.")
    chat.locator(".pmg-session", has_text="2 turns").first.wait_for()


@pytest.mark.fast
def test_what_is_not_to_be_remembered_is_gone_with_the_page(chat: Page, served: Served) -> None:
    before = served.engine.counts().segments
    switch = chat.get_by_label("Do not remember this chat")
    switch.check()
    ask(chat, "Between us: I dislike marzipan.")
    chat.get_by_text("Nothing below this line is remembered.").wait_for()
    assert served.engine.counts().segments == before
    switch.click()  # not uncheck(): the server puts it back until one has chosen, at times before a look at its state
    chat.get_by_text("Drop what was not remembered?").wait_for()
    chat.get_by_role("button", name="Keep it unremembered").click()
    chat.get_by_text("Drop what was not remembered?").wait_for(state="hidden")
    switch.and_(chat.locator(":checked")).wait_for()
    assert chat.get_by_text("marzipan").first.is_visible()
    switch.click()
    chat.get_by_role("button", name="Drop it").click()
    chat.get_by_text("What would you like to remember?").wait_for()
    assert chat.get_by_text("marzipan").count() == 0
    assert served.engine.counts().segments == before


def test_that_a_chat_is_not_remembered_is_told_of_no_other(open_page: Callable[..., Page], served: Served) -> None:
    first, second = "garden", "cellar"
    for name in (first, second):
        with served.engine.session(f"All about the {name}", session_id=name) as session:
            session.add(user=f"The {name} was tidied in May.", assistant="Noted.")
    page = open_page()
    switch = page.get_by_label("Do not remember this chat")
    page.get_by_text("What would you like to remember?").wait_for()
    switch.check()
    ask(page, "Between us: I dislike nougat.")
    page.get_by_text("Nothing below this line is remembered.").wait_for()
    open_chat(page, first)
    ticked(page, False)
    ask(page, "The garden has a gate.")
    page.locator(".pmg-session", has_text="2 turns").first.wait_for()
    switch.check()  # from here on: what is stored of it stays
    ask(page, "The gate squeaks.")
    page.get_by_text("Nothing below this line is remembered.").wait_for()
    open_chat(page, second)
    ticked(page, False)
    page.go_back()  # into a chat that was ticked
    page.locator(".pmg-title h2", has_text=f"All about the {first}").wait_for()
    ticked(page, True)
    open_chat(page, second)
    open_chat(page, first)
    ticked(page, False)
    switch.check()
    page.get_by_role("button", name="New chat").click()
    page.get_by_text("What would you like to remember?").wait_for()
    ticked(page, False)
    told = [one.lines[0].text for name in (first, second) for one in served.engine.reads.segments_of(name)]
    assert told == ["The garden was tidied in May.", "The garden has a gate.", "The cellar was tidied in May."]


def test_a_chat_that_is_not_remembered_is_not_after_a_reload_either(page: Page, served: Served) -> None:
    before = served.engine.counts().segments
    page.get_by_text("What would you like to remember?").wait_for()
    page.get_by_label("Do not remember this chat").check()
    ask(page, "Between us: I dislike liquorice.")
    page.get_by_text("Nothing below this line is remembered.").wait_for()
    page.reload()
    page.get_by_text("What would you like to remember?").wait_for()
    ticked(page, True)
    ask(page, "I dislike aniseed too.")
    page.get_by_text("Nothing below this line is remembered.").wait_for()
    assert served.engine.counts().segments == before
    page.get_by_label("Do not remember this chat").click()
    page.get_by_role("button", name="Drop it").click()
    page.get_by_text("What would you like to remember?").wait_for()
    page.wait_for_function("!window.pmg.isUnkept()")
    page.reload()
    page.get_by_text("What would you like to remember?").wait_for()
    ticked(page, False)
    ask(page, "I like fennel.")
    page.locator(".pmg-session", has_text="I like fennel.").wait_for()
    assert served.engine.counts().segments != before


def test_an_answer_streams_loads_nothing_and_can_be_stopped(
    chat: Page, served: Served, slow: tuple[ChatServer, threading.Event]
) -> None:
    _, gate = slow
    ask(chat, "Tell me a long story of tulips")
    chat.locator("#pmg-live", has_text="The first words").wait_for()
    chat.get_by_role("button", name="Stop", exact=True).click()
    chat.locator("#pmg-log .pmg-turn.theirs", has_text="The first words").wait_for()
    gate.set()
    kept = [s for s in served.engine.sessions() if s.title.startswith("Tell me a long story of tulips")]
    assert len(kept) == 1 and kept[0].segments == 1
    chat.get_by_role("button", name="Send", exact=True).wait_for()
    ask(chat, "And the whole of it")
    chat.locator("#pmg-log .pmg-turn.theirs strong", has_text="and").wait_for()
    assert chat.locator("#pmg-log img").count() == 0


def test_what_is_typed_while_an_answer_comes_stays_and_the_view_of_a_reader_too(
    open_page: Callable[..., Page], slow: tuple[ChatServer, threading.Event]
) -> None:
    _, gate = slow
    page = open_page(height=560)
    page.locator(".pmg-session", has_text="Heron crew: what about the 21st").click()
    page.locator(".pmg-turn").nth(10).wait_for()
    ask(page, "Tell me of the typed words")
    page.locator("#pmg-live", has_text="The first words").wait_for()
    page.get_by_label("Message").press_sequentially("and then I")
    page.evaluate("document.querySelector('.pmg-scroll').scrollTop = 0")
    page.wait_for_function("document.querySelector('.pmg-scroll').hasAttribute('data-away')")
    gate.set()
    page.locator("#pmg-log .pmg-turn.theirs", has_text="the rest").wait_for()
    assert page.get_by_label("Message").input_value() == "and then I"
    assert page.evaluate("document.querySelector('.pmg-scroll').scrollTop") == 0
    page.wait_for_function("document.querySelector('#pmg-announce')?.textContent.includes('The first words')")


def test_one_stays_where_one_went_while_an_answer_comes_and_finds_it_later(
    chat: Page, slow: tuple[ChatServer, threading.Event]
) -> None:
    _, gate = slow
    ask(chat, "Tell me of the chat one left")
    chat.locator("#pmg-live", has_text="The first words").wait_for()
    chat.locator(".pmg-session", has_text="A year in one page").click()
    chat.get_by_role("heading", name="A year in one page").wait_for()
    gate.set()
    row = chat.locator(".pmg-session", has_text="Tell me of the chat one left")
    row.wait_for()  # the answer is whole and kept
    assert chat.get_by_role("heading", name="A year in one page").is_visible()
    assert chat.locator("#pmg-live .pmg-turn").count() == 0
    assert chat.locator(".pmg-turn", has_text="The first words").count() == 0
    row.click()
    chat.locator("#pmg-log .pmg-turn.theirs", has_text="the rest").wait_for()


def test_a_draft_stays_with_its_chat_and_back_and_reload_lead_where_one_was(page: Page) -> None:
    page.locator(".pmg-session", has_text="A year in one page").click()
    page.get_by_role("heading", name="A year in one page").wait_for()
    page.get_by_label("Message").fill("half a thought")
    page.locator(".pmg-session", has_text="Six kilometres").click()
    page.get_by_role("heading", name="Six kilometres").wait_for()
    assert page.get_by_label("Message").input_value() == ""
    page.get_by_role("tab", name="Timeline").click()
    page.locator("#pmg-tab-timeline").wait_for()
    page.reload()
    page.locator("#pmg-tab-timeline").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Six kilometres").wait_for()
    page.go_back()
    page.get_by_role("heading", name="A year in one page").wait_for()
    assert page.get_by_label("Message").input_value() == "half a thought"
    page.reload()
    page.get_by_role("heading", name="A year in one page").wait_for()
    page.wait_for_function("document.querySelector('#pmg-box textarea').value === 'half a thought'")


def test_the_last_turn_is_asked_again_and_changed_and_the_chat_deleted(
    chat: Page, served: Served, prompt_model: ChatServer
) -> None:
    ask(chat, "Where does the zeppelin of Alma stand?")
    chat.locator("#pmg-log .pmg-turn.theirs").wait_for()
    chat.get_by_role("button", name="Retry").click()
    chat.get_by_text("An earlier version").first.wait_for()
    chat.get_by_role("button", name="Edit", exact=True).click()
    assert chat.get_by_label("Message").input_value() == "Where does the zeppelin of Alma stand?"
    chat.get_by_label("Message").fill("Where does the balloon of Alma stand?")
    chat.keyboard.press("Enter")
    chat.locator("#pmg-log .pmg-turn.mine", has_text="balloon").wait_for()
    chat.locator("#pmg-log summary", has_text="2 earlier versions").wait_for()
    assert chat.locator("#pmg-log .pmg-aside").count() == 1
    chat.locator(".pmg-title", has_text="1 turn").wait_for()
    name = str(chat.evaluate("window.pmg.read().chat"))
    assert len(served.engine.reads.segments_of(name)) == 3
    for asked in prompt_model.asked:  # no model sees a turn that another took the place of
        assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    chat.get_by_role("button", name="Delete …").click()
    chat.get_by_text("Delete this chat for good?").wait_for()
    chat.get_by_role("button", name="Delete for good").click()
    chat.get_by_text("What would you like to remember?").wait_for()
    assert served.engine.reads.segments_of(name) == []


def test_editing_leaves_the_draft_alone_and_ends_with_the_chat(chat: Page, served: Served) -> None:
    ask(chat, "The piano was tuned in May 2027.")
    chat.locator("#pmg-log .pmg-turn.theirs").wait_for()
    name, field = str(chat.evaluate("window.pmg.read().chat")), chat.get_by_label("Message")
    field.fill("half a thought")
    chat.get_by_role("button", name="Edit", exact=True).click()
    assert field.input_value() == "The piano was tuned in May 2027."
    field.press("Escape")
    assert field.input_value() == "half a thought"
    chat.get_by_role("button", name="Edit", exact=True).click()
    field.fill("The piano was tuned in May 2029.")
    chat.get_by_role("button", name="New chat").click()
    chat.get_by_text("What would you like to remember?").wait_for()
    assert field.input_value() == ""
    chat.locator(f'.pmg-session[data-pick="{name}"]').click()
    chat.locator("#pmg-log .pmg-turn.mine", has_text="May 2027").wait_for()
    assert field.input_value() == "half a thought"
    chat.get_by_role("button", name="Edit", exact=True).click()
    field.fill("The piano was tuned in May 2028.")
    chat.keyboard.press("Enter")
    chat.locator("#pmg-log .pmg-turn.mine", has_text="May 2028").wait_for()
    chat.locator(".pmg-title", has_text="1 turn").wait_for()
    assert field.input_value() == "half a thought"
    field.fill("")


def test_an_edit_outlives_a_look_at_a_memory_and_comes_back_alone_where_it_fails(page: Page) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    ask(page, "The organ was tuned in May 2027.")
    page.locator("#pmg-log .pmg-turn.theirs").wait_for()
    field = page.get_by_label("Message")
    field.fill("half a thought")
    page.get_by_role("button", name="Edit", exact=True).click()
    field.fill("The organ was tuned in May 2029.")
    page.evaluate("window.pmg.put({memory: 'seg_none'})")
    page.go_back()
    page.wait_for_function("!window.pmg.read().memory")
    assert field.input_value() == "The organ was tuned in May 2029."
    page.evaluate(DEAF)
    field.press("Enter")
    page.wait_for_function("window.pmg.replaces !== ''")
    assert field.input_value() == "The organ was tuned in May 2029."
    field.press("Escape")
    assert field.input_value() == "half a thought"
    field.fill("")


@pytest.fixture
def two_chats(chat: Page, served: Served) -> tuple[Page, str, str]:
    """The page at the first of two chats, and their ids."""
    for name, said in (("fence", "The fence fell in April."), ("roof", "The roof was mended in March.")):
        with served.engine.session(f"All about the {name}", session_id=name) as session:
            session.add(user=said, assistant="Noted.")
    chat.get_by_role("button", name="New chat").click()
    open_chat(chat, "fence")
    return chat, "fence", "roof"


def open_chat(page: Page, name: str) -> None:
    page.locator(f'.pmg-session[data-pick="{name}"]').click()
    page.locator(".pmg-title h2", has_text=f"All about the {name}").wait_for()


def test_a_question_about_one_chat_closes_with_it_and_only_the_one_it_names_is_deleted(
    two_chats: tuple[Page, str, str], served: Served
) -> None:
    page, first, second = two_chats
    question = page.get_by_text("Delete this chat for good?")
    edges = "['.pmg-acts > button:last-child', '.pmg-main'].map((one) => document.querySelector(one).getBoundingClientRect().right)"
    button, column = page.evaluate(edges)
    assert button <= column, "the button stands inside its column"
    page.get_by_role("button", name="Delete …").click()
    question.wait_for()
    open_chat(page, second)
    question.wait_for(state="hidden")
    page.get_by_role("button", name="Delete …").click()
    page.locator(".pmg-confirm", has_text=f"All about the {second}").wait_for()
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("What would you like to remember?").wait_for()
    assert served.engine.reads.segments_of(second) == []
    assert len(served.engine.reads.segments_of(first)) == 1


def test_a_title_is_given_to_the_chat_it_was_asked_for_and_can_be_left_as_it_was(
    two_chats: tuple[Page, str, str], served: Served
) -> None:
    page, first, second = two_chats
    field = page.get_by_label("New title")
    page.get_by_role("button", name="Rename").click()
    page.wait_for_function("document.activeElement?.closest('.pmg-rename')")
    assert field.input_value() == f"All about the {first}"
    open_chat(page, second)
    field.wait_for(state="hidden")
    page.get_by_role("button", name="Rename").click()
    page.wait_for_function("document.activeElement?.closest('.pmg-rename')")
    field.fill("Never mind")
    page.keyboard.press("Escape")
    field.wait_for(state="hidden")
    page.get_by_role("button", name="Rename").click()
    field.wait_for()
    page.get_by_role("button", name="Cancel", exact=True).click()
    field.wait_for(state="hidden")
    names = {one.id: one.name for one in served.engine.sessions() if one.id in (first, second)}
    assert names == {first: f"All about the {first}", second: f"All about the {second}"}


def test_the_namespace_is_always_in_view_and_survives_a_reload(open_page: Callable[..., Page], served: Served) -> None:
    with served.engine.session("Shift plan", namespace="work", session_id="shifts") as session:
        session.add(user="The night shift is on Friday.", assistant="Noted.")
    page = open_page()
    page.wait_for_function("document.querySelector('#pmg-namespace input')?.value === 'default'")
    page.locator("#pmg-namespace input").click()
    page.get_by_role("option", name="work").click()
    page.locator(".pmg-session", has_text="Shift plan").wait_for()
    page.reload()
    page.locator(".pmg-session", has_text="Shift plan").wait_for()
    page.wait_for_function("document.querySelector('#pmg-namespace input')?.value === 'work'")
    assert page.locator(".pmg-session").count() == 1


def test_a_server_that_is_not_there_is_a_sentence_and_the_message_stays(chat: Page, served: Served) -> None:
    settings.change(served.engine, {"chat": {"responder": "openai", "base_url": "http://127.0.0.1:9/v1", "model": "m"}})
    try:
        chat.get_by_label("Message").fill("Are you there?")
        chat.keyboard.press("Enter")
        chat.get_by_text("cannot be reached").first.wait_for()
        chat.wait_for_function("document.querySelector('#pmg-box textarea').value === 'Are you there?'")
    finally:
        settings.change(served.engine, {"chat": {"responder": "extractive"}})


# As gradio does once it has lost the connection: a click on the hidden button is heard by nobody.
DEAF = """window.addEventListener('click', (event) => {
  if (event.target.closest?.('#pmg-send')) event.stopImmediatePropagation();
}, true)"""
FIELD_IS = "text => document.querySelector('#pmg-box textarea')?.value === text && !window.pmg.busy()"


def test_a_message_that_is_sent_after_the_connection_broke_comes_back_into_its_field(page: Page) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    page.evaluate(DEAF)
    field = page.get_by_label("Message")
    field.fill("Does anybody hear me?")
    field.press("Enter")
    page.wait_for_function(FIELD_IS, arg="Does anybody hear me?")
    page.evaluate("window.pmg.send(); location.reload()")  # before it has come back once more
    page.wait_for_load_state()
    page.wait_for_function(FIELD_IS, arg="Does anybody hear me?")


def test_a_message_that_comes_back_to_a_chat_one_left_stands_before_what_was_typed_there(page: Page) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    page.evaluate(DEAF)
    # In one go: it cannot come back before the next words are typed and the chat is left.
    left = page.evaluate("""() => {
      window.pmg.type('Does anybody hear me?');
      window.pmg.send();
      window.pmg.type('And then');
      const draft = window.pmg.draft();
      window.pmg.go();
      return draft;
    }""")
    page.wait_for_function("draft => sessionStorage.getItem(draft) === 'Does anybody hear me?\\nAnd then'", arg=left)


@pytest.mark.parametrize("lost", [True, False])
def test_a_message_on_its_way_is_offered_again_after_a_reload_only_if_the_connection_was_lost(
    page: Page, slow: tuple[ChatServer, threading.Event], lost: bool
) -> None:
    page.get_by_text("What would you like to remember?").wait_for()
    ask(page, "Tell me of the lost connection")
    page.locator("#pmg-live", has_text="The first words").wait_for()
    if lost:
        page.evaluate("fetch('gradio_api/app_id').then(() => null)")  # as gradio asks before it loads the page anew
    draft = page.evaluate("window.pmg.draft()")
    page.reload()
    kept = page.evaluate("draft => sessionStorage.getItem(draft)", draft)
    assert kept == ("Tell me of the lost connection" if lost else None)


def test_on_a_phone_the_chats_are_behind_a_button(open_page: Callable[..., Page]) -> None:
    page = open_page(width=390, height=844)
    page.get_by_text("What would you like to remember?").wait_for()
    assert not page.locator("#pmg-list").is_visible()
    page.get_by_role("button", name="Chats", exact=True).click()
    page.locator(".pmg-session").first.wait_for()
    page.locator(".pmg-session").nth(2).click()
    page.locator(".pmg-turn").first.wait_for()
    assert not page.locator("#pmg-list").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
