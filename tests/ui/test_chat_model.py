"""The form that says who answers: keys stay where they belong, models are listed, a test says what came back."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pmg import settings
from pmg.base.errors import ChatUnavailable, ConfigError, InputError
from pmg.chat.keys import KEY_FILE, read_key
from pmg.chat.openai import local_servers
from pmg.chat.responder import ChatRequest
from pmg.chat.responder_choice import open_responder
from pmg.config import ChatConfig
from pmg.engine import Engine
from pmg.ui.app_context import AppContext
from pmg.ui.settings import chat_model
from steward.steward import Steward
from tests.chat_server import ChatServer, refuse, serving, stream
from tests.pmg.test_pasted_key import random_key


@pytest.fixture
def context(engine: Engine) -> AppContext:
    return AppContext(engine, Steward(engine))


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving(stream("rea", "dy"), models=("tiny", "large")) as made:
        yield made


def form(base_url: str = "http://127.0.0.1:9/v1", **parts: str | None) -> dict[str, str | None]:
    return {"responder": "openai", "base_url": base_url, "model": "", "key_env": "", "key_file": "", **parts}


@pytest.mark.parametrize("field", ["key_env", "key_file", "model", "base_url"])
def test_a_key_in_the_wrong_field_is_neither_kept_nor_repeated(context: AppContext, field: str) -> None:
    key = random_key("sk-")
    with pytest.raises(ConfigError) as refused:
        chat_model.save_chat(context, form(**{field: key}), agreed=True)
    assert key not in str(refused.value)
    assert not (context.engine.config.home / "config.toml").exists()


def test_a_key_is_kept_in_a_file_for_its_owner_alone_and_sent(context: AppContext, server: ChatServer) -> None:
    key, home = random_key("sk-"), context.engine.config.home
    said = chat_model.save_chat(context, form(server.base_url), agreed=False, key=f" {key}\n")
    assert key not in said and key not in (home / "config.toml").read_text()
    assert stat.S_IMODE((home / KEY_FILE).stat().st_mode) == 0o600
    assert read_key(context.engine.config.chat, home) == key and chat_model.has_key(context)
    assert not any(key in str(value) for value in chat_model.values(context))
    assert "It works" in chat_model.test(context, form(server.base_url, key_file=str(home / KEY_FILE)))
    assert server.headers[-1]["Authorization"] == f"Bearer {key}"
    assert "gone" in chat_model.drop_key(context)
    assert not (home / KEY_FILE).exists() and context.engine.config.chat.key_file == ""


def test_a_kept_key_is_not_sent_to_the_next_server(context: AppContext, server: ChatServer) -> None:
    home = context.engine.config.home
    chat_model.save_chat(context, form(server.base_url), agreed=False, key=random_key("sk-"))
    with serving(stream("x")) as other:
        next_one = form(other.base_url, key_file=str(home / KEY_FILE))
        for attempt in (chat_model.test, chat_model.model_names):
            with pytest.raises(InputError, match="belongs to another"):
                attempt(context, next_one)
        with pytest.raises(InputError, match="server that was set before"):
            chat_model.save_chat(context, next_one, agreed=False)
        chat_model.save_chat(
            context, next_one | {"responder": "extractive"}, agreed=False
        )  # its address is not shown then
        assert context.engine.config.chat.base_url == server.base_url
        settings.change(
            context.engine, {"chat": {"responder": "openai", "base_url": other.base_url}}
        )  # as `pmg config` does
        asked = ChatRequest("Hi", None, (), "default")
        with pytest.raises(ConfigError, match="and is not sent to"):
            list(open_responder(context.engine, context.engine.config.chat).answer(asked))
        assert other.headers == []


def test_a_kept_key_goes_with_a_memory_that_is_moved(context: AppContext, server: ChatServer, tmp_path: Path) -> None:
    key, home = random_key("sk-"), context.engine.config.home
    chat_model.save_chat(context, form(server.base_url), agreed=False, key=key)
    held = context.engine.config.chat
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (home / KEY_FILE).rename(moved / KEY_FILE)
    assert read_key(held, moved) == key
    assert read_key(replace(held, key_file=str(home / KEY_FILE)), moved) == key  # as earlier versions named it


def test_only_what_the_chosen_responder_reads_is_shown() -> None:
    assert chat_model.reads("extractive") == ()
    assert chat_model.reads("local") == ("model",)
    for one in ("openai", "a-package's", None):
        assert set(chat_model.reads(one)) == set(chat_model.CHAT) - {"responder"}


def test_what_is_no_key_is_refused_and_not_repeated(context: AppContext) -> None:
    with pytest.raises(ConfigError) as refused:
        chat_model.save_chat(context, form(), agreed=False, key="two words")
    assert "two words" not in str(refused.value)
    assert not (context.engine.config.home / KEY_FILE).exists()


def test_models_are_listed_and_a_test_says_what_came_back(context: AppContext, server: ChatServer) -> None:
    assert chat_model.model_names(context, form(server.base_url)) == ["tiny", "large"]
    said = chat_model.test(context, form(server.base_url, model=None))
    assert "It works: tiny" in said and "ready" in said
    assert [message["content"] for message in server.asked[0]["messages"]][-1] == chat_model.TEST
    assert "needs no server" in chat_model.test(context, form(responder="extractive"))


def test_a_test_that_fails_says_why(context: AppContext) -> None:
    with serving(refuse(401, "no such key")) as server, pytest.raises(ChatUnavailable, match="does not accept the key"):
        chat_model.test(context, form(server.base_url, model="m"))
    with pytest.raises(ChatUnavailable, match="cannot be reached"):
        chat_model.test(context, form())


def test_servers_of_this_machine_are_found_on_their_ports(server: ChatServer) -> None:
    port = int(server.base_url.rsplit(":", 1)[1].removesuffix("/v1"))
    found = local_servers(ChatConfig(key_env="NOT_SET"), (("Ollama", port), ("LM Studio", 9)))
    assert [(one.name, one.base_url, one.models) for one in found] == [("Ollama", server.base_url, ("tiny", "large"))]
    html = chat_model.found_html(found)
    assert "Ollama" in html and "tiny, large" in html
    assert "No Ollama" in chat_model.found_html([])
