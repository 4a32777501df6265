"""`python -m benchmarks` as it is typed, on small files and the stand-in model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from benchmarks.commands import recall as command
from benchmarks.commands.recall import bench
from pmg.base.errors import ConfigError
from tests.benchmarks.synthetic import audit_rows, locomo_rows, longmemeval_rows, write
from tests.embedding import WordEmbedder

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "embedder_for", lambda model, progress: WordEmbedder())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path / "locomo-audit-errors.json", audit_rows())
    write(tmp_path / "locomo10.json", locomo_rows())
    write(tmp_path / "longmemeval_s.json.gz", longmemeval_rows())
    return tmp_path


def typed(*words: object) -> Result:
    return CliRunner().invoke(bench, [*(str(word) for word in words)])


def test_locomo_prints_and_saves_what_the_rankings_found(data: Path, tmp_path: Path) -> None:
    out, page, chart = (tmp_path / name for name in ("out.json", "out.md", "out.html"))
    result = typed("locomo", data, "--json", out, "--markdown", page, "--figure", chart)
    assert result.exit_code == 0, result.output
    assert "PMG" in result.output and "audited" in result.output
    saved = json.loads(out.read_text())
    assert set(saved["rankings"]) == {"pmg", "bm25", "dense", "rrf", "fixed"}
    assert set(saved["rankings"]["pmg"]["turn"]) == {"R@5", "R@10", "R@20"}
    assert set(saved["rankings"]["pmg"]["context"]) == {"500", "1000", "2000"}
    assert set(saved["rankings"]["pmg"]["session"]) == {"any@5", "all@5", "any@10", "all@10"}
    assert saved["audited"]["rankings"]["pmg"]["questions"] == 3
    assert page.read_text().startswith("## locomo")
    assert chart.stat().st_size > 1000


def test_longmemeval_prints_and_saves_with_a_limit(data: Path, tmp_path: Path) -> None:
    result = typed("longmemeval", data / "longmemeval_s.json.gz", "--limit", 1, "--json", tmp_path / "out.json")
    assert result.exit_code == 0, result.output
    saved = json.loads((tmp_path / "out.json").read_text())
    assert saved["rankings"]["pmg"]["segment"]["R@5"] == 100.0
    assert saved["counts"]["memories"] == 1
    assert "audited" not in saved


def test_a_second_run_saves_the_same_figures(data: Path, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        typed("locomo", data, "--json", tmp_path / name)
    first, second = (json.loads((tmp_path / name).read_text())["rankings"] for name in ("a.json", "b.json"))
    for rankings in (first, second):
        for ranking in rankings.values():
            ranking.pop("latency_ms")
    assert first == second


def test_ablate_adds_what_each_part_is_worth(data: Path, tmp_path: Path) -> None:
    result = typed("locomo", data, "--ablate", "--json", tmp_path / "out.json")
    assert result.exit_code == 0, result.output
    saved = json.loads((tmp_path / "out.json").read_text())
    assert {"lexical", "chain", "speaker", "dates"} <= {row["part"] for row in saved["ablations"]}
    assert not [name for name in saved["rankings"] if name.startswith("switched")]
    assert "What each part adds" in result.output


def test_a_knob_can_be_set_and_is_saved_with_the_figures(data: Path, tmp_path: Path) -> None:
    assert typed("locomo", data, "--set", "pool=50", "--json", tmp_path / "out.json").exit_code == 0
    assert json.loads((tmp_path / "out.json").read_text())["settings"]["pool"] == 50


def test_single_rankings_can_be_asked_for(data: Path, tmp_path: Path) -> None:
    words = ("locomo", data, "--only", "bm25", "--only", "dense", "--json", tmp_path / "out.json")
    assert typed(*words).exit_code == 0
    assert set(json.loads((tmp_path / "out.json").read_text())["rankings"]) == {"bm25", "dense"}
    assert typed("locomo", data, "--only", "nosuch").exit_code == 1


def test_a_knob_without_a_value_or_a_name_is_refused(data: Path) -> None:
    with pytest.raises(ConfigError, match="has no value"):
        command.given(["pool"])
    assert typed("locomo", data, "--set", "nosuch=1").exit_code == 1


def test_a_missing_file_is_a_sentence_and_exit_code_1(tmp_path: Path) -> None:
    result = typed("locomo", tmp_path / "nothing.json")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)


def test_the_saved_command_does_not_tell_the_folders_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", "locomo", "/some/where/locomo10.json", "--json", "/x/out.json"])
    assert command._command() == "python -m benchmarks locomo locomo10.json --json out.json"
