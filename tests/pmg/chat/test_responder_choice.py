"""Who answers: PMG's own responders by name, and those that an installed package brings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg.base.errors import ChatUnavailable, ConfigError
from pmg.chat.extractive import Extractive
from pmg.chat.local import Local
from pmg.chat.openai import OpenAI
from pmg.chat.responder import ChatRequest
from pmg.chat.responder_choice import Choice, open_responder
from pmg.chat.turn import ChatTarget, ChatTurn, converse
from pmg.cli.maintenance import set_knob
from pmg.config import ChatConfig
from pmg.engine import Engine
from pmg.ui.settings.chat_model import responders

PARROT = """
from pmg.answer.evidence import Quote
from pmg.chat.responder import ChatAnswer, Citation, Used
from pmg.base.errors import ChatUnavailable


class Parrot:
    where = "A parrot in this process answers."
    leaves = False
    budget_tokens = None

    def __init__(self, engine, settings):
        self.model = settings.model

    def answer(self, ask):
        if self.model == "raises":
            raise ValueError("no seed")
        if self.model == "breaks off":
            yield ChatAnswer("half an answer")
            raise ValueError("no seed")
        if self.model == "ends the program":
            raise SystemExit(3)
        if self.model == "asks for help":
            raise ChatUnavailable("Fill the bowl first.")
        if self.model in WRONG:
            yield WRONG[self.model]
        elif self.model != "is silent":
            yield ChatAnswer(f"{self.model}: {ask.text}")


WRONG = {
    "a text": "squawk",
    "none": None,
    "no words": ChatAnswer("  "),
    "no text": ChatAnswer(None),
    "dict quotes": ChatAnswer("x", quotes=[{"segment": "seg_a_0"}]),
    "a quote without its time": ChatAnswer("x", quotes=(Quote("seg_a_0", 0, 0, 1, "x", "Me", None, ""),)),
    "letters": ChatAnswer("x", used="abc"),
    "a number": ChatAnswer("x", citations=(Citation("1", "seg_a_0"),)),
    "a tone": ChatAnswer("x", tone="sure of it"),
}


class NoModel(Parrot):
    def __init__(self, engine, settings):
        raise RuntimeError("no model file")


class NoArguments(Parrot):
    def __init__(self):
        pass


class Returning(Parrot):
    def answer(self, ask):
        return ChatAnswer("whole")


class NoBudget:
    where, leaves = "Here.", False

    def __init__(self, engine, settings):
        pass

    def answer(self, ask):
        yield ChatAnswer("never asked")


class Leaking(Parrot):
    leaves = "no"


class Little(Parrot):
    budget_tokens = 10


class Listing(Parrot):
    def answer(self, ask):
        yield ChatAnswer("whole", used=[Used("seg_a_0", "entry")])


class Mute:
    where, leaves, budget_tokens = "Here.", False, None

    def __init__(self, engine, settings):
        pass
"""
MADE_WRONG = {
    "NoModel": r"cannot be made from pmg_parrot:NoModel \(RuntimeError: no model file\)",
    "NoArguments": r"cannot be made from pmg_parrot:NoArguments \(TypeError: ",
    "NoBudget": r"cannot say its 'budget_tokens' \(AttributeError: ",
    "Leaking": "has str as 'leaves': True or False is due",
    "Little": "has 10 as 'budget_tokens': 50 to 1,000,000, or None",
    "Mute": r"has no method answer\(request\)",
}
ANSWERS_WRONG = {
    "raises": r"'parrot' failed \(ValueError: no seed\)",
    "ends the program": r"'parrot' failed \(SystemExit: 3\)",
    "is silent": "'parrot' gave no answer",
    "no words": "'parrot' gave no answer",
    "a text": "'parrot' gave str where a ChatAnswer is due",
    "none": "'parrot' gave None where a ChatAnswer is due",
    "no text": "'parrot' gave a ChatAnswer whose text is None, not str",
    "dict quotes": r"'parrot' gave a ChatAnswer whose quotes\[0\] is dict, not Quote",
    "a quote without its time": r"'parrot' gave a ChatAnswer whose quotes\[0\].at is None, not datetime",
    "letters": "'parrot' gave a ChatAnswer whose used is str, not a tuple of Used",
    "a number": r"'parrot' gave a ChatAnswer whose citations\[0\].number is str, not int",
    "a tone": "'parrot' gave a ChatAnswer whose tone is str, not Tone",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip leaves it, with a responder that works, one that cannot be imported, one under a name of ours, and wrong ones."""
    entries = "parrot = pmg_parrot:Parrot\nbroken = pmg_parrot:Missing\nopenai = pmg_parrot:Parrot\nReturning = pmg_parrot:Returning\nListing = pmg_parrot:Listing\n"
    entries += "".join(f"{name} = pmg_parrot:{name}\n" for name in MADE_WRONG)
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
    with pytest.raises(ConfigError, match=r"'parot'.*Known: extractive, openai, local, .*broken, parrot"):
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


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("name", MADE_WRONG)
def test_a_responder_that_cannot_be_made_is_told_by_name_with_the_mend(engine: Engine, name: str) -> None:
    with pytest.raises(ConfigError, match=f"The responder '{name}' {MADE_WRONG[name]}.*choose another chat.responder"):
        open_responder(engine, ChatConfig(responder=name))


def told(engine: Engine, model: str, name: str = "parrot") -> list[ChatTurn]:
    responder = open_responder(engine, ChatConfig(responder=name, model=model))
    return list(converse(engine, responder, ChatTarget("default"), "the teapot is green"))


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("model", ANSWERS_WRONG)
def test_a_responder_that_breaks_or_says_nothing_is_told_and_leaves_no_turn(engine: Engine, model: str) -> None:
    with pytest.raises(ChatUnavailable, match=f"The responder {ANSWERS_WRONG[model]}.*choose another chat.responder"):
        told(engine, model)
    assert not engine.sessions()  # the page gives the message back to be sent again


@pytest.mark.usefixtures("package")
def test_an_answer_that_is_returned_and_not_yielded_is_told(engine: Engine) -> None:
    with pytest.raises(ChatUnavailable, match=r"'Returning' gave back ChatAnswer .* has to yield"):
        told(engine, "", "Returning")


@pytest.mark.usefixtures("package")
def test_a_list_does_where_several_are_due(engine: Engine) -> None:
    assert [used.segment for used in told(engine, "", "Listing")[-1].answer.used] == ["seg_a_0"]


@pytest.mark.usefixtures("package")
def test_what_had_come_before_a_responder_broke_is_kept(engine: Engine) -> None:
    last = told(engine, "breaks off")[-1]
    assert last.answer.text == "half an answer" and "'parrot' failed (ValueError: no seed)" in last.problem
    assert last.passage is not None and last.passage.lines[0].text == "the teapot is green"


@pytest.mark.usefixtures("package")
def test_what_a_responder_says_itself_is_told_as_it_is(engine: Engine) -> None:
    with pytest.raises(ChatUnavailable, match=r"^Fill the bowl first\.$"):
        told(engine, "asks for help")


@pytest.mark.usefixtures("package")
def test_only_a_responder_that_is_there_can_be_chosen(home: Path) -> None:
    set_knob(home, "chat.responder", "parrot")
    with pytest.raises(ConfigError, match=r"'parott', and no installed package brings it\. Known: .*parrot"):
        set_knob(home, "chat.responder", "parott")
    with pytest.raises(ConfigError, match="'broken' cannot be loaded"):
        set_knob(home, "chat.responder", "broken")
    assert configuration.load(home).chat.responder == "parrot"
