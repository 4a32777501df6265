"""Who answers: PMG's own responders by name, and those that an installed package brings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pmg.chat.extractive import Extractive
from pmg.chat.local import Local
from pmg.chat.openai import OpenAI
from pmg.chat.responder import ChatRequest
from pmg.chat.responder_choice import Choice, open_responder
from pmg.config import ChatConfig
from pmg.engine import Engine
from pmg.errors import ConfigError
from pmg.ui.settings.chat_model import responders

PARROT = """
from pmg.chat.responder import ChatAnswer


class Parrot:
    where = "A parrot in this process answers."
    leaves = False
    budget_tokens = None

    def __init__(self, engine, settings):
        self.model = settings.model

    def answer(self, ask):
        yield ChatAnswer(f"{self.model}: {ask.text}")
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip leaves it, with three responders: one that works, one that cannot be imported, one under a name of ours."""
    entries = "parrot = pmg_parrot:Parrot\nbroken = pmg_parrot:Missing\nopenai = pmg_parrot:Parrot\n"
    about = tmp_path / "pmg_parrot-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pmg-parrot\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[pmg.responders]\n{entries}")
    (tmp_path / "pmg_parrot.py").write_text(PARROT)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(("name", "kind"), [("extractive", Extractive), ("openai", OpenAI), ("local", Local)])
def test_the_configured_name_chooses_the_responder(engine: Engine, name: str, kind: type) -> None:
    assert isinstance(open_responder(engine, ChatConfig(responder=name)), kind)


@pytest.mark.usefixtures("package")
def test_a_package_brings_a_responder_by_name(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine(config={"chat": {"responder": "parrot", "model": "grey"}})
    answers = list(Choice(engine).now().answer(ChatRequest("hello", None, (), "default")))
    assert [answer.text for answer in answers] == ["grey: hello"]
    assert ("parrot (from pmg-parrot)", "parrot") in responders("parrot")


@pytest.mark.usefixtures("package")
def test_a_name_of_ours_stays_ours(engine: Engine) -> None:
    assert isinstance(open_responder(engine, ChatConfig(responder="openai")), OpenAI)


@pytest.mark.usefixtures("package")
def test_an_unknown_name_is_told_with_the_known_ones(engine: Engine) -> None:
    with pytest.raises(ConfigError, match=r"'parot'.*Known: extractive, openai, local, broken, parrot"):
        open_responder(engine, ChatConfig(responder="parot"))


@pytest.mark.usefixtures("package")
def test_a_package_that_cannot_be_loaded_is_told_by_name(engine: Engine) -> None:
    with pytest.raises(ConfigError, match="'broken' cannot be loaded from pmg_parrot:Missing"):
        open_responder(engine, ChatConfig(responder="broken"))


def test_a_memory_opens_though_its_responder_was_uninstalled(open_engine: Callable[..., Engine]) -> None:
    engine = open_engine(config={"chat": {"responder": "parrot"}})
    with pytest.raises(ConfigError, match=r"pmg config chat\.responder extractive"):
        Choice(engine).now()
    assert ("parrot (not installed)", "parrot") in responders("parrot")
