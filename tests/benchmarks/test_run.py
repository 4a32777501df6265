"""A whole run on small files: real engine, real indexes, the stand-in model."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks import ablate, locomo, longmemeval, rankings, report, run
from benchmarks.cases import RAW, Dataset, LineRef
from benchmarks.metrics import BUDGETS, Metric, Ranked
from pmg import config as configuration
from pmg.config import Config, RecallConfig
from tests.benchmarks.synthetic import audit_rows, locomo_rows, longmemeval_rows, write
from tests.embedding import WordEmbedder

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("locomo")
    write(folder / locomo.AUDIT_FILE, audit_rows())
    return locomo.load(write(folder / "locomo10.json", locomo_rows()))


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("longmemeval")
    return longmemeval.load(write(folder / "longmemeval_s.json", longmemeval_rows()))


def first_answers(dataset: Dataset) -> dict[str, Ranked]:
    """What every ranking gives to the first question of the first memory."""
    case = dataset.cases[0]
    with run.memory(case, WordEmbedder(), Counter()) as engine:
        return {name: rank(engine, case.questions[0]) for name, rank in rankings.rankers().items()}


@pytest.fixture(scope="module")
def of_talks(talks: Dataset) -> dict[str, Ranked]:
    return first_answers(talks)


@pytest.fixture(scope="module")
def of_chats(chats: Dataset) -> dict[str, Ranked]:
    return first_answers(chats)


@pytest.mark.parametrize("name", list(rankings.rankers()))
def test_every_ranking_finds_the_turn_that_has_the_question_s_words(of_talks: dict[str, Ranked], name: str) -> None:
    assert of_talks[name].lines[0] == LineRef("seg_s0001_0", 0)


@pytest.mark.parametrize("name", list(rankings.rankers()))
def test_every_ranking_names_each_thing_once_and_in_the_gold_s_words(of_chats: dict[str, Ranked], name: str) -> None:
    found = of_chats[name]
    assert LineRef("seg_s0001_1", 0) in found.lines
    for ranked in (found.lines, found.segments, found.sessions):
        assert len(set(ranked)) == len(ranked)
    assert set(found.sessions) <= {"s0001", "s0002"}
    assert found.segments[0] == "seg_s0001_1"


def test_the_words_floor_finds_only_lines_that_share_a_word(of_chats: dict[str, Ranked]) -> None:
    assert LineRef("seg_s0002_0", 1) not in of_chats["bm25"].lines
    assert LineRef("seg_s0002_0", 1) in of_chats["dense"].lines


def test_the_fused_floor_is_made_of_both(of_chats: dict[str, Ranked]) -> None:
    assert set(of_chats["rrf"].lines) == {*of_chats["bm25"].lines, *of_chats["dense"].lines}


@pytest.mark.parametrize("name", ["pmg", "fixed"])
def test_a_block_of_each_size_is_looked_into(of_talks: dict[str, Ranked], name: str) -> None:
    contexts = of_talks[name].contexts
    assert tuple(contexts) == BUDGETS
    assert LineRef("seg_s0001_0", 0) in contexts[500]


def test_asking_changes_nothing_in_the_memory(talks: Dataset) -> None:
    case = talks.cases[0]
    with run.memory(case, WordEmbedder(), Counter()) as engine:
        for rank in rankings.rankers().values():
            rank(engine, case.questions[0])
        hits = [s.hits for session in case.sessions for s in engine.reads.segments_of(session.id)]
        assert hits and set(hits) == {0}


def test_the_person_s_own_settings_stay_out_of_it(talks: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMG_RECALL_LIMIT", "1")
    with run.memory(talks.cases[0], WordEmbedder(), Counter()) as engine:
        assert engine.config.recall == RecallConfig()


def test_two_runs_give_the_same_figures(talks: Dataset) -> None:
    first, second = (run.run(talks, WordEmbedder(), rankings.rankers()) for _ in range(2))
    for name, answers in first.answers.items():
        assert [a.figures for a in answers] == [a.figures for a in second.answers[name]]
    assert first.counts == second.counts


def test_a_run_counts_what_it_built_and_shows_how_far_it_is(chats: Dataset) -> None:
    shown: list[tuple[str, int, int]] = []
    done = run.run(chats, WordEmbedder(), rankings.rankers(), lambda *step: shown.append(step))
    assert (done.counts["memories"], done.counts["sessions"], done.counts["segments"]) == (2, 4, 8)
    assert shown[-1] == ("asking questions", 2, 2)
    assert [answer.question for answer in done.answers["pmg"]] == ["q1", "q4"]


def test_a_question_whose_messages_are_not_marked_counts_for_sessions_alone(chats: Dataset) -> None:
    done = run.run(chats, WordEmbedder(), {"bm25": rankings.rankers()["bm25"]})
    summary = report.summarise(done.answers["bm25"], RAW, chats.headline)
    assert summary.questions == 2
    assert summary.figures[Metric("turn", "R@20")] == 100.0  # q1 alone: q4 has no marked message
    assert summary.figures[Metric("session", "all@5")] == 100.0


def test_the_published_expansion_is_asked_for_with_its_published_values() -> None:
    settings = configuration.with_values(Config(Path()), {"recall": dict(rankings.PUBLISHED)}, "the test").recall
    assert (settings.mode, settings.top_k, settings.lateral, settings.vertical) == ("fixed", 3, 3, 2)


def test_a_part_is_switched_and_compared_with_ours(talks: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {
        "expansion": ablate.Switch({"mode": "fixed", "top_k": 1, "lateral": 0, "vertical": 0}, {}),
        "little": ablate.Switch({"limit": 20}, {"limit": 1}),
        "nothing": ablate.Switch({"lexical": True}, {}),
    }
    monkeypatch.setattr(ablate, "ABLATIONS", table)
    rankers = {"pmg": rankings.rankers()["pmg"]} | ablate.rankers(RecallConfig(), {})
    assert list(rankers) == ["pmg", "switched expansion", "switched little"]
    done = run.run(talks, WordEmbedder(), rankers)
    expansion, little, nothing = ablate.worths(done, RecallConfig(), talks.headline)
    # One entry cannot hold both turns of the second question: what is on by default is worth what is lost without it.
    assert expansion.default and expansion.added[Metric("turn", "R@10")].mean > 0
    assert expansion.added[Metric("turn", "R@10")].pairs == 4
    # A block of one segment holds less: what is off by default is worth what it would add.
    assert not little.default and little.added[Metric("context", "1000")].mean < 0
    assert nothing.added == {}


def test_every_ablation_gives_values_that_recall_takes_and_changes_something() -> None:
    for part, switch in ablate.ABLATIONS.items():
        for knobs in (switch.off, switch.on):
            configuration.with_values(Config(Path()), {"recall": dict(knobs)}, part)
        changed = ablate.other(switch, RecallConfig())
        assert all(getattr(RecallConfig(), name) != value for name, value in changed.items())
