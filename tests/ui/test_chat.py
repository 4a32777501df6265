"""The Chat tab's handlers as plain functions, and its wiring by config."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pmg import sample, settings
from pmg.base.errors import NotFound
from pmg.base.model import CHAT_SOURCE, State, Turn
from pmg.base.progress import silent
from pmg.chat.extractive import Extractive
from pmg.chat.responder_choice import Choice
from pmg.chat.turn import ChatTarget, converse
from pmg.engine import Engine
from pmg.ingest.turns import exchange
from pmg.ui import page_address, shell, theme
from pmg.ui.app_context import AppContext
from pmg.ui.chat import chat_sending, chat_view
from pmg.ui.chat.chat_sending import FinishedMessages, SentMessage
from pmg.ui.chat.chat_view import EphemeralTurn
from pmg.ui.chat.open_chats import OpenChats
from steward.steward import Steward
from tests.chat_server import serving, stream


@pytest.fixture
def memory(engine: Engine) -> Engine:
    with engine.session("Cats", session_id="cats") as cats:
        cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
    return engine


def turn(engine: Engine, text: str, place: ChatTarget) -> tuple[list[str], EphemeralTurn]:
    steps = list(chat_view.answers(engine, Choice(engine), place, text, pace=0.0))
    said = steps[-1][0]
    assert said.passage is not None
    return [html for _, html in steps], EphemeralTurn(said.passage, said.answer)


def test_the_message_shows_at_once_with_a_waiting_answer(memory: Engine) -> None:
    html, _ = turn(memory, "How much medicine does the cat Biscuit get?", ChatTarget("default", "chat-1"))
    assert "How much medicine" in html[0] and "pmg-wait" in html[0]
    assert "5 mg" in html[-1] and "pmg-wait" not in html[-1]


def test_a_kept_chat_looks_the_same_after_a_reload(memory: Engine) -> None:
    turn(memory, "How much medicine does the cat Biscuit get?", ChatTarget("default", "chat-1"))
    seen = chat_view.view(memory, "chat-1", [], "default")
    assert "How much medicine" in seen.log and "5 mg" in seen.log
    assert 'data-pick="seg_cats_0"' in seen.log
    assert seen.session is not None and not seen.empty


def test_an_id_that_the_browser_made_up_opens_nothing(memory: Engine) -> None:
    with memory.session("Hidden", namespace="work", session_id="hidden") as hidden:
        hidden.add(user="The cat at work is secret.", assistant="Yes.")
    for held in ("hidden", "nonsense", "../../etc", "<script>"):
        seen = chat_view.view(memory, held, [], "default")
        assert seen.session is None and "secret" not in seen.log


def test_a_chat_that_is_not_remembered_shows_in_its_page_only(memory: Engine) -> None:
    _, unkept = turn(memory, "Between us: the cat snores.", ChatTarget("default", "chat-1", kept=False))
    mine = chat_view.view(memory, "", [unkept], "default")
    assert "the cat snores" in mine.log and "Nothing below this line is remembered" in mine.log
    assert "the cat snores" not in chat_view.view(memory, "chat-1", [], "default").log


def test_the_next_turn_of_a_chat_that_is_not_remembered_knows_what_the_last_one_quoted(memory: Engine) -> None:
    assert chat_view.target("default", "chat-1", []) == ChatTarget("default", "chat-1")
    place = ChatTarget("default", "chat-1", kept=False)
    _, unkept = turn(memory, "How much medicine does the cat Biscuit get?", place)
    made = chat_view.target("default", "chat-1", [unkept])
    assert made.before == (unkept.passage,) and made.shown == ("seg_cats_0",)


def test_an_empty_memory_is_told_apart_from_an_empty_chat(engine: Engine) -> None:
    assert chat_view.view(engine, "", [], "default").empty
    engine.ingest(sample.sessions()[:3])
    seen = chat_view.view(engine, "", [], "default")
    assert not seen.empty and "What would you like to remember?" in seen.log


def test_questions_to_try_are_offered_only_where_the_sample_is(memory: Engine) -> None:
    assert chat_view.tries(memory, "default") == []
    told = [name for i in chat_view.SUGGESTED_QUESTIONS for name in sample.questions()[i].expect]
    memory.ingest([one for one in sample.sessions() if any(name.startswith(f"seg_{one.id}_") for name in told)])
    assert len(chat_view.tries(memory, "default")) == len(chat_view.SUGGESTED_QUESTIONS)
    assert chat_view.tries(memory, "work") == []


def test_the_page_says_where_text_goes(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine()
    choice = Choice(engine)
    assert "nothing leaves this machine" in chat_view.where(choice)
    assert "2 secrets were left out" in chat_view.where(choice, 2)
    settings.change(engine, {"chat": {"responder": "openai", "base_url": "https://api.example.org/v1"}})
    assert "are sent to https://api.example.org" in chat_view.where(choice) and "pmg-leaves" in chat_view.where(choice)
    settings.change(engine, {"chat": {"base_url": "nonsense"}})
    assert "base_url" in chat_view.where(choice)


def test_a_models_markdown_image_never_becomes_one(open_engine: Callable[..., Engine]) -> None:
    with serving(stream("Look: ![x](https://evil.example/", "p.png) <img src=//evil.example>")) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        html, _ = turn(engine, "Show me", ChatTarget("default", "chat-1"))
    seen = [*html, chat_view.view(engine, "chat-1", [], "default").log]
    assert all("<img" not in one and "src=" not in one.replace("&lt;img src=", "") for one in seen)


def test_parts_that_no_memory_backs_are_named_and_code_is_left_alone(open_engine: Callable[..., Engine]) -> None:
    said = "It gets 5 mg [1] and 870 euros of medicine [1].\n\n```\ncp ${files[1]} ${files[2]}\n```\n"
    with serving(stream(said)) as server:
        engine = open_engine(config={"chat": {"responder": "openai", "base_url": server.base_url, "model": "m"}})
        with engine.session("Cats") as cats:
            cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
        turn(engine, "How much medicine does the cat get?", ChatTarget("default", "chat-1"))
    shown = chat_view.view(engine, "chat-1", [], "default").log
    assert "No memory backs these parts" in shown and "“870”" in shown
    assert shown.count("pmg-cite") == 2 and "${files[1]} ${files[2]}" in shown


def test_a_turn_asked_anew_is_folded_and_leaves_recall_and_can_come_back(memory: Engine) -> None:
    context = AppContext(memory, Steward(memory))
    turn(memory, "How much medicine does the cat Biscuit get?", ChatTarget("default", "chat-1"))
    turn(memory, "How much medicine does the cat Biscuit get a day?", ChatTarget("default", "chat-1"))
    chat_view.replace_turn(context, "seg_chat-1_0", "chat-1", "default")
    seen = chat_view.view(memory, "chat-1", [], "default")
    assert "An earlier version" in seen.log and "1 turn<" in seen.title
    assert chat_view.side(memory, "default", "chat-1", "").count("1 turn<") == 2, "of this chat and of the cats"
    assert memory.segment("seg_chat-1_0").state is State.ARCHIVED
    chat_view.replace_turn(context, "seg_cats_0", "chat-1", "default")  # of another chat: not touched
    assert memory.segment("seg_cats_0").state is State.ACTIVE
    context.steward.undo("last")
    assert "An earlier version" not in chat_view.view(memory, "chat-1", [], "default").log


def test_what_every_answer_says_is_not_counted_as_said_elsewhere(memory: Engine) -> None:
    for chat, place in (("chat-1", "Friedrichshafen"), ("chat-2", "Timbuktu")):
        memory.session(session_id=chat, source=CHAT_SOURCE)
        memory.add_turn(chat, Turn(exchange(f"What is moored in {place}?", "I find nothing about that.")))
    assert "other turn" not in chat_view.what_would_go(memory, "chat-1", "default")


def test_a_chat_is_deleted_for_good_and_no_other(memory: Engine) -> None:
    turn(memory, "The boiler hums.", ChatTarget("default", "chat-1"))
    asked = chat_view.what_would_go(memory, "chat-1", "default")
    assert "Delete this chat for good?" in asked
    assert "<li>1 turn</li><li>1 chat as a whole</li>" in asked
    assert not [word for word in ("segment", "vector", "session", "recalls", "bytes") if word in asked]
    with pytest.raises(NotFound):
        chat_view.what_would_go(memory, "chat-1", "work")
    chat_view.delete(memory, "chat-1", "default", silent)
    assert chat_view.found(memory, "chat-1", "default") is None and memory.reads.segments_of("chat-1") == []
    assert chat_view.found(memory, "cats", "default") is not None


def test_a_browser_begins_a_chat_only_under_a_fresh_id(memory: Engine) -> None:
    with memory.session("Hidden", namespace="work", session_id="20260101-000000-aaaaaa") as hidden:
        hidden.add(user="The cat at work is secret.", assistant="Yes.")
    assert chat_view.chat_or_fresh(memory, "cats", "default") == "cats"
    assert chat_view.chat_or_fresh(memory, "20260101-000000-abcdef", "default") == "20260101-000000-abcdef"
    for wrong in ("", "nonsense", "20260101-000000-aaaaaa", "../x"):
        assert chat_view.chat_or_fresh(memory, wrong, "default") != wrong


def test_a_title_says_when_and_how_much_and_not_whether_it_is_open(memory: Engine) -> None:
    turn(memory, "The boiler hums.", ChatTarget("default", "chat-1"))
    for chat in ("chat-1", "cats"):
        title = chat_view.view(memory, chat, [], "default").title
        assert "1 turn" in title and "open" not in title and "closed" not in title


def test_a_message_without_words_is_named_as_done_so_that_its_chat_is_free(memory: Engine) -> None:
    send = chat_sending._sender(AppContext(memory, Steward(memory)), Choice(memory), OpenChats())
    handed = json.dumps({"chat": "cats", "text": " ", "id": "7-1"})
    steps = list(send(handed, [], True, SimpleNamespace(session_hash="window")))
    assert [json.loads(step[-1]) for step in steps] == [{"done": ["7-1"], "refused": []}]


@pytest.mark.parametrize(("named", "written"), [("work", "work"), ("", "default"), ("../etc", "default")])
def test_a_message_is_written_where_its_address_leads(memory: Engine, named: str, written: str) -> None:
    send = chat_sending._sender(AppContext(memory, Steward(memory)), Choice(memory), OpenChats())
    chat = "20260101-000000-abcdef"
    handed = json.dumps({"chat": chat, "text": "My diary is in the attic.", "id": "1", "namespace": named})
    list(send(handed, [], True, SimpleNamespace(session_hash="window")))
    assert {one.id: one.namespace for one in memory.sessions()}[chat] == written


@pytest.mark.parametrize(("told", "private"), [("true", True), ("false", False), ("null", False), ('"no"', False)])
def test_a_message_says_whether_its_chat_is_not_to_be_remembered(memory: Engine, told: str, private: bool) -> None:
    send = chat_sending._sender(AppContext(memory, Steward(memory)), Choice(memory), OpenChats())
    handed = f'{{"chat": "20260101-000000-abcdef", "text": "I dislike marzipan.", "id": "1", "private": {told}}}'
    unkept = list(send(handed, [], True, SimpleNamespace(session_hash="window")))[-1][2]
    assert len(unkept) == private
    assert (memory.reads.session("20260101-000000-abcdef") is None) == private


def test_turns_that_are_not_remembered_stay_in_their_chat(memory: Engine) -> None:
    """Also where a message is sent elsewhere before the page has shown that chat."""
    chats, window = OpenChats(), SimpleNamespace(session_hash="window")
    send = chat_sending._sender(AppContext(memory, Steward(memory)), Choice(memory), chats)

    def said(chat: str, text: str, unkept: list[EphemeralTurn], private: bool) -> list[EphemeralTurn]:
        handed = json.dumps({"chat": chat, "text": text, "id": "1", "private": private})
        return list(send(handed, unkept, True, window))[-1][2]  # type: ignore[no-any-return]

    between_us = said("20260101-000000-abcdef", "I dislike marzipan.", [], True)
    two = said("20260101-000000-abcdef", "I dislike nougat.", between_us, True)
    assert [one.passage.lines[0].text for one in two] == ["I dislike marzipan.", "I dislike nougat."]
    assert said("cats", "The cat Biscuit snores.", two, False) == []
    assert [one.lines[0].text for one in memory.reads.segments_of("cats")][1:] == ["The cat Biscuit snores."]


def test_a_page_tells_its_script_which_namespace_an_address_without_one_means() -> None:
    assert page_address.configured("work") == '<meta name="pmg-namespace" content="work">'


def test_the_last_messages_of_a_window_are_named_together_and_of_no_other_window() -> None:
    finished, count = FinishedMessages(), chat_sending.MAX_FINISHED
    finished.add("other", SentMessage(id="theirs"))
    finished.add("mine", SentMessage(id="refused"), refused=True)
    assert json.loads(finished.add("mine", SentMessage(id="0"))) == {"done": ["0"], "refused": ["refused"]}
    for i in range(1, count + 1):
        told = json.loads(finished.add("mine", SentMessage(id=str(i))))
    assert told == {"done": [str(i) for i in range(1, count + 1)], "refused": []}


# the page as a whole


@pytest.fixture
def blocks(memory: Engine) -> dict[str, object]:
    return shell.build(AppContext(memory, Steward(memory))).get_config_file()  # type: ignore[return-value]


def test_every_tab_is_there(blocks: dict[str, object]) -> None:
    tabs = [
        c["props"]["id"]
        for c in blocks["components"]
        if c["type"] == "tabitem" and str(c["props"].get("elem_id")).startswith("pmg-tab-")
    ]  # type: ignore[attr-defined]
    assert tabs == ["chat", "preview", "timeline", "graph", "people", "analytics", "steward", "exchange"]


def test_every_field_has_a_label(blocks: dict[str, object]) -> None:
    fields = ("textbox", "dropdown", "checkbox", "slider", "number", "file", "radio", "checkboxgroup")
    bare = [
        c["props"].get("elem_id") or c["id"]
        for c in blocks["components"]
        if c["type"] in fields and not c["props"].get("label")
    ]  # type: ignore[attr-defined]
    assert not bare


def test_nothing_is_shared_and_no_api_is_offered(blocks: dict[str, object]) -> None:
    assert not [d["id"] for d in blocks["dependencies"] if d["api_visibility"] == "public"]  # type: ignore[attr-defined]
    assert not [c for c in blocks["components"] if "share" in (c["props"].get("buttons") or ())]  # type: ignore[attr-defined]


def test_the_look_asks_no_other_machine() -> None:
    text = shell.PAGE_THEME.css + shell.PAGE_THEME.head + "".join(shell.PAGE_THEME.theme._get_theme_css())
    outside = [part for part in ("https://", "//fonts", "@import", "url(http") if part in text]
    assert not outside
    assert theme.favicon().startswith("data:image/svg+xml;base64,")


def test_the_header_says_how_much_is_known_and_whether_the_model_is_there(memory: Engine) -> None:
    context = AppContext(memory, Steward(memory))
    now = shell.status(context, "default")
    assert (now.memories, now.asked, now.model, now.problem) == (1, 0, "ready", "")
    assert "1 memory<" in shell.brand(now) and "embedding model ready" in shell.brand(now)
    assert "memor" not in shell.brand(replace(now, memories=None)).replace(shell.TITLE, ""), "unknown, and so not said"
    assert shell.status(context, "work").memories == 0
    *_, _last = converse(memory, Extractive(memory), ChatTarget("default"), "What do I eat on Fridays?")
    asked = shell.status(context, "default")
    assert (asked.memories, asked.asked) == (1, 1), "a question is no memory"
    assert "1 memory<" in shell.brand(asked) and "1 question you asked" in shell.brand(asked)


def test_a_second_namespace_can_be_chosen(memory: Engine) -> None:
    context = AppContext(memory, Steward(memory))
    assert shell.namespaces(context, "default") == ["default"]
    memory.session("w", namespace="work").add(user="a", assistant="b")
    assert shell.namespaces(context, "default") == ["default", "work"]
