"""Settings changed while a memory is open: checked first, kept beside what was there, in force at once."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from pmg import config as configuration
from pmg import settings
from pmg.base.errors import ConfigError
from pmg.engine import Engine
from tests.embedding import WordEmbedder


def test_values_are_kept_beside_those_that_were_there(home: Path) -> None:
    settings.keep(home, {"recall": {"top_k": 5}, "namespace": "work"})
    settings.keep(home, {"recall": {"limit": 9}, "redact": {"allow": ["a, b"]}})
    found = configuration.load(home, {})
    assert (found.recall.top_k, found.recall.limit, found.namespace, found.redact.allow) == (5, 9, "work", ("a, b",))
    assert stat.S_IMODE((home / "config.toml").stat().st_mode) == 0o600


@pytest.mark.parametrize("wrong", [{"recall": {"top_k": 0}}, {"nonsense": {"a": 1}}, {"recall": {"top": 1}}])
def test_a_file_is_replaced_only_by_one_that_loads(home: Path, wrong: dict[str, dict[str, int]]) -> None:
    settings.keep(home, {"recall": {"top_k": 5}})
    before = (home / "config.toml").read_text()
    with pytest.raises(ConfigError):
        settings.keep(home, wrong)
    assert (home / "config.toml").read_text() == before


def test_a_change_is_in_force_at_once_and_after_a_restart(engine: Engine) -> None:
    settings.change(engine, {"recall": {"limit": 2}, "redact": {"allow": ["sk-example"]}})
    assert engine.config.recall.limit == 2
    assert engine.config.redact.allow == ("sk-example",)
    assert configuration.load(engine.config.home, {}).recall.limit == 2


def test_a_mistake_in_the_rules_changes_nothing(engine: Engine) -> None:
    with pytest.raises(ConfigError):
        settings.change(engine, {"redact": {"rules": ["mine = ("]}})
    assert engine.config.redact.rules == ()
    assert not (engine.config.home / "config.toml").exists()


def test_two_who_change_at_once_lose_nothing(engine: Engine) -> None:
    names = ["top_k", "lateral", "vertical", "limit", "pool"]
    start = threading.Barrier(len(names))

    def change(name: str) -> None:
        start.wait()
        settings.change(engine, {"recall": {name: 13}})

    threads = [threading.Thread(target=change, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = configuration.load(engine.config.home, {}).recall
    assert {name: getattr(kept, name) for name in names} == dict.fromkeys(names, 13)
    assert engine.config.recall == kept


def test_another_embedding_model_is_kept_as_a_setting_when_its_vectors_are_whole(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.embed.load.open_embedder", lambda name, *_: WordEmbedder(name))
    with engine.session() as session:
        session.add(user="the cat has to see the vet")
    made = settings.change_embedding_model(engine, "second")
    assert (made.name, made.dimension) == ("second", WordEmbedder().dimension)
    assert engine.config.embed.model == "second"
    assert configuration.load(engine.config.home, {}).embed.model == "second"
    assert engine.reads.model is not None and engine.reads.model.name == "second"
