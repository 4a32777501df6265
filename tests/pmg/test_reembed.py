"""A change of model: resumable, recall works throughout, afterwards another dimension is in force."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg import doctor
from pmg.base.errors import WrongModel
from pmg.base.model import Kind
from pmg.engine import Engine
from pmg.ingest import pipeline, reembed
from tests.embedding import WordEmbedder
from tests.flows.crash_worker import WideEmbedder

TEXTS = ("the cat has to see the vet", "a kitten at the vet", "bread in the oven", "dough and bread", "lentil soup")


class Interrupted(Exception):
    pass


@pytest.fixture
def filled(engine: Engine) -> Engine:
    for i, text in enumerate(TEXTS):
        with engine.session(session_id=f"s{i}") as session:
            session.add(user=text)
    return engine


def test_afterwards_another_dimension_is_in_force_and_gives_the_same(
    filled: Engine, open_engine: Callable[..., Engine]
) -> None:
    before = [s.id for s in filled.recall("cat", mode="fixed").segments]
    links = filled.counts().links[Kind.SEMANTIC]
    seen: list[tuple[str, int, int]] = []
    switched: list[str] = []
    filled.reembed(WideEmbedder(), lambda *what: seen.append(what), lambda: switched.append("now"))
    assert switched == ["now"]
    assert ("embedding again", 5, 5) in seen
    assert filled.reads.model is not None
    assert (filled.reads.model.name, filled.reads.model.dimension) == ("wide", WideEmbedder().dimension)
    assert [s.id for s in filled.recall("cat", mode="fixed").segments] == before
    assert filled.counts().links[Kind.SEMANTIC] == links
    assert filled.counts().windows == len(TEXTS)
    assert not [f for f in doctor.examine(filled) if f.level == doctor.BAD]
    filled.close()
    with pytest.raises(WrongModel):
        open_engine()
    engine = open_engine(embedder=WideEmbedder())
    assert [s.id for s in engine.recall("cat", mode="fixed").segments] == before


def test_a_change_stopped_half_way_goes_on_where_it_was(
    filled: Engine, open_engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reembed, "BUILD_BATCH", 2)

    def stop(what: str, done: int, total: int) -> None:
        if done >= 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        filled.reembed(WideEmbedder(), stop)
    assert filled.recall("cat").segments  # on the old vectors
    assert any("half done" in f.what for f in doctor.examine(filled))
    filled.close()
    engine = open_engine()
    wide = WideEmbedder()
    engine.reembed(wide)
    assert wide.embedded == 3  # the first two were done already
    assert engine.reads.model is not None
    assert engine.reads.model.name == "wide"
    assert not any("half done" in f.what for f in doctor.examine(engine))


def test_a_third_model_starts_from_nothing(filled: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reembed, "BUILD_BATCH", 2)

    def stop(*_: object) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        filled.reembed(WideEmbedder(), stop)
    third = WordEmbedder("third")
    filled.reembed(third)
    assert third.embedded == 5
    assert filled.recall("cat").segments


def test_links_of_people_survive_and_automatic_ones_are_made_anew(filled: Engine) -> None:
    filled.link("seg_s0_0", "seg_s4_0", Kind.SUPPORTS)
    before = {(e.source, e.target, e.kind) for i in range(5) for e in filled.edges(f"seg_s{i}_0")}
    filled.reembed(WideEmbedder())
    assert {(e.source, e.target, e.kind) for i in range(5) for e in filled.edges(f"seg_s{i}_0")} == before


def test_links_still_to_be_made_are_told(filled: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "relink", lambda *_: 0)
    filled.reembed(WideEmbedder())
    assert any(f.mend == "pmg rebuild --links" for f in doctor.examine(filled))
    monkeypatch.undo()
    filled.relink()
    assert not any(f.mend == "pmg rebuild --links" for f in doctor.examine(filled))


def test_what_is_said_after_the_change_is_linked_in_the_new_space(filled: Engine) -> None:
    filled.reembed(WideEmbedder())
    with filled.session(session_id="new") as session:
        session.add(user="the cat and her vet again")
    assert any(e.kind is Kind.SEMANTIC for e in filled.edges("seg_new_0"))
    assert pipeline.build(filled.components).segments == 0


def test_killed_between_the_switch_and_the_configuration_the_memory_opens_with_the_new_model(
    filled: Engine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store says which model is in force: the configuration still asks for the bundled one."""

    def die() -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        filled.reembed(WideEmbedder(), on_switch=die, setting="a/wide-model")
    filled.close()
    asked: list[str] = []

    def open_named(name: str, *_: object) -> WideEmbedder:
        asked.append(name)
        return WideEmbedder()

    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", open_named)
    config = configuration.load(home, {})
    assert config.embed.model == "bundled"
    with Engine.open(config) as engine:
        assert asked == ["a/wide-model"]
        assert engine.config.embed.model == "a/wide-model"
        assert engine.recall("cat").receipt.note == ""
        engine.relink()
        assert [f for f in doctor.examine(engine) if f.level == doctor.BAD] == []
