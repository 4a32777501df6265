"""The address of a page is read and none of it taken on trust; shared words are marked; answers show in their own chat."""

from __future__ import annotations

from typing import Any

import pytest

from pmg.engine import Engine
from pmg.ui import highlight, page_address
from pmg.ui.chat import chat_choosing
from pmg.ui.chat.chat_sending import SentMessage
from pmg.ui.chat.open_chats import MAX_PAGES, OpenChats
from pmg.ui.page_address import PageAddress


def test_an_address_names_tab_namespace_chat_and_memory() -> None:
    found = page_address.parse("#tab=timeline&in=work&chat=20260101-000000-abcdef&memory=seg_a_0")
    assert found == PageAddress("timeline", "work", "20260101-000000-abcdef", "seg_a_0")
    assert page_address.parse("") == page_address.parse("#") == PageAddress()


def test_a_tab_keeps_its_own_filters_in_the_address() -> None:
    address = "#tab=graph&graph-at=topic%3A3&graph-words=two+words&timeline-words=other"
    assert page_address.filters(address, "graph") == {"at": "topic:3", "words": "two words"}
    assert page_address.filters(address, "preview") == {}
    crowded = "#" + "&".join(f"graph-{i}=1" for i in range(500))
    assert page_address.filters(crowded, "graph") == {} and page_address.parse(crowded) == PageAddress()


@pytest.mark.parametrize("wrong", ["#in=../etc", "#in=<script>", "#in=%00", "#" + "in=a/b"])
def test_a_namespace_that_cannot_be_is_none(wrong: str) -> None:
    assert page_address.parse(wrong).namespace == ""


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("#in=my%20work", "my work"),
        ("#tab=graph&in=a/b", "a/b"),
        ("#in=Büro", "Büro"),
        ("#in=work", ""),
        ("#tab=in", ""),
    ],
)
def test_a_namespace_that_cannot_be_is_named_so_that_it_can_be_told(address: str, named: str) -> None:
    assert page_address.impossible_namespace(address) == named


@pytest.mark.parametrize("handed", ["", "nonsense", "[]", "3", '{"text": null}'])
def test_a_message_that_is_none_is_empty(handed: str) -> None:
    assert SentMessage.parse(handed).text == ""


@pytest.mark.parametrize(("told", "namespace"), [('"work"', "work"), ('"../etc"', ""), ("null", ""), ("[3]", "")])
def test_a_message_names_the_namespace_it_was_sent_in(told: str, namespace: str) -> None:
    found = SentMessage.parse(f'{{"chat": "a", "text": "Hello", "namespace": {told}}}')
    assert (found.chat, found.text, found.namespace) == ("a", "Hello", namespace)


def test_words_are_marked_as_search_knows_them_and_stay_text() -> None:
    terms = highlight.terms_of("What did the boots <b> cost me in Zürich?")
    html = highlight.marked("My BOOT from Zürich <b>cost</b> 90 & more", terms)
    assert html == "My <mark>BOOT</mark> from <mark>Zürich</mark> &lt;b&gt;<mark>cost</mark>&lt;/b&gt; 90 &amp; more"
    assert highlight.marked("the and of", highlight.terms_of("the and of")) == "the and of"


def test_an_answer_shows_in_its_own_chat_alone() -> None:
    chats = OpenChats()
    chats.show("page", "one")
    stop = chats.begin("page", "one")
    assert chats.shows("page", "one") and chats.coming("page", "one")
    chats.show("page", "two")
    chats.begin("page", "two")
    assert not chats.shows("page", "one")
    chats.stop("page", "two")
    assert not stop.is_set()
    chats.stop("page", "one")
    assert stop.is_set()
    chats.end("page", "one")
    assert not chats.coming("page", "one") and chats.coming("page", "two")
    chats.open_memory("page")
    assert chats.memories_opened("page") == 1 and chats.memories_opened("another") == 0
    for number in range(MAX_PAGES + 1):
        chats.show(str(number), "x")
        chats.open_memory(str(number))
    assert chats.memories_opened("page") == 0
    assert not chats.shows("page", "two")


def test_an_answer_that_ends_while_its_chat_comes_into_view_is_drawn(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever gives it, and by the one who shows the chat: neither may leave it to the other."""
    chats, whole = OpenChats(), chat_choosing.chat_updates
    chats.show("window", "another")
    chats.begin("window", "20260101-000000-abcdef")
    drawn: list[tuple[bool, bool]] = []

    def ended_meanwhile(*given: Any, busy: bool = False) -> list[Any]:
        drawn.append((busy, chats.end("window", "20260101-000000-abcdef")))
        return whole(*given, busy=busy)

    monkeypatch.setattr(chat_choosing, "chat_updates", ended_meanwhile)
    _, coming = chat_choosing.shown_chat(engine, chats, "window", "20260101-000000-abcdef", [], "default", "")
    assert drawn == [(True, True), (False, True)] and not coming
