"""The commands: a preview and a question before anything goes, a receipt after."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pmg.cli.main import load_commands
from pmg.cli.root import app
from pmg.engine import Engine
from tests.embedding import WordEmbedder
from tests.forget.memory import fill, holding

PART = "under the third blue flowerpot"


@pytest.fixture
def run(engine: Engine, home: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    fill(engine)
    engine.close()
    opened = Engine.open

    def with_stand_in(config, **options):  # type: ignore[no-untyped-def]
        return opened(config, embedder=WordEmbedder(), progress=options.get("progress", lambda *_: None))

    monkeypatch.setattr(Engine, "open", with_stand_in)
    load_commands()
    return lambda *words, **more: CliRunner().invoke(app, ["--home", str(home), *words], **more)


def test_it_shows_asks_and_changes_nothing_without_a_yes(run, home: Path) -> None:  # type: ignore[no-untyped-def]
    shown = run("forget", "seg_one_1", "--dry-run")
    assert shown.exit_code == 0 and "1  segment\n" in shown.output and "Zara keeps" in shown.output
    refused = run("forget", "seg_one_1", input="n\n")
    assert refused.exit_code == 1
    assert holding(home, PART)


def test_yes_forgets_and_prints_the_receipt(run, home: Path) -> None:  # type: ignore[no-untyped-def]
    done = run("forget", "--query", "blue flowerpot", "--yes")
    assert done.exit_code == 0, done.output
    assert "no trace of it" in done.output
    assert holding(home, PART) == []
    again = run("forget", "--query", "blue flowerpot", "--person", "Nobody", "--yes")
    assert "Nothing was changed" in again.output


def test_words_that_nobody_said_forget_nothing_and_show_the_nearest(run, home: Path) -> None:  # type: ignore[no-untyped-def]
    for more in ("--dry-run", "--yes"):
        told = run("forget", "--query", "flowerpot swordfish", more)
        assert told.exit_code == 0 and "No turn here holds these words" in told.output
        assert "none of them is selected" in told.output and "seg_one_1" in told.output
    assert holding(home, PART)


def test_a_wrong_name_is_told_with_the_mend(run) -> None:  # type: ignore[no-untyped-def]
    wrong = run("forget", "seg_none_1", "--yes")
    assert wrong.exit_code == 1
    assert run("forget", "--yes").exit_code == 1
    assert run("redact").exit_code == 1


def test_a_rescan_without_findings_changes_nothing(run) -> None:  # type: ignore[no-untyped-def]
    done = run("redact", "--rescan")
    assert done.exit_code == 0 and "Nothing was changed" in done.output
