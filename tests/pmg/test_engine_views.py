"""Several views of one open memory: their settings are their own, everything else is shared."""

from __future__ import annotations

from dataclasses import replace

from pmg import settings
from pmg.config import with_values
from pmg.engine import Engine
from tests.flows.crash_worker import WideEmbedder


def view_of(engine: Engine, **recall: object) -> Engine:
    return engine.with_config(replace(with_values(engine.config, {"recall": recall}, "the test"), namespace="work"))


def test_a_view_works_under_its_own_settings_on_the_same_memory(engine: Engine) -> None:
    view = view_of(engine, limit=1)
    with view.session(session_id="s1") as session:
        session.add(user="the cat has to see the vet")
        session.add(user="the cat is well again")
    assert engine.sessions("work")[0].id == "s1"
    assert len(view.recall("cat").segments) == 1
    assert engine.recall("cat").segments == ()  # in the namespace of its own settings
    assert len(engine.recall("cat", namespace="work").segments) == 2


def test_closing_a_view_leaves_the_memory_open(engine: Engine) -> None:
    with view_of(engine):
        pass
    with engine.session(session_id="s1") as session:
        session.add(user="the cat")
    assert len(engine.recall("cat").segments) == 1


def test_a_change_of_model_is_in_force_in_every_view(engine: Engine) -> None:
    view = view_of(engine)
    view.reembed(WideEmbedder())
    assert engine.model.ready() is view.model.ready()
    assert engine.components.embedder is not None
    assert engine.components.embedder.name == "wide"


def test_settings_changed_through_a_view_leave_its_own_ones_behind(engine: Engine) -> None:
    before, view = engine.config.namespace, view_of(engine, limit=1)
    settings.change(view, {"recall": {"top_k": 7}})
    assert (engine.config.recall.top_k, engine.config.recall.limit != 1) == (7, True)
    assert engine.config.namespace == before
    assert (view.config.recall.limit, view.config.namespace) == (1, "work")


def test_a_view_with_other_rules_redacts_by_them(engine: Engine) -> None:
    word = "abra" + "cadabra"
    config = with_values(engine.config, {"redact": {"rules": [f"spell = {word}"]}}, "the test")
    assert word not in engine.with_config(config).redactor.redact(f"say {word} now").text
    assert word in engine.redactor.redact(f"say {word} now").text
