"""The commands, as a person types them. Most look only, so no model is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg import config as configuration
from pmg.base.model import State
from pmg.cli import steward as _commands  # noqa: F401  (adds `steward` to the app)
from pmg.cli.root import app
from pmg.engine import Engine
from pmg.forget import Selection, forget, plan
from steward import archive, topic_groups
from steward.merge import list_pairs
from steward.retold import BlockedPair
from steward.steward import Steward
from steward.topic_groups import Embed, TopicUnit, Vectors
from tests.embedding import WordEmbedder
from tests.steward.memories import NOON, SAME, tell


@pytest.fixture
def filled(home: Path) -> Path:
    with Engine.open(configuration.load(home, {}), load=False, wait=False) as engine:
        tell(engine, "one", *SAME)
        archive.move(Steward(engine, lambda: NOON)._work("test"), [1], State.ACTIVE, State.ARCHIVED, "test")
    return home


def typed(home: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["--home", str(home), "steward", *words])
    return done.exit_code, done.output


def test_plan_history_archived_restore_pin_and_undo(filled: Path) -> None:
    code, plan = typed(filled, "plan", "score", "merge", "archive")
    assert (code, [line.split()[0] for line in plan.splitlines()]) == (0, ["score", "merge", "archive"])
    assert "archive" in typed(filled, "history")[1]
    assert "seg_one_0" in typed(filled, "archived")[1]
    assert typed(filled, "restore", "seg_one_0") == (0, "1 back in recall.\n")
    assert typed(filled, "pin", "seg_one_0") == (0, "1 pinned.\n")
    assert "pin" in typed(filled, "undo", "last")[1]
    assert "Nothing to review." in typed(filled, "review")[1]
    assert "No topics yet" in typed(filled, "topics")[1]


def test_an_undo_is_offered_where_there_is_something_to_undo(
    home: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    code, told = typed(filled, "run", "score")
    assert code == 0 and "Undo all of it: pmg steward undo " in told
    code, told = typed(filled, "run", "archive", "backup")
    assert code == 0 and "Undo" not in told
    assert "Undone: 1 change (" in typed(filled, "undo", "last")[1]


def test_the_last_undo_leaves_out_what_changed_forgotten_memories_and_says_so(filled: Path) -> None:
    assert typed(filled, "pin", "seg_one_1")[0] == 0
    with Engine.open(configuration.load(filled, {}), load=False, wait=False) as engine:
        forget(engine, plan(engine, Selection(segments=("seg_one_1",))))
    code, told = typed(filled, "undo", "2")
    assert (
        code == 1
        and "Entry 2 (pin) cannot be undone: one of its memories was forgotten. `pmg steward undo last`" in told
    )
    code, told = typed(filled, "undo", "last")
    assert code == 0 and "Undone: 1 change (archive) of run" in told
    assert "Left out: 1 change (pin) to memories that were forgotten since." in told
    assert "There is nothing to undo" in typed(filled, "undo", "last")[1]


def test_an_undo_with_nothing_left_says_so(home: Path, filled: Path) -> None:
    assert typed(filled, "undo", "last")[0] == 0
    code, told = typed(filled, "undo", "last")
    assert code == 1 and "There is nothing to undo" in told


def test_an_empty_archive_says_that_it_is_empty(home: Path, filled: Path) -> None:
    typed(filled, "restore", "seg_one_0")
    assert typed(filled, "archived") == (0, "The archive is empty.\n")
    assert typed(filled, "restore", "seg_one_0") == (0, "Nothing to bring back: all of it is in recall.\n")


def test_pinning_what_is_archived_says_that_it_still_is(filled: Path) -> None:
    assert "Still in the archive: seg_one_0." in typed(filled, "pin", "seg_one_0")[1]


def test_a_report_that_is_off_is_told_where_it_was_asked_for(
    home: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    assert "steward.report is off" in typed(filled, "run", "report")[1]
    assert ", report; none" in " ".join(typed(filled, "run", "--help")[1].replace("│", " ").split())


def test_what_a_plan_would_list_is_told_where_it_is_not_listed_yet(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        tell(engine, "one", "The soup of day 3 needs 3 lentils", "The cat sees the vet")
    assert "to list for review" in typed(home, "plan", "merge")[1]
    told = typed(home, "review")[1]
    assert "Nothing to review." in told and "2 memories were not compared yet: `pmg steward run merge`" in told
    assert typed(home, "run", "merge")[0] == 0
    assert "not compared yet" not in typed(home, "review")[1]


def test_the_review_list_is_shown_in_part(home: Path) -> None:
    with Engine.open(configuration.load(home, {}), load=False, wait=False) as engine:
        tell(engine, "one", *(f"The soup of day {day} needs {day} lentils" for day in range(3)))
        pairs = [BlockedPair(a, b, 0.9, ("number",)) for a, b in ((1, 2), (1, 3), (2, 3))]
        list_pairs(Steward(engine, lambda: NOON)._work("test"), pairs)
    told = typed(home, "review", "--limit", "2")[1]
    assert told.count("pair ") == 2 and "3 to decide, 2 shown (--limit 3 shows all)" in told
    assert typed(home, "review")[1].count("pair ") == 3


def test_the_newest_entries_are_none_or_some(filled: Path) -> None:
    assert typed(filled, "history", "--limit", "0") == (0, "")
    code, told = typed(filled, "history", "--limit", "-1")
    assert code == 2 and "memory.duckdb" not in told


def test_mistakes_are_told_in_a_sentence(filled: Path) -> None:
    for words in (["undo", "4711"], ["plan", "tidy"], ["review", "--keep", "9"], ["restore", "seg_nobody_1"]):
        code, _ = typed(filled, *words)
        assert code == 1


def test_the_journal_holds_no_word_of_anybodys_text(filled: Path) -> None:
    with Engine.open(configuration.load(filled, {}), load=False, wait=False) as engine:
        told = " ".join(e.reason + e.before + e.after for e in engine.reads.journal(1000))
    assert "Berlin" not in told


def test_a_plan_finds_topics_with_the_model_as_a_run_does(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine.open(configuration.load(home, {}), embedder=WordEmbedder()) as engine:
        tell(engine, "one", *SAME)
    monkeypatch.setattr("pmg.ingest.model_in_force.open_embedder", lambda *_: WordEmbedder())
    monkeypatch.setenv("PMG_EMBED_MODEL", "stand-in")
    read_titles: list[bool] = []
    directions = topic_groups.directions

    def noted(said: Vectors, units: Sequence[TopicUnit], embed: Embed | None) -> Vectors:
        read_titles.append(embed is not None)
        return directions(said, units, embed)

    monkeypatch.setattr(topic_groups, "directions", noted)
    assert [typed(home, what, "links")[0] for what in ("plan", "run")] == [0, 0]
    assert read_titles == [True, True]
