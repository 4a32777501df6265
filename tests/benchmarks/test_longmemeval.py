"""Loading LongMemEval: the traps of the published file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import longmemeval
from benchmarks.cases import RAW, Case, LineRef, limited, sharing_fillers
from benchmarks.longmemeval import HaystackMessage, paired
from pmg.base.errors import InputError
from pmg.base.model import Role
from tests.benchmarks.synthetic import longmemeval_rows, message, write


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "longmemeval_s.json.gz", longmemeval_rows())


def test_every_answerable_question_is_a_memory_of_its_own_and_the_rest_is_counted(file: Path) -> None:
    dataset = longmemeval.load(file)
    assert [case.name for case in dataset.cases] == ["q1", "q4"]
    assert dataset.skipped["abstention questions"] == 1
    assert dataset.skipped["questions without evidence"] == 1


def test_sessions_are_put_in_order_of_date_without_the_empty_ones(file: Path) -> None:
    case = longmemeval.load(file).cases[0]
    assert [session.started_at for session in case.sessions] == [
        datetime(2023, 5, 20, 2, 21, tzinfo=UTC),
        datetime(2023, 5, 29, 10, 0, tzinfo=UTC),
    ]


def test_no_word_of_the_original_ids_reaches_the_engine(file: Path) -> None:
    for case in longmemeval.load(file).cases:
        assert [session.id for session in case.sessions] == ["s0001", "s0002"]
        said = repr(case.sessions)
        assert "answer_" not in said and "ultrachat" not in said and "q1" not in said


def test_a_message_and_its_answer_are_one_turn_and_a_lone_answer_its_own(file: Path) -> None:
    first = longmemeval.load(file).cases[0].sessions[0]
    roles = [[line.role for line in turn.lines] for turn in first.turns]
    assert roles == [[Role.ASSISTANT], [Role.USER, Role.ASSISTANT], [Role.USER]]


def test_two_answers_in_a_row_are_not_one_exchange() -> None:
    said = [HaystackMessage(role, "x", False) for role in ("user", "assistant", "assistant", "user", "user")]
    assert [len(pair) for pair in paired(said)] == [2, 1, 1, 1]


def test_gold_is_the_line_its_exchange_and_its_session(file: Path) -> None:
    question = longmemeval.load(file).cases[0].questions[0]
    gold = question.labels[RAW]
    assert gold.lines == {LineRef("seg_s0001_1", 0)}
    assert gold.segments == {"seg_s0001_1"}
    assert gold.sessions == {"s0001"}
    assert question.at == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)


def test_a_limit_keeps_the_first_cases(file: Path) -> None:
    assert [case.name for case in limited(longmemeval.load(file), 1).cases] == ["q1"]
    with pytest.raises(InputError, match="at least 1"):
        limited(longmemeval.load(file), 0)


def test_a_file_without_haystacks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="haystack"):
        longmemeval.load(write(tmp_path / "x.json", [{"question_id": "q"}]))


def test_the_development_file_has_54_answerable_questions(shared_data: Path) -> None:
    dataset = longmemeval.load(shared_data / "longmemeval_s_dev60.json.gz")
    assert len(dataset.cases) == 54
    assert dataset.skipped["abstention questions"] == 6
    assert all(question.labels[RAW].lines for case in dataset.cases for question in case.questions)


def words(case: Case) -> list[str]:
    return [session.turns[0].lines[0].text for session in case.sessions]


def test_memories_that_share_fillers_keep_their_evidence_their_size_and_their_dates(tmp_path: Path) -> None:
    rows = [
        {
            **longmemeval_rows()[0],
            "question_id": f"q{i}",
            "answer_session_ids": ["own"],
            "haystack_dates": ["2023/05/01 (Mon) 10:00", "2023/05/02 (Tue) 10:00", "2023/05/03 (Wed) 10:00"],
            "haystack_session_ids": ["a", "own", "b"],
            "haystack_sessions": [
                [message("user", f"the {place} of {i}", place == "evidence")] for place in ("first", "evidence", "last")
            ],
        }
        for i in range(4)
    ]
    whole = longmemeval.load(write(tmp_path / "longmemeval_s.json", rows))
    shared = sharing_fillers(whole, 3, 1)
    for i, (case, before) in enumerate(zip(shared.cases, whole.cases, strict=True)):
        assert words(case)[1] == f"the evidence of {i}"
        assert [(s.id, s.started_at) for s in case.sessions] == [(s.id, s.started_at) for s in before.sessions]
        assert case.questions == before.questions
    fillers = [text for case in shared.cases for text in words(case) if "evidence" not in text]
    assert (len(fillers), len(set(fillers))) == (8, 3)
    assert shared.cases == sharing_fillers(whole, 3, 1).cases
    assert sharing_fillers(whole, None, 1) is whole
    with pytest.raises(InputError, match="--fillers is 1; the largest memory has 2"):
        sharing_fillers(whole, 1, 1)
