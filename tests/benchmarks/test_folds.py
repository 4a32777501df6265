"""Weights chosen on some memories and tested on the others, over the signals of small real memories."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import folds, locomo, longmemeval, run, signals
from benchmarks.cases import BenchQuestion, Dataset, joined, sampled
from benchmarks.rankings import rankers
from benchmarks.signals import QuestionSignals
from pmg.base.errors import InputError
from tests.benchmarks.synthetic import locomo_rows, longmemeval_rows, write
from tests.embedding import WordEmbedder


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return longmemeval.load(write(tmp_path_factory.mktemp("lme") / "longmemeval_s.json", longmemeval_rows()))


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return locomo.load(write(tmp_path_factory.mktemp("locomo") / "locomo10.json", locomo_rows()))


@pytest.fixture(scope="module")
def asked(talks: Dataset) -> list[QuestionSignals]:
    case = talks.cases[0]
    with run.memory(case, WordEmbedder(), Counter()) as engine:
        return [signals.collect(engine, question, {}) for question in case.questions]


def test_signals_rank_the_lines_as_recall_does(talks: Dataset) -> None:
    case = talks.cases[0]
    with run.memory(case, WordEmbedder(), Counter()) as engine:
        for question in case.questions:
            known = signals.collect(engine, question, {})
            scores = known.scores()
            assert scores is not None
            order = [known.refs[row] for row in known.order(scores)]
            assert order == list(rankers()["pmg"](engine, question).lines)


def test_a_question_is_written_with_the_rank_and_signals_of_its_gold(
    asked: list[QuestionSignals], tmp_path: Path
) -> None:
    signals.write(tmp_path / "out.jsonl", asked)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["question"] for row in rows] == [one.question for one in asked]
    gold = rows[0]["gold"][0]
    assert gold["rank"] == 1
    assert gold["signals"]["total"] == pytest.approx(
        sum(v for k, v in gold["signals"].items() if k != "total"), abs=0.01
    )
    assert rows[0]["first"][0]["segment"] == gold["segment"]


def test_each_fold_is_tested_on_memories_it_was_not_chosen_on(asked: list[QuestionSignals]) -> None:
    found = folds.cross_validated([asked[:2], asked[2:]], 2)
    assert [fold.questions for fold in found] == [2, len(asked) - 2]
    assert {fold.chosen for fold in found} <= {name for name, _ in folds.variants()}
    for fold in found:
        assert set(fold.train) == set(fold.test) == set(folds.SHOWN)
        assert sum(fold.train.values()) >= sum(fold.today_train.values())


def test_more_folds_than_memories_are_refused(asked: list[QuestionSignals]) -> None:
    with pytest.raises(InputError, match="--folds is 3"):
        folds.cross_validated([asked[:2], asked[2:]], 3)


def test_variants_change_one_weight_each_and_today_s_come_first() -> None:
    tried = list(folds.variants())
    assert tried[0] == (folds.TODAY, folds.WEIGHTS)
    assert len({name for name, _ in tried}) == len(tried)
    assert all(weights != folds.WEIGHTS for _, weights in tried[1:])


def questions_of(dataset: Dataset) -> list[BenchQuestion]:
    return [question for case in dataset.cases for question in case.questions]


def test_a_sample_takes_from_every_category_in_turn_and_is_the_same_each_time(talks: Dataset) -> None:
    three = sampled(talks, 3, 1)
    assert len({question.category for question in questions_of(three)}) == 3
    assert questions_of(three) == questions_of(sampled(talks, 3, 1))
    assert questions_of(sampled(talks, None, 1)) == questions_of(talks)
    assert {q.id for q in questions_of(sampled(talks, 100, 5))} == {q.id for q in questions_of(talks)}
    with pytest.raises(InputError, match="--questions is 0"):
        sampled(talks, 0, 1)


def test_several_files_are_one_benchmark(chats: Dataset) -> None:
    both = joined([chats, chats])
    assert len(both.cases) == 2 * len(chats.cases)
    assert both.skipped["abstention questions"] == 2
