"""The measure of what redaction removes counts what it says it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import redact_recall
from benchmarks.__main__ import load_commands
from benchmarks.commands.recall import bench
from benchmarks.redact_recall import KindRecall
from pmg.ingest.redact import Redactor
from pmg.ingest.redact.tokens import TOKENS


@pytest.fixture(scope="module")
def kinds() -> list[KindRecall]:
    return redact_recall.measure(values=1)


def test_every_kind_of_the_token_tables_is_measured_in_several_surroundings(kinds: list[KindRecall]) -> None:
    measured = {kind.kind: kind for kind in kinds}
    assert {row.name for row in TOKENS} <= measured.keys()
    assert all(kind.texts >= 4 for kind in kinds)


def test_nearly_every_secret_of_a_kind_that_the_tables_name_is_removed(kinds: list[KindRecall]) -> None:
    assert redact_recall.total(kinds).percent >= redact_recall.GOAL
    assert [kind for kind in kinds if kind.percent < 75] == []


def test_without_rules_nothing_counts_as_removed() -> None:
    assert redact_recall.total(redact_recall.measure(values=1, redactor=Redactor(rules=()))).removed == 0


def test_the_values_of_a_sample_differ() -> None:
    texts = [secret.text for secret in redact_recall.planted(2)]
    assert len(set(texts)) == len(texts)


def test_the_command_prints_a_row_a_kind_and_saves_the_figures(tmp_path: Path) -> None:
    load_commands()
    file = tmp_path / "recall.json"
    result = CliRunner().invoke(bench, ["redact", "--recall", "--json", str(file)])
    assert result.exit_code == 0, result.output
    saved = json.loads(file.read_text("utf-8"))
    assert len(saved) > 100 and all(row["kind"] in result.output for row in saved)
