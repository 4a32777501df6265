"""The weights of an answer, fitted on a small file: the folds, and what is saved."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import answer_fit, answers
from benchmarks.answer_fit import SAMPLE, FitQuestion
from benchmarks.commands import answers as bench_answers
from benchmarks.commands import recall as command
from benchmarks.commands.recall import bench
from pmg.chat import answer_scoring
from pmg.chat.answer_scoring import FITTED, SIGNALS
from tests.benchmarks.synthetic import locomo_rows, write
from tests.embedding import WordEmbedder

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> list[FitQuestion]:
    file = write(tmp_path_factory.mktemp("fit") / "locomo10.json", [*locomo_rows(), *locomo_rows()])
    return answer_fit.gather(answers.locomo_cases(file), WordEmbedder())


def test_a_question_of_another_memory_has_no_answer_here(questions: list[FitQuestion]) -> None:
    foreign = [one for one in questions if one.foreign]
    assert foreign and not any(one.answerable or any(one.holds) for one in foreign)
    assert any(any(one.holds) for one in questions)


def test_no_memory_is_on_both_sides_of_a_fold(questions: list[FitQuestion]) -> None:
    found = list(answer_fit.folds(questions))
    assert len(found) == 2
    for _, train, test in found:
        assert train and test and not {one.memory for one in train} & {one.memory for one in test}


def test_the_sample_is_held_out_whole_and_then_in_halves(questions: list[FitQuestion]) -> None:
    mine = [replace(one, memory=SAMPLE) for one in questions[:4]]
    later = [replace(one, question=replace(one.question, group="sample, unseen")) for one in mine[2:]]
    own = [replace(one, question=replace(one.question, group=SAMPLE)) for one in mine[:2]]
    tests = {name: test for name, _, test in answer_fit.folds([*questions[4:], *own, *later])}
    assert tests["sample, fitted on LoCoMo alone"] == [*own, *later]
    assert tests["sample, its own questions"] == own and tests["sample, those written later"] == later


def test_each_kind_of_memory_counts_the_same(questions: list[FitQuestion]) -> None:
    some = [*questions, replace(questions[0], memory=SAMPLE)]
    counts = answer_fit.kind_weights(some)
    assert counts[:-1].sum() == pytest.approx(counts[-1])


def test_fitted_weights_rank_the_evidence_at_least_as_well_as_none(questions: list[FitQuestion]) -> None:
    nothing = dict.fromkeys(SIGNALS, 0.0)
    weights = answer_fit.fitted_weights(questions)
    assert answer_fit.reached(questions, weights).first >= answer_fit.reached(questions, nothing).first
    assert weights["by_another"] <= 0 <= weights["words"]


def test_the_fit_is_saved_as_the_table_that_answers_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "embedder_for", lambda model, progress: WordEmbedder())
    monkeypatch.setattr(answers, "sample_cases", lambda more: [])
    file = write(tmp_path / "locomo10.json", [*locomo_rows(), *locomo_rows()])
    saved = tmp_path / "weights.json"
    done = CliRunner().invoke(bench, ["answers", "--locomo", str(file), "--fit", str(saved)])
    assert done.exit_code == 0, done.output
    assert "| LoCoMo, fold 1 |" in done.output
    assert bench_answers.folds_as_markdown([]).startswith("| fold | questions | quoted |")
    table = answer_scoring.read_weights(saved.read_text())
    assert "of LoCoMo" in table.origin and table.weights.keys() == FITTED.weights.keys()


def test_a_table_with_an_unknown_signal_is_refused() -> None:
    table = {"origin": "", "weights": {"luck": 1.0}, "chance": {}, "presence": {}}
    with pytest.raises(ValueError, match="luck"):
        answer_scoring.read_weights(json.dumps(table))
