"""`pmg ask` reads like an answer of the page: the words, who said them, when and where; ids are for whoever asks for them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg import config as configuration
from pmg.cli import people  # noqa: F401  (adds its commands to the app)
from pmg.cli.root import app
from pmg.engine import Engine
from tests.embedding import WordEmbedder
from tests.pmg.people.talk import session, told_to_assistant

MARCH = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.fixture
def filled(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        engine.ingest(
            [
                told_to_assistant(
                    "pets", MARCH, "The garden needs rain.", "My cat is called Luna.", "I bought two books."
                ),
                session("talk", MARCH, ("Ana", "I live in Oslo."), ("Ben", "Nice."), conversation="ca"),
            ]
        )
        engine.extract()
    return home


def typed(home: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["--home", str(home), *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_line_stands_with_who_said_it_when_and_in_which_session(filled: Path) -> None:
    told = typed(filled, "ask", "What is the name of my cat?").rstrip()
    assert "\nMy cat is called Luna.\n    You, 3 March 2026, in pets" in told
    assert "I live in Oslo.\n    Ana, 3 March 2026" in typed(filled, "ask", "Where does Ana live?")


def test_ids_come_only_when_they_are_asked_for(filled: Path) -> None:
    asked = ("ask", "What is the name of my cat?")
    plain, with_ids = typed(filled, *asked), typed(filled, *asked, "--ids")
    assert "seg_" not in plain and "User" not in plain
    assert "seg_pets_1" in with_ids
    found = json.loads(typed(filled, *asked, "--json"))
    line = found["lines"][0]
    assert (line["segment"], line["text"]) == ("seg_pets_1", "My cat is called Luna.")
    assert (line["session_name"], line["speaker"], line["kind"]) == ("pets", "User", "answer")
