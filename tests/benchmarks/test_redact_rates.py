"""The redaction benchmark measures what it says it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import redact
from benchmarks.__main__ import load_commands
from benchmarks.commands.recall import bench

SMALL = 0.01


@pytest.fixture(scope="module")
def rates() -> dict[str, redact.RedactionRate]:
    return {rate.kind: rate for rate in redact.measure(SMALL)}


def test_every_kind_is_measured_on_as_much_text_as_was_asked_for(rates: dict[str, redact.RedactionRate]) -> None:
    assert rates.keys() == redact.KINDS.keys()
    assert all(rate.megabytes == pytest.approx(SMALL) and rate.seconds > 0 for rate in rates.values())


def test_files_full_of_secrets_hold_them_and_talk_holds_none(rates: dict[str, redact.RedactionRate]) -> None:
    for kind in ("JSON full of secrets", "env files", "XML", "HTTP headers", "every rule in turn"):
        assert rates[kind].secrets > 50, kind
    for kind in ("chat", "code", "logs and addresses", "JSON full of names"):
        assert rates[kind].secrets == 0, kind


def test_the_goal_of_talk_is_its_own() -> None:
    assert redact.RedactionRate("chat", 2.0, 0.1, 0).rate == pytest.approx(20.0)
    assert redact.RedactionRate("chat", 2.0, 0.1, 0).goal == 25.0
    assert redact.RedactionRate("XML", 1.0, 0.5, 0).goal == 5.0


def test_the_command_prints_a_row_a_kind_and_saves_the_figures(tmp_path: Path) -> None:
    load_commands()
    file = tmp_path / "rates.json"
    result = CliRunner().invoke(bench, ["redact", "--mb", "0.002", "--json", str(file)])
    assert result.exit_code == 0, result.output
    assert all(kind in result.output for kind in redact.KINDS)
    assert {row["kind"] for row in json.loads(file.read_text("utf-8"))} == redact.KINDS.keys()


def test_no_text_is_refused() -> None:
    load_commands()
    assert CliRunner().invoke(bench, ["redact", "--mb", "0"]).exit_code != 0
