"""The small model in this process: what is said when it is not installed, and how its stream is heard."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pmg.base.errors import ChatUnavailable
from pmg.chat import local
from pmg.chat.responder import ChatRequest
from pmg.config import ChatConfig

ASK = ChatRequest("Hello?", None, (), "default")


class Runtime(ModuleType):
    """Stands in for llama.cpp: tells its pieces to a function, as the real one does."""

    def __init__(self, pieces: list[Any]) -> None:
        super().__init__("xllamacpp")
        self.__spec__ = importlib.util.spec_from_loader("xllamacpp", None)
        runtime = self
        self.heard: list[dict[str, Any]] = []
        self.stopped = False

        class Server:
            def __init__(self, params: Any) -> None:
                self.params = params

            def handle_chat_completions(self, sent: dict[str, Any], hear: Any) -> None:
                runtime.heard.append(sent)
                for piece in pieces:
                    if isinstance(piece, Exception):
                        raise piece
                    if hear({"choices": [{"delta": {"content": piece}}]}):
                        runtime.stopped = True
                        return

        self.Server = Server
        self.CommonParams = lambda: SimpleNamespace(model=SimpleNamespace(path=""), n_ctx=0)


@pytest.fixture
def model_file(tmp_path: Path) -> str:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    return str(file)


def test_a_missing_package_is_told_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ChatUnavailable, match="pip install"):
        list(local.Local(ChatConfig(responder="local")).answer(ASK))


def test_a_missing_runtime_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch, model_file: str) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ChatUnavailable, match="runtime"):
        list(local.Local(ChatConfig(responder="local", model=model_file)).answer(ASK))


def test_a_model_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ChatUnavailable, match="There is no model file"):
        local.model_file(str(tmp_path / "none.gguf"))


def test_pieces_grow_to_the_answer(monkeypatch: pytest.MonkeyPatch, model_file: str) -> None:
    runtime = Runtime([None, "Hi ", "there."])
    monkeypatch.setitem(sys.modules, "xllamacpp", runtime)
    answers = [answer.text for answer in local.Local(ChatConfig(responder="local", model=model_file)).answer(ASK)]
    assert answers[-1] == "Hi there."
    assert runtime.heard[0]["messages"][-1] == {"role": "user", "content": "Hello?"}


def test_a_runtime_that_gives_up_is_told(monkeypatch: pytest.MonkeyPatch, model_file: str) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", Runtime(["Hi", RuntimeError("context is full")]))
    with pytest.raises(ChatUnavailable, match="context is full"):
        list(local.Local(ChatConfig(responder="local", model=model_file)).answer(ASK))


def test_nothing_leaves_the_machine() -> None:
    assert local.Local(ChatConfig()).leaves is False
