"""What is printed and saved, from answers made by hand."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import figure, tables
from benchmarks.ablate import Worth
from benchmarks.bootstrap import Interval
from benchmarks.cases import AUDITED, RAW, Dataset
from benchmarks.metrics import Metric
from benchmarks.report import BenchReport, make, to_dict
from benchmarks.run import BenchRun, RankedAnswer
from pmg.base.errors import InputError
from pmg.config import Config
from tests.embedding import WordEmbedder

TURN, SEGMENT, BLOCK = Metric("turn", "R@10"), Metric("segment", "R@10"), Metric("context", "1000")


def answer(name: str, category: str, raw: float, audited: float | None, milliseconds: float) -> RankedAnswer:
    figures = {RAW: {TURN: raw, SEGMENT: raw, BLOCK: math.nan}}
    if audited is not None:
        figures[AUDITED] = {TURN: audited, SEGMENT: audited, BLOCK: math.nan}
    return RankedAnswer(name, category, figures, (milliseconds,))


@pytest.fixture
def report() -> BenchReport:
    answers = [
        answer("q1", "single-hop", 1.0, 1.0, 10.0),
        answer("q2", "multi-hop", 0.5, None, 20.0),
        answer("q3", "single-hop", 0.0, 1.0, 30.0),
        answer("q4", "adversarial", 1.0, 1.0, 40.0),
    ]
    dataset = Dataset(
        "locomo",
        (),
        ("multi-hop", "single-hop"),
        "two categories",
        True,
        Counter({"odd ones": 2}),
        {RAW: "as is", AUDITED: "mended"},
    )
    worth = Worth("chain", True, {"chain": 0.0}, {TURN: Interval(0.02, 0.01, 0.03, 3)})
    off = Worth("rerank", False, {}, {})
    done = BenchRun({"pmg": answers, "bm25": answers, "switched chain": answers}, Counter(memories=1))
    return make(dataset, WordEmbedder(), Config(Path()), done, [worth, off], "python -m benchmarks locomo x")


def test_the_saved_file_has_one_entry_a_ranking_with_its_levels(report: BenchReport) -> None:
    saved = json.loads(json.dumps(to_dict(report), allow_nan=False))
    assert list(saved["rankings"]) == ["pmg", "bm25"]
    ours = saved["rankings"]["pmg"]
    assert ours["turn"] == {"R@10": 50.0}
    assert ours["context"] == {"1000": None}
    assert ours["questions"] == 3
    assert ours["latency_ms"] == {"p50": 25.0, "p95": 38.5}
    assert saved["label_set"] == RAW
    assert saved["model"]["name"] == "words"
    assert saved["settings"]["mode"]
    assert saved["counts"]["skipped"] == {"odd ones": 2}


def test_categories_outside_the_headline_are_shown_last_and_by_themselves(report: BenchReport) -> None:
    groups = to_dict(report)["rankings"]["pmg"]["by_category"]
    assert list(groups) == ["multi-hop", "single-hop", "adversarial"]
    assert groups["adversarial"]["turn"] == {"R@10": 100.0}
    assert groups["single-hop"]["questions"] == 2


def test_audited_labels_have_their_own_figures_and_leave_out_what_has_no_label(report: BenchReport) -> None:
    audited = to_dict(report)["audited"]["rankings"]["pmg"]
    assert (audited["questions"], audited["turn"]) == (2, {"R@10": 100.0})


def test_what_a_part_is_worth_is_saved_with_its_interval(report: BenchReport) -> None:
    chain, rerank = to_dict(report)["ablations"]
    assert chain["worth"] == {"turn R@10": {"points": 2.0, "low": 1.0, "high": 3.0, "pairs": 3}}
    assert (rerank["on_by_default"], rerank["worth"]) == (False, {})


def test_the_report_does_not_name_the_machine(report: BenchReport) -> None:
    assert set(to_dict(report)["machine"]) == {"system", "architecture", "cores", "python"}


def test_markdown_holds_every_table_with_its_command(report: BenchReport) -> None:
    text = tables.markdown(report)
    assert "python -m benchmarks locomo x" in text
    assert "| PMG | 50.0 | 25.0 / 38.5 |" in text
    assert "| chain | on | +2.0 [+1.0, +3.0] |" in text
    assert "mended" in text and "2 odd ones" in text


def test_segment_figures_that_repeat_the_turn_figures_are_not_printed_twice(report: BenchReport) -> None:
    assert not [name for table in tables.tables(report) for name in table.head if name.startswith("segment")]


def test_a_chart_has_a_bar_for_every_ranking_and_level(report: BenchReport, tmp_path: Path) -> None:
    figure.write(report, tmp_path / "chart.json")
    bars = json.loads((tmp_path / "chart.json").read_text())["data"]
    assert {bar["name"] for bar in bars} == {tables.NAMES["pmg"], tables.NAMES["bm25"]}
    assert bars[0]["y"] == [50.0]


def test_a_chart_as_a_page_asks_nobody_for_anything(report: BenchReport, tmp_path: Path) -> None:
    figure.write(report, tmp_path / "chart.html")
    assert '<script src="http' not in (tmp_path / "chart.html").read_text()


def test_an_ending_that_cannot_be_written_is_refused_before_the_work() -> None:
    with pytest.raises(InputError, match=r"\.html"):
        figure.checked(Path("chart.bmp"))
