"""`pmg people …` as a person types it: what the page can do by hand, each journaled and undone exactly."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg import config as configuration
from pmg.cli import memory, people_edits, steward  # noqa: F401  (adds their commands to the app)
from pmg.cli.root import app
from pmg.engine import Engine
from tests.embedding import WordEmbedder
from tests.pmg.people.talk import session

MAY, JULY = (datetime(2023, month, 8, 12, tzinfo=UTC) for month in (5, 7))


@pytest.fixture
def filled(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        engine.ingest(
            [
                session("a", MAY, ("Ana", "I live in Oslo. I live in Rome."), ("Ben", "Ana is a baker."), conversation="ca"),
                session("b", JULY, ("Ana", "I bought a boat."), ("Udo", "Nice."), conversation="cb"),
                session("c", JULY, ("Zoe", "I live in Ulmwood."), ("Udo", "Nice."), namespace="private"),
            ]
        )  # fmt: skip
        engine.extract()
    return home


def typed(home: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["--home", str(home), *words])
    return done.exit_code, " ".join(done.output.split())


def numbers(home: Path) -> dict[str, str]:
    """The claims of Ana, by their objects."""
    code, told = typed(home, "people", "claims", "Ana")
    assert code == 0
    return dict(re.findall(r"(\w+)\W* \(claim (\d+)", told))


def test_a_claim_is_corrected_or_set_aside_and_both_are_undone(filled: Path) -> None:
    code, told = typed(filled, "people", "correct", numbers(filled)["boat"], "a kayak")
    assert code == 0 and "Corrected" in told
    assert "buy a kayak" in typed(filled, "people", "claims", "Ana")[1]
    assert "Set aside" in typed(filled, "people", "correct", numbers(filled)["kayak"], "")[1]
    assert "kayak" not in numbers(filled)
    for _ in range(2):
        assert typed(filled, "steward", "undo", "last")[0] == 0
    assert "boat" in numbers(filled)


@pytest.mark.slow
def test_a_contradiction_is_resolved_and_undone(filled: Path) -> None:
    known = numbers(filled)
    assert "cannot both hold" in typed(filled, "people", "show", "Ana")[1]
    assert typed(filled, "people", "resolve", known["Oslo"], known["Rome"], "first-then-second")[0] == 0
    shown = typed(filled, "people", "show", "Ana")[1]
    assert "cannot both hold" not in shown and "until 2023-05-08 Ana lives in Oslo" in shown
    assert typed(filled, "steward", "undo", "last")[0] == 0
    assert "cannot both hold" in typed(filled, "people", "show", "Ana")[1]
    code, told = typed(filled, "people", "resolve", known["Oslo"], known["Rome"], "neither")
    assert code == 1 and "first, second, both" in told


@pytest.mark.slow
def test_what_has_no_answer_says_so(filled: Path) -> None:
    known = numbers(filled)
    code, told = typed(filled, "people", "resolve", known["Oslo"], known["Oslo"], "first")
    assert code == 1 and "nothing to settle" in told and known == numbers(filled)
    code, told = typed(filled, "people", "compare", "job", "nowhere", "neither", "Ana")
    assert code == 1 and "no conversation 'nowhere'" in told
    assert (
        "neither of them says anything of relationship"
        in typed(filled, "people", "compare", "relationship", "ca", "cb", "Ana")[1]
    )
    assert "Nothing is claimed of Ana" in typed(filled, "people", "timeline", "chess", "Ana")[1]
    for command, words in (("list", "Nobody is known yet"), ("reconcile", "nothing to decide")):
        assert words in typed(filled, "--namespace", "empty", "people", command)[1]


@pytest.mark.slow
def test_a_person_is_split_with_one_undo(filled: Path) -> None:
    listed = typed(filled, "people", "list")[1]
    first, second = re.findall(r"(\d+) Ana", listed)
    assert typed(filled, "people", "decide", first, second, "merge")[0] == 0
    assert re.search(rf"{first}, {second} Ana", typed(filled, "people", "list")[1])
    assert typed(filled, "people", "split", second)[0] == 0
    code, told = typed(filled, "people", "show", "Ana")
    assert code == 1 and f"#{first}" in told and f"#{second}" in told
    assert "boat" in typed(filled, "people", "show", f"#{second}")[1]
    assert typed(filled, "steward", "undo", "last")[0] == 0
    assert "boat" in typed(filled, "people", "show", "Ana")[1]
    assert "part of nobody else" in typed(filled, "people", "split", "999")[1]


def test_a_person_is_forgotten_and_their_namesake_stays(filled: Path) -> None:
    first, second = re.findall(r"(\d+) Ana", typed(filled, "people", "list")[1])
    typed(filled, "people", "decide", first, second, "separate")
    planned = typed(filled, "people", "forget", f"#{first}", "--dry-run")[1]
    assert "Oslo" in planned and "baker" not in planned
    code, told = typed(filled, "people", "forget", f"#{first}", "--with-others", "--yes")
    assert code == 0, told
    assert "boat" in typed(filled, "people", "show", "Ana")[1]
    with Engine.open(configuration.load(filled, {}), load=False, wait=False) as engine:
        left = [line.text for name in ("a", "b") for one in engine.reads.segments_of(name) for line in one.lines]
    assert left == ["I bought a boat.", "Nice."]


def test_no_command_reaches_into_another_namespace(filled: Path) -> None:
    told = typed(filled, "--namespace", "private", "people", "claims", "Zoe")[1]
    (claim,) = re.findall(r"claim (\d+)", told)
    (zoe,) = re.findall(r"(\d+) Zoe", typed(filled, "--namespace", "private", "people", "list")[1])
    for words in (
        ["claims", "Zoe"],
        ["claims", f"#{zoe}"],
        ["correct", claim, "Bergen"],
        ["resolve", claim, claim, "both"],
        ["split", zoe],
        ["forget", f"#{zoe}", "--yes"],
    ):
        code, told = typed(filled, "people", *words)
        assert code == 1 and "Ulmwood" not in told, words


@pytest.mark.slow
def test_what_the_list_and_the_timeline_name_can_be_shown(filled: Path) -> None:
    (udo,) = re.findall(r"(\d+) Udo", typed(filled, "people", "list")[1])
    first, _ = re.findall(r"(\d+) Ana", typed(filled, "people", "list")[1])
    for words in (["people", "show", first], ["people", "show", f"#{first}"], ["show", f"#{first}"]):
        code, told = typed(filled, *words)
        assert code == 0 and "Oslo" in told, words
    code, told = typed(filled, "show", "ca")
    assert code == 0 and " a a" in told and "2 turns" in told, "a conversation shows its sessions"
    assert "Nobody has the number 999" in typed(filled, "people", "show", "999")[1]
    code, told = typed(filled, "show", udo)
    assert code == 1 and f"pmg people show {udo}" in told
    assert "no conversation of that name" in typed(filled, "show", "nowhere")[1]


def test_a_conversation_in_another_namespace_is_not_shown(filled: Path) -> None:
    code, told = typed(filled, "show", "c")
    assert code == 1 and "There is no session 'c'" in told
    assert typed(filled, "--namespace", "private", "show", "c")[0] == 0


@pytest.mark.slow
def test_a_name_that_was_given_stands_in_what_is_known_of_them(filled: Path) -> None:
    number = re.findall(r"(\d+) Ana", typed(filled, "people", "list")[1])[0]
    assert typed(filled, "people", "rename", number, "Ana Brandt")[0] == 0
    assert "Ana Brandt lives in Oslo" in typed(filled, "people", "show", number)[1]
    assert typed(filled, "people", "rename", number, "")[0] == 0
    assert "Ana lives in Oslo" in typed(filled, "people", "show", number)[1]


def test_forgetting_a_person_says_before_and_after_that_others_still_name_them(filled: Path) -> None:
    number = re.findall(r"(\d+) Ana", typed(filled, "people", "list")[1])[0]
    told = "1 other turn names Ana: what others say stays."
    assert told in typed(filled, "people", "forget", number, "--dry-run")[1]
    code, said = typed(filled, "people", "forget", number, "--yes")
    assert code == 0 and said.endswith(f"{told} `pmg forget --query` forgets it.")
    assert "other turn" not in typed(filled, "people", "forget", "Ben", "--yes")[1]


@pytest.mark.slow
def test_sessions_that_are_said_to_be_of_one_conversation_share_their_people(filled: Path, tmp_path: Path) -> None:
    for day in ("2026-01-05", "2026-02-05"):
        file = tmp_path / f"{day}.txt"
        file.write_text(f"[{day} 10:00] Bram: I live in Ghent.\n[{day} 10:01] Chidi: Hello.\n")
        assert typed(filled, "--namespace", "team", "remember", str(file), "--conversation", "channel")[0] == 0
    listed = typed(filled, "--namespace", "team", "people", "list")[1]
    assert len(re.findall(r"Bram", listed)) == 1 and "channel" in listed
