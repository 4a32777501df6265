"""The figures of the chat's answers, on a small file and by hand."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import answers
from benchmarks.answers import AnswerQuestion, AnswerResult
from benchmarks.cases import RAW, BenchQuestion, Gold, LineRef
from benchmarks.commands import answers as bench_answers
from benchmarks.commands import recall as command
from benchmarks.commands.recall import bench
from pmg.answer.evidence import Quote, QuoteKind, Tone
from pmg.chat.responder import ChatAnswer
from tests.benchmarks.synthetic import locomo_rows, longmemeval_rows, write
from tests.embedding import WordEmbedder

AT = datetime(2026, 1, 1, tzinfo=UTC)


def quote(segment: str, text: str, kind: QuoteKind = QuoteKind.ANSWER) -> Quote:
    return Quote(segment, 0, 0, len(text), text, "Ada", AT, "", kind)


def question(*gold: str, answer: str = "red bicycle") -> AnswerQuestion:
    asked = BenchQuestion("q", "Which?", "single-hop", {RAW: Gold(frozenset(LineRef(g, 0) for g in gold), frozenset())})
    return AnswerQuestion(asked, "g", answer, False)


def result(one: AnswerQuestion, *quotes: Quote, tone: Tone = Tone.UNSURE, answerable: bool = True) -> AnswerResult:
    return answers.measured(
        one, ChatAnswer("", quotes, tone=tone), answers.gold_of(one), answerable, False, "a red car"
    )


def test_the_first_passage_is_the_answer_with_what_stands_around_it() -> None:
    around = (quote("seg_s_1", "a", QuoteKind.AROUND), quote("seg_s_2", "b"), quote("seg_s_3", "c", QuoteKind.AROUND))
    other = (quote("seg_t_1", "d", QuoteKind.AROUND), quote("seg_t_2", "e"))
    assert answers.first_passage((*around, *other)) == 3
    assert answers.first_passage(around) == 3 and answers.first_passage(()) == 0


def test_gold_in_what_stands_around_is_quoted_but_not_as_the_answer() -> None:
    found = result(question("seg_s_1"), quote("seg_s_1", "the red one", QuoteKind.AROUND), quote("seg_s_2", "x"))
    assert found.quoted and found.first and not found.anchored
    assert found.words_first == 0.5 and found.floor_words == 0.5 and found.length == 12


def test_wrong_while_sure_and_denials_are_counted() -> None:
    one = question("seg_s_1")
    rows = [
        result(one, quote("seg_s_1", "x"), tone=Tone.SURE),
        result(one, quote("seg_s_9", "x"), tone=Tone.SURE),
        result(one, tone=Tone.NOTHING),
        result(one, quote("seg_s_9", "x")),
    ]
    (figures,) = answers.figures(rows)
    assert (figures.questions, figures.sure, figures.wrong_while_sure, figures.right_if_sure) == (4, 0.5, 0.25, 0.5)
    assert figures.quoted == 0.25 and figures.denied == 0.25


def test_whoever_is_sure_of_what_has_no_answer_is_wrong() -> None:
    found = result(question("seg_s_1"), quote("seg_s_1", "x"), tone=Tone.SURE, answerable=False)
    assert answers.figures([found])[0].wrong_while_sure == 1.0


def test_words_of_an_answer_that_is_not_known_stay_out_of_the_means() -> None:
    assert math.isnan(answers.words_in("", ["anything"]))


def test_the_categories_that_a_quote_can_answer_are_asked(tmp_path: Path) -> None:
    (case,) = answers.locomo_cases(write(tmp_path / "locomo10.json", locomo_rows()))
    assert {one.group for one in case.questions} == {
        "LoCoMo single-hop",
        "LoCoMo multi-hop",
        "LoCoMo temporal",
        "LoCoMo adversarial",
    }
    assert case.questions[0].answer == "a vet"


def test_answers_prints_and_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "embedder_for", lambda model, progress: WordEmbedder())
    monkeypatch.setattr(answers, "sample_cases", lambda more: [])
    file = write(tmp_path / "locomo10.json", locomo_rows())
    chats = write(tmp_path / "longmemeval_s.json", longmemeval_rows())
    words = ["answers", "--locomo", str(file), "--longmemeval", str(chats)]
    words += ["--json", str(tmp_path / "out.json"), "--markdown", str(tmp_path / "out.md")]
    done = CliRunner().invoke(bench, words)
    assert done.exit_code == 0, done.output
    saved = json.loads((tmp_path / "out.json").read_text())
    assert {row["group"] for row in saved["figures"]} >= {"LoCoMo single-hop", "LoCoMo adversarial", "LongMemEval"}
    assert (tmp_path / "out.md").read_text().startswith("| group | questions |")


def test_a_figure_that_could_not_be_measured_is_left_empty() -> None:
    one = question("seg_s_1", answer="")
    table = bench_answers.as_markdown(answers.figures([result(one, quote("seg_s_1", "x"))]))
    assert "| g | 1 | 100.0 | 100.0 | 100.0 |  |  | 0.0 |" in table


def test_the_questions_written_later_name_turns_that_exist() -> None:
    (case,) = answers.sample_cases(Path(__file__).parents[2] / "data" / "sample_questions_more.jsonl")
    known = {f"seg_{session.id}_{i}" for session in case.case.sessions for i in range(len(session.turns))}
    groups = {one.group for one in case.questions}
    assert {"sample", "sample, develop", "sample, final", "sample, final, nothing to find", "sample, unseen"} <= groups
    assert len({one.asked.text for one in case.questions}) == len(case.questions) == 72 + 180
    for one in case.questions:
        assert {ref.segment for ref in answers.gold_of(one)} <= known, one.asked.text


def test_every_pair_that_is_told_twice_has_two_memories_and_a_question() -> None:
    (case,) = answers.told_twice_cases(Path(__file__).parents[2] / "data" / "told_twice.jsonl")
    known = {f"seg_{session.id}_{i}" for session in case.case.sessions for i in range(len(session.turns))}
    assert len({one.asked.text for one in case.questions}) == len(case.questions) == 114
    assert all({ref.segment for ref in answers.gold_of(one)} <= known for one in case.questions)
    assert {one.group.rsplit(", ", 1)[1] for one in case.questions} == {"update", "mention", "other", "past"}
