"""`pmg --server`: the command line on the memory of a server elsewhere, through the Python client, with a token of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pmg.cli.main import load_commands
from pmg.cli.root import ELSEWHERE, app
from pmg.connections.client_tokens import ClientTokens
from tests.browser.conftest import Served

load_commands()
Run = Callable[..., Result]


@pytest.fixture
def run(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """On a machine whose own memory is elsewhere and empty."""
    monkeypatch.setenv("PMG_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("PMG_SERVER", served.address)
    monkeypatch.setenv("PMG_TOKEN", ClientTokens(served.home).make("laptop", "work"))
    yield lambda *words: CliRunner().invoke(app, list(words))
    ClientTokens(served.home).revoke("laptop")


def test_what_is_told_there_is_found_there_in_the_namespace_of_the_token(
    run: Run, served: Served, tmp_path: Path
) -> None:
    told = run("remember", "--user", "Anna works at Siemens", "--assistant", "noted", "--session", "jobs")
    assert told.output.strip() == "Remembered as seg_jobs_0."
    kept = served.engine.reads.session("jobs")
    assert kept is not None and (kept.namespace, kept.source) == ("work", "laptop")
    assert "Anna works at Siemens" in run("recall", "where does Anna work?", "--why").output
    assert "Anna works at Siemens" in run("ask", "Where does Anna work?").output
    assert "User: Anna works at Siemens" in run("show", "jobs").output
    assert "User: Anna works at Siemens" in run("show", "seg_jobs_0").output
    assert [one["session"] for one in json.loads(run("sessions", "--json").output)] == ["jobs"]
    assert run("stats").output.startswith("sessions  1 ")
    assert not (tmp_path / "own").exists(), "nothing is made on this machine"


def test_a_file_is_sent_there(run: Run, served: Served, tmp_path: Path) -> None:
    file = tmp_path / "talk.txt"
    file.write_text("User: the cat sees the vet\nAssistant: noted\n", encoding="utf-8")
    assert run("remember", str(file)).output.startswith("1 turn of 1 session remembered")
    assert "the cat sees the vet" in run("recall", "the cat and the vet").output


def test_what_cannot_be_done_there_says_what_can(run: Run, tmp_path: Path) -> None:
    done = run("backup", str(tmp_path / "copy"))
    assert done.exit_code != 0 and str(done.exception).endswith("for the memory here.")
    assert all(name in str(done.exception) for name in ELSEWHERE)
    assert run("--server", "", "stats").output.startswith("sessions  0 ")


def test_an_unknown_session_a_missing_token_and_a_bad_address_are_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "There is no session 'nope'" in run("show", "nope").stderr
    assert "is no address of a server" in run("--server", "studio", "stats").stderr
    monkeypatch.delenv("PMG_TOKEN")
    assert "wants a token in PMG_TOKEN" in run("stats").stderr


def test_a_token_that_was_taken_back_opens_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMG_TOKEN", "pmg_" + "x" * 20)
    done = run("stats")
    assert done.exit_code == 1 and "token" in done.stderr and not done.stdout
