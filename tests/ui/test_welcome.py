"""The three doors of an empty memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pmg.base.errors import ModelUnavailable
from pmg.embed.load import ModelHolder
from pmg.engine import Engine
from pmg.ui.app_context import AppContext
from pmg.ui.chat import welcome
from steward.steward import Steward


def test_the_sample_fills_the_namespace_of_the_page_and_says_so(engine: Engine) -> None:
    steps: list[str] = []
    said = welcome.load_sample(
        AppContext(engine, Steward(engine)), "mine", lambda what, _done, _total: steps.append(what)
    )
    assert "754 turns in 109 sessions" in said
    assert {session.namespace for session in engine.sessions()} == {"mine"}
    assert "embedding and linking (words)" in steps


def test_a_second_click_adds_nothing(engine: Engine) -> None:
    context = AppContext(engine, Steward(engine))
    welcome.load_sample(context, "default", lambda *_: None)
    before = engine.counts().segments
    welcome.load_sample(context, "default", lambda *_: None)
    assert engine.counts().segments == before


def test_the_sample_comes_in_without_a_model_too(engine: Engine) -> None:
    def none() -> object:
        raise ModelUnavailable("no model here")

    engine._memory.model = ModelHolder(none)  # type: ignore[arg-type]
    assert "754 turns" in welcome.load_sample(AppContext(engine, Steward(engine)), "default", lambda *_: None)
    assert "not available" in welcome.greeting(engine, "default")


def test_the_greeting_says_that_the_model_is_loading(open_engine: Callable[..., Engine], tmp_path: Path) -> None:
    engine = open_engine()
    assert "is ready" in welcome.greeting(engine, "default")
    engine._memory.model = ModelHolder(lambda: None)  # type: ignore[arg-type,return-value]
    assert "no embedding model yet" in welcome.greeting(engine, "default")


def test_an_empty_namespace_beside_a_full_one_is_not_called_an_empty_memory(engine: Engine) -> None:
    assert "Your memory is empty" in welcome.greeting(engine, "work")
    with engine.session("Cats") as cats:
        cats.add(user="The cat Biscuit gets 5 mg of medicine a day.", assistant="Noted.")
    said = welcome.greeting(engine, "work <b>")
    assert "Your memory is empty" not in said
    assert "The namespace “work &lt;b&gt;” is empty; 1 memory is in others." in said
